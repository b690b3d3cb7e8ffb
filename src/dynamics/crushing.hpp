// SPDX-License-Identifier: MIT
#pragma once

namespace abut::inline v0_1 {

struct BodyFacts;

/// Whether a contact of this depth [m] crushes a dynamic body: deeper than a tenth of its width,
/// and than twice the overlap that is left alone. No resting contact is so deep; past the middle of
/// a body contacts push it out on the far side, with every bound kept, as if all were well.
bool isCrushed(const BodyFacts& body1, const BodyFacts& body2, double depth, double slop);

}  // namespace abut::inline v0_1
