// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include "narrow_phase/dispatch/scratch.hpp"
#include "narrow_phase/mesh/mesh_mesh.hpp"
#include "narrow_phase/tolerances.hpp"

namespace abut::inline v0_1 {
namespace {

/// A corner of one mesh and the edge or corner of the other that is nearest to it.
struct Approach {
  std::uint32_t corner;
  Feature other;
  std::uint32_t triangle, otherTriangle;

  [[nodiscard]] auto key() const {
    return std::tuple(corner, other.kind, other.index, triangle, otherTriangle);
  }
};

bool isInCornerCone(const MeshSide& side, std::uint32_t v, const Vec3& n) {
  const Vec3 local = transposeTimes(side.pose.rotation, n);
  for (const std::uint32_t u : side.mesh.neighbors(v)) {
    const Vec3 edge = side.mesh.vertices[u] - side.mesh.vertices[v];
    if (dot(local, edge) > kConeTolerance * norm(edge)) return false;
  }
  return true;
}

bool isInEdgeCone(const MeshSide& side, std::uint32_t t, int k, const Vec3& n) {
  const Vec3 edge = normalized(side.corner(t, (k + 1) % 3) - side.corner(t, k));
  if (dot(cross(edge, side.normal(t)), n) < -kConeTolerance) return false;
  const std::uint32_t neighbor = side.mesh.triangles[t].neighbor[k];
  if (neighbor == MeshData::kNone) return true;
  return dot(cross(side.normal(neighbor), edge), n) >= -kConeTolerance;
}

/// True if n points to the inner side of a solid (the rim of a height field has both sides in its
/// cone).
bool isFromBehind(const MeshSide& side, std::uint32_t t, int region, const Vec3& n) {
  if (!side.hasInside) return false;
  return dot(side.pose.rotation * pseudonormal(side.mesh, t, region), n) < 0.0;
}

TrianglePoint closest(const MeshSide& side, std::uint32_t t, const Vec3& p) {
  return closestOnTriangle(p, side.corner(t, 0), side.corner(t, 1), side.corner(t, 2));
}

bool emitApproach(const MeshPair& pair, bool swapped, const Approach& a, ManifoldSink& sink) {
  const MeshSide& from = swapped ? pair.side2 : pair.side1;
  const MeshSide& onto = swapped ? pair.side1 : pair.side2;
  const Vec3 p = from.vertex(a.corner);
  const TrianglePoint q = closest(onto, a.otherTriangle, p);
  const double gap = norm(p - q.point);
  const Vec3 n = (p - q.point) * (1.0 / gap);
  if (!isInCornerCone(from, a.corner, -n)) return false;
  const bool fits = a.other.kind == Feature::Kind::Vertex
                        ? isInCornerCone(onto, a.other.index, n)
                        : isInEdgeCone(onto, a.otherTriangle, q.region - 1, n);
  if (!fits || isFromBehind(onto, a.otherTriangle, q.region, n)) return false;
  int corner = 0;
  while (from.mesh.triangles[a.triangle].vertex[corner] != a.corner) ++corner;
  if (isFromBehind(from, a.triangle, 4 + corner, -n)) return false;
  PairManifold m;
  m.normal = swapped ? -n : n;
  m.type = ContactType::Point;
  m.status = QueryStatus::Separated;
  const std::uint32_t part = faceOf(from.mesh, a.triangle);
  const std::uint32_t other = faceOf(onto.mesh, a.otherTriangle);
  m.subShape1 = swapped ? other : part;
  m.subShape2 = swapped ? part : other;
  const Feature own{Feature::Kind::Vertex, a.corner};
  m.add((p + q.point) * 0.5, -gap, swapped ? a.other : own, swapped ? own : a.other);
  emitMeshManifold(pair, m, sink);
  return true;
}

}  // namespace

int collideCornersApart(const MeshPair& pair, std::span<const TrianglePair> near, bool swapped,
                        ManifoldSink& sink) {
  const double touch = kTouchTolerance * pair.size;
  if (!(pair.reach > touch)) return 0;
  const MeshSide& from = swapped ? pair.side2 : pair.side1;
  const MeshSide& onto = swapped ? pair.side1 : pair.side2;
  ScratchList<Approach> found;
  for (const auto& [t1, t2] : near) {
    const std::uint32_t t = swapped ? t2 : t1, o = swapped ? t1 : t2;
    const MeshData::Triangle& other = onto.mesh.triangles[o];
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t v = from.mesh.triangles[t].vertex[k];
      if (from.mesh.vertexKinds[v] != VertexKind::Corner) continue;
      const Vec3 p = from.vertex(v);
      const TrianglePoint q = closest(onto, o, p);
      const double gap = norm(p - q.point);
      if (q.region == 0 || gap <= touch || gap > pair.reach) continue;
      if (q.region < 4) {
        const EdgeKind kind = other.kind[q.region - 1];
        if (kind == EdgeKind::Flat || kind == EdgeKind::Concave) continue;
        found.push({v, {Feature::Kind::Edge, other.edge[q.region - 1]}, t, o});
      } else if (!swapped) {  // Two corners are seen from both sides: once is enough.
        found.push({v, {Feature::Kind::Vertex, other.vertex[q.region - 4]}, t, o});
      }
    }
  }
  const std::span<Approach> all = found.items();
  std::sort(all.begin(), all.end(),
            [](const Approach& a, const Approach& b) { return a.key() < b.key(); });
  int emitted = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && all[i].corner == all[i - 1].corner && all[i].other == all[i - 1].other) continue;
    emitted += emitApproach(pair, swapped, all[i], sink) ? 1 : 0;
  }
  return emitted;
}

}  // namespace abut::inline v0_1
