// SPDX-License-Identifier: MIT
#include "narrow_phase/mesh/mesh_mesh.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "narrow_phase/convex/convex_gap.hpp"
#include "narrow_phase/dispatch/reduce.hpp"
#include "narrow_phase/dispatch/scratch.hpp"
#include "narrow_phase/mesh/mesh_overlap.hpp"
#include "narrow_phase/tolerances.hpp"

namespace abut::inline v0_1 {
namespace {

struct CornerFace {
  std::uint32_t patch, vertex, face, triangle;  // The corner's triangle is `triangle`.

  [[nodiscard]] auto key() const { return std::tuple(patch, vertex, face, triangle); }
};

Vec3 boxCenter(const MeshData& mesh) {
  return (mesh.bvh.getBounds().min + mesh.bvh.getBounds().max) * 0.5;
}

/// True if no edge at the corner goes below it, seen along n, by more than a degree.
bool isLowest(const MeshSide& side, std::uint32_t v, const Vec3& n) {
  const Vec3 local = transposeTimes(side.pose.rotation, n);
  for (const std::uint32_t u : side.mesh.neighbors(v)) {
    const Vec3 edge = side.mesh.vertices[u] - side.mesh.vertices[v];
    if (dot(local, edge) < -kFlushSine * norm(edge)) return false;
  }
  return true;
}

bool isOver(const MeshSide& side, std::uint32_t t, const Vec3& n, const Vec3& p, double tolerance) {
  for (int k = 0; k < 3; ++k) {
    const Vec3 a = side.corner(t, k);
    const Vec3 outward = normalized(cross(side.corner(t, (k + 1) % 3) - a, n));
    if (dot(outward, p - a) > tolerance) return false;
  }
  return true;
}

/// The manifold of one patch: corners[first..end) of `from` over patch of `onto`.
bool collectCorners(const MeshPair& pair, const MeshSide& from, const MeshSide& onto, bool swapped,
                    std::span<const CornerFace> records, PairManifold& m) {
  const Vec3 n = onto.patchNormal(records[0].face);
  const Vec3 origin = onto.corner(records[0].face, 0);
  m.normal = swapped ? -n : n;
  double mostFacing = 2.0, deepest = -std::numeric_limits<double>::infinity();
  std::uint32_t facing = records[0].triangle;
  std::uint32_t last = MeshData::kNone;
  for (const CornerFace& r : records) {
    if (r.vertex != last) {
      const Vec3 p = from.vertex(r.vertex);
      const double depth = -dot(n, p - origin);
      if (-depth > pair.reach) continue;
      if (!isOver(onto, r.face, n, p, kEdgeTolerance * pair.size)) continue;
      if (!isLowest(from, r.vertex, n)) continue;
      const double limit = depth * kNearer - kNearerSlack * pair.size;
      if (onto.isWithin(p, limit, from.center)) continue;
      last = r.vertex;
      deepest = maxOf(deepest, depth);
      const Feature corner{Feature::Kind::Vertex, r.vertex};
      const Feature face{Feature::Kind::Face, faceOf(onto.mesh, r.face)};
      if (m.count == PairManifold::kMaxPoints) reduceManifold(m);
      m.add(p + n * (0.5 * depth), depth, swapped ? face : corner, swapped ? corner : face);
    }
    const double along = dot(from.patchNormal(r.triangle), n);
    if (along < mostFacing) {
      mostFacing = along;
      facing = r.triangle;
    }
  }
  if (m.count == 0) return false;
  const std::uint32_t part = faceOf(from.mesh, facing), face = faceOf(onto.mesh, records[0].face);
  m.subShape1 = swapped ? face : part;
  m.subShape2 = swapped ? part : face;
  m.status = statusOfGap(-deepest, pair.size);
  m.type =
      m.count == 1 ? ContactType::Point : (m.count == 2 ? ContactType::Edge : ContactType::Face);
  return true;
}

void triangleGap(const MeshPair& pair, std::uint32_t t1, std::uint32_t t2, PairGap& gap) {
  const MeshSide &a = pair.side1, &b = pair.side2;
  convexGap(triangleCore(a.corner(t1, 0), a.corner(t1, 1), a.corner(t1, 2)), {},
            triangleCore(b.corner(t2, 0), b.corner(t2, 1), b.corner(t2, 2)), {}, gap);
  gap.status = statusOfGap(gap.gap, pair.size);
}

Feature globalFeature(const MeshData& mesh, std::uint32_t t, Feature local) {
  if (local.kind == Feature::Kind::Vertex) {
    return {local.kind, mesh.triangles[t].vertex[local.index]};
  }
  if (local.kind == Feature::Kind::Edge) return {local.kind, mesh.triangles[t].edge[local.index]};
  return {Feature::Kind::Face, faceOf(mesh, t)};
}

/// The nearest pair of triangles, working frame; once they overlap, some overlapping pair.
struct Nearest {
  PairGap gap;
  std::uint32_t triangle1 = 0, triangle2 = 0;
};

/// Descends both trees, the nearer pair of boxes first.
class NearestSearch {
public:
  explicit NearestSearch(const MeshPair& pair)
      : pair_(pair),
        to1_(relative(pair.side1.pose, pair.side2.pose)),
        spread_(absOf(to1_.rotation)),
        slack_(4.0 * kTouchTolerance * pair.size) {}

  void run(Nearest& best) const {
    triangleGap(pair_, 0, 0, best.gap);
    Entry stack[2 * Bvh::kStackSize];
    int top = 0;
    stack[top++] = entry(0, 0);
    while (top > 0) {
      const Entry e = stack[--top];
      if (e.bound > best.gap.gap || best.gap.gap < -slack_) continue;
      const Bvh::Node &a = tree1().getNodes()[e.node1], &b = tree2().getNodes()[e.node2];
      if (a.count != 0 && b.count != 0) {
        visit(a, b, best);
        continue;
      }
      const bool split1 = b.count != 0 || (a.count == 0 && norm(a.bounds.max - a.bounds.min) >
                                                               norm(b.bounds.max - b.bounds.min));
      const Entry left = split1 ? entry(e.node1 + 1, e.node2) : entry(e.node1, e.node2 + 1);
      const Entry right = split1 ? entry(a.first, e.node2) : entry(e.node1, b.first);
      const bool leftFirst = left.bound <= right.bound;
      stack[top++] = leftFirst ? right : left;
      stack[top++] = leftFirst ? left : right;
    }
  }

private:
  struct Entry {
    std::uint32_t node1, node2;
    double bound;
  };

  [[nodiscard]] const Bvh& tree1() const { return pair_.side1.mesh.bvh; }
  [[nodiscard]] const Bvh& tree2() const { return pair_.side2.mesh.bvh; }
  [[nodiscard]] Entry entry(std::uint32_t node1, std::uint32_t node2) const {
    const Bounds &a = tree1().getNodes()[node1].bounds, &b = tree2().getNodes()[node2].bounds;
    const Vec3 middle = apply(to1_, (b.min + b.max) * 0.5);
    const Vec3 half = spread_ * ((b.max - b.min) * 0.5);
    return {node1, node2, distanceOf(a, {middle - half, middle + half}) - slack_};
  }
  void visit(const Bvh::Node& a, const Bvh::Node& b, Nearest& best) const {
    for (std::uint32_t i = 0; i < a.count; ++i) {
      for (std::uint32_t k = 0; k < b.count; ++k) {
        const std::uint32_t t1 = tree1().getItems()[a.first + i];
        const std::uint32_t t2 = tree2().getItems()[b.first + k];
        PairGap gap;
        triangleGap(pair_, t1, t2, gap);
        if (gap.gap > best.gap.gap) continue;
        if (gap.gap == best.gap.gap &&
            std::tuple(t1, t2) > std::tuple(best.triangle1, best.triangle2)) {
          continue;
        }
        best = {gap, t1, t2};
      }
    }
  }

  const MeshPair& pair_;
  Pose to1_;
  Mat3 spread_;
  double slack_;
};

/// True if mesh 1 (2 if swapped) is apart from the other's surface and behind it.
bool isBehind(const MeshPair& pair, const Nearest& nearest, bool swapped) {
  if (nearest.gap.gap <= 0.0) return false;
  const MeshSide& solid = swapped ? pair.side1 : pair.side2;
  const Vec3 q = applyInverse(solid.pose, swapped ? nearest.gap.p1 : nearest.gap.p2);
  const Vec3 n =
      transposeTimes(solid.pose.rotation, swapped ? -nearest.gap.normal : nearest.gap.normal);
  return isOnInnerSide(solid.shape, swapped ? nearest.triangle1 : nearest.triangle2, q, n);
}

/// One mesh behind the other's surface: out along the nearest way, all its lowest corners, or only
/// those that are inside.
bool pushFromInside(const MeshPair& pair, const Nearest& nearest, bool swapped, bool onlyInside,
                    ManifoldSink& sink) {
  const MeshSide& in = swapped ? pair.side2 : pair.side1;
  const MeshSide& solid = swapped ? pair.side1 : pair.side2;
  // The gap's normal points from 2 to 1, so into the solid if 1 is inside 2.
  const Vec3 n = swapped ? nearest.gap.normal : -nearest.gap.normal;
  const double plane = dot(n, swapped ? nearest.gap.p1 : nearest.gap.p2);
  PairManifold m;
  m.normal = swapped ? -n : n;
  m.status = QueryStatus::Penetrating;
  m.subShape1 = faceOf(pair.side1.mesh, nearest.triangle1);
  m.subShape2 = faceOf(pair.side2.mesh, nearest.triangle2);
  const Feature face{Feature::Kind::Face,
                     faceOf(solid.mesh, swapped ? nearest.triangle1 : nearest.triangle2)};
  for (std::uint32_t v = 0; v < in.mesh.vertices.size(); ++v) {
    if (in.mesh.vertexKinds[v] != VertexKind::Corner || !isLowest(in, v, n)) continue;
    const Vec3 p = in.vertex(v);
    const double depth = plane - dot(n, p);
    const Feature corner{Feature::Kind::Vertex, v};
    MeshNearest way;
    if (depth <= 0.0) continue;
    if (onlyInside && !isInside(solid.shape, applyInverse(solid.pose, p), way)) continue;
    if (m.count == PairManifold::kMaxPoints) reduceManifold(m);
    m.add(p + n * (0.5 * depth), depth, swapped ? face : corner, swapped ? corner : face);
  }
  m.type =
      m.count == 1 ? ContactType::Point : (m.count == 2 ? ContactType::Edge : ContactType::Face);
  if (m.count == 0) return false;
  emitMeshManifold(pair, m, sink);
  return true;
}

/// Corners and outlines of the two, among triangles within the search distance.
int collideOutlines(const MeshPair& pair, std::span<const TrianglePair> near, ManifoldSink& sink) {
  int emitted = collideCornersWithFaces(pair, near, false, sink);
  emitted += collideCornersWithFaces(pair, near, true, sink);
  emitted += collideEdgesWithEdges(pair, near, sink);
  emitted += collideCornersApart(pair, near, false, sink);
  return emitted + collideCornersApart(pair, near, true, sink);
}

/// Surfaces that touch or cross without any contact that fits the rules: some pair of triangles
/// that does.
void pushRaw(const MeshPair& pair, const Nearest& nearest, ManifoldSink& sink) {
  const PairGap& gap = nearest.gap;
  if (!(gap.gap <= pair.reach)) return;
  PairManifold m;
  m.normal = gap.normal;
  m.type = ContactType::Point;
  m.status = gap.status;
  m.subShape1 = faceOf(pair.side1.mesh, nearest.triangle1);
  m.subShape2 = faceOf(pair.side2.mesh, nearest.triangle2);
  m.add((gap.p1 + gap.p2) * 0.5, -gap.gap,
        globalFeature(pair.side1.mesh, nearest.triangle1, gap.feature1),
        globalFeature(pair.side2.mesh, nearest.triangle2, gap.feature2));
  emitMeshManifold(pair, m, sink);
}

}  // namespace

MeshPair::MeshPair(const PairQuery& query)
    : side1{query.shape1, *meshOf(query.shape1), {}, abut::hasInside(query.shape1), {}},
      side2{query.shape2, *meshOf(query.shape2), {}, abut::hasInside(query.shape2), {}},
      toQuery(query.pose2.rotation),
      margin(query.margin) {
  side1.pose.rotation = transposeTimes(query.pose2.rotation, query.pose1.rotation);
  side2.pose.translation = -applyInverse(query.pose2, query.pose1.translation);
  side1.center = apply(side1.pose, boxCenter(side1.mesh));
  side2.center = apply(side2.pose, boxCenter(side2.mesh));
  size = side1.mesh.radius + side2.mesh.radius;
  reach = maxOf(margin, kTouchTolerance * size);
  search = reach;
}

void emitMeshManifold(const MeshPair& pair, PairManifold& m, ManifoldSink& sink) {
  m.normal = pair.toQuery * m.normal;
  for (int i = 0; i < m.count; ++i) m.points[i].position = pair.toQuery * m.points[i].position;
  sink.add(m);
}

void findTrianglePairs(const MeshPair& pair, ScratchList<TrianglePair>& result) {
  struct Entry {
    std::uint32_t node1, node2;
  };
  const MeshSide &side1 = pair.side1, &side2 = pair.side2;
  const Bvh &tree1 = side1.mesh.bvh, &tree2 = side2.mesh.bvh;
  const Pose to1 = relative(side1.pose, side2.pose);
  const Mat3 spread = absOf(to1.rotation);
  const double slack = pair.search + 4.0 * kTouchTolerance * pair.size;
  const auto boundsOfTriangle = [](const Vec3& a, const Vec3& b, const Vec3& c) {
    return Bounds{minOf(minOf(a, b), c), maxOf(maxOf(a, b), c)};
  };
  const auto visit = [&](const Bvh::Node& a, const Bvh::Node& b) {
    for (const std::uint32_t t2 : tree2.getItems().subspan(b.first, b.count)) {
      // Triangle 2 in frame 1, then triangle 1 in frame 2 (the working frame but for a shift).
      const Bounds box2 = grown(boundsOfTriangle(apply(to1, side2.mesh.corner(t2, 0)),
                                                 apply(to1, side2.mesh.corner(t2, 1)),
                                                 apply(to1, side2.mesh.corner(t2, 2))),
                                slack);
      if (!overlaps(a.bounds, box2)) continue;
      const Bounds own2 = grown(
          boundsOfTriangle(side2.corner(t2, 0), side2.corner(t2, 1), side2.corner(t2, 2)), slack);
      for (const std::uint32_t t1 : tree1.getItems().subspan(a.first, a.count)) {
        const Vec3 &p = side1.mesh.corner(t1, 0), &q = side1.mesh.corner(t1, 1);
        const Vec3& r = side1.mesh.corner(t1, 2);
        if (!overlaps(boundsOfTriangle(p, q, r), box2)) continue;
        if (!overlaps(
                boundsOfTriangle(side1.corner(t1, 0), side1.corner(t1, 1), side1.corner(t1, 2)),
                own2)) {
          continue;
        }
        result.push({t1, t2});
      }
    }
  };
  Entry stack[2 * Bvh::kStackSize];
  int top = 0;
  stack[top++] = {0, 0};
  while (top > 0) {
    const Entry e = stack[--top];
    const Bvh::Node &a = tree1.getNodes()[e.node1], &b = tree2.getNodes()[e.node2];
    const Vec3 middle = apply(to1, (b.bounds.min + b.bounds.max) * 0.5);
    const Vec3 half = spread * ((b.bounds.max - b.bounds.min) * 0.5);
    if (!overlaps(a.bounds, grown({middle - half, middle + half}, slack))) continue;
    if (a.count != 0 && b.count != 0) {
      visit(a, b);
    } else if (b.count != 0 || (a.count == 0 && norm(a.bounds.max - a.bounds.min) >
                                                    norm(b.bounds.max - b.bounds.min))) {
      stack[top++] = {a.first, e.node2};
      stack[top++] = {e.node1 + 1, e.node2};
    } else {
      stack[top++] = {e.node1, b.first};
      stack[top++] = {e.node1, e.node2 + 1};
    }
  }
}

int collideCornersWithFaces(const MeshPair& pair, std::span<const TrianglePair> near, bool swapped,
                            ManifoldSink& sink) {
  const MeshSide &from = swapped ? pair.side2 : pair.side1,
                 &onto = swapped ? pair.side1 : pair.side2;
  ScratchList<CornerFace> records;
  for (const auto& [t1, t2] : near) {
    const std::uint32_t t = swapped ? t2 : t1, face = swapped ? t1 : t2;
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t v = from.mesh.triangles[t].vertex[k];
      if (from.mesh.vertexKinds[v] != VertexKind::Corner) continue;
      records.push({onto.mesh.triangles[face].patch, v, face, t});
    }
  }
  const std::span<CornerFace> all = records.items();
  std::sort(all.begin(), all.end(),
            [](const CornerFace& a, const CornerFace& b) { return a.key() < b.key(); });
  int emitted = 0;
  for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
    while (end < all.size() && all[end].patch == all[i].patch) ++end;
    PairManifold m;
    if (!collectCorners(pair, from, onto, swapped, all.subspan(i, end - i), m)) continue;
    emitMeshManifold(pair, m, sink);
    ++emitted;
  }
  return emitted;
}

void collideMeshMesh(const PairQuery& query, ManifoldSink& sink) {
  MeshPair pair(query);
  {
    ScratchList<TrianglePair> found;
    findTrianglePairs(pair, found);
    HeldContacts held(pair.size);
    ManifoldSink inner(held);
    collideOutlines(pair, found.items(), inner);
    if (query.enableContact) settleOverlaps(pair, found.items(), held);
    if (held.emit(sink) != 0) return;
  }
  Nearest nearest;
  NearestSearch(pair).run(nearest);
  const bool in2 = isBehind(pair, nearest, false), in1 = isBehind(pair, nearest, true);
  if (!in2 && !in1) {
    pushRaw(pair, nearest, sink);
    return;
  }
  // One surface is wholly behind the other: what faces it is as far away as the nearest point.
  pair.search = nearest.gap.gap * (1.0 + kNearerSlack) + pair.reach;
  ScratchList<TrianglePair> found;
  findTrianglePairs(pair, found);
  bool any = collideOutlines(pair, found.items(), sink) != 0;
  if (in2) any = pushFromInside(pair, nearest, false, true, sink) || any;
  if (in1) any = pushFromInside(pair, nearest, true, true, sink) || any;
  if (!any) pushFromInside(pair, nearest, !in2, false, sink);
}

void gapMeshMesh(const PairQuery& query, PairGap& result) {
  const MeshPair pair(query);
  Nearest nearest;
  NearestSearch(pair).run(nearest);
  const PairGap& gap = nearest.gap;
  result = gap;
  result.normal = pair.toQuery * gap.normal;
  result.p1 = pair.toQuery * gap.p1;
  result.p2 = pair.toQuery * gap.p2;
  result.feature1 = globalFeature(pair.side1.mesh, nearest.triangle1, gap.feature1);
  result.feature2 = globalFeature(pair.side2.mesh, nearest.triangle2, gap.feature2);
  result.subShape1 = faceOf(pair.side1.mesh, nearest.triangle1);
  result.subShape2 = faceOf(pair.side2.mesh, nearest.triangle2);
  if (isBehind(pair, nearest, false) || isBehind(pair, nearest, true)) {
    result.gap = -gap.gap;
    result.status = QueryStatus::Penetrating;
  }
}

}  // namespace abut::inline v0_1
