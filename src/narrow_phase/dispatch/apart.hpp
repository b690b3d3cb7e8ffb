// SPDX-License-Identifier: MIT
#pragma once

#include <abut/narrow_phase/queries.hpp>

#include "math/pose.hpp"
#include "narrow_phase/dispatch/pair_table.hpp"

namespace abut::inline v0_1 {

// Two convex shapes are apart if there is a direction along which they are. To find it may take a
// long search; to see that an old one still holds takes a support point of each shape.

/// Whether the contacts of such shapes are searched for by the general method for convex shapes.
[[nodiscard]] inline bool isSearchedPair(ShapeType type1, ShapeType type2) {
  return kSearchedTable[entryIndex(type1, type2)];
}

/// Whether such shapes are farther apart than a length [m] along a unit direction, from 2 to 1.
[[nodiscard]] bool areApart(const Shape& shape1, const Pose& pose1, const Shape& shape2,
                            const Pose& pose2, const Vec3& direction, double length);

/// collide() of such shapes, for option values that ask for all contacts. Where there are none,
/// `direction` becomes one along which they are farther apart than the margin, from 2 to 1. True if
/// there are any. `start`, if not null, is the normal that they had a little earlier, from 2 to 1:
/// the search begins there.
bool collideSearched(const PlacedShape& object1, const PlacedShape& object2, double margin,
                     const Vec3* start, CollisionResult& result, Vec3& direction);

}  // namespace abut::inline v0_1
