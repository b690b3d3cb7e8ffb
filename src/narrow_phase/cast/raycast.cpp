// SPDX-License-Identifier: MIT
#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>

#include "core/guard.hpp"
#include "math/pose.hpp"
#include "narrow_phase/dispatch/pair_order.hpp"

namespace abut::inline v0_1 {
namespace {

Status checkRay(const PlacedShape& object, const Ray& ray) {
  if (object.shape == nullptr) {
    return Status::failure(StatusCode::NullObject, "raycast: the object has no shape", object.id);
  }
  Status status = checkPose(object);
  if (!status) return status;
  const Vec3 origin = toVec3(ray.origin), direction = toVec3(ray.direction);
  if (!isFinite(origin) || !isFinite(direction)) {
    return Status::failure(StatusCode::NonFinite,
                           "raycast: origin and direction of the ray must be finite; check what "
                           "computed them",
                           object.id);
  }
  if (!(maxElement(absOf(direction)) > 0.0)) {
    return Status::failure(StatusCode::OutOfRange,
                           "raycast: the ray's direction is zero; give it a length", object.id);
  }
  if (!(ray.maxFraction >= 0.0)) {
    return Status::failure(
        StatusCode::OutOfRange,
        "Ray::maxFraction: expected a number >= 0, got " + toText(ray.maxFraction), object.id);
  }
  return {};
}

}  // namespace

Status raycast(const PlacedShape& object, const Ray& ray, bool& found, RayHit& hit) try {
  const FloatEnvironment environment;
  Status status = checkRay(object, ray);
  if (!status) return status;
  Ray local;
  local.origin = toEigen(applyInverse(object.pose, toVec3(ray.origin)));
  local.direction = toEigen(transposeTimes(object.pose.rotation, toVec3(ray.direction)));
  local.maxFraction = ray.maxFraction;
  RayHit localHit;
  found = object.shape->raycast(local, localHit);
  if (!found) return {};
  hit = localHit;
  hit.point = toEigen(toVec3(ray.origin) + toVec3(ray.direction) * localHit.fraction);
  hit.normal = toEigen(object.pose.rotation * toVec3(localHit.normal));
  return {};
} catch (...) {
  return statusOfException();
}

}  // namespace abut::inline v0_1
