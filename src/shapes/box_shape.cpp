// SPDX-License-Identifier: MIT
#include <limits>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>

#include "math/vec3.hpp"
#include "shapes/box_features.hpp"
#include "shapes/density.hpp"
#include "shapes/support_features.hpp"
#include "shapes/unit_ray.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void requireHalfExtent(const char* what, double value) {
  requireInRange(what, value, kMinShapeSize, kMaxShapeSize, "m");
}

void putVertex(const Vec3& half, std::uint32_t bits, SupportFeature& result) {
  result.vertices[result.count] = boxVertex(half, bits);
  result.vertexIds[result.count++] = bits;
}

void putFace(const Vec3& half, std::uint32_t axis, bool positive, SupportFeature& result) {
  const std::uint32_t u = (axis + 1u) % 3u, v = (axis + 2u) % 3u;
  const std::uint32_t fixed = positive ? 1u << axis : 0u;
  // u x v = axis: (--, +-, ++, -+) runs counter-clockwise seen from the positive side.
  const std::uint32_t corners[4] = {0u, 1u << u, (1u << u) | (1u << v), 1u << v};
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t k = positive ? i : 3u - i;
    putVertex(half, fixed | corners[k], result);
    const std::uint32_t next = fixed | corners[positive ? (k + 1u) % 4u : (k + 3u) % 4u];
    result.edgeIds[i] = boxEdge(i % 2u == 0u ? u : v, next);
  }
  result.feature = {Feature::Kind::Face, 2u * axis + (positive ? 1u : 0u)};
  const double sign = positive ? 1.0 : -1.0;
  result.normal = {axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0};
}

}  // namespace

BoxShape BoxShape::fromSize(const Eigen::Vector3d& size) {
  return BoxShape({0.5 * size.x(), 0.5 * size.y(), 0.5 * size.z()});
}

Eigen::Vector3d BoxShape::getSize() const {
  return {2.0 * half_extents_.x(), 2.0 * half_extents_.y(), 2.0 * half_extents_.z()};
}

BoxShape::BoxShape(const Eigen::Vector3d& halfExtents)
    : Shape(ShapeType::Box), half_extents_(halfExtents) {
  requireHalfExtent("BoxShape: half extent x", halfExtents.x());
  requireHalfExtent("BoxShape: half extent y", halfExtents.y());
  requireHalfExtent("BoxShape: half extent z", halfExtents.z());
}

Aabb BoxShape::computeLocalAabb() const {
  return Aabb::forBox(half_extents_);
}

double BoxShape::boundingRadius() const {
  const FloatEnvironment environment;
  return environment.keep(norm(toVec3(half_extents_)));
}

Status BoxShape::computeMass(double density, MassProperties& result) const {
  const FloatEnvironment environment;
  Status status = checkDensity(density);
  if (!status) return status;
  const Vec3 h = toVec3(half_extents_);
  const double mass = density * (8.0 * ((h.x * h.y) * h.z));
  const double xx = h.x * h.x, yy = h.y * h.y, zz = h.z * h.z;
  result = {};
  result.mass = mass;
  result.inertia = {mass * (yy + zz) / 3.0, mass * (zz + xx) / 3.0, mass * (xx + yy) / 3.0};
  return {};
}

double BoxShape::signedDistance(const Eigen::Vector3d& point) const {
  const FloatEnvironment environment;
  const Vec3 beyond = absOf(toVec3(point)) - toVec3(half_extents_);
  const double largest = maxElement(beyond);
  return environment.keep(largest <= 0.0 ? largest : norm(maxOf(beyond, Vec3{})));
}

bool BoxShape::raycast(const Ray& ray, RayHit& hit) const {
  const FloatEnvironment environment;
  UnitRay r;
  if (!toUnitRay(ray, r)) return false;
  const double o[3] = {r.origin.x, r.origin.y, r.origin.z};
  const double d[3] = {r.direction.x, r.direction.y, r.direction.z};
  const double h[3] = {half_extents_.x(), half_extents_.y(), half_extents_.z()};
  double enter = -kInfinity, leave = kInfinity;
  int axis = -1;
  for (int i = 0; i < 3; ++i) {
    if (d[i] == 0.0) {
      if (absOf(o[i]) > h[i]) return false;
      continue;
    }
    const double side = d[i] > 0.0 ? -h[i] : h[i];
    const double in = (side - o[i]) / d[i];
    leave = minOf(leave, (-side - o[i]) / d[i]);
    // A ray that starts on or behind the entry plane of a slab has entered it already.
    const bool outside = d[i] > 0.0 ? o[i] < side : o[i] > side;
    if (!outside) continue;
    if (in > enter) {
      enter = in;
      axis = i;
    }
  }
  if (leave < 0.0) return false;
  if (axis < 0) return writeInsideHit(r, hit);
  if (enter > leave) return false;
  double p[3], n[3] = {0.0, 0.0, 0.0};
  for (int i = 0; i < 3; ++i) p[i] = clampTo(o[i] + enter * d[i], -h[i], h[i]);
  p[axis] = d[axis] > 0.0 ? -h[axis] : h[axis];
  n[axis] = d[axis] > 0.0 ? -1.0 : 1.0;
  return writeHit(r, enter, {p[0], p[1], p[2]}, {n[0], n[1], n[2]}, hit);
}

void supportFeatureBox(const Vec3& half, const Vec3& d, double cosTolerance,
                       SupportFeature& result) {
  const Vec3 a = absOf(d);
  const std::uint32_t vertex = signBits(d);
  result.count = 0;
  result.isDisc = false;
  const std::uint32_t largest = a.x >= a.y && a.x >= a.z ? 0u : (a.y >= a.z ? 1u : 2u);
  if (maxElement(a) >= cosTolerance) {
    putFace(half, largest, (vertex >> largest & 1u) != 0, result);
    return;
  }
  // d faces the edge along an axis if it lies within the tolerance of the plane across that axis.
  const double smallest = minOf(minOf(a.x, a.y), a.z);
  if (smallest * smallest <= 1.0 - cosTolerance * cosTolerance) {
    const std::uint32_t axis = a.x <= a.y && a.x <= a.z ? 0u : (a.y <= a.z ? 1u : 2u);
    const std::uint32_t edge = boxEdge(axis, vertex);
    putVertex(half, vertex & ~(1u << axis), result);
    putVertex(half, vertex | (1u << axis), result);
    result.edgeIds[0] = result.edgeIds[1] = edge;
    result.feature = {Feature::Kind::Edge, edge};
    return;
  }
  putVertex(half, vertex, result);
  result.edgeIds[0] = boxEdge(0, vertex);
  result.feature = {Feature::Kind::Vertex, vertex};
}

}  // namespace abut::inline v0_1
