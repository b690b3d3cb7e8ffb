// SPDX-License-Identifier: MIT
#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/shapes/cylinder_shape.hpp>

#include "math/pose.hpp"
#include "math/trigonometry.hpp"
#include "shapes/round_profile.hpp"
#include "shapes/support_features.hpp"

namespace abut::inline v0_1 {

CylinderShape::CylinderShape(double radius, double height)
    : Shape(ShapeType::Cylinder), radius_(radius), height_(height) {
  requireInRange("CylinderShape radius", radius, kMinShapeSize, kMaxShapeSize, "m");
  requireInRange("CylinderShape height", height, kMinShapeSize, kMaxShapeSize, "m");
}

Aabb CylinderShape::computeLocalAabb() const {
  const double hz = 0.5 * height_;
  return Aabb::forBox({radius_, radius_, hz});
}

Aabb CylinderShape::computeAabb(const Pose& pose) const {
  const FloatEnvironment environment;
  const Vec3 axis = pose.rotation.z * (0.5 * height_);
  const Vec3 half = discExtents(pose.rotation, radius_) + absOf(axis);
  const Vec3 reach = half + (half + absOf(pose.translation)) * kAabbWidening;
  return {toEigen(pose.translation - reach), toEigen(pose.translation + reach)};
}

double CylinderShape::boundingRadius() const {
  const FloatEnvironment environment;
  return environment.keep(norm(Vec3{radius_, 0.0, 0.5 * height_}));
}

Status CylinderShape::computeMass(double density, MassProperties& result) const {
  const FloatEnvironment environment;
  Status status = checkDensity("CylinderShape::computeMass", density);
  if (!status) return status;
  const double rr = radius_ * radius_;
  const double mass = density * kPi * rr * height_;
  const double ixx = mass * (3.0 * rr + height_ * height_) / 12.0;
  result = {};
  result.mass = mass;
  result.inertia = {ixx, ixx, 0.5 * mass * rr};
  return {};
}

double CylinderShape::signedDistance(const Eigen::Vector3d& point) const {
  const FloatEnvironment environment;
  const Vec3 p = toVec3(point);
  const double side = std::sqrt(p.x * p.x + p.y * p.y) - radius_;
  const double cap = absOf(p.z) - 0.5 * height_;
  if (side <= 0.0 || cap <= 0.0) return environment.keep(maxOf(side, cap));
  return environment.keep(std::sqrt(side * side + cap * cap));
}

bool CylinderShape::raycast(const Ray& ray, RayHit& hit) const {
  const FloatEnvironment environment;
  const double hz = 0.5 * height_;
  const ScaledRay r(ray);
  RayInterval inside;
  inside.clipBelow(r.origin.z - hz, r.direction.z, {0.0, 0.0, 1.0});
  inside.clipBelow(-r.origin.z - hz, -r.direction.z, {0.0, 0.0, -1.0});

  // |o + t d| <= radius in the xy plane. The discriminant a R^2 - (o x d)^2 does not cancel for far
  // origins as b^2 - a c does.
  const Vec3 &o = r.origin, &d = r.direction;
  const double a = d.x * d.x + d.y * d.y;
  if (a > 0.0) {
    const double twist = o.x * d.y - o.y * d.x;
    const double discriminant = a * (radius_ * radius_) - twist * twist;
    if (discriminant < 0.0) return false;
    const double b = o.x * d.x + o.y * d.y, s = std::sqrt(discriminant);
    const double enter = (-b - s) / a, leave = (-b + s) / a;
    const Vec3 at = o + d * enter;
    inside.clipTo(enter, leave, {at.x, at.y, 0.0});
  } else if (o.x * o.x + o.y * o.y > radius_ * radius_) {
    return false;
  }
  return r.finish(inside, hit);
}

void supportFeatureCylinder(double radius, double halfHeight, const Vec3& d, double cosTolerance,
                            SupportFeature& result) {
  const bool top = d.z >= 0.0;
  if (absOf(d.z) >= cosTolerance) {
    discFeature(radius, top ? halfHeight : -halfHeight, top, result);
    result.feature = {Feature::Kind::Face, top ? 2u : 1u};
    return;
  }
  const double rho = std::sqrt(d.x * d.x + d.y * d.y);
  const Vec3 rim{radius * d.x / rho, radius * d.y / rho, 0.0};
  if (rho >= cosTolerance) {
    result.count = 2;
    result.vertices[0] = {rim.x, rim.y, -halfHeight};
    result.vertices[1] = {rim.x, rim.y, halfHeight};
    result.vertexIds[0] = kSideLineVertex;
    result.vertexIds[1] = kSideLineVertex + 1;
    result.edgeIds[0] = result.edgeIds[1] = 0;
    result.feature = {Feature::Kind::Face, 0};
    return;
  }
  result.count = 1;
  result.vertices[0] = {rim.x, rim.y, top ? halfHeight : -halfHeight};
  result.vertexIds[0] = kSideLineVertex + (top ? 1u : 0u);
  result.feature = {Feature::Kind::Edge, top ? 1u : 0u};
}

}  // namespace abut::inline v0_1
