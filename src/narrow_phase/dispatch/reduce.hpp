// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/dispatch/pair_query.hpp"

namespace abut::inline v0_1 {

/// Keeps at most four points: the deepest, the farthest from it in the contact plane, then the
/// points that add the largest area on each side of that line. Ties go to the smaller features, so
/// the choice does not depend on the order of the points. Then sorts deepest first, ties by
/// feature.
void reduceManifold(PairManifold& manifold);

}  // namespace abut::inline v0_1
