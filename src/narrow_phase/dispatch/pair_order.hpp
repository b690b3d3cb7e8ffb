// SPDX-License-Identifier: MIT
#pragma once

#include <abut/narrow_phase/queries.hpp>

#include "math/place.hpp"
#include "narrow_phase/dispatch/pair_query.hpp"

namespace abut::inline v0_1 {

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

/// True for a rotation, within what toPose() takes, at a place (see isPlace()). The squares of a
/// matrix's singular values sum to 3 and their product is 1 only if all are 1: two numbers tell a
/// rotation from scale, mirroring, zero and NaN.
[[nodiscard]] inline bool isSoundPose(const Pose& pose) {
  constexpr double kSquares = 6e-6, kVolume = 3e-6;
  const Mat3& r = pose.rotation;
  const double squares = (squaredNorm(r.x) + squaredNorm(r.y)) + squaredNorm(r.z);
  return absOf(squares - 3.0) <= kSquares && absOf(determinant(r) - 1.0) <= kVolume &&
         isPlace(pose.translation);
}

/// True if checkPair() would certainly be Ok: no shape is missing, poses are sound, and one shape
/// is no plane.
[[nodiscard]] inline bool isPlainPair(const PlacedShape& a, const PlacedShape& b) {
  return a.shape != nullptr && b.shape != nullptr &&
         (a.shape->getType() != ShapeType::Plane || b.shape->getType() != ShapeType::Plane) &&
         isSoundPose(a.pose) && isSoundPose(b.pose);
}

/// Fails with NonFinite, OutOfRange or NotARotation for a pose that is not sound.
Status checkPose(const PlacedShape& object);

/// Fails for a missing shape, a pose that is not sound, and for two planes that cross.
Status checkPair(const PlacedShape& object1, const PlacedShape& object2);

}  // namespace abut::inline v0_1
