// SPDX-License-Identifier: MIT
#pragma once

#include <abut/narrow_phase/collision_result.hpp>

namespace abut::inline v0_1 {

/// Sorts the manifolds of one pair, those from `first` on, by sub-shapes (in the order in which the
/// pair was computed; `swapped` tells), and drops the shallowest points until at most `maxContacts`
/// are left. Ties are decided by sub-shapes, then features, never by order of arrival.
void thinManifolds(CollisionResult& result, std::size_t first, std::size_t maxContacts,
                   bool swapped);

}  // namespace abut::inline v0_1
