// SPDX-License-Identifier: MIT
#include "shapes/convex_core.hpp"

#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/cone_shape.hpp>
#include <abut/shapes/convex_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "shapes/hull_data.hpp"
#include "shapes/support_features.hpp"

namespace abut::inline v0_1 {
namespace {

/// Farthest point of a disc of radius r at height z; its centre if d points along the axis.
Vec3 discSupport(double r, double z, const Vec3& d) {
  const double length = std::sqrt(d.x * d.x + d.y * d.y);
  if (!(length > 0.0)) return {0.0, 0.0, z};
  const double s = r / length;
  return {s * d.x, s * d.y, z};
}

}  // namespace

ConvexCore coreOf(const Shape& shape) {
  using Kind = ConvexCore::Kind;
  ConvexCore core;
  switch (shape.getType()) {
    case ShapeType::Sphere:
      core.radius = static_cast<const SphereShape&>(shape).getRadius();
      break;
    case ShapeType::Box:
      core.kind = Kind::Box;
      core.half = toVec3(static_cast<const BoxShape&>(shape).getHalfExtents());
      break;
    case ShapeType::Capsule: {
      const auto& capsule = static_cast<const CapsuleShape&>(shape);
      core.kind = Kind::Segment;
      core.radius = capsule.getRadius();
      core.half = {0.0, 0.0, 0.5 * capsule.getLength()};
      break;
    }
    case ShapeType::Cylinder: {
      const auto& cylinder = static_cast<const CylinderShape&>(shape);
      core.kind = Kind::Cylinder;
      core.half = {cylinder.getRadius(), 0.0, 0.5 * cylinder.getHeight()};
      break;
    }
    case ShapeType::Cone: {
      const auto& cone = static_cast<const ConeShape&>(shape);
      core.kind = Kind::Cone;
      core.half = {cone.getRadius(), 0.0, 0.5 * cone.getHeight()};
      break;
    }
    case ShapeType::Convex:
      core.kind = Kind::Hull;
      core.hull = &static_cast<const ConvexShape&>(shape).getHull();
      break;
    case ShapeType::Plane:
    case ShapeType::Mesh:
    case ShapeType::HeightField:
    case ShapeType::PointCloud:
    case ShapeType::Compound:
      break;  // Not convex: the caller's precondition.
  }
  return core;
}

ConvexCore triangleCore(const Vec3& a, const Vec3& b, const Vec3& c) {
  ConvexCore core;
  core.kind = ConvexCore::Kind::Triangle;
  core.corners[0] = a;
  core.corners[1] = b;
  core.corners[2] = c;
  return core;
}

Vec3 support(const ConvexCore& core, const Vec3& d) {
  using Kind = ConvexCore::Kind;
  const Vec3& h = core.half;
  switch (core.kind) {
    case Kind::Point:
      return {};
    case Kind::Segment:
      return {0.0, 0.0, d.z < 0.0 ? -h.z : h.z};
    case Kind::Triangle: {
      const double a = dot(core.corners[0], d), b = dot(core.corners[1], d);
      const double c = dot(core.corners[2], d);
      if (a >= b && a >= c) return core.corners[0];
      return b >= c ? core.corners[1] : core.corners[2];
    }
    case Kind::Box:
      return {d.x < 0.0 ? -h.x : h.x, d.y < 0.0 ? -h.y : h.y, d.z < 0.0 ? -h.z : h.z};
    case Kind::Hull:
      return core.hull->vertex(supportVertex(*core.hull, d));
    case Kind::Cylinder:
      return discSupport(h.x, d.z < 0.0 ? -h.z : h.z, d);
    case Kind::Cone: {
      const Vec3 rim = discSupport(h.x, -h.z, d);
      const Vec3 apex{0.0, 0.0, h.z};
      return dot(rim, d) > dot(apex, d) ? rim : apex;
    }
  }
  return {};
}

double boundingRadius(const ConvexCore& core) {
  using Kind = ConvexCore::Kind;
  switch (core.kind) {
    case Kind::Point:
      return core.radius;
    case Kind::Triangle: {
      double largest = 0.0;
      for (const Vec3& corner : core.corners) largest = maxOf(largest, norm(corner));
      return largest + core.radius;
    }
    case Kind::Hull:
      return core.hull->radius + core.radius;
    case Kind::Segment:
    case Kind::Box:
    case Kind::Cylinder:
    case Kind::Cone:
      return norm(core.half) + core.radius;
  }
  return 0.0;
}

void supportFeature(const ConvexCore& core, const Vec3& d, double cosTolerance,
                    SupportFeature& result) {
  using Kind = ConvexCore::Kind;
  result.isDisc = false;
  const double hz = core.half.z;
  switch (core.kind) {
    case Kind::Point:
      result.count = 1;
      result.vertices[0] = {};
      result.vertexIds[0] = 0;
      result.feature = {Feature::Kind::Vertex, 0};
      return;
    case Kind::Segment:
      // The edge faces along d if d is at right angles to it within the tolerance.
      if (d.z * d.z <= 1.0 - cosTolerance * cosTolerance) {
        result.count = 2;
        result.vertices[0] = {0.0, 0.0, -hz};
        result.vertices[1] = {0.0, 0.0, hz};
        result.vertexIds[0] = 0;
        result.vertexIds[1] = 1;
        result.edgeIds[0] = result.edgeIds[1] = 0;
        result.feature = {Feature::Kind::Edge, 0};
      } else {
        const std::uint32_t end = d.z < 0.0 ? 0 : 1;
        result.count = 1;
        result.vertices[0] = {0.0, 0.0, end == 0 ? -hz : hz};
        result.vertexIds[0] = end;
        result.feature = {Feature::Kind::Vertex, end};
      }
      return;
    case Kind::Triangle:
      supportFeatureTriangle(core.corners, d, cosTolerance, result);
      return;
    case Kind::Box:
      supportFeatureBox(core.half, d, cosTolerance, result);
      return;
    case Kind::Hull:
      supportFeatureHull(*core.hull, d, cosTolerance, result);
      return;
    case Kind::Cylinder:
      supportFeatureCylinder(core.half.x, hz, d, cosTolerance, result);
      return;
    case Kind::Cone:
      supportFeatureCone(core.half.x, hz, d, cosTolerance, result);
      return;
  }
}

}  // namespace abut::inline v0_1
