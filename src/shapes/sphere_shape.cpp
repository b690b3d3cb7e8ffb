// SPDX-License-Identifier: MIT
#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "math/trigonometry.hpp"
#include "math/vec3.hpp"
#include "math/widening.hpp"
#include "shapes/density.hpp"
#include "shapes/unit_ray.hpp"

namespace abut::inline v0_1 {

SphereShape::SphereShape(double radius) : Shape(ShapeType::Sphere), radius_(radius) {
  requireInRange("SphereShape: radius", radius, kMinShapeSize, kMaxShapeSize, "m");
}

Aabb SphereShape::computeLocalAabb() const {
  return Aabb::forSphere(radius_);
}

Aabb SphereShape::computeAabb(const Pose& pose) const {
  const FloatEnvironment environment;
  // A point of the sphere that was rotated and moved is off by up to 8 ulp of |centre| + radius.
  const Vec3 r{radius_, radius_, radius_};
  const Vec3 reach = r + (absOf(pose.translation) + r) * kWidening;
  return {toEigen(pose.translation - reach), toEigen(pose.translation + reach)};
}

double SphereShape::boundingRadius() const {
  return radius_;
}

Status SphereShape::computeMass(double density, MassProperties& result) const {
  const FloatEnvironment environment;
  Status status = checkDensity(density);
  if (!status) return status;
  const double r2 = radius_ * radius_;
  const double mass = density * (4.0 / 3.0 * kPi * (r2 * radius_));
  const double inertia = 0.4 * mass * r2;
  result = {};
  result.mass = mass;
  result.inertia = {inertia, inertia, inertia};
  return {};
}

double SphereShape::signedDistance(const Eigen::Vector3d& point) const {
  const FloatEnvironment environment;
  return environment.keep(norm(toVec3(point)) - radius_);
}

bool SphereShape::raycast(const Ray& ray, RayHit& hit) const {
  const FloatEnvironment environment;
  UnitRay r;
  if (!toUnitRay(ray, r)) return false;
  if (norm(r.origin) <= radius_) return writeInsideHit(r, hit);
  const double along = -dot(r.origin, r.direction);
  if (!(along > 0.0)) return false;
  // Half the chord from the distance of the line to the centre: no cancellation of large squares.
  const Vec3 nearest = r.origin + r.direction * along;
  const double offset = norm(nearest);
  if (offset > radius_) return false;
  const double half = std::sqrt((radius_ - offset) * (radius_ + offset));
  const Vec3 normal = normalized(nearest - r.direction * half);
  return writeHit(r, maxOf(along - half, 0.0), normal * radius_, normal, hit);
}

}  // namespace abut::inline v0_1
