// SPDX-License-Identifier: MIT
#include "shapes/mesh_pieces.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include <abut/core/status.hpp>

#include "shapes/hull_mass.hpp"
#include "shapes/mesh_data.hpp"
#include "shapes/quickhull.hpp"

// A piece is grown around a point of a face. It begins as the box of the mesh behind the plane of
// that face. While some triangle reaches into it, it is cut by the plane of the nearest one that
// has the point behind it: the way to the nearest surface is free, so there is one. What is left
// has no surface inside, so it is all solid. Pieces are grown until every face is covered.

namespace abut::inline v0_1 {
namespace {

/// Surfaces that reach into a piece by less than this, times the mesh's radius, touch it.
constexpr double kPieceSlack = 1e-9;
/// Parts of faces narrower than this many slacks are rounding.
constexpr double kSliver = 20.0;
/// Distances this close, relatively, are the same: the two sides of a valley, say.
constexpr double kSameDistance = 1e-9;
/// Corners this close to a plane, times the mesh's radius, are on it.
constexpr double kOnPlane = 1e-12;
/// More than this is not a body of pieces but a curved surface.
constexpr std::size_t kMaxPieces = 32;
/// Bounds what a query costs: vertices of the pieces that meet at a place of the solid, on average
/// (an L has 11, a gear of twelve teeth 120, a ring of 24 by 12 quadrangles 450).
constexpr double kMaxMeeting = 128.0;
/// Bound the cost of building: a piece takes at most triangles times planes. Flat faces may be
/// divided finely: what is made of few of them has few planes, whatever its triangles. Planes are
/// at most as many as patches, so that both bounds allow a piece some 2^21 and 2^26 products.
constexpr std::size_t kMaxPlanes = 512;
constexpr std::size_t kMaxTriangles = 4096;
constexpr std::size_t kFewPatches = 256, kMaxFlatTriangles = std::size_t{1} << 18u;

using Polygon = std::vector<Vec3>;

struct CutPlane {
  Vec3 normal;
  double offset;
};

/// The part of a convex polygon with n . x <= offset.
void clip(const Polygon& polygon, const Vec3& n, double offset, Polygon& result) {
  result.clear();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 &a = polygon[i], &b = polygon[i + 1 == polygon.size() ? 0 : i + 1];
    const double ha = dot(n, a) - offset, hb = dot(n, b) - offset;
    if (ha <= 0.0) result.push_back(a);
    if ((ha < 0.0 && hb > 0.0) || (ha > 0.0 && hb < 0.0)) {
      result.push_back(a + (b - a) * (ha / (ha - hb)));
    }
  }
}

Vec3 middleOf(const Polygon& polygon) {
  Vec3 sum{};
  for (const Vec3& p : polygon) sum += p;
  return sum / static_cast<double>(polygon.size());
}

bool isSliver(const Polygon& polygon, double slack) {
  if (polygon.size() < 3) return true;
  Vec3 area{};
  double around = 0.0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 &a = polygon[i], &b = polygon[i + 1 == polygon.size() ? 0 : i + 1];
    area += cross(a - polygon[0], b - polygon[0]);
    around += norm(b - a);
  }
  return norm(area) <= kSliver * slack * around;
}

/// A convex polyhedron as polygons, that planes cut.
class Polyhedron {
public:
  explicit Polyhedron(double tolerance) : tolerance_(tolerance) {}

  void begin(const Bounds& box);
  void cut(const CutPlane& plane);
  [[nodiscard]] const std::vector<Polygon>& getFaces() const { return faces_; }

private:
  void cutFace(const Polygon& face, const CutPlane& plane, Polygon& result);
  void closeCut(const Vec3& n);

  double tolerance_;
  std::vector<Polygon> faces_;
  Polygon rim_, scratch_;
};

void Polyhedron::begin(const Bounds& box) {
  const auto corner = [&](unsigned i) {
    return Vec3{(i & 1u) != 0 ? box.max.x : box.min.x, (i & 2u) != 0 ? box.max.y : box.min.y,
                (i & 4u) != 0 ? box.max.z : box.min.z};
  };
  constexpr unsigned kFaces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                     {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  faces_.clear();
  for (const auto& f : kFaces) {
    faces_.push_back({corner(f[0]), corner(f[1]), corner(f[2]), corner(f[3])});
  }
}

/// Crossings are computed from the smaller end of an edge: both faces get the same bits.
void Polyhedron::cutFace(const Polygon& face, const CutPlane& plane, Polygon& result) {
  result.clear();
  for (std::size_t i = 0; i < face.size(); ++i) {
    const Vec3 &a = face[i], &b = face[i + 1 == face.size() ? 0 : i + 1];
    const double ha = dot(plane.normal, a) - plane.offset, hb = dot(plane.normal, b) - plane.offset;
    if (ha <= tolerance_) result.push_back(a);
    if (absOf(ha) <= tolerance_) rim_.push_back(a);
    if ((ha < -tolerance_ && hb > tolerance_) || (ha > tolerance_ && hb < -tolerance_)) {
      const bool fromA = lexicographicLess(a, b);
      const Vec3 x = fromA ? a + (b - a) * (ha / (ha - hb)) : b + (a - b) * (hb / (hb - ha));
      result.push_back(x);
      rim_.push_back(x);
    }
  }
}

/// The face that a cut makes: its corners about their middle, seen from outside.
void Polyhedron::closeCut(const Vec3& n) {
  std::sort(rim_.begin(), rim_.end(), lexicographicLess);
  rim_.erase(std::unique(rim_.begin(), rim_.end()), rim_.end());
  if (rim_.size() < 3) return;
  const Vec3 middle = middleOf(rim_), first = rim_[0] - middle;
  const auto half = [&](const Vec3& p) {
    const double s = dot(n, cross(first, p - middle));
    return s > 0.0 || (s == 0.0 && dot(first, p - middle) > 0.0) ? 0 : 1;
  };
  std::sort(rim_.begin(), rim_.end(), [&](const Vec3& a, const Vec3& b) {
    const int ha = half(a), hb = half(b);
    if (ha != hb) return ha < hb;
    return dot(n, cross(a - middle, b - middle)) > 0.0;
  });
  faces_.push_back(rim_);
}

void Polyhedron::cut(const CutPlane& plane) {
  rim_.clear();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    cutFace(faces_[i], plane, scratch_);
    if (scratch_.size() >= 3) faces_[kept++].swap(scratch_);
  }
  const bool isCut = kept != faces_.size() || !rim_.empty();
  faces_.resize(kept);
  if (isCut) closeCut(plane.normal);
}

class PieceBuilder {
public:
  PieceBuilder(const MeshData& mesh, double room)
      : mesh_(mesh),
        slack_(kPieceSlack * mesh.radius),
        room_(room),
        polyhedron_(kOnPlane * mesh.radius) {}

  bool run();
  std::vector<MeshPiece> pieces;

private:
  /// What of a triangle is inside the piece that grows.
  struct Inner {
    std::uint32_t patch = 0;
    double distance = 0.0, height = 0.0;  // Of the seed: from it, and over its plane [m].
    Polygon part;
  };

  bool cover(std::uint32_t triangle);
  void subtract(std::span<const CutPlane> planes);
  bool grow(const Vec3& seed, std::uint32_t patch);
  void addPlane(const Vec3& normal, double offset, const Vec3& seed);
  bool addNearest(const Vec3& seed);
  bool finish(std::uint32_t triangle);
  [[nodiscard]] std::vector<Vec3> corners() const;
  bool name(MeshHull& hull);
  [[nodiscard]] std::uint32_t edgeBetween(std::uint32_t a, std::uint32_t b) const;

  const MeshData& mesh_;
  double slack_;
  double room_;                   // What is left of vertices times volume [m^3].
  Polyhedron polyhedron_;         // The piece that grows.
  std::vector<CutPlane> planes_;  // Of it.
  std::vector<Inner> inner_;
  std::vector<std::vector<CutPlane>> done_;
  std::vector<Polygon> open_, next_;  // Of a triangle: what no piece covers.
  Polygon scratch_;
  std::uint32_t more_vertices_ = 0, more_edges_ = 0;  // Beyond the mesh's own.
};

double distanceFrom(const Vec3& seed, const Polygon& polygon) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    const TrianglePoint q = closestOnTriangle(seed, polygon[0], polygon[i], polygon[i + 1]);
    least = minOf(least, norm(seed - q.point));
  }
  return least;
}

void PieceBuilder::addPlane(const Vec3& normal, double offset, const Vec3& seed) {
  planes_.push_back({normal, offset});
  polyhedron_.cut(planes_.back());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < inner_.size(); ++i) {
    Inner& inner = inner_[i];
    clip(inner.part, normal, offset - slack_, scratch_);
    if (scratch_.size() < 3) continue;
    if (scratch_ != inner.part) {
      inner.part.swap(scratch_);
      inner.distance = distanceFrom(seed, inner.part);
    }
    if (kept != i) std::swap(inner_[kept], inner);
    ++kept;
  }
  inner_.resize(kept);
}

/// Cuts by the plane of the nearest triangle inside that has the seed behind it.
bool PieceBuilder::addNearest(const Vec3& seed) {
  const Inner* best = nullptr;
  for (const Inner& inner : inner_) {
    if (inner.height > -slack_) continue;
    if (best != nullptr) {
      const bool same = absOf(inner.distance - best->distance) <= kSameDistance * best->distance;
      if (same ? inner.height >= best->height : inner.distance > best->distance) continue;
    }
    best = &inner;
  }
  if (best == nullptr) return false;
  const MeshData::Patch& patch = mesh_.patches[best->patch];
  addPlane(patch.normal, dot(patch.normal, patch.point), seed);
  return true;
}

bool PieceBuilder::grow(const Vec3& seed, std::uint32_t patch) {
  const Bounds& box = mesh_.bvh.getBounds();
  planes_.clear();
  polyhedron_.begin(box);
  inner_.resize(mesh_.triangles.size());
  for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t) {
    Inner& inner = inner_[t];
    inner.patch = mesh_.triangles[t].patch;
    const MeshData::Patch& p = mesh_.patches[inner.patch];
    inner.part = {mesh_.corner(t, 0), mesh_.corner(t, 1), mesh_.corner(t, 2)};
    inner.height = dot(p.normal, seed - p.point);
    inner.distance = distanceFrom(seed, inner.part);
  }
  addPlane({-1.0, 0.0, 0.0}, -box.min.x, seed);
  addPlane({0.0, -1.0, 0.0}, -box.min.y, seed);
  addPlane({0.0, 0.0, -1.0}, -box.min.z, seed);
  addPlane({1.0, 0.0, 0.0}, box.max.x, seed);
  addPlane({0.0, 1.0, 0.0}, box.max.y, seed);
  addPlane({0.0, 0.0, 1.0}, box.max.z, seed);
  const MeshData::Patch& own = mesh_.patches[patch];
  addPlane(own.normal, dot(own.normal, own.point), seed);
  while (!inner_.empty()) {
    if (planes_.size() > kMaxPlanes || !addNearest(seed)) return false;
  }
  return true;
}

/// Of the piece that has grown; on a vertex of the mesh if one is there.
std::vector<Vec3> PieceBuilder::corners() const {
  std::vector<Vec3> result;
  for (const Polygon& face : polyhedron_.getFaces()) {
    for (Vec3 x : face) {
      for (const Vec3& v : mesh_.vertices) {
        if (norm(v - x) <= slack_) x = v;
      }
      bool known = false;
      for (const Vec3& c : result) known = known || norm(c - x) <= slack_;
      if (!known) result.push_back(x);
    }
  }
  return result;
}

std::uint32_t PieceBuilder::edgeBetween(std::uint32_t a, std::uint32_t b) const {
  for (const MeshData::Triangle& t : mesh_.triangles) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t from = t.vertex[k], to = t.vertex[(k + 1) % 3];
      if ((from == a && to == b) || (from == b && to == a)) return t.edge[k];
    }
  }
  return MeshData::kNone;
}

/// False if a face of the piece is none of the mesh's.
bool PieceBuilder::name(MeshHull& result) {
  const auto numVertices = static_cast<std::uint32_t>(mesh_.vertices.size());
  const auto numEdges = static_cast<std::uint32_t>(3 * mesh_.triangles.size());
  for (std::uint32_t i = 0; i < result.hull.numVertices; ++i) {
    std::uint32_t v = 0;
    while (v < numVertices && mesh_.vertices[v] != result.hull.vertex(i)) ++v;
    result.vertexIds.push_back(v < numVertices ? v : numVertices + more_vertices_++);
  }
  for (const HullData::Edge& e : result.hull.edges) {
    const std::uint32_t edge =
        edgeBetween(result.vertexIds[e.vertex1], result.vertexIds[e.vertex2]);
    result.edgeIds.push_back(edge != MeshData::kNone ? edge : numEdges + more_edges_++);
  }
  for (const HullData::Face& face : result.hull.faces) {
    std::uint32_t p = 0;
    for (; p < mesh_.patches.size(); ++p) {
      const MeshData::Patch& patch = mesh_.patches[p];
      if (norm(patch.normal - face.normal) > kPieceSlack * kSliver) continue;
      if (absOf(dot(face.normal, patch.point) - face.offset) <= kSliver * slack_) break;
    }
    if (p == mesh_.patches.size()) return false;
    result.faceIds.push_back(mesh_.trianglesOfPatch(p)[0]);
  }
  return true;
}

bool PieceBuilder::finish(std::uint32_t triangle) {
  const std::vector<Vec3> corners = this->corners();
  MeshPiece piece;
  try {
    piece.solid.hull = buildHull(corners);
  } catch (const Error&) {
    return false;  // Too thin.
  }
  room_ -= integrate(piece.solid.hull).volume * piece.solid.hull.numVertices;
  if (!(room_ >= 0.0) || !name(piece.solid)) return false;
  piece.box = {corners[0], corners[0]};
  for (const Vec3& c : corners) piece.box = {minOf(piece.box.min, c), maxOf(piece.box.max, c)};
  piece.triangle = mesh_.trianglesOfPatch(mesh_.triangles[triangle].patch)[0];
  pieces.push_back(std::move(piece));
  done_.push_back(planes_);
  return true;
}

/// Takes what a piece covers from the open parts of a triangle.
void PieceBuilder::subtract(std::span<const CutPlane> planes) {
  next_.clear();
  for (Polygon inside : open_) {
    for (const CutPlane& plane : planes) {
      clip(inside, -plane.normal, -plane.offset - slack_, scratch_);
      if (!isSliver(scratch_, slack_)) next_.push_back(scratch_);
      clip(inside, plane.normal, plane.offset + slack_, scratch_);
      inside.swap(scratch_);
      if (inside.size() < 3) break;
    }
  }
  open_.swap(next_);
}

bool PieceBuilder::cover(std::uint32_t triangle) {
  open_ = {{mesh_.corner(triangle, 0), mesh_.corner(triangle, 1), mesh_.corner(triangle, 2)}};
  for (const std::vector<CutPlane>& planes : done_) subtract(planes);
  while (!open_.empty()) {
    if (pieces.size() == kMaxPieces) return false;
    if (!grow(middleOf(open_[0]), mesh_.triangles[triangle].patch)) return false;
    if (!finish(triangle)) return false;
    subtract(done_.back());
  }
  return true;
}

bool PieceBuilder::run() {
  for (std::uint32_t p = 0; p < mesh_.patches.size(); ++p) {
    for (const std::uint32_t t : mesh_.trianglesOfPatch(p)) {
      if (!cover(t)) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<MeshPiece> piecesOfMesh(const MeshData& mesh) {
  if (!mesh.solid || mesh.hull != nullptr) return {};
  const std::size_t most = mesh.patches.size() <= kFewPatches ? kMaxFlatTriangles : kMaxTriangles;
  if (mesh.triangles.size() > most) return {};
  const double volume = enclosedVolume(mesh);
  if (!(volume > 0.0)) return {};
  PieceBuilder builder(mesh, kMaxMeeting * volume);
  if (!builder.run()) return {};
  return std::move(builder.pieces);
}

}  // namespace abut::inline v0_1
