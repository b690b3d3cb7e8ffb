// SPDX-License-Identifier: MIT
#include "narrow_phase/composite.hpp"
#include "narrow_phase/convex_gap.hpp"

// A closed convex mesh is its hull: apart and overlapping, the gap, normal and points are those of
// the convex pair, and only the features get the mesh's names. Its number as a part is 0.

namespace abut {
namespace {

Feature named(const MeshHull* hull, Feature feature) {
  return hull == nullptr ? feature : hull->toMesh(feature);
}

}  // namespace

const MeshHull* hullOf(const Shape& shape) {
  return shape.getType() == ShapeType::Mesh
             ? static_cast<const MeshShape&>(shape).getMesh().hull.get()
             : nullptr;
}

ConvexCore solidCore(const Shape& shape) {
  const MeshHull* hull = hullOf(shape);
  if (hull == nullptr) return coreOf(shape);
  ConvexCore core;
  core.kind = ConvexCore::Kind::Hull;
  core.hull = &hull->hull;
  return core;
}

void collideHulls(const PairQuery& query, ManifoldSink& sink) {
  const ConvexCore core1 = solidCore(query.shape1), core2 = solidCore(query.shape2);
  PairGap gap;
  convexGap(core1, query.pose1, core2, query.pose2, gap, query.margin);
  if (gap.gap > query.margin && gap.status != QueryStatus::Touching) return;
  if (!query.enableContact) {
    sink.markCollision();
    return;
  }
  PairManifold m;
  convexManifold(core1, query.pose1, core2, query.pose2, gap, query.margin, m);
  const MeshHull *hull1 = hullOf(query.shape1), *hull2 = hullOf(query.shape2);
  for (int i = 0; i < m.count; ++i) {
    m.points[i].feature1 = named(hull1, m.points[i].feature1);
    m.points[i].feature2 = named(hull2, m.points[i].feature2);
  }
  sink.add(m);
}

void gapHulls(const PairQuery& query, PairGap& result) {
  convexGap(solidCore(query.shape1), query.pose1, solidCore(query.shape2), query.pose2, result);
  result.feature1 = named(hullOf(query.shape1), result.feature1);
  result.feature2 = named(hullOf(query.shape2), result.feature2);
}

}  // namespace abut
