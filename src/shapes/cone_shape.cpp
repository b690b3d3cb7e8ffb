// SPDX-License-Identifier: MIT
#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/shapes/cone_shape.hpp>

#include "math/pose.hpp"
#include "math/trigonometry.hpp"
#include "shapes/round_profile.hpp"
#include "shapes/support_features.hpp"

namespace abut::inline v0_1 {

ConeShape::ConeShape(double radius, double height)
    : Shape(ShapeType::Cone), radius_(radius), height_(height) {
  requireInRange("ConeShape radius", radius, kMinShapeSize, kMaxShapeSize, "m");
  requireInRange("ConeShape height", height, kMinShapeSize, kMaxShapeSize, "m");
}

Aabb ConeShape::computeLocalAabb() const {
  const double hz = 0.5 * height_;
  return Aabb::forBox({radius_, radius_, hz});
}

Aabb ConeShape::computeAabb(const Pose& pose) const {
  const FloatEnvironment environment;
  const Vec3 axis = pose.rotation.z * (0.5 * height_);
  const Vec3 disc = discExtents(pose.rotation, radius_);
  const Vec3 widening = (disc + absOf(axis) + absOf(pose.translation)) * kAabbWidening;
  const Vec3 lower = minOf(axis, -axis - disc), upper = maxOf(axis, disc - axis);
  return {toEigen((pose.translation + lower) - widening),
          toEigen((pose.translation + upper) + widening)};
}

double ConeShape::boundingRadius() const {
  const FloatEnvironment environment;
  return environment.keep(norm(Vec3{radius_, 0.0, 0.5 * height_}));
}

Status ConeShape::computeMass(double density, MassProperties& result) const {
  const FloatEnvironment environment;
  Status status = checkDensity("ConeShape::computeMass", density);
  if (!status) return status;
  const double rr = radius_ * radius_;
  const double mass = density * kPi * rr * height_ / 3.0;
  const double ixx = mass * (0.15 * rr + 0.0375 * (height_ * height_));
  result = {};
  result.mass = mass;
  result.center = {0.0, 0.0, -0.25 * height_};
  result.inertia = {ixx, ixx, 0.3 * mass * rr};
  return {};
}

double ConeShape::signedDistance(const Eigen::Vector3d& point) const {
  const FloatEnvironment environment;
  // In the half plane (rho, z) the cone is a triangle: base from (0, -hz) to (r, -hz), side from
  // there to the apex (0, hz). Side coordinates from the apex: u down the side, v outwards.
  const Vec3 p = toVec3(point);
  const double hz = 0.5 * height_;
  const double length = std::sqrt(radius_ * radius_ + height_ * height_);
  const double sine = radius_ / length, cosine = height_ / length;
  const double rho = std::sqrt(p.x * p.x + p.y * p.y), drop = hz - p.z;
  const double u = rho * sine + drop * cosine, v = rho * cosine - drop * sine;
  const double below = -hz - p.z;
  if (v <= 0.0 && below <= 0.0) return environment.keep(maxOf(v, below));

  const double besideSide = maxOf(maxOf(-u, u - length), 0.0);
  const double toSide = besideSide > 0.0 ? std::sqrt(besideSide * besideSide + v * v) : absOf(v);
  const double besideBase = maxOf(rho - radius_, 0.0);
  const double toBase =
      besideBase > 0.0 ? std::sqrt(besideBase * besideBase + below * below) : absOf(below);
  return environment.keep(minOf(toSide, toBase));
}

bool ConeShape::raycast(const Ray& ray, RayHit& hit) const {
  const FloatEnvironment environment;
  const double hz = 0.5 * height_, k = radius_ / height_;
  const ScaledRay r(ray);
  RayInterval inside;
  inside.clipBelow(-r.origin.z - hz, -r.direction.z, {0.0, 0.0, -1.0});

  // With w = hz - z, the drop below the apex, the side is x^2 + y^2 <= k^2 w^2, w >= 0:
  // a t^2 + 2 b t + c <= 0, its discriminant written without the cancellation of b^2 - a c.
  const Vec3 &o = r.origin, &d = r.direction;
  const double w = hz - o.z, kk = k * k;
  const double a = d.x * d.x + d.y * d.y - kk * (d.z * d.z);
  const double b = o.x * d.x + o.y * d.y + kk * w * d.z;
  const double c = o.x * o.x + o.y * o.y - kk * (w * w);
  const double px = w * d.x + o.x * d.z, py = w * d.y + o.y * d.z;
  const double twist = o.x * d.y - o.y * d.x;
  const double discriminant = kk * (px * px + py * py) - twist * twist;
  if (discriminant < 0.0) return false;
  const double s = std::sqrt(discriminant);
  const double q = b < 0.0 ? s - b : -(b + s);
  double first = -std::numeric_limits<double>::infinity(), last = -first;
  if (a > 0.0) {
    // The line leaves the cone sideways: both roots lie on the same half of the double cone.
    if (w * a + b * d.z < 0.0) return false;
    const double t1 = q / a, t2 = q == 0.0 ? t1 : c / q;
    first = minOf(t1, t2);
    last = maxOf(t1, t2);
  } else if (q != 0.0) {
    // It runs down or up inside: one root on each half (a = 0: the other is at infinity).
    const double t2 = c / q, t1 = a < 0.0 ? q / a : t2;
    if (d.z < 0.0) first = maxOf(t1, t2);
    if (d.z > 0.0) last = minOf(t1, t2);
  } else if (c > 0.0) {
    return false;
  }
  Vec3 outward{0.0, 0.0, 1.0};
  if (isFinite(first)) {
    const Vec3 at = o + d * first;
    const double rho = std::sqrt(at.x * at.x + at.y * at.y);
    if (rho > 0.0) outward = {at.x * height_, at.y * height_, rho * radius_};
  }
  inside.clipTo(first, last, outward);
  return r.finish(inside, hit);
}

void supportFeatureCone(double radius, double halfHeight, const Vec3& d, double cosTolerance,
                        SupportFeature& result) {
  if (-d.z >= cosTolerance) {
    discFeature(radius, -halfHeight, false, result);
    result.feature = {Feature::Kind::Face, 1};
    return;
  }
  const double rho = std::sqrt(d.x * d.x + d.y * d.y);
  const double height = 2.0 * halfHeight;
  const Vec3 apex{0.0, 0.0, halfHeight};
  const Vec3 rim = rho > 0.0 ? Vec3{radius * d.x / rho, radius * d.y / rho, -halfHeight}
                             : Vec3{radius, 0.0, -halfHeight};
  // The side's normal above d's meridian is (height, radius) / length in (rho, z).
  const double length = std::sqrt(radius * radius + height * height);
  if (rho > 0.0 && rho * height + d.z * radius >= cosTolerance * length) {
    result.count = 2;
    result.vertices[0] = rim;
    result.vertices[1] = apex;
    result.vertexIds[0] = kSideLineVertex;
    result.vertexIds[1] = kSideLineVertex + 1;
    result.edgeIds[0] = result.edgeIds[1] = 0;
    result.feature = {Feature::Kind::Face, 0};
    return;
  }
  const bool atApex = d.z * height >= rho * radius;
  result.count = 1;
  result.vertices[0] = atApex ? apex : rim;
  result.vertexIds[0] = kSideLineVertex + (atApex ? 1u : 0u);
  result.feature = {atApex ? Feature::Kind::Vertex : Feature::Kind::Edge, 0};
}

}  // namespace abut::inline v0_1
