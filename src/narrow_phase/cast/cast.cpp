// SPDX-License-Identifier: MIT
#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/narrow_phase/cast.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "core/guard.hpp"
#include "narrow_phase/cast/cast_composite.hpp"
#include "narrow_phase/cast/moving_pair.hpp"
#include "narrow_phase/cast/sweep.hpp"
#include "narrow_phase/dispatch/pair_order.hpp"

namespace abut::inline v0_1 {
namespace {

Status checkVector(const char* what, const Eigen::Vector3d& v, double limit, ObjectId object) {
  const Vec3 value = toVec3(v);
  const bool finite = isFinite(value);
  if (finite && norm(value) <= limit) return {};
  return Status::failure(finite ? StatusCode::OutOfRange : StatusCode::NonFinite,
                         std::string(what) + ": expected a length of at most " + toText(limit) +
                             ", got (" + toText(value.x) + ", " + toText(value.y) + ", " +
                             toText(value.z) + ")",
                         object);
}

Status checkMotion(const Motion& motion, ObjectId object) {
  Status status = checkVector("Motion::linear [m]", motion.linear, kMaxCastDisplacement, object);
  if (!status) return status;
  return checkVector("Motion::angular [rad]", motion.angular, kMaxCastRotation, object);
}

/// Two opposed planes stay so only if they turn about their normal alone, which changes nothing.
Status stopPlanes(const PlacedShape& first, MovingPair& pair) {
  const Vec3 n = pair.rotation1 * toVec3(static_cast<const PlaneShape&>(*first.shape).getNormal());
  // Both normals are known to a few roundings.
  constexpr double kParallel = 1e-14;
  for (Vec3* angular : {&pair.angular1, &pair.angular2}) {
    if (norm(cross(*angular, n)) > kParallel * norm(*angular)) {
      return Status::failure(StatusCode::UnboundedOverlap,
                             "timeOfImpact: two half-spaces that turn against each other overlap "
                             "without bound; filter pairs of planes, or use boxes",
                             first.id);
    }
    *angular = {};
  }
  return {};
}

void writeResult(const PlacedShape& object1, const PlacedShape& object2, bool swap,
                 const Vec3& linear1, const Impact& impact, CastResult& result) {
  const PlacedShape& first = swap ? object2 : object1;
  const PairGap& gap = impact.gap;
  result = {};
  result.object1 = object1.id;
  result.object2 = object2.id;
  result.fraction = impact.fraction;
  result.iterations = impact.iterations;
  result.hit = impact.hit;
  if (impact.undecided) result.status = QueryStatus::IterationLimit;
  if (!impact.hit) return;
  result.status = impact.fraction > 0.0 ? QueryStatus::Touching : gap.status;
  const Vec3 middle = (gap.p1 + gap.p2) * 0.5;
  result.point = toEigen((first.pose.translation + linear1 * impact.fraction) + middle);
  result.normal = toEigen(swap ? -gap.normal : gap.normal);
  result.feature1 = swap ? gap.feature2 : gap.feature1;
  result.feature2 = swap ? gap.feature1 : gap.feature2;
  result.subShape1 = swap ? gap.subShape2 : gap.subShape1;
  result.subShape2 = swap ? gap.subShape1 : gap.subShape2;
}

}  // namespace

Status timeOfImpact(const PlacedShape& object1, const Motion& motion1, const PlacedShape& object2,
                    const Motion& motion2, CastResult& result) try {
  const FloatEnvironment environment;
  Status status = checkPair(object1, object2);
  if (status) status = checkMotion(motion1, object1.id);
  if (status) status = checkMotion(motion2, object2.id);
  if (!status) return status;
  const bool swap = mustSwap(object1, object2);
  const PlacedShape& first = swap ? object2 : object1;
  const PlacedShape& second = swap ? object1 : object2;
  const Motion& firstMotion = swap ? motion2 : motion1;
  const Motion& secondMotion = swap ? motion1 : motion2;
  const Vec3 linear1 = toVec3(firstMotion.linear);
  MovingPair pair{first.pose.rotation,
                  second.pose.rotation,
                  toVec3(firstMotion.angular),
                  toVec3(secondMotion.angular),
                  second.pose.translation - first.pose.translation,
                  linear1 - toVec3(secondMotion.linear)};
  const ShapeType type1 = first.shape->getType(), type2 = second.shape->getType();
  if (type1 == ShapeType::Plane && type2 == ShapeType::Plane) {
    status = stopPlanes(first, pair);
    if (!status) return status;
  }
  Impact impact;
  if (type2 > ShapeType::Plane) {
    castComposite(pair, *first.shape, *second.shape, impact);
  } else {
    castParts(pair, wholePart(*first.shape), wholePart(*second.shape), 0.0, 1.0, impact);
  }
  writeResult(object1, object2, swap, linear1, impact, result);
  return {};
} catch (...) {
  return statusOfException();
}

Status shapeCast(const PlacedShape& object1, const Eigen::Vector3d& displacement1,
                 const PlacedShape& object2, const Eigen::Vector3d& displacement2,
                 CastResult& result) try {
  Motion motion1, motion2;
  motion1.linear = displacement1;
  motion2.linear = displacement2;
  return timeOfImpact(object1, motion1, object2, motion2, result);
} catch (...) {
  return statusOfException();
}

Pose poseAt(const Pose& start, const Motion& motion, double t) {
  const FloatEnvironment environment;
  return {rotationAt(start.rotation, toVec3(motion.angular), t),
          start.translation + toVec3(motion.linear) * t};
}

}  // namespace abut::inline v0_1
