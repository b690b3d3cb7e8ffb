// SPDX-License-Identifier: MIT
#include <limits>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "math/pose.hpp"
#include "math/widening.hpp"
#include "shapes/unit_ray.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// n/|n| for any finite n but zero, whatever its scale.
Eigen::Vector3d unitNormal(const Eigen::Vector3d& normal) {
  const FloatEnvironment environment;
  const Vec3 n = toVec3(normal);
  const double largest = maxElement(absOf(n));
  if (!isFinite(n)) {
    throw Error(StatusCode::NonFinite, "PlaneShape: normal: expected finite numbers, got (" +
                                           toText(n.x) + ", " + toText(n.y) + ", " + toText(n.z) +
                                           ")");
  }
  if (!(largest > 0.0)) {
    throw Error(StatusCode::OutOfRange,
                "PlaneShape: normal: expected a direction, got (0, 0, 0); give it any length but "
                "zero");
  }
  const Vec3 scaledNormal = n / largest;
  return toEigen(scaledNormal / norm(scaledNormal));
}

/// Box of { x : n . x <= offset }: finite on one side if n is exactly along an axis.
Aabb boxOf(const Vec3& n, double offset) {
  Vec3 lower{-kInfinity, -kInfinity, -kInfinity}, upper{kInfinity, kInfinity, kInfinity};
  const bool alongX = n.y == 0.0 && n.z == 0.0, alongY = n.x == 0.0 && n.z == 0.0;
  const bool alongZ = n.x == 0.0 && n.y == 0.0;
  if (alongX) (n.x > 0.0 ? upper.x : lower.x) = n.x > 0.0 ? offset : -offset;
  if (alongY) (n.y > 0.0 ? upper.y : lower.y) = n.y > 0.0 ? offset : -offset;
  if (alongZ) (n.z > 0.0 ? upper.z : lower.z) = n.z > 0.0 ? offset : -offset;
  return {toEigen(lower), toEigen(upper)};
}

}  // namespace

PlaneShape::PlaneShape(const Eigen::Vector3d& normal, double offset)
    : Shape(ShapeType::Plane),
      normal_(unitNormal(normal)),
      offset_(offset),
      is_upright_(toVec3(normal_) == Vec3{0.0, 0.0, 1.0}) {
  requireInRange("PlaneShape: offset", offset, -kMaxShapeSize, kMaxShapeSize, "m");
}

Aabb PlaneShape::computeLocalAabb() const {
  return boxOf(toVec3(normal_), offset_);
}

Aabb PlaneShape::computeAabb(const Pose& pose) const {
  const FloatEnvironment environment;
  const Vec3 n = pose.rotation * toVec3(normal_);
  const double along = dot(n, pose.translation);
  // The rotated normal may be off unit length by a few ulp, and the sum rounds once.
  return boxOf(n, (along + offset_) + (absOf(along) + absOf(offset_)) * kWidening);
}

double PlaneShape::boundingRadius() const {
  return kInfinity;
}

Status PlaneShape::computeMass(double, MassProperties&) const {
  return Status::failure(StatusCode::NotSolid,
                         "computeMass: a plane is a half-space without finite mass; give the body "
                         "its mass, or use a box");
}

double PlaneShape::signedDistance(const Eigen::Vector3d& point) const {
  const FloatEnvironment environment;
  return environment.keep(dot(toVec3(normal_), toVec3(point)) - offset_);
}

bool PlaneShape::raycast(const Ray& ray, RayHit& hit) const {
  const FloatEnvironment environment;
  UnitRay r;
  if (!toUnitRay(ray, r)) return false;
  const Vec3 n = toVec3(normal_);
  const double height = dot(n, r.origin) - offset_;
  if (height <= 0.0) return writeInsideHit(r, hit);
  const double slope = dot(n, r.direction);
  if (!(slope < 0.0)) return false;
  const double distance = height / -slope;
  const Vec3 point = r.origin + r.direction * distance;
  return writeHit(r, distance, point - n * (dot(n, point) - offset_), n, hit);
}

}  // namespace abut::inline v0_1
