// SPDX-License-Identifier: MIT
#pragma once

#include <abut/narrow_phase/queries.hpp>

#include "narrow_phase/dispatch/pair_table.hpp"

namespace abut::inline v0_1 {

/// collide() for shapes that are there, at poses that are known to be sound: a world looked at them
/// when it took them, and integration keeps them so.
Status collideSound(const PlacedShape& object1, const PlacedShape& object2,
                    const CollisionOption& option, CollisionResult& result);

/// The same by the entry of the pair, where it has one that will do: else false, and nothing was
/// done. Only in the standard environment.
[[nodiscard]] inline bool collideAtOnce(const PlacedShape& object1, const PlacedShape& object2,
                                        const CollisionOption& option, CollisionResult& result) {
  return entryOf(object1.shape->getType(), object2.shape->getType())(object1, object2, option,
                                                                     result);
}

}  // namespace abut::inline v0_1
