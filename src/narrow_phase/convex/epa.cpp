// SPDX-License-Identifier: MIT
#include "narrow_phase/convex/epa.hpp"

#include <limits>
#include <memory>

namespace abut::inline v0_1 {
namespace {

/// Bounds that differ by less than this, times the size, are equal: some tens of roundings.
constexpr double kDepthTolerance = 1e-14;

/// By how far the origin may be outside the simplex that GJK ended with, times the size: it stops
/// within half of this. The bounds then hold for a point this close to the origin.
constexpr double kOriginTolerance = 2e-13;
/// How dented rounding can make the surface, times the size, with a wide margin.
constexpr double kConvexTolerance = 1e-9;
/// Squared sine of the angle between two sides below which their cross product needs care: at six
/// degrees its direction is still good to ten roundings.
constexpr double kNarrow = 1e-2;

constexpr double kFar = 1e300;

template <typename Index>
struct Face {
  Vec3 normal;    // Outward, of any length.
  double offset;  // normal . corner.
  Index corners[3];
  Index neighbors[3];             // Across the edge from corner i to i + 1 ...
  std::uint8_t neighborEdges[3];  // ... and the number of that edge there.
  bool isNarrow;
  bool isGone;
};

/// Points of the surface that most pairs do with, and of the one that is tried next.
constexpr int kSmall = 128;
constexpr int kLarge = 8192;

/// Triangulated surface of at most kMaxVertices points, numbered by Index.
template <typename Index, int kMaxVertices>
class Polytope {
public:
  Polytope(const PolytopePair& pair, EpaResult& result)
      : pair_(pair),
        result_(result),
        tolerance_(kDepthTolerance * pair.size),
        origin_tolerance_(kOriginTolerance * pair.size) {}

  bool run(const Simplex& start) {
    result_.overlap = kFar;
    result_.hasFace = false;
    if (!build(start)) return is_touching_;
    for (result_.expansions = 0;; ++result_.expansions) {
      const int f = nearestFace();
      double bound;
      const Vec3 n = refine(f, bound);
      // No face left that has a key or a direction: overflow of coordinates beyond all shapes.
      if (faces_[f].isGone || !(squaredNorm(n) > 0.5)) return false;
      if (bound < -origin_tolerance_) return false;
      // The key of a narrow face can be far too low: it waits for its turn then.
      if (bound > 0.0 && bound * bound - keys_[f] > 4.0 * bound * tolerance_) {
        keys_[f] = bound * bound;
        faces_[f].normal = n;
        faces_[f].offset = bound;
        continue;
      }
      const MinkowskiPoint w = pair_.support(n);
      const double h = dot(n, w.u);
      if (offer(f, n, h, bound)) return true;
      if (num_vertices_ == kMaxVertices) {
        is_full_ = true;
        return false;
      }
      // Where the surface is convex to rounding no corner of it is this far beyond a face.
      if (h - bound <= kConvexTolerance * pair_.size && isCorner(w)) return false;
      if (!expand(f, w)) return false;
    }
  }

  /// True if the last run ended for want of storage, and more would help.
  [[nodiscard]] bool wantsMore() const { return is_full_ && !isFolded(); }

private:
  static constexpr int kMaxFaces = 2 * kMaxVertices - 4;  // Of a closed surface of triangles.
  static constexpr int kNone = std::numeric_limits<Index>::max();
  static_assert(kMaxFaces < kNone);

  /// Takes the direction if it is the best; true if it closes the gap between the bounds.
  bool offer(int f, const Vec3& n, double h, double bound) {
    const bool isClosed = h - bound <= tolerance_;
    if (!isClosed && !(h < result_.overlap)) return false;
    result_.overlap = h;
    result_.normal = n;
    result_.hasFace = isClosed;
    if (!isClosed) return false;
    result_.face.count = 3;
    for (int i = 0; i < 3; ++i) result_.face.points[i] = vertices_[faces_[f].corners[i]];
    return true;
  }

  /// A direction with no overlap beyond rounding: the cores touch.
  bool touches(const Vec3& n, const MinkowskiPoint& w) {
    const double h = dot(n, w.u);
    if (h < result_.overlap) {
      result_.overlap = h;
      result_.normal = n;
    }
    is_touching_ = h <= tolerance_;
    return is_touching_;
  }

  int addVertex(const MinkowskiPoint& w) {
    vertices_[num_vertices_] = w;
    return num_vertices_++;
  }

  /// A slot for a face with its plane and the key by which faces are searched: the signed square of
  /// a lower bound on its distance.
  int addFace(int a, int b, int c) {
    const int f = num_free_ > 0 ? free_[--num_free_] : num_faces_++;
    if (f % 4 == 0 && f + 1 == num_faces_) keys_[f + 1] = keys_[f + 2] = keys_[f + 3] = kFar;
    Face<Index>& face = faces_[f];
    const Vec3 &pa = vertices_[a].u, &pb = vertices_[b].u, &pc = vertices_[c].u;
    const Vec3 ab = pb - pa, ac = pc - pa;
    const Vec3 n = cross(ab, ac);
    const double n2 = squaredNorm(n);
    face.normal = n;
    face.offset = dot(n, pa);
    face.isNarrow = !(n2 > kNarrow * (squaredNorm(ab) * squaredNorm(ac)));
    if (face.isNarrow) face.offset = minOf(minOf(face.offset, dot(n, pb)), dot(n, pc));
    keys_[f] = n2 > 0.0 ? face.offset * absOf(face.offset) / n2 : 0.0;
    face.corners[0] = static_cast<Index>(a);
    face.corners[1] = static_cast<Index>(b);
    face.corners[2] = static_cast<Index>(c);
    face.isGone = false;
    return f;
  }

  void link(int f, int edgeF, int g, int edgeG) {
    faces_[f].neighbors[edgeF] = static_cast<Index>(g);
    faces_[f].neighborEdges[edgeF] = static_cast<std::uint8_t>(edgeG);
    faces_[g].neighbors[edgeG] = static_cast<Index>(f);
    faces_[g].neighborEdges[edgeG] = static_cast<std::uint8_t>(edgeF);
  }

  /// Tetrahedron (0, 1, 2, 3) with 3 behind the triangle (0, 1, 2).
  bool buildTetrahedron(const Simplex& s) {
    for (int i = 0; i < 4; ++i) addVertex(s.points[i]);
    const Vec3 &a = vertices_[0].u, &b = vertices_[1].u, &c = vertices_[2].u;
    if (dot(cross(b - a, c - a), vertices_[3].u - a) > 0.0) {
      const MinkowskiPoint swap = vertices_[1];
      vertices_[1] = vertices_[2];
      vertices_[2] = swap;
    }
    addFace(0, 1, 2);
    addFace(0, 3, 1);
    addFace(1, 3, 2);
    addFace(2, 3, 0);
    link(0, 0, 1, 2);
    link(0, 1, 2, 2);
    link(0, 2, 3, 2);
    link(1, 1, 2, 0);
    link(2, 1, 3, 0);
    link(3, 1, 1, 0);
    return true;
  }

  /// Two tetrahedra on the triangle (0, 1, 2), which holds the origin.
  bool buildBipyramid() {
    const Vec3 &a = vertices_[0].u, &b = vertices_[1].u, &c = vertices_[2].u;
    const Vec3 across = cross(b - a, c - a);
    const double length = norm(across);
    if (!(length > 0.0)) return false;
    const Vec3 n = across * (1.0 / length);
    const MinkowskiPoint up = pair_.support(n), down = pair_.support(-n);
    if (touches(n, up) || touches(-n, down)) return false;
    const int top = addVertex(up), bottom = addVertex(down);
    for (int i = 0; i < 3; ++i) addFace(i, (i + 1) % 3, top);
    for (int i = 0; i < 3; ++i) addFace((i + 1) % 3, i, bottom);
    for (int i = 0; i < 3; ++i) {
      const int next = (i + 1) % 3;
      link(i, 0, 3 + i, 0);
      link(i, 1, next, 2);
      link(3 + i, 2, 3 + next, 1);
    }
    return true;
  }

  /// False if the storage cannot start, or if the cores only touch.
  bool build(const Simplex& start) {
    if (start.count == 4) return buildTetrahedron(start);
    for (int i = 0; i < start.count; ++i) addVertex(start.points[i]);
    while (num_vertices_ < 3) {
      Vec3 d{1.0, 0.0, 0.0};
      if (num_vertices_ == 2) {
        const Vec3 e = vertices_[1].u - vertices_[0].u;
        const double length = norm(e);
        if (!(length > 0.0)) return false;
        d = anyPerpendicular(e * (1.0 / length));
      }
      const MinkowskiPoint w = pair_.support(d);
      if (touches(d, w)) return false;
      addVertex(w);
    }
    return buildBipyramid();
  }

  /// The first of the faces with the least key. Four minima side by side, because one chain of
  /// comparisons would take longer than all the rest.
  [[nodiscard]] int nearestFace() const {
    double least[4] = {keys_[0], keys_[1], keys_[2], keys_[3]};
    for (int f = 4; f < num_faces_; f += 4) {
      for (int k = 0; k < 4; ++k) least[k] = minOf(least[k], keys_[f + k]);
    }
    const double low = minOf(minOf(least[0], least[1]), minOf(least[2], least[3]));
    int nearest = 0;
    for (int f = num_faces_ - 1; f >= 0; --f) nearest = keys_[f] == low ? f : nearest;
    return nearest;
  }

  /// Unit normal of a face; in a narrow one square to the longest side to rounding, so that the
  /// corners are at equal heights however narrow it is; `bound` is the lowest of them. Where all
  /// corners coincide, the direction of that point, which is its distance; zero at the origin.
  Vec3 refine(int f, double& bound) const {
    const Face<Index>& face = faces_[f];
    if (!face.isNarrow) {
      const double inverse = 1.0 / norm(face.normal);
      bound = face.offset * inverse;
      return face.normal * inverse;
    }
    const Vec3 &a = vertices_[face.corners[0]].u, &b = vertices_[face.corners[1]].u;
    const Vec3& c = vertices_[face.corners[2]].u;
    const Vec3 ab = b - a, bc = c - b, ca = a - c;
    const double ab2 = squaredNorm(ab), bc2 = squaredNorm(bc), ca2 = squaredNorm(ca);
    const bool isAb = ab2 >= bc2 && ab2 >= ca2;
    const Vec3& longest = isAb ? ab : (bc2 >= ca2 ? bc : ca);
    const double longest2 = isAb ? ab2 : (bc2 >= ca2 ? bc2 : ca2);
    if (!(longest2 > 0.0)) {
      bound = norm(a);
      return bound > 0.0 ? a * (1.0 / bound) : Vec3{};
    }
    Vec3 n = isAb ? cross(bc, ca) : (bc2 >= ca2 ? cross(ca, ab) : cross(ab, bc));
    if (!(squaredNorm(n) > 0.0)) n = a - longest * (dot(a, longest) / longest2);
    if (!(squaredNorm(n) > 0.0)) n = anyPerpendicular(longest * (1.0 / std::sqrt(longest2)));
    n = normalized(n);
    n -= longest * (dot(n, longest) / longest2);
    n = normalized(n);
    bound = minOf(minOf(dot(n, a), dot(n, b)), dot(n, c));
    return n;
  }

  /// Replaces all faces that w is beyond, from face f on, by a cone to w.
  bool expand(int f, const MinkowskiPoint& w) {
    const int apex = addVertex(w);
    num_gone_ = 0;
    first_new_ = last_new_ = kNone;
    is_torn_ = false;
    discard(f);
    for (int e = 0; e < 3 && !is_torn_; ++e) {
      walk(faces_[f].neighbors[e], faces_[f].neighborEdges[e], apex);
    }
    if (is_torn_ || first_new_ == kNone) return false;
    if (faces_[last_new_].corners[1] != faces_[first_new_].corners[0]) return false;
    link(last_new_, 1, first_new_, 2);
    for (int i = 0; i < num_gone_; ++i) {
      keys_[gone_[i]] = kFar;
      free_[num_free_++] = gone_[i];
    }
    return true;
  }

  [[nodiscard]] bool isCorner(const MinkowskiPoint& w) const { return isAmong(w, num_vertices_); }

  /// True if a good part of the corners came several times: the surface is folded, as where flush
  /// faces touch to rounding, and takes the same few points again without end.
  [[nodiscard]] bool isFolded() const {
    int repeats = 0;
    for (int i = 1; i < num_vertices_; ++i) repeats += isAmong(vertices_[i], i) ? 1 : 0;
    return repeats > kMaxVertices / 4;
  }

  [[nodiscard]] bool isAmong(const MinkowskiPoint& w, int count) const {
    for (int i = 0; i < count; ++i) {
      if (vertices_[i].i1 == w.i1 && vertices_[i].i2 == w.i2) return true;
    }
    return false;
  }

  void discard(int f) {
    faces_[f].isGone = true;
    gone_[num_gone_++] = static_cast<Index>(f);
  }

  /// Enters face f across its edge. Faces seen from the apex go; the edges at which the walk stops
  /// come in order around the hole.
  void walk(int f, int edge, int apex) {
    if (is_torn_ || faces_[f].isGone) return;
    if (dot(faces_[f].normal, vertices_[apex].u) > faces_[f].offset) {
      if (keys_[f] < -origin_tolerance_ * origin_tolerance_) {
        is_torn_ = true;
        return;
      }
      discard(f);
      const int next = edge == 2 ? 0 : edge + 1, last = next == 2 ? 0 : next + 1;
      walk(faces_[f].neighbors[next], faces_[f].neighborEdges[next], apex);
      walk(faces_[f].neighbors[last], faces_[f].neighborEdges[last], apex);
      return;
    }
    if (num_free_ == 0 && num_faces_ == kMaxFaces) {
      is_full_ = is_torn_ = true;
      return;
    }
    const int from = faces_[f].corners[edge == 2 ? 0 : edge + 1], to = faces_[f].corners[edge];
    const int added = addFace(from, to, apex);
    link(added, 0, f, edge);
    if (last_new_ != kNone) {
      if (faces_[last_new_].corners[1] != from) {
        is_torn_ = true;
        return;
      }
      link(last_new_, 1, added, 2);
    } else {
      first_new_ = added;
    }
    last_new_ = added;
  }

  const PolytopePair& pair_;
  EpaResult& result_;
  double tolerance_, origin_tolerance_;
  int num_vertices_ = 0, num_faces_ = 0, num_free_ = 0, num_gone_ = 0;
  int first_new_ = kNone, last_new_ = kNone;
  bool is_torn_ = false, is_touching_ = false, is_full_ = false;
  // Left uninitialised. Members of unnamed unions, so not private to the check of names.
  // NOLINTBEGIN(readability-identifier-naming)
  union {
    MinkowskiPoint vertices_[kMaxVertices];
  };
  union {
    Face<Index> faces_[kMaxFaces];
  };
  // NOLINTEND(readability-identifier-naming)
  double keys_[kMaxFaces];
  Index free_[kMaxFaces], gone_[kMaxFaces];
};

}  // namespace

bool epa(const PolytopePair& pair, const Simplex& start, EpaResult& result) {
  Polytope<std::uint8_t, kSmall> polytope(pair, result);
  if (polytope.run(start)) return true;
  if (!polytope.wantsMore()) return false;
  // Hulls of many hundred vertices, round and nearly concentric: hundreds of faces are about as
  // near. Only these take memory from the heap.
  const auto large = std::make_unique<Polytope<std::uint16_t, kLarge>>(pair, result);
  return large->run(start);
}

}  // namespace abut::inline v0_1
