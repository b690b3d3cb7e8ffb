// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include <abut/math/convert.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "narrow_phase/dispatch/reduce.hpp"
#include "narrow_phase/dispatch/scratch.hpp"
#include "narrow_phase/mesh/composite.hpp"
#include "narrow_phase/tolerances.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr Feature kPlaneFeature{Feature::Kind::Face, 0};

/// A half-space in the frame of a mesh: { x : normal . x <= offset }.
struct LocalPlane {
  Vec3 normal;
  double offset;
  double size;  // Scale of coordinates [m].

  explicit LocalPlane(const PairQuery& query) {
    const auto& plane = static_cast<const PlaneShape&>(query.shape1);
    const Vec3 n = query.pose1.rotation * toVec3(plane.getNormal());
    normal = transposeTimes(query.pose2.rotation, n);
    offset = plane.getOffset() + dot(n, query.pose1.translation - query.pose2.translation);
    size = query.shape2.boundingRadius() + absOf(offset);
  }
  [[nodiscard]] double height(const Vec3& p) const { return dot(normal, p) - offset; }
  /// Least height of a box.
  [[nodiscard]] double height(const Bounds& box) const {
    return height(Vec3{normal.x < 0.0 ? box.max.x : box.min.x,
                       normal.y < 0.0 ? box.max.y : box.min.y,
                       normal.z < 0.0 ? box.max.z : box.min.z});
  }
};

}  // namespace

void collidePlaneMesh(const PairQuery& query, ManifoldSink& sink) {
  const MeshData& mesh = *meshOf(query.shape2);
  const LocalPlane plane(query);
  const double reach = maxOf(query.margin, kTouchTolerance * plane.size);
  // A corner of the surface is lower than what lies around it; vertices inside a patch or on a
  // straight edge are never lower than all corners.
  ScratchList<std::uint32_t> found;
  std::uint32_t part = MeshData::kNone;
  double limit = reach + kTouchTolerance * plane.size;
  mesh.bvh.minimize(
      limit, [&](const Bounds& box) { return plane.height(box); },
      [&](std::uint32_t t) {
        for (int k = 0; k < 3; ++k) {
          const std::uint32_t v = mesh.triangles[t].vertex[k];
          if (mesh.vertexKinds[v] != VertexKind::Corner) continue;
          if (plane.height(mesh.vertices[v]) > reach) continue;
          found.push(v);
          part = t < part ? t : part;
        }
      });
  if (found.size() == 0) return;
  std::sort(found.items().begin(), found.items().end());
  const auto end = std::unique(found.items().begin(), found.items().end());
  found.resize(static_cast<std::size_t>(end - found.items().begin()));
  double deepest = -std::numeric_limits<double>::infinity();
  for (const std::uint32_t v : found.items()) {
    deepest = maxOf(deepest, -plane.height(mesh.vertices[v]));
  }
  PairManifold m;
  m.normal = -(query.pose2.rotation * plane.normal);
  m.subShape1 = 0;
  m.subShape2 = faceOf(mesh, part);
  m.status = statusOfGap(-deepest, plane.size);
  for (const std::uint32_t v : found.items()) {
    double depth = -plane.height(mesh.vertices[v]);
    if (deepest - depth <= kSameDepth * plane.size) depth = deepest;
    const Vec3 p2 = apply(query.pose2, mesh.vertices[v]);
    if (m.count == PairManifold::kMaxPoints) reduceManifold(m);
    m.add(p2 - m.normal * (0.5 * depth), depth, kPlaneFeature, {Feature::Kind::Vertex, v});
  }
  reduceManifold(m);
  m.type =
      m.count == 1 ? ContactType::Point : (m.count == 2 ? ContactType::Edge : ContactType::Face);
  sink.add(m);
}

void gapPlaneMesh(const PairQuery& query, PairGap& result) {
  const MeshData& mesh = *meshOf(query.shape2);
  const LocalPlane plane(query);
  double best = std::numeric_limits<double>::infinity();
  std::uint32_t vertex = MeshData::kNone, triangle = MeshData::kNone;
  const double slack = kTouchTolerance * plane.size;
  mesh.bvh.minimize(
      best, [&](const Bounds& box) { return plane.height(box) - slack; },
      [&](std::uint32_t t) {
        for (int k = 0; k < 3; ++k) {
          const std::uint32_t v = mesh.triangles[t].vertex[k];
          const double h = plane.height(mesh.vertices[v]);
          if (h > best || (h == best && v > vertex)) continue;
          if (h == best && v == vertex && t > triangle) continue;
          best = h;
          vertex = v;
          triangle = t;
        }
      });
  result.gap = best;
  result.normal = -(query.pose2.rotation * plane.normal);
  result.p2 = apply(query.pose2, mesh.vertices[vertex]);
  result.p1 = result.p2 + result.normal * best;
  result.feature1 = kPlaneFeature;
  result.feature2 = {Feature::Kind::Vertex, vertex};
  result.subShape1 = 0;
  result.subShape2 = faceOf(mesh, triangle);
  result.status = statusOfGap(best, plane.size);
}

}  // namespace abut::inline v0_1
