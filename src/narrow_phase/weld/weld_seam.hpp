// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/weld/weld.hpp"

namespace abut::inline v0_1 {

/// A tip, rim or edge that dips into the seam of two parts whose faces meet flush slips, for each
/// part alone, off that part's edge. If contacts a and b of a pair are of that sort, this makes the
/// contact with their common face and returns true; they are void then. `tolerance` [m] is what
/// counts as flush.
bool bridgeSeam(const PairQuery& query, const PartManifold& a, const PartManifold& b,
                double tolerance, PairManifold& result);

}  // namespace abut::inline v0_1
