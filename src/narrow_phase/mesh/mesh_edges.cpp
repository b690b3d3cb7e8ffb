// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <tuple>

#include "narrow_phase/dispatch/reduce.hpp"
#include "narrow_phase/dispatch/scratch.hpp"
#include "narrow_phase/mesh/mesh_mesh.hpp"
#include "narrow_phase/tolerances.hpp"

namespace abut::inline v0_1 {
namespace {

/// Edges closer to parallel than this do not cross: their ends make the contact.
constexpr double kParallelSine = 1e-9;
/// An edge that went in by d has faces at least this part of d away, unless it is not an edge
/// contact at all; for edges down to 30 degrees.
constexpr double kEdgeShare = 0.25;

struct EdgePair {
  std::uint32_t edge1, edge2;  // 3 t + k of their first triangles.

  [[nodiscard]] auto key() const { return std::tuple(edge1, edge2); }
};

/// A crossing of the outlines of two facing patches.
struct Crossing {
  std::uint32_t patch1, patch2;
  EdgePair edges;
  Vec3 position;
  double depth;

  [[nodiscard]] auto key() const { return std::tuple(patch1, patch2, edges.edge1, edges.edge2); }
};

struct PlacedEdge {
  Vec3 start, along;
  std::uint32_t triangle[2];
  Vec3 outward[2];  // In the plane of each triangle, away from it; unit.
  int count;        // Of triangles.
  bool hasInside;
  Vec3 normal;  // Of the first triangle.

  PlacedEdge(const MeshSide& side, std::uint32_t edge) {
    const std::uint32_t t = edge / 3;
    const int k = static_cast<int>(edge % 3);
    start = side.corner(t, k);
    along = side.corner(t, (k + 1) % 3) - start;
    const Vec3 direction = normalized(along);
    triangle[0] = t;
    hasInside = side.hasInside;
    normal = side.normal(t);
    outward[0] = cross(direction, normal);
    triangle[1] = side.mesh.triangles[t].neighbor[k];
    count = triangle[1] == MeshData::kNone ? 1 : 2;
    if (count == 2) outward[1] = cross(side.normal(triangle[1]), direction);
  }
  [[nodiscard]] bool isInCone(const Vec3& n) const {
    for (int i = 0; i < count; ++i) {
      if (dot(outward[i], n) < -kConeTolerance) return false;
    }
    // The rim of a height field has the inner side in its cone, too.
    return count == 2 || !hasInside || dot(normal, n) >= -kConeTolerance;
  }
};

/// Where the lines of two edges cross, seen along n (any length): parameters in [0, 1] on both.
bool cross2(const PlacedEdge& e1, const PlacedEdge& e2, const Vec3& n, double& s, double& t) {
  const double det = dot(n, cross(e1.along, e2.along));
  if (!(absOf(det) > kParallelSine * norm(e1.along) * norm(e2.along) * norm(n))) return false;
  const Vec3 from = e2.start - e1.start;
  s = dot(n, cross(from, e2.along)) / det;
  t = dot(n, cross(from, e1.along)) / det;
  return s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0;
}

bool isOutline(EdgeKind kind) {
  return kind == EdgeKind::Convex || kind == EdgeKind::Open;
}

/// Crossings of patches that face each other; true if there are such patches at these edges.
bool addCrossings(const MeshPair& pair, const EdgePair& edges, const PlacedEdge& e1,
                  const PlacedEdge& e2, ScratchList<Crossing>& crossings) {
  bool facing = false;
  for (int i = 0; i < e1.count; ++i) {
    for (int k = 0; k < e2.count; ++k) {
      const Vec3 n = pair.side2.patchNormal(e2.triangle[k]);
      if (dot(pair.side1.patchNormal(e1.triangle[i]), n) > -kFlushCosine) continue;
      facing = true;
      double s, t;
      if (!cross2(e1, e2, n, s, t)) continue;
      const Vec3 x1 = e1.start + e1.along * s, x2 = e2.start + e2.along * t;
      const double depth = -dot(n, x1 - x2);
      if (-depth > pair.reach) continue;
      const std::uint32_t patch1 = pair.side1.mesh.triangles[e1.triangle[i]].patch;
      const std::uint32_t patch2 = pair.side2.mesh.triangles[e2.triangle[k]].patch;
      crossings.push({patch1, patch2, edges, (x1 + x2) * 0.5, depth});
    }
  }
  return facing;
}

bool emitCrossEdges(const MeshPair& pair, const EdgePair& edges, const PlacedEdge& e1,
                    const PlacedEdge& e2, ManifoldSink& sink) {
  Vec3 n = cross(e1.along, e2.along);
  const double length = norm(n);
  if (!(length > kParallelSine * norm(e1.along) * norm(e2.along))) return false;
  n = n * (1.0 / length);
  if (!e2.isInCone(n) || !e1.isInCone(-n)) {
    n = -n;
    if (!e2.isInCone(n) || !e1.isInCone(-n)) return false;
  }
  double s, t;
  if (!cross2(e1, e2, n, s, t)) return false;
  const Vec3 x1 = e1.start + e1.along * s, x2 = e2.start + e2.along * t;
  const double depth = -dot(n, x1 - x2);
  if (-depth > pair.reach) return false;
  const double limit = kEdgeShare * depth - kNearerSlack * pair.size;
  if (pair.side2.isWithin(x1, limit, pair.side1.center)) return false;
  if (pair.side1.isWithin(x2, limit, pair.side2.center)) return false;
  // Edges on the far sides of both solids cross, too, with each outside the other's.
  const double slack = kNearerSlack * pair.size;
  if (depth > slack && (pair.side2.isOutside(x1, slack) || pair.side1.isOutside(x2, slack))) {
    return false;
  }
  PairManifold m;
  m.normal = n;
  m.type = ContactType::Point;
  m.status = statusOfGap(-depth, pair.size);
  m.subShape1 = faceOf(pair.side1.mesh, e1.triangle[0]);
  m.subShape2 = faceOf(pair.side2.mesh, e2.triangle[0]);
  m.add((x1 + x2) * 0.5, depth, {Feature::Kind::Edge, edges.edge1},
        {Feature::Kind::Edge, edges.edge2});
  emitMeshManifold(pair, m, sink);
  return true;
}

/// The crossings of one pair of facing patches, if the overlap between them is theirs.
bool emitCrossings(const MeshPair& pair, std::span<const Crossing> group, ManifoldSink& sink) {
  const std::uint32_t t2 = pair.side2.mesh.trianglesOfPatch(group[0].patch2)[0];
  PairManifold m;
  m.normal = pair.side2.patchNormal(t2);
  Vec3 sum{};
  double depths = 0.0, deepest = -std::numeric_limits<double>::infinity();
  for (const Crossing& c : group) {
    sum += c.position;
    depths += c.depth;
    deepest = maxOf(deepest, c.depth);
    if (m.count == PairManifold::kMaxPoints) reduceManifold(m);
    m.add(c.position, c.depth, {Feature::Kind::Edge, c.edges.edge1},
          {Feature::Kind::Edge, c.edges.edge2});
  }
  const auto count = static_cast<double>(group.size());
  const double depth = depths / count;
  const Vec3 x1 = sum / count - m.normal * (0.5 * depth);
  const double limit = depth * kNearer - kNearerSlack * pair.size;
  if (pair.side2.isWithin(x1, limit, pair.side1.center)) return false;
  m.type =
      m.count == 1 ? ContactType::Point : (m.count == 2 ? ContactType::Edge : ContactType::Face);
  m.status = statusOfGap(-deepest, pair.size);
  m.subShape1 = pair.side1.mesh.trianglesOfPatch(group[0].patch1)[0];
  m.subShape2 = t2;
  emitMeshManifold(pair, m, sink);
  return true;
}

}  // namespace

int collideEdgesWithEdges(const MeshPair& pair, std::span<const TrianglePair> near,
                          ManifoldSink& sink) {
  ScratchList<EdgePair> edges;
  const MeshData &mesh1 = pair.side1.mesh, &mesh2 = pair.side2.mesh;
  for (const auto& [t1, t2] : near) {
    const MeshData::Triangle &a = mesh1.triangles[t1], &b = mesh2.triangles[t2];
    for (int i = 0; i < 3; ++i) {
      if (!isOutline(a.kind[i])) continue;
      for (int k = 0; k < 3; ++k) {
        if (isOutline(b.kind[k])) edges.push({a.edge[i], b.edge[k]});
      }
    }
  }
  // Both triangles of an edge name it.
  const auto less = [](const EdgePair& a, const EdgePair& b) { return a.key() < b.key(); };
  const auto same = [](const EdgePair& a, const EdgePair& b) { return a.key() == b.key(); };
  std::sort(edges.items().begin(), edges.items().end(), less);
  const auto last = std::unique(edges.items().begin(), edges.items().end(), same);
  edges.resize(static_cast<std::size_t>(last - edges.items().begin()));
  ScratchList<Crossing> crossings;
  int emitted = 0;
  for (const EdgePair& e : edges.items()) {
    const PlacedEdge e1(pair.side1, e.edge1), e2(pair.side2, e.edge2);
    if (addCrossings(pair, e, e1, e2, crossings)) continue;
    emitted += emitCrossEdges(pair, e, e1, e2, sink) ? 1 : 0;
  }
  const std::span<Crossing> all = crossings.items();
  std::sort(all.begin(), all.end(),
            [](const Crossing& a, const Crossing& b) { return a.key() < b.key(); });
  for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
    while (end < all.size() && all[end].patch1 == all[i].patch1 &&
           all[end].patch2 == all[i].patch2) {
      ++end;
    }
    emitted += emitCrossings(pair, all.subspan(i, end - i), sink) ? 1 : 0;
  }
  return emitted;
}

}  // namespace abut::inline v0_1
