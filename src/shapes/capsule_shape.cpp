// SPDX-License-Identifier: MIT
#include <limits>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/shapes/capsule_shape.hpp>

#include "math/pose.hpp"
#include "math/trigonometry.hpp"
#include "math/widening.hpp"
#include "shapes/density.hpp"
#include "shapes/unit_ray.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Distance along a unit ray to where it enters a ball at the origin; infinity for a miss. Half the
/// chord comes from the line's distance to the centre: no cancellation of large squares.
double enterBall(const Vec3& origin, const Vec3& direction, double radius) {
  const double along = -dot(origin, direction);
  const double offset = norm(origin + direction * along);
  if (offset > radius) return kInfinity;
  return along - std::sqrt((radius - offset) * (radius + offset));
}

/// The same for the infinite cylinder about z, in the plane across it.
double enterTube(const Vec3& origin, const Vec3& direction, double radius) {
  const double across2 = direction.x * direction.x + direction.y * direction.y;
  // A ray this close to the axis' direction moves sideways by less than the smallest shape over any
  // distance that a double can measure to the metre: the caps decide.
  constexpr double kAlongAxis = 1e-60;
  if (across2 < kAlongAxis) return kInfinity;
  const double along = -(origin.x * direction.x + origin.y * direction.y) / across2;
  const Vec3 nearest{origin.x + direction.x * along, origin.y + direction.y * along, 0.0};
  const double offset = norm(nearest);
  if (offset > radius) return kInfinity;
  return along - std::sqrt((radius - offset) * (radius + offset) / across2);
}

}  // namespace

CapsuleShape::CapsuleShape(double radius, double length)
    : Shape(ShapeType::Capsule), radius_(radius), length_(length) {
  requireInRange("CapsuleShape: radius", radius, kMinShapeSize, kMaxShapeSize, "m");
  requireInRange("CapsuleShape: length", length, kMinShapeSize, kMaxShapeSize, "m");
}

Aabb CapsuleShape::computeLocalAabb() const {
  const FloatEnvironment environment;
  const Vec3 reach{radius_, radius_, 0.5 * length_ + radius_};
  return {toEigen(-reach), toEigen(reach)};
}

Aabb CapsuleShape::computeAabb(const Pose& pose) const {
  const FloatEnvironment environment;
  // A point of the capsule that was rotated and moved is off by up to 8 ulp of the terms.
  const Vec3 r{radius_, radius_, radius_};
  const Vec3 half = absOf(pose.rotation.z) * (0.5 * length_) + r;
  const Vec3 reach = half + (absOf(pose.translation) + half) * kWidening;
  return {toEigen(pose.translation - reach), toEigen(pose.translation + reach)};
}

double CapsuleShape::boundingRadius() const {
  const FloatEnvironment environment;
  return environment.keep(0.5 * length_ + radius_);
}

Status CapsuleShape::computeMass(double density, MassProperties& result) const {
  const FloatEnvironment environment;
  Status status = checkDensity(density);
  if (!status) return status;
  const double r2 = radius_ * radius_, l = length_;
  const double tube = density * (kPi * r2 * l);
  const double ball = density * (4.0 / 3.0 * kPi * (r2 * radius_));
  // Across the axis: the tube about its centre, and each half ball, whose centre of mass lies 3r/8
  // beyond the tube's end, moved by the parallel axis theorem.
  const double across =
      tube * (l * l / 12.0 + r2 / 4.0) + ball * (0.4 * r2 + l * l / 4.0 + 0.375 * l * radius_);
  result = {};
  result.mass = tube + ball;
  result.inertia = {across, across, tube * (0.5 * r2) + ball * (0.4 * r2)};
  return {};
}

double CapsuleShape::signedDistance(const Eigen::Vector3d& point) const {
  const FloatEnvironment environment;
  const Vec3 p = toVec3(point);
  const double half = 0.5 * length_;
  return environment.keep(norm(Vec3{p.x, p.y, p.z - clampTo(p.z, -half, half)}) - radius_);
}

bool CapsuleShape::raycast(const Ray& ray, RayHit& hit) const {
  const FloatEnvironment environment;
  UnitRay r;
  if (!toUnitRay(ray, r)) return false;
  if (signedDistance(ray.origin) <= 0.0) return writeInsideHit(r, hit);
  const double half = 0.5 * length_;
  const Vec3 top{0.0, 0.0, half};
  // The first entry into the union of the tube's part between the caps and the two balls.
  double first = kInfinity;
  for (const double t : {enterBall(r.origin + top, r.direction, radius_),
                         enterBall(r.origin - top, r.direction, radius_)}) {
    if (t >= 0.0 && t < first) first = t;
  }
  const double tube = enterTube(r.origin, r.direction, radius_);
  if (tube >= 0.0 && tube < first && absOf(r.origin.z + tube * r.direction.z) <= half) {
    first = tube;
  }
  if (!(first < kInfinity)) return false;
  const Vec3 point = r.origin + r.direction * first;
  const Vec3 center{0.0, 0.0, clampTo(point.z, -half, half)};
  const Vec3 normal = normalized(point - center);
  return writeHit(r, first, center + normal * radius_, normal, hit);
}

}  // namespace abut::inline v0_1
