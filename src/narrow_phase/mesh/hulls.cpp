// SPDX-License-Identifier: MIT
#include "narrow_phase/convex/convex_gap.hpp"
#include "narrow_phase/mesh/composite.hpp"

// A closed convex mesh is its hull: apart and overlapping, the gap, normal and points are those of
// the convex pair, and only the features get the mesh's names. Its number as a part is 0.

namespace abut {
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

Feature bodyFeature(const Shape& shape, Feature local) {
  const MeshHull* hull = hullOf(shape);
  return hull == nullptr ? local : hull->toMesh(local);
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
  for (int i = 0; i < m.count; ++i) {
    m.points[i].feature1 = bodyFeature(query.shape1, m.points[i].feature1);
    m.points[i].feature2 = bodyFeature(query.shape2, m.points[i].feature2);
  }
  sink.add(m);
}

void gapHulls(const PairQuery& query, PairGap& result) {
  convexGap(solidCore(query.shape1), query.pose1, solidCore(query.shape2), query.pose2, result);
  result.feature1 = bodyFeature(query.shape1, result.feature1);
  result.feature2 = bodyFeature(query.shape2, result.feature2);
}

}  // namespace abut
