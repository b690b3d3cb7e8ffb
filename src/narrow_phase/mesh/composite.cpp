// SPDX-License-Identifier: MIT
#include "narrow_phase/mesh/composite.hpp"

#include <limits>

#include <abut/math/convert.hpp>
#include <abut/shapes/height_field_shape.hpp>

#include "narrow_phase/pairs/pairs.hpp"
#include "narrow_phase/tolerances.hpp"
#include "narrow_phase/weld/weld.hpp"
#include "shapes/hull_data.hpp"

namespace abut::inline v0_1 {
namespace {

/// Gaps below this times the size: coordinates' rounding turns the direction of a gap by
/// 1e-16/1e-7.
constexpr double kCloseBy = 1e-7;

/// Sine: at the border of a height field only what is straight below is inside.
constexpr double kStraightBelow = 1e-6;

struct PartFunctions {
  CollideFunction collide;
  DistanceFunction gap;
};

PartFunctions partFunctions(const PairQuery& query) {
  if (meshOf(query.shape2) == nullptr) return {collideChildren, gapChildren};
  if (query.shape1.getType() == ShapeType::Plane) return {collidePlaneMesh, gapPlaneMesh};
  const bool bodies1 = hasBodies(query.shape1), bodies2 = hasBodies(query.shape2);
  if (bodies1 && bodies2) return {collideSolids, gapSolids};
  if (!bodies1 && !bodies2) return {collideMeshMesh, gapMeshMesh};
  return {collideConvexMesh, gapConvexMesh};
}

/// The region of a triangle that a point of it belongs to, edges and corners within rounding.
int regionAt(const MeshData& mesh, std::uint32_t triangle, const Vec3& q) {
  const double tolerance = kOnEdge * mesh.radius;
  for (int k = 0; k < 3; ++k) {
    if (norm(q - mesh.corner(triangle, k)) <= tolerance) return 4 + k;
  }
  for (int k = 0; k < 3; ++k) {
    const Vec3 a = mesh.corner(triangle, k);
    const Vec3 along = normalized(mesh.corner(triangle, (k + 1) % 3) - a);
    if (norm(cross(along, q - a)) <= tolerance) return 1 + k;
  }
  return 0;
}

}  // namespace

const MeshData* meshOf(const Shape& shape) {
  if (shape.getType() == ShapeType::Mesh) return &static_cast<const MeshShape&>(shape).getMesh();
  if (shape.getType() == ShapeType::HeightField) {
    return &static_cast<const HeightFieldShape&>(shape).getMesh();
  }
  return nullptr;
}

bool hasInside(const Shape& shape) {
  if (shape.getType() == ShapeType::HeightField) return true;
  return shape.getType() == ShapeType::Mesh && static_cast<const MeshShape&>(shape).isSolid();
}

bool isInside(const Shape& shape, const Vec3& point, MeshNearest& nearest) {
  if (!hasInside(shape)) return false;
  const MeshData& mesh = *meshOf(shape);
  Bounds box = mesh.bvh.getBounds();
  if (shape.getType() == ShapeType::HeightField) box.min.z = minOf(box.min.z, point.z);
  if (!overlaps(box, {point, point})) return false;
  nearest = nearestOnMesh(mesh, point);
  return nearest.distance < 0.0;
}

bool isOnInnerSide(const Shape& shape, std::uint32_t triangle, const Vec3& q, const Vec3& n) {
  if (!hasInside(shape)) return false;
  const MeshData& mesh = *meshOf(shape);
  if (shape.getType() == ShapeType::HeightField) {
    const Bounds& box = mesh.bvh.getBounds();
    const double edge = kTouchTolerance * mesh.radius;
    const bool isBorder = q.x <= box.min.x + edge || q.x >= box.max.x - edge ||
                          q.y <= box.min.y + edge || q.y >= box.max.y - edge;
    // Beside the field is not below it.
    if (isBorder && norm(cross(mesh.triangles[triangle].normal, n)) > kStraightBelow) return false;
  }
  return dot(pseudonormal(mesh, triangle, regionAt(mesh, triangle, q)), n) < 0.0;
}

Bounds boundsOf(const ConvexCore& core, const Mat3& rotation) {
  using Kind = ConvexCore::Kind;
  const double r = core.radius;
  Vec3 reach{};
  switch (core.kind) {
    case Kind::Point:
      break;
    case Kind::Segment:
      reach = absOf(rotation.z) * core.half.z;
      break;
    case Kind::Box:
      reach = absOf(rotation) * core.half;
      break;
    case Kind::Cylinder:
    case Kind::Cone:
      reach = absOf(rotation) * Vec3{core.half.x, core.half.x, core.half.z};
      break;
    case Kind::Triangle:
    case Kind::Hull: {
      const Mat3 axes = transpose(rotation);
      const Vec3 lower{dot(axes.x, support(core, -axes.x)), dot(axes.y, support(core, -axes.y)),
                       dot(axes.z, support(core, -axes.z))};
      const Vec3 upper{dot(axes.x, support(core, axes.x)), dot(axes.y, support(core, axes.y)),
                       dot(axes.z, support(core, axes.z))};
      return grown({lower, upper}, r);
    }
  }
  return grown({-reach, reach}, r);
}

Bounds boundsIn(const Shape& shape, const Pose& pose) {
  const Aabb box = shape.computeAabb(pose);
  return {toVec3(box.min_), toVec3(box.max_)};
}

Vec3 bodyCenter(const ConvexCore& core) {
  return core.kind == ConvexCore::Kind::Hull ? core.hull->center : Vec3{};
}

void collideComposite(const PairQuery& query, ManifoldSink& sink) {
  const PartFunctions parts = partFunctions(query);
  const bool isOnePair = isOneBody(query.shape1) && isOneBody(query.shape2);
  if (sink.isCollected() || isOnePair) {
    parts.collide(query, sink);
    return;
  }
  ContactSet set(query);
  ManifoldSink inner(set);
  parts.collide(query, inner);
  if (!query.enableContact) {
    if (!set.isEmpty()) sink.markCollision();
    set.clear();
  }
  set.weld();
  set.emit(sink);
}

void distanceComposite(const PairQuery& query, PairGap& result) {
  const PartFunctions parts = partFunctions(query);
  if (isOneBody(query.shape1) && isOneBody(query.shape2)) {
    gapSolids(query, result);
    return;
  }
  // Touching or overlapping, the deepest contact is the answer, so that both queries agree; and
  // close to touching the normals of faces are sharper than the direction of a tiny gap.
  const double r1 = query.shape1.boundingRadius(), r2 = query.shape2.boundingRadius();
  const double margin = kCloseBy * ((isFinite(r1) ? r1 : 0.0) + r2);
  {
    const PairQuery close{query.shape1, query.shape2, query.pose1, query.pose2, margin, true};
    ContactSet set(close);
    ManifoldSink inner(set);
    parts.collide(close, inner);
    set.weld();
    if (set.deepest(result)) return;
  }
  parts.gap(query, result);
}

}  // namespace abut::inline v0_1
