// SPDX-License-Identifier: MIT
#pragma once

#include <abut/narrow_phase/queries.hpp>

namespace abut::inline v0_1 {

/// collide() for shapes that are there, at poses that are known to be sound: a world looked at them
/// when it took them, and integration keeps them so.
Status collideSound(const PlacedShape& object1, const PlacedShape& object2,
                    const CollisionOption& option, CollisionResult& result);

}  // namespace abut::inline v0_1
