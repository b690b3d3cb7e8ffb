// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include <abut/core/status.hpp>
#include <abut/narrow_phase/contact.hpp>
#include <abut/narrow_phase/queries.hpp>

namespace abut::inline v0_1 {

/// Motion of an object over the unit interval, in the world frame: at fraction t its origin has
/// moved by t * linear, and it has turned by the rotation vector t * angular about its origin.
struct Motion {
  Eigen::Vector3d linear{0., 0., 0.};   ///< Displacement of the origin [m].
  Eigen::Vector3d angular{0., 0., 0.};  ///< Axis times angle [rad]; may be more than a turn.
};

/// Largest displacement [m] and rotation [rad] that the casts accept.
inline constexpr double kMaxCastDisplacement = 1e12;
inline constexpr double kMaxCastRotation = 1e6;

/// First contact of two moving objects.
struct CastResult {
  bool hit = false;
  /// Fraction of the motion at first touch, in [0, 1]. Without a hit: up to this fraction the
  /// objects are known to stay apart (1 unless status is IterationLimit).
  double fraction = 1.0;
  /// Unit, from object 2 to object 1, world frame, at that fraction; zero without a hit.
  Eigen::Vector3d normal{0., 0., 0.};
  /// Midpoint of the witness points at that fraction, world frame [m]; zero without a hit.
  Eigen::Vector3d point{0., 0., 0.};
  ObjectId object1 = kNoObject;
  ObjectId object2 = kNoObject;
  Feature feature1;
  Feature feature2;
  std::uint64_t subShape1 = 0;  ///< As in ContactManifold.
  std::uint64_t subShape2 = 0;
  /// Hit: Touching, or Penetrating if the objects overlap at the start. Otherwise Separated.
  /// IterationLimit: not decided; `fraction` is the bound that still holds.
  QueryStatus status = QueryStatus::Separated;
  std::uint32_t iterations = 0;  ///< Distance queries that were made.
};

/// First contact of two objects moving along straight lines by the given displacements [m].
///
/// Objects that touch or overlap at the start hit at fraction 0, whichever way they move. The
/// fraction is exact to rounding unless the approach is grazing; contact along a graze by less than
/// kTouchTolerance (1e-12) of the size may be reported or not. Any speed: nothing is stepped over.
/// Works for every pair of shapes. Exchanging the objects gives the same bits.
///
/// Fails with NullObject for a missing shape, NonFinite or OutOfRange for a bad displacement, and
/// UnboundedOverlap for two planes that cross; `result` is written only on success.
Status shapeCast(const PlacedShape& object1, const Eigen::Vector3d& displacement1,
                 const PlacedShape& object2, const Eigen::Vector3d& displacement2,
                 CastResult& result);

/// First contact of two objects that move and turn. As shapeCast(); fails also with
/// UnboundedOverlap for two planes that turn against each other.
Status timeOfImpact(const PlacedShape& object1, const Motion& motion1, const PlacedShape& object2,
                    const Motion& motion2, CastResult& result);

/// Pose of an object after the fraction t of a motion.
[[nodiscard]] Pose poseAt(const Pose& start, const Motion& motion, double t);

}  // namespace abut::inline v0_1
