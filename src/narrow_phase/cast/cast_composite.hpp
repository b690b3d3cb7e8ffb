// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/cast/moving_pair.hpp"

namespace abut::inline v0_1 {

/// First contact of two moving shapes of which the second, or both, are composite. The overlap at
/// the start is that of distance(); after that the first pair of parts to touch.
void castComposite(const MovingPair& pair, const Shape& shape1, const Shape& shape2,
                   Impact& impact);

}  // namespace abut::inline v0_1
