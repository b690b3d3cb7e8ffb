// SPDX-License-Identifier: MIT
#include <limits>

#include <abut/core/float_environment.hpp>
#include <abut/math/aabb.hpp>
#include <abut/math/convert.hpp>

#include "math/pose.hpp"
#include "math/widening.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Aabb make(const Vec3& min, const Vec3& max) {
  return {toEigen(min), toEigen(max)};
}

}  // namespace

Aabb Aabb::empty() {
  return make({kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity});
}

Aabb Aabb::infinite() {
  return make({-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, kInfinity});
}

bool Aabb::overlaps(const Aabb& other) const {
  return min_.x() <= other.max_.x() && other.min_.x() <= max_.x() && min_.y() <= other.max_.y() &&
         other.min_.y() <= max_.y() && min_.z() <= other.max_.z() && other.min_.z() <= max_.z();
}

bool Aabb::contains(const Eigen::Vector3d& point) const {
  return min_.x() <= point.x() && point.x() <= max_.x() && min_.y() <= point.y() &&
         point.y() <= max_.y() && min_.z() <= point.z() && point.z() <= max_.z();
}

bool Aabb::contains(const Aabb& other) const {
  return contains(other.min_) && contains(other.max_);
}

Eigen::Vector3d Aabb::center() const {
  const FloatEnvironment environment;
  return toEigen((toVec3(min_) + toVec3(max_)) * 0.5);
}

Eigen::Vector3d Aabb::halfExtents() const {
  const FloatEnvironment environment;
  return toEigen((toVec3(max_) - toVec3(min_)) * 0.5);
}

double Aabb::volume() const {
  const FloatEnvironment environment;
  const Vec3 size = toVec3(max_) - toVec3(min_);
  return environment.keep(size.x * size.y * size.z);
}

double Aabb::surfaceArea() const {
  const FloatEnvironment environment;
  const Vec3 size = toVec3(max_) - toVec3(min_);
  return environment.keep(2.0 * ((size.x * size.y + size.y * size.z) + size.z * size.x));
}

void Aabb::merge(const Aabb& other) {
  *this = make(minOf(toVec3(min_), toVec3(other.min_)), maxOf(toVec3(max_), toVec3(other.max_)));
}

void Aabb::merge(const Eigen::Vector3d& point) {
  merge(Aabb(point, point));
}

void Aabb::expand(double margin) {
  const FloatEnvironment environment;
  const Vec3 m{margin, margin, margin};
  Vec3 lower = toVec3(min_) - m, upper = toVec3(max_) + m;
  const Vec3 middle = toVec3(center());
  if (lower.x > upper.x) lower.x = upper.x = middle.x;
  if (lower.y > upper.y) lower.y = upper.y = middle.y;
  if (lower.z > upper.z) lower.z = upper.z = middle.z;
  *this = make(lower, upper);
}

Aabb Aabb::forSphere(double radius) {
  return make({-radius, -radius, -radius}, {radius, radius, radius});
}

Aabb Aabb::forBox(const Eigen::Vector3d& halfExtents) {
  const Vec3 h = toVec3(halfExtents);
  return make(-h, h);
}

Aabb Aabb::transformed(const Aabb& local, const Pose& pose) {
  const FloatEnvironment environment;
  const Vec3 lower = toVec3(local.min_), upper = toVec3(local.max_);
  if (!isFinite(lower) || !isFinite(upper)) return infinite();
  const Vec3 middle = apply(pose, (lower + upper) * 0.5);
  const Vec3 half = absOf(pose.rotation) * ((upper - lower) * 0.5);
  const Vec3 reach = half + (half + absOf(middle) + absOf(pose.translation)) * kWidening;
  return make(middle - reach, middle + reach);
}

Aabb Aabb::transformed(const Aabb& local, const Eigen::Isometry3d& transform) {
  Pose pose;
  pose.rotation.x = {transform(0, 0), transform(1, 0), transform(2, 0)};
  pose.rotation.y = {transform(0, 1), transform(1, 1), transform(2, 1)};
  pose.rotation.z = {transform(0, 2), transform(1, 2), transform(2, 2)};
  pose.translation = {transform(0, 3), transform(1, 3), transform(2, 3)};
  return transformed(local, pose);
}

}  // namespace abut::inline v0_1
