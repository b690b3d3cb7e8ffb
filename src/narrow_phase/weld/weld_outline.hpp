// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/dispatch/pair_query.hpp"

namespace abut::inline v0_1 {

/// Keeps the corners of the points' convex outline, seen along the normal, and points deeper than
/// all of those by more than the tolerance [m]; order is kept. A row of points becomes its two
/// ends. Where parts of a surface meet flush this removes the points that only their seams made.
void keepOutline(PairManifold& manifold, double tolerance);

/// By how the points spread: one, along a line, over an area.
ContactType typeOfSpread(const PairManifold& manifold, double tolerance);

}  // namespace abut::inline v0_1
