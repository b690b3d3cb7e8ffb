// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <utility>

#include "narrow_phase/cast/moving_pair.hpp"
#include "narrow_phase/convex/convex_gap.hpp"
#include "narrow_phase/dispatch/scratch.hpp"
#include "narrow_phase/mesh/composite.hpp"
#include "narrow_phase/mesh/patch.hpp"
#include "narrow_phase/mesh/under_face.hpp"
#include "narrow_phase/mesh/way_out.hpp"
#include "narrow_phase/tolerances.hpp"

// What a contact of a convex body with a mesh is.
//
// - The surface consists of planar patches, their outline edges and corners. A contact normal is a
//   patch's normal, or lies in the cone of normals of an outline edge or corner (the directions in
//   which that feature is the nearest one of the surface around it). Edges and vertices inside a
//   patch, and edges of valleys, have no normals of their own, so nothing catches on them.
// - Apart, the gap and the normal are those of the nearest triangle, exactly.
// - Overlapping, a patch pushes the body out of its front along its normal, as long as the body's
//   centre is in front of it and no other patch facing the centre is nearer to the overlap; depth
//   is that of the body's farthest point over the patch. Edges and corners push along the direction
//   of least overlap, if that is one of theirs.
// - A body whose centre is inside a solid is pushed out towards the nearest point of the surface.
//   A surface without inside pushes the body to the side where its centre is.

namespace abut::inline v0_1 {
namespace {

/// Contacts deeper than this, times the size, are compared with the shortest way out.
constexpr double kDeep = 1e-3;
/// They are none if they are this many times as deep.
constexpr double kFalseDepth = 4.0;
struct Plane {
  Vec3 normal;
  double offset;
};

/// One run of candidate triangles that belong to one patch.
struct Run {
  std::size_t first, count;
  Vec3 facing;
  double apart = 0.0;   // Of the body from the patch's plane [m].
  bool isOpen = false;  // Not settled by a face contact.
};

class ConvexMesh {
public:
  ConvexMesh(const PairQuery& query, const SolidBody& solid, const MeshData& mesh,
             ManifoldSink& sink)
      : query_(query),
        solid_(solid),
        body_{mesh, solid.core, {}, {}, {}, query.margin, 0.0, hasInside(query.shape2)},
        sink_(sink) {
    // Working frame: see BodyOverMesh. Object 1 is at the origin of the query's frame.
    body_.rotation = transposeTimes(query.pose2.rotation, query.pose1.rotation);
    body_.shift = applyInverse(query.pose2, query.pose1.translation);
    body_.center = body_.rotation * bodyCenter(body_.core);
    body_.size = abut::boundingRadius(body_.core) + mesh.radius;
  }

  void run();
  void gap(PairGap& result);

private:
  void gather();
  void splitRuns();
  void visitFaces(Run& run);
  [[nodiscard]] bool isBesideRim(const PairGap& gap, std::uint32_t t) const;
  void visitRim(std::span<const std::uint32_t> triangles);
  void visitEdges(const Run& run);
  void visitEdges(const Run& run, std::uint32_t t, bool& patchDone);
  [[nodiscard]] bool isNearestPatch(const PatchContact& contact, const PairManifold& m);
  [[nodiscard]] bool isActive(std::uint32_t t) const;
  [[nodiscard]] bool isBehindPlane(std::uint32_t t);
  [[nodiscard]] bool isInCone(std::uint32_t t, const Vec3& q, const Vec3& n) const;
  [[nodiscard]] bool isInEdgeCone(std::uint32_t t, int k, const Vec3& n) const;
  void emitGap(const PairGap& gap, std::uint32_t t);
  bool pushFromInside();
  void pushOut(std::uint32_t triangle, const Vec3& point, const Vec3& n);
  std::uint32_t nearestTriangle(PairGap& result) const;
  [[nodiscard]] bool isFalse(double depth);
  void pushRaw();
  void addUnderFace();
  void toQuery(PairGap& gap, std::uint32_t t) const;
  void emit(PairManifold& m, std::uint32_t t);
  [[nodiscard]] Feature meshFeature(std::uint32_t t, Feature local) const;

  const PairQuery& query_;
  const SolidBody& solid_;
  BodyOverMesh body_;
  ManifoldSink& sink_;
  ScratchList<std::uint32_t> triangles_;
  ScratchList<Run> runs_;
  ScratchList<Plane> planes_;
  FacingFeature facing_;
  WayOut way_out_;
  std::uint32_t nearer_ = MeshData::kNone;  // The last triangle that was nearer than a patch.
  int emitted_ = 0;
  double deepest_ = 0.0;   // Of what was emitted [m].
  Vec3 deepest_normal_;    // Its normal.
  bool refused_ = false;   // Some contact was false.
  bool behind_ = false;    // The centre is behind some triangle nearby.
  bool doubtful_ = false;  // Some triangle that gave no contact may touch or overlap.
};

/// Triangles that the body (a ball), or its box in its own frame, reaches; by patch, then number.
void ConvexMesh::gather() {
  const double reach = body_.reach() + kTouchTolerance * body_.size;
  ScratchList<std::uint64_t> keys;
  const auto push = [&](std::uint32_t t) {
    keys.push((static_cast<std::uint64_t>(body_.mesh.triangles[t].patch) << 32u) | t);
  };
  const auto boundsOfTriangle = [](const Vec3& a, const Vec3& b, const Vec3& c) {
    return Bounds{minOf(minOf(a, b), c), maxOf(maxOf(a, b), c)};
  };
  if (body_.core.kind == ConvexCore::Kind::Point) {
    const double limit = (body_.core.radius + reach) * (body_.core.radius + reach);
    body_.mesh.bvh.forEachIn(
        [&](const Bounds& box) { return squaredDistance(box, body_.shift) <= limit; },
        [&](std::uint32_t t) {
          const Vec3 a = body_.corner(t, 0), b = body_.corner(t, 1), c = body_.corner(t, 2);
          if (squaredDistance(boundsOfTriangle(a, b, c), {}) > limit) return;
          if (squaredNorm(closestOnTriangle({}, a, b, c).point) <= limit) push(t);
        });
  } else {
    const Bounds box = boundsOf(body_.core, body_.rotation);
    const Bounds own = grown(boundsOf(body_.core, {}), reach);
    body_.mesh.bvh.forEachOverlap(
        grown({box.min + body_.shift, box.max + body_.shift}, reach), [&](std::uint32_t t) {
          const Vec3 a = transposeTimes(body_.rotation, body_.corner(t, 0));
          const Vec3 b = transposeTimes(body_.rotation, body_.corner(t, 1));
          const Vec3 c = transposeTimes(body_.rotation, body_.corner(t, 2));
          if (overlaps(own, boundsOfTriangle(a, b, c))) push(t);
        });
  }
  std::sort(keys.items().begin(), keys.items().end());
  for (const std::uint64_t key : keys.items()) {
    triangles_.push(static_cast<std::uint32_t>(key & 0xffffffffu));
  }
}

void ConvexMesh::splitRuns() {
  const std::span<const std::uint32_t> all = triangles_.items();
  for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
    const std::uint32_t patch = body_.mesh.triangles[all[i]].patch;
    while (end < all.size() && body_.mesh.triangles[all[end]].patch == patch) ++end;
    runs_.push({i, end - i, {}});
  }
}

bool ConvexMesh::isNearestPatch(const PatchContact& contact, const PairManifold& m) {
  if (contact.supportDepth <= kTouchTolerance * body_.size) return true;
  const Vec3 viewer = body_.center + body_.shift;
  const auto isNearest = [&](const Vec3& position, double depth) {
    const Vec3 p1 = position - contact.normal * (0.5 * depth) + body_.shift;
    const double limit = depth * kNearer - kOnEdge * body_.size;
    return !isMeshWithin(body_.mesh, p1, limit, body_.hasInside ? &viewer : nullptr, &nearer_);
  };
  // Points on the outline are as near to the next patch: the middle of the region decides, or any
  // of its corners.
  Vec3 sum{};
  double depths = 0.0;
  for (int i = 0; i < m.count; ++i) {
    sum += m.points[i].position;
    depths += m.points[i].depth;
  }
  if (isNearest(sum / m.count, depths / m.count)) return true;
  if (m.count == 1) return false;  // It is its own middle.
  for (int i = 0; i < m.count; ++i) {
    if (isNearest(m.points[i].position, m.points[i].depth)) return true;
  }
  return false;
}

void ConvexMesh::visitFaces(Run& run) {
  const auto triangles =
      std::span<const std::uint32_t>(triangles_.items()).subspan(run.first, run.count);
  const MeshData::Patch& patch = body_.mesh.patches[body_.mesh.triangles[triangles[0]].patch];
  PatchContact contact;
  contact.point = patch.point - body_.shift;
  const bool front = dot(patch.normal, body_.center - contact.point) >= 0.0;
  if (!front && body_.hasInside) {
    behind_ = doubtful_ = true;
    visitRim(triangles);
    return;
  }
  run.facing = contact.facing = contact.normal = front ? patch.normal : -patch.normal;
  run.apart = dot(run.facing, body_.farthest(-run.facing) - contact.point);
  if (run.apart > body_.reach()) return;
  run.isOpen = true;
  PairManifold m;
  collectPatch(body_, triangles, contact, facing_, m);
  if (m.count == 0 || !contact.anchored || !isNearestPatch(contact, m)) return;
  if (isFalse(contact.supportDepth)) return;
  run.isOpen = false;
  planes_.push({run.facing, dot(run.facing, contact.point)});
  emit(m, triangles[0]);
}

/// True for a body that is apart from a height field's triangle and beside the field, not below it.
bool ConvexMesh::isBesideRim(const PairGap& gap, std::uint32_t t) const {
  if (query_.shape2.getType() != ShapeType::HeightField) return false;
  return gap.gap > kTouchTolerance * body_.size &&
         !isOnInnerSide(query_.shape2, t, gap.p2 + body_.shift, gap.normal);
}

/// The rim of a height field seen from beside and below its triangles: apart, it is the nearest
/// edge of the solid there.
void ConvexMesh::visitRim(std::span<const std::uint32_t> triangles) {
  if (query_.shape2.getType() != ShapeType::HeightField) return;
  for (const std::uint32_t t : triangles) {
    const auto& kind = body_.mesh.triangles[t].kind;
    if (std::find(std::begin(kind), std::end(kind), EdgeKind::Open) == std::end(kind)) continue;
    PairGap gap;
    gapToTriangle(body_, t, gap);
    if (gap.gap > body_.reach() || !isBesideRim(gap, t)) continue;
    if (isInCone(t, gap.p2, gap.normal)) emitGap(gap, t);
  }
}

bool ConvexMesh::isActive(std::uint32_t t) const {
  const MeshData::Triangle& triangle = body_.mesh.triangles[t];
  for (int k = 0; k < 3; ++k) {
    if (triangle.kind[k] == EdgeKind::Convex || triangle.kind[k] == EdgeKind::Open) return true;
    if (body_.mesh.vertexKinds[triangle.vertex[k]] != VertexKind::Flat) return true;
  }
  return false;
}

bool ConvexMesh::isBehindPlane(std::uint32_t t) {
  for (const Plane& plane : planes_.items()) {
    bool behind = true;
    for (int k = 0; k < 3 && behind; ++k) {
      const double height = dot(plane.normal, body_.corner(t, k)) - plane.offset;
      behind = height <= kTouchTolerance * body_.size;
    }
    if (behind) return true;
  }
  return false;
}

bool ConvexMesh::isInEdgeCone(std::uint32_t t, int k, const Vec3& n) const {
  const MeshData::Triangle& triangle = body_.mesh.triangles[t];
  const Vec3 edge = normalized(body_.corner(t, (k + 1) % 3) - body_.corner(t, k));
  if (dot(cross(edge, triangle.normal), n) < -kConeTolerance) return false;
  const std::uint32_t neighbor = triangle.neighbor[k];
  if (neighbor == MeshData::kNone) return true;
  return dot(cross(body_.mesh.triangles[neighbor].normal, edge), n) >= -kConeTolerance;
}

bool ConvexMesh::isInCone(std::uint32_t t, const Vec3& q, const Vec3& n) const {
  const MeshData::Triangle& triangle = body_.mesh.triangles[t];
  const double tolerance = kOnEdge * body_.size;
  for (int k = 0; k < 3; ++k) {
    if (norm(q - body_.corner(t, k)) > tolerance) continue;
    const std::uint32_t v = triangle.vertex[k];
    for (const std::uint32_t u : body_.mesh.neighbors(v)) {
      const Vec3 edge = body_.mesh.vertices[u] - body_.mesh.vertices[v];
      if (dot(n, edge) > kConeTolerance * norm(edge)) return false;
    }
    return true;
  }
  for (int k = 0; k < 3; ++k) {
    const Vec3 a = body_.corner(t, k), edge = normalized(body_.corner(t, (k + 1) % 3) - a);
    if (absOf(dot(cross(edge, triangle.normal), q - a)) <= tolerance) {
      return isInEdgeCone(t, k, n);
    }
  }
  return norm(cross(n, triangle.normal)) <= kConeTolerance;
}

/// True for a contact of a body that is apart from the surface and not inside, or one many times as
/// deep as a way out of all that overlaps. Not on an open surface, which has no other side.
bool ConvexMesh::isFalse(double depth) {
  if (!body_.hasInside || depth <= kDeep * body_.size) return false;
  if (!way_out_.isKnown) way_out_ = findWayOut(body_, triangles_.items());
  MeshNearest nearest;
  const bool isApart = way_out_.gap.triangle == MeshData::kNone;
  if (isApart && isInside(query_.shape2, body_.center + body_.shift, nearest)) return false;
  if (!isApart && depth <= kFalseDepth * way_out_.depth) return false;
  refused_ = true;
  return true;
}

void ConvexMesh::visitEdges(const Run& run, std::uint32_t t, bool& patchDone) {
  const double touch = kTouchTolerance * body_.size;
  if (isBehindPlane(t)) return;
  if (!isActive(t)) {
    doubtful_ = doubtful_ || run.apart <= touch;
    return;
  }
  PairGap gap;
  gapToTriangle(body_, t, gap);
  if (gap.gap > body_.reach()) return;
  const bool fromBehind = body_.hasInside && dot(gap.normal, run.facing) < -kConeTolerance;
  if ((fromBehind && !isBesideRim(gap, t)) || !isInCone(t, gap.p2, gap.normal)) {
    doubtful_ = doubtful_ || gap.gap <= touch;
    return;
  }
  if (isFalse(-gap.gap)) return;
  PairManifold m;
  if (dot(gap.normal, run.facing) >= kFlushCosine) {
    if (patchDone) return;
    PatchContact contact{run.facing, gap.normal, body_.corner(t, 0)};
    collectPatch(body_,
                 std::span<const std::uint32_t>(triangles_.items()).subspan(run.first, run.count),
                 contact, facing_, m);
    double deepest = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < m.count; ++i) deepest = maxOf(deepest, m.points[i].depth);
    if (deepest >= -gap.gap - kOnEdge * body_.size) {
      patchDone = true;
      emit(m, t);
      return;
    }
  }
  emitGap(gap, t);
}

/// The contact with one triangle as its gap says.
void ConvexMesh::emitGap(const PairGap& gap, std::uint32_t t) {
  PairManifold m;
  convexManifold(body_.core, {body_.rotation, {}},
                 triangleCore(body_.corner(t, 0), body_.corner(t, 1), body_.corner(t, 2)), {}, gap,
                 body_.margin, m);
  for (int i = 0; i < m.count; ++i) m.points[i].feature2 = meshFeature(t, m.points[i].feature2);
  emit(m, t);
}

void ConvexMesh::visitEdges(const Run& run) {
  bool patchDone = false;
  for (std::size_t i = 0; i < run.count; ++i) {
    visitEdges(run, triangles_.items()[run.first + i], patchDone);
  }
}

Feature ConvexMesh::meshFeature(std::uint32_t t, Feature local) const {
  const MeshData::Triangle& triangle = body_.mesh.triangles[t];
  if (local.kind == Feature::Kind::Vertex) return {local.kind, triangle.vertex[local.index]};
  if (local.kind == Feature::Kind::Edge) return {local.kind, triangle.edge[local.index]};
  return {Feature::Kind::Face, faceOf(body_.mesh, t)};
}

void ConvexMesh::emit(PairManifold& m, std::uint32_t t) {
  m.subShape1 = solid_.part;
  m.subShape2 = faceOf(body_.mesh, t);
  for (int i = 0; i < m.count; ++i) {
    if (!(m.points[i].depth > deepest_)) continue;
    deepest_ = m.points[i].depth;
    deepest_normal_ = m.normal;
  }
  m.normal = query_.pose2.rotation * m.normal;
  for (int i = 0; i < m.count; ++i) {
    m.points[i].feature1 = solid_.toShape(m.points[i].feature1);
    m.points[i].position = query_.pose2.rotation * m.points[i].position;
  }
  ++emitted_;
  sink_.add(m);
}

/// A body with its centre inside the solid, or with a part below a height field.
bool ConvexMesh::pushFromInside() {
  MeshNearest nearest;
  const Vec3 center = body_.center + body_.shift;
  if (isInside(query_.shape2, center, nearest)) {
    const bool known = -nearest.distance > kTouchTolerance * body_.size;
    const Vec3 out =
        known ? nearest.point - center : pseudonormal(body_.mesh, nearest.triangle, nearest.region);
    pushOut(nearest.triangle, nearest.point - body_.shift, normalized(out));
    return true;
  }
  if (query_.shape2.getType() != ShapeType::HeightField || emitted_ != 0) return false;
  PairGap gap;
  const std::uint32_t t = nearestTriangle(gap);
  if (gap.gap <= 0.0 || !isOnInnerSide(query_.shape2, t, gap.p2 + body_.shift, gap.normal)) {
    return false;
  }
  pushOut(t, gap.p2, -gap.normal);
  return true;
}

/// The support feature of the body towards a way out, all of it below the plane there.
void ConvexMesh::pushOut(std::uint32_t triangle, const Vec3& point, const Vec3& n) {
  SupportFeature feature;
  supportFeature(body_.core, transposeTimes(body_.rotation, -n), kFlushCosine, feature);
  PairManifold m;
  m.normal = n;
  m.status = QueryStatus::Penetrating;
  m.type = feature.count == 1 ? ContactType::Point
                              : (feature.count == 2 ? ContactType::Edge : ContactType::Face);
  const double plane = dot(n, point);
  const Feature face{Feature::Kind::Face, faceOf(body_.mesh, triangle)};
  const Vec3 lowest = body_.farthest(-n);
  const double greatest = plane - dot(n, lowest);
  bool hasGreatest = false;
  for (int i = 0; i < feature.count; ++i) {
    const Vec3 p1 = body_.rotation * feature.vertices[i] - n * body_.core.radius;
    double depth = plane - dot(n, p1);
    if (absOf(depth - greatest) <= kTouchTolerance * body_.size) {
      depth = greatest;
      hasGreatest = true;
    }
    m.add(p1 + n * (0.5 * depth), depth, {Feature::Kind::Vertex, feature.vertexIds[i]}, face);
  }
  if (!hasGreatest) m.add(lowest + n * (0.5 * greatest), greatest, feature.feature, face);
  emit(m, triangle);
}

/// Overlap without any contact that fits the rules.
void ConvexMesh::pushRaw() {
  if (!way_out_.isKnown) way_out_ = findWayOut(body_, triangles_.items());
  const auto& [best, depth, isKnown] = way_out_;
  if (best.triangle == MeshData::kNone) return;
  PairManifold m;
  m.normal = best.normal;
  m.status = statusOfGap(-depth, body_.size);
  m.type = ContactType::Point;
  m.add(body_.farthest(-best.normal) + best.normal * (0.5 * depth), depth, best.feature1,
        meshFeature(best.triangle, best.feature2));
  emit(m, best.triangle);
}

void ConvexMesh::addUnderFace() {
  PairManifold m;
  const std::uint32_t triangle =
      collectUnderFace(body_, triangles_.items(), deepest_normal_, deepest_, m);
  if (m.count > 1) emit(m, triangle);
}

void ConvexMesh::run() {
  gather();
  splitRuns();
  bool any = false;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    Run run = runs_.items()[i];
    visitFaces(run);
    runs_.items()[i] = run;
    any = any || run.isOpen;
  }
  for (std::size_t i = 0; any && i < runs_.size(); ++i) {
    const Run run = runs_.items()[i];
    if (run.isOpen) visitEdges(run);
  }
  if (behind_ || runs_.size() == 0) pushFromInside();
  // What was refused must not be left without any push.
  if ((emitted_ == 0 && doubtful_) || (refused_ && deepest_ < way_out_.depth)) pushRaw();
  addUnderFace();
}

void ConvexMesh::toQuery(PairGap& gap, std::uint32_t t) const {
  gap.feature1 = solid_.toShape(gap.feature1);
  gap.feature2 = meshFeature(t, gap.feature2);
  gap.subShape1 = shownPart(query_.shape1, solid_.part);
  gap.subShape2 = faceOf(body_.mesh, t);
  const Mat3& r = query_.pose2.rotation;
  gap.normal = r * gap.normal;
  gap.p1 = r * gap.p1;
  gap.p2 = r * gap.p2;
}

std::uint32_t ConvexMesh::nearestTriangle(PairGap& result) const {
  Bounds box = boundsOf(body_.core, body_.rotation);
  box = {box.min + body_.shift, box.max + body_.shift};
  double best = std::numeric_limits<double>::infinity();
  std::uint32_t found = MeshData::kNone;
  const double slack = kTouchTolerance * body_.size;
  body_.mesh.bvh.minimize(
      best, [&](const Bounds& node) { return distanceOf(node, box) - slack; },
      [&](std::uint32_t t) {
        if (best < -slack) return;  // Overlap: which triangle does not matter.
        PairGap gap;
        gapToTriangle(body_, t, gap);
        if (gap.gap > best || (gap.gap == best && t > found)) return;
        best = gap.gap;
        found = t;
        result = gap;
      });
  return found;
}

void ConvexMesh::gap(PairGap& result) {
  const std::uint32_t found = nearestTriangle(result);
  MeshNearest nearest;
  const Vec3 shift = body_.shift;
  if (result.gap > 0.0 && (isInside(query_.shape2, body_.center + shift, nearest) ||
                           isOnInnerSide(query_.shape2, found, result.p2 + shift, result.normal))) {
    result.gap = -result.gap;
    result.status = QueryStatus::Penetrating;
  }
  toQuery(result, found);
}

/// The query with its objects exchanged, in a frame whose origin is at the new object 1.
PairQuery exchangedQuery(const PairQuery& query) {
  return {query.shape2,
          query.shape1,
          {query.pose2.rotation, {}},
          {query.pose1.rotation, query.pose1.translation - query.pose2.translation},
          query.margin,
          query.enableContact};
}

/// Puts the objects of an exchanged query back in order.
class Restorer final : public ManifoldCollector {
public:
  Restorer(ManifoldSink& sink, const Vec3& shift) : sink_(sink), shift_(shift) {}

  void take(PairManifold& m) override {
    m.normal = -m.normal;
    std::swap(m.subShape1, m.subShape2);
    for (int i = 0; i < m.count; ++i) {
      m.points[i].position += shift_;
      std::swap(m.points[i].feature1, m.points[i].feature2);
    }
    sink_.add(m);
  }
  void markCollision() override { sink_.markCollision(); }

private:
  ManifoldSink& sink_;
  Vec3 shift_;
};

}  // namespace

void collideConvexMesh(const PairQuery& query, ManifoldSink& sink) {
  if (!hasBodies(query.shape1)) {
    Restorer restorer(sink, query.pose2.translation);
    ManifoldSink inner(restorer);
    collideConvexMesh(exchangedQuery(query), inner);
    return;
  }
  const std::size_t count = std::max<std::size_t>(1, piecesOf(query.shape1).size());
  for (std::size_t i = 0; i < count; ++i) {
    const SolidBody solid = bodyOf(query.shape1, i);
    ConvexMesh(query, solid, *meshOf(query.shape2), sink).run();
  }
}

void gapConvexMesh(const PairQuery& query, PairGap& result) {
  if (!hasBodies(query.shape1)) {
    gapConvexMesh(exchangedQuery(query), result);
    result = abut::exchanged(result, query.pose2.translation);
    return;
  }
  struct Ignore final : ManifoldCollector {
    void take(PairManifold&) override {}
    void markCollision() override {}
  } ignore;
  ManifoldSink sink(ignore);
  const std::size_t count = std::max<std::size_t>(1, piecesOf(query.shape1).size());
  for (std::size_t i = 0; i < count; ++i) {
    const SolidBody solid = bodyOf(query.shape1, i);
    PairGap gap;
    ConvexMesh(query, solid, *meshOf(query.shape2), sink).gap(gap);
    if (i == 0 || gap.gap < result.gap) result = gap;
  }
}

}  // namespace abut::inline v0_1
