// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/dispatch/pair_entry.hpp"

/// Pairs with functions of their own, one file each in this folder: collide<First><Second>() and
/// distance<First><Second>(), with the entries of pair_entry.hpp. Pairs that are not listed take
/// the generic functions below. The order in a pair is that of ShapeType.
#define ABUT_SPECIAL_PAIRS(PAIR) \
  PAIR(Sphere, Sphere)           \
  PAIR(Sphere, Box)              \
  PAIR(Sphere, Capsule)          \
  PAIR(Sphere, Cylinder)         \
  PAIR(Sphere, Plane)            \
  PAIR(Box, Box)                 \
  PAIR(Box, Capsule)             \
  PAIR(Box, Plane)               \
  PAIR(Capsule, Capsule)         \
  PAIR(Capsule, Plane)

namespace abut::inline v0_1 {

#define ABUT_DECLARE_PAIR(First, Second)                                                   \
  void collide##First##Second(const PairQuery& query, ManifoldSink& sink);                 \
  void distance##First##Second(const PairQuery& query, PairGap& result);                   \
  bool enter##First##Second(const PlacedShape& object1, const PlacedShape& object2,        \
                            const CollisionOption& option, CollisionResult& result);       \
  bool enterSwapped##First##Second(const PlacedShape& object1, const PlacedShape& object2, \
                                   const CollisionOption& option, CollisionResult& result);
ABUT_SPECIAL_PAIRS(ABUT_DECLARE_PAIR)
#undef ABUT_DECLARE_PAIR

/// Any convex shape with a half-space.
void collideConvexPlane(const PairQuery& query, ManifoldSink& sink);
void distanceConvexPlane(const PairQuery& query, PairGap& result);

/// Two half-spaces that do not cross (the dispatcher has rejected those that do).
void collidePlanePlane(const PairQuery& query, ManifoldSink& sink);
void distancePlanePlane(const PairQuery& query, PairGap& result);

/// A pair in which the second shape, or both, are composite.
void collideComposite(const PairQuery& query, ManifoldSink& sink);
void distanceComposite(const PairQuery& query, PairGap& result);

}  // namespace abut::inline v0_1
