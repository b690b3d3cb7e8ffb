// SPDX-License-Identifier: MIT
#pragma once

#include <abut/narrow_phase/queries.hpp>

#include "narrow_phase/dispatch/pair_query.hpp"

namespace abut {

/// A fixed total order of poses: by translation, then rotation.
[[nodiscard]] bool poseLess(const Pose& a, const Pose& b);

/// True if the pair has to be exchanged to stand in the order in which it is computed: by type,
/// then id, then pose. A total order but for two shapes without ids at the very same place.
[[nodiscard]] inline bool mustSwap(const PlacedShape& a, const PlacedShape& b) {
  const ShapeType typeA = a.shape->getType(), typeB = b.shape->getType();
  if (typeA != typeB) return typeB < typeA;
  if (a.id != b.id) return b.id < a.id;
  return poseLess(b.pose, a.pose);
}

/// The pair in the frame of the pair functions.
[[nodiscard]] inline PairQuery makeQuery(const PlacedShape& first, const PlacedShape& second,
                                         double margin, bool enableContact) {
  return {*first.shape,
          *second.shape,
          {first.pose.rotation, {}},
          {second.pose.rotation, second.pose.translation - first.pose.translation},
          margin,
          enableContact};
}

/// True if checkPair() would certainly be Ok: no shape is missing and one of them is no plane.
[[nodiscard]] inline bool isPlainPair(const PlacedShape& a, const PlacedShape& b) {
  return a.shape != nullptr && b.shape != nullptr &&
         (a.shape->getType() != ShapeType::Plane || b.shape->getType() != ShapeType::Plane);
}

/// Fails for a missing shape, and for two planes that cross.
Status checkPair(const PlacedShape& object1, const PlacedShape& object2);

}  // namespace abut
