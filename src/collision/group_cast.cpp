// SPDX-License-Identifier: MIT
#include <string>

#include <abut/core/float_environment.hpp>

#include "collision/group_impl.hpp"
#include "core/guard.hpp"
#include "math/vec3.hpp"

namespace abut::inline v0_1 {
namespace {

Status checkLength(const char* what, const Eigen::Vector3d& value, double largest) {
  const Vec3 v{value.x(), value.y(), value.z()};
  if (!isFinite(v)) {
    return Status::failure(StatusCode::NonFinite, std::string(what) + ": expected finite numbers");
  }
  const double greatest = maxElement(absOf(v));
  if (greatest <= largest) return {};
  return Status::failure(StatusCode::OutOfRange, std::string(what) + ": expected at most " +
                                                     toText(largest) + ", got " + toText(greatest));
}

/// The box from which the object's sweep starts; it holds the object in every orientation that it
/// takes on the way.
Aabb castBox(const CollisionObject& object, bool turns) {
  if (!turns) return reachOf(object, 0.0);
  const double radius = object.getShape().boundingRadius();
  if (!isFinite(radius)) return Aabb::infinite();
  constexpr double kTouchReach = 1e-11;  // Rounding of the rotation, and what counts as touching.
  return Aabb::transformed(Aabb::forSphere(radius * (1.0 + kTouchReach)),
                           Pose{{}, object.getPose().translation});
}

/// An undecided pair counts from the fraction up to which it is known to be apart.
bool isEarlier(const CastResult& cast, const CastResult& best) {
  return cast.fraction < best.fraction || (cast.fraction == best.fraction && !best.hit && cast.hit);
}

}  // namespace

Status CollisionGroup::shapeCast(const CollisionObject& object, const Eigen::Vector3d& displacement,
                                 CastResult& result, GroupReport* report) try {
  Motion motion;
  motion.linear = displacement;
  return timeOfImpact(object, motion, result, report);
} catch (...) {
  return statusOfException();
}

Status CollisionGroup::timeOfImpact(const CollisionObject& object, const Motion& motion,
                                    CastResult& result, GroupReport* report) try {
  const FloatEnvironment environment;
  Status status = checkLength("Motion::linear [m]", motion.linear, kMaxCastDisplacement);
  if (!status) return status;
  status = checkLength("Motion::angular [rad]", motion.angular, kMaxCastRotation);
  if (!status) return status;
  Impl& impl = *impl_;
  impl.setMargin(0.0);
  impl.broadPhase->prepare();
  const bool turns = motion.angular != Eigen::Vector3d(0.0, 0.0, 0.0);
  status = impl.broadPhase->sweep(castBox(object, turns), motion.linear, impl.ids);
  if (!status) return status;
  CastResult best, cast;
  best.object1 = object.getId();
  GroupReport counted;
  for (const ObjectId id : impl.ids) {
    const CollisionObject& member = impl.get(id);
    if (id == object.getId() || !impl.wants(object, member, counted)) continue;
    status = turns ? abut::timeOfImpact(object.placed(), motion, member.placed(), Motion{}, cast)
                   : abut::shapeCast(object.placed(), motion.linear, member.placed(),
                                     Eigen::Vector3d(0.0, 0.0, 0.0), cast);
    if (!status) return status;
    if ((cast.hit || cast.status == QueryStatus::IterationLimit) && isEarlier(cast, best)) {
      best = cast;
    }
  }
  result = best;
  writeReport(counted, report);
  return {};
} catch (...) {
  return statusOfException();
}

}  // namespace abut::inline v0_1
