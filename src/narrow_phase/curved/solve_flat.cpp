// SPDX-License-Identifier: MIT
// A round body against a polytope.
#include "math/wide_vec3.hpp"
#include "narrow_phase/curved/arc_minimum.hpp"
#include "narrow_phase/curved/curved_parts.hpp"
#include "narrow_phase/curved/direction_search.hpp"

namespace abut::inline v0_1::curved {
namespace {

template <class Flat>
class FlatSolver : DirectionSearch<FlatSolver<Flat>> {
  using Search = DirectionSearch<FlatSolver<Flat>>;
  friend Search;

public:
  FlatSolver(const Flat& b, const Round& a, double size, double cutoff, Minimum& result)
      : Search(a, size, cutoff, result), b_(b) {}

  void solve(const Vec3* start) {
    const Start found = start != nullptr ? this->startFrom(*start) : Start::Failed;
    if (found == Start::Proved) return;
    if (found == Start::Failed && this->separated()) return;
    const double known = best_.h;
    enumerate();
    if (found == Start::Overlapping && !(best_.h < known)) return;
    if (!this->finish()) this->search();
  }

private:
  using Search::a_, Search::best_, Search::consider, Search::size_;
  using typename Search::Start;

  static constexpr int kLastTry = 16;
  static bool triesAt(int i) { return i == 2 || i == 4 || i == 7 || i == 11 || i == kLastTry; }
  [[nodiscard]] Vec3 centerOfB() const { return b_.center(); }
  [[nodiscard]] DifferencePoint supportOfBoth(const Vec3& m) const {
    const std::uint32_t tag = b_.support(m);
    return {b_.vertex(tag) + supportOf(a_, m).p, tag};
  }
  double value(const Vec3& m) const { return supportValue(a_, m) + b_.height(m); }
  void setOfB(const Vec3& m, double tolerance, double /*strict*/, SupportSet& set) const {
    b_.supportSet(m, tolerance, set);
  }
  void tryNear(const Simplex& simplex, const Vec3& m, bool isLast) {
    tryFeatures(simplex, m, isLast);
  }
  void tryFrom(const Vec3& m);
  [[nodiscard]] bool holds(const Vec3& p) const {
    for (int i = 0; i < b_.numDirections; ++i) {
      const auto k = static_cast<std::uint32_t>(i);
      if (!(dot(b_.direction(k), p) < b_.offset(k) - Search::kInside * size_)) return false;
    }
    return true;
  }
  void tryFeatures(const Simplex& simplex, const Vec3& m, bool all);
  void tryEdge(const Vec3& v1, const Vec3& v2, const Vec3& m);
  void enumerate();
  void enumerateArcs();
  void enumerateSide();
  void enumeratePoints();
  void findBall();
  [[nodiscard]] double ballAt(std::uint32_t direction) const {
    if (Flat::kKeepsAll || direction < Flat::kKeptDirections) return ball_at_[direction];
    return dot(middle_, b_.direction(direction));
  }
  /// Whether no direction between two, less than a half turn apart, can matter: see findBall().
  [[nodiscard]] bool isDeepBetween(const EdgeArc& arc, const Vec3& from, const Vec3& to) const {
    const double least = minOf(ballAt(arc.from), ballAt(arc.to));
    const double limit = (best_.h + 2.0 * best_.slack) - ball_;
    if (least >= 0.0) return limit <= least;
    // In the middle of the arc it is lower by the cosine of half the arc at most.
    return limit < 0.0 && least * least <= limit * limit * (0.5 + 0.5 * dot(from, to));
  }
  void solveArc(const EdgeArc& arc, const Vec3& from, const Vec3& to);

  const Flat& b_;
  Vec3 middle_;                              // Of a ball within the difference of the bodies,
  double ball_ = 0.0;                        // and its radius [m].
  union {                                    // Not set to zero: enumerate() fills it.
    double ball_at_[Flat::kKeptDirections];  // NOLINT(readability-identifier-naming): private.
  };
};

/// What the simplex of GJK suggests: its vertices of B span a vertex, edge or face. `all` tries the
/// parts of these as well.
template <class Flat>
void FlatSolver<Flat>::tryFeatures(const Simplex& simplex, const Vec3& m, bool all) {
  const double z = dot(m, a_.a);
  if ((all || absOf(z) > kNearPole) && (z < 0.0 || !a_.cone)) consider(z < 0.0 ? -a_.a : a_.a);
  std::uint32_t tags[3];
  int count = 0;
  for (int i = 0; i < simplex.count; ++i) {
    bool known = false;
    for (int j = 0; j < count; ++j) known = known || tags[j] == simplex.points[i].tag;
    if (!known) tags[count++] = simplex.points[i].tag;
  }
  for (int i = 0; i < count && (all || count == 1); ++i) {
    consider(nearestNormal(a_, b_.vertex(tags[i])));
  }
  for (int i = 0; i < count && (all || count == 2); ++i) {
    for (int j = i + 1; j < count; ++j) tryEdge(b_.vertex(tags[i]), b_.vertex(tags[j]), m);
  }
  if (count == 3) {
    const Vec3 v0 = b_.vertex(tags[0]);
    Vec3 n = cross(b_.vertex(tags[1]) - v0, b_.vertex(tags[2]) - v0);
    const double length = norm(n);
    if (length > 0.0) consider(n * ((dot(n, m) < 0.0 ? -1.0 : 1.0) / length));
  }
}

/// The vertex, edge or face of B that lies farthest along m, or nearly so.
template <class Flat>
void FlatSolver<Flat>::tryFrom(const Vec3& m) {
  constexpr double kNearly = 0.01;  // Of the size.
  constexpr int kMost = 3;
  const double z = dot(m, a_.a);
  if (absOf(z) > kNearPole && (z < 0.0 || !a_.cone)) consider(z < 0.0 ? -a_.a : a_.a);
  const double least = b_.height(m) - kNearly * size_;
  Vec3 far[kMost];
  int count = 0;
  for (int i = 0; i < b_.numVertices && count < kMost; ++i) {
    const Vec3 v = b_.vertex(static_cast<std::uint32_t>(i));
    if (dot(v, m) >= least) far[count++] = v;
  }
  if (count == kMost) {
    std::uint32_t face = 0;
    double nearest = -2.0;
    for (int i = 0; i < b_.numDirections; ++i) {
      const double cosine = dot(b_.direction(static_cast<std::uint32_t>(i)), m);
      if (!(cosine > nearest)) continue;
      nearest = cosine;
      face = static_cast<std::uint32_t>(i);
    }
    consider(b_.direction(face));
    return;
  }
  for (int i = 0; i < count; ++i) consider(nearestNormal(a_, far[i]));
  if (count == 2) tryEdge(far[0], far[1], m);
}

/// The edge from v1 to v2 against side, rim and apex, for bodies apart with a normal near m.
template <class Flat>
void FlatSolver<Flat>::tryEdge(const Vec3& v1, const Vec3& v2, const Vec3& m) {
  const Vec3 along = v2 - v1;
  const double length = norm(along);
  if (!(length > 0.0)) return;
  RimCircle circle(along / length, 0.0, 1.0, a_.a);
  const Vec3 w = v1 + a_.c;
  double x = dot(m, circle.e1), y = dot(m, circle.e2);
  const double scale = std::sqrt(x * x + y * y);
  if (!(scale > 1e-3)) return;
  x /= scale;
  y /= scale;
  const double kink = kinkOf(circle, a_.sinSide);
  const bool hasKink = absOf(kink) < 1.0;
  const Angle at{kink, (y < 0.0 ? -1.0 : 1.0) * std::sqrt(hasKink ? 1.0 - kink * kink : 0.0)};
  if (hasKink) consider(circle.direction(at.x, at.y));
  if (a_.cone) {
    const Vec3 apex = unitAcross(w + a_.a * a_.hz, circle.g);
    if (squaredNorm(apex) > 0.0) consider(-apex);
  }
  const double z = circle.sigma * x;
  for (int rim = 0; rim < a_.numRims(); ++rim) {
    if (!a_.cone && z * Round::rimSign(rim) < -kNearSide) continue;
    circle.setRim(a_.r, w + a_.a * (a_.hz * Round::rimSign(rim)));
    // Apart, f < 0 and f'' >= -f > 0: step out from the start until the slope changes sign.
    Angle lo{x, y}, hi{x, y};
    double f1, f2;
    circle.eval(x, y, f1, f2);
    double t = 0.05;
    bool found = false;
    for (int i = 0; i < 6 && !found; ++i) {
      const double n = 1.0 / std::sqrt(1.0 + t * t), turn = f1 < 0.0 ? t : -t;
      const Angle next{(x - turn * y) * n, (y + turn * x) * n};
      double g1, g2;
      circle.eval(next.x, next.y, g1, g2);
      found = (g1 < 0.0) != (f1 < 0.0);
      (f1 < 0.0 ? hi : lo) = next;
      t *= 3.0;
    }
    if (!found) continue;
    const Angle foot = minimumInBracket(circle, lo, hi, {x, y});
    consider(circle.direction(foot.x, foot.y));
  }
}

/// A ball in each body makes one in their difference: along m they overlap by m . middle + ball at
/// least. Where that is more than the best known, nothing is to be found; of bodies that hardly
/// overlap a few directions are left.
template <class Flat>
void FlatSolver<Flat>::findBall() {
  const Vec3 center = b_.center();
  double inner = size_;
  for (int i = 0; i < b_.numDirections; ++i) {
    const std::uint32_t k = static_cast<std::uint32_t>(i);
    inner = minOf(inner, b_.offset(k) - dot(b_.direction(k), center));
  }
  middle_ = center + a_.c;
  ball_ = maxOf(inner, 0.0) + (a_.cone ? a_.hz * a_.sinSide : minOf(a_.r, a_.hz));
}

template <class Flat>
void FlatSolver<Flat>::enumerate() {
  if (!a_.cone) consider(a_.a);
  consider(-a_.a);
  findBall();
  for (int i = 0; i < b_.numDirections; ++i) {
    const std::uint32_t k = static_cast<std::uint32_t>(i);
    const double along = dot(middle_, b_.direction(k));
    if (Flat::kKeepsAll || i < Flat::kKeptDirections) ball_at_[i] = along;
    if (along + ball_ > best_.h + 2.0 * best_.slack) continue;
    best_.consider(b_.direction(k), supportOf(a_, b_.direction(k)).h + b_.offset(k));
  }
  enumerateSide();
  enumerateArcs();
  // Pairs of points have minima of their own only while the bodies are apart.
  if (best_.h < kTouchingZone * size_) enumeratePoints();
}

/// Vertices against the body, edges against an apex.
template <class Flat>
void FlatSolver<Flat>::enumeratePoints() {
  for (int i = 0; i < b_.numVertices; ++i) {
    consider(nearestNormal(a_, b_.vertex(static_cast<std::uint32_t>(i))));
  }
  if (!a_.cone) return;
  const Vec3 apex = a_.c + a_.a * a_.hz;
  for (int i = 0; i < b_.numArcs; ++i) {
    const EdgeArc arc = b_.arc(i);
    const Vec3 v = b_.vertex(arc.vertex);
    const Vec3 across = unitAcross(v + apex, normalized(b_.vertex(arc.other) - v));
    if (squaredNorm(across) > 0.0) consider(-across);
  }
}

/// The side against vertices: m . a = sinSide and m turned away from the vertex.
template <class Flat>
void FlatSolver<Flat>::enumerateSide() {
  const double own = a_.r * a_.cosSide - a_.hz * a_.sinSide;
  for (int i = 0; i < b_.numVertices; ++i) {
    const Vec3 w = b_.vertex(static_cast<std::uint32_t>(i)) + a_.c;
    const Vec3 across = perpendicularPart(w, a_.a);
    const double rho = norm(across);
    const double h = own + dot(w, a_.a) * a_.sinSide - rho * a_.cosSide;
    if (h >= best_.h) continue;
    Vec3 outward = unitAcross(across, a_.a);
    // A vertex on the axis is as far from the side all around.
    if (squaredNorm(outward) == 0.0) outward = anyPerpendicular(a_.a);
    consider(a_.a * a_.sinSide - outward * a_.cosSide);
  }
}

/// Edges against rims and side, on the arc of directions of each edge.
template <class Flat>
void FlatSolver<Flat>::enumerateArcs() {
  for (int i = 0; i < b_.numArcs; ++i) {
    const EdgeArc arc = b_.arc(i);
    const Vec3 n0 = b_.direction(arc.from), n1 = b_.direction(arc.to);
    if (isDeepBetween(arc, n0, n1)) continue;
    const RoundSupport s0 = supportOf(a_, n0), s1 = supportOf(a_, n1);
    // h is at least m . d0 and m . d1 with the support points of the ends; their maximum on the
    // arc is lowest at an end or where both agree, at m along k1 n0 + k0 n1.
    const Vec3 d = s0.p - s1.p;
    const double k0 = maxOf(dot(d, n0), 0.0), k1 = maxOf(-dot(d, n1), 0.0);
    const double h0 = s0.h + b_.offset(arc.from), h1 = s1.h + b_.offset(arc.to);
    const double numerator = k1 * h0 + k0 * (h1 - k1);
    const double square = k0 * k0 + k1 * k1 + 2.0 * k0 * k1 * dot(n0, n1);
    const double target = best_.h - 1e-15 * size_;
    if (target >= 0.0 && numerator >= 0.0 && numerator * numerator >= target * target * square &&
        minOf(h0, h1) >= target) {
      continue;
    }
    solveArc(arc, n0, n1);
  }
}

template <class Flat>
void FlatSolver<Flat>::solveArc(const EdgeArc& arc, const Vec3& from, const Vec3& to) {
  const Vec3 v = b_.vertex(arc.vertex);
  const Vec3 along = normalized(b_.vertex(arc.other) - v);
  RimCircle circle(along, 0.0, 1.0, a_.a);
  const Vec3 w = v + a_.c;
  ArcEnds ends;
  ends.start({dot(from, circle.e1), dot(from, circle.e2)},
             {dot(to, circle.e1), dot(to, circle.e2)});
  const auto onArc = [&](const Vec3& m) { return supportValue(a_, m) + dot(v, m); };
  const auto insert = [&](Angle at) {
    if (!ends.insert(at)) return;
    const Vec3 m = circle.direction(at.x, at.y);
    best_.consider(m, onArc(m));
  };
  insertKinks(circle, a_.sinSide, insert);
  for (int i = 0; i + 1 < ends.count; ++i) {
    const double x = ends.at[i].x + ends.at[i + 1].x, y = ends.at[i].y + ends.at[i + 1].y;
    const double z = circle.sigma * x / std::sqrt(x * x + y * y);
    if (a_.cone && z > a_.sinSide) continue;
    circle.setRim(a_.r, w + a_.a * (a_.cone || z < 0.0 ? -a_.hz : a_.hz));
    minimiseOnArc(circle, ends.at[i], ends.at[i + 1], 1e-15 * size_, best_, onArc);
  }
}

#if ABUT_HAS_WIDE
const bool kHasWide = __builtin_cpu_supports("avx2");

template <class Flat>
ABUT_WIDE_WHOLE void solveWide(const Flat& b, const Round& a, double size, double cutoff,
                               const Vec3* start, Minimum& result) {
  FlatSolver<Flat>(b, a, size, cutoff, result).solve(start);
}
#endif

template <class Flat>
void solveAny(const Flat& b, const Round& a, double size, double cutoff, const Vec3* start,
              Minimum& result) {
#if ABUT_HAS_WIDE
  if (kHasWide) return solveWide(b, a, size, cutoff, start, result);
#endif
  FlatSolver<Flat>(b, a, size, cutoff, result).solve(start);
}

}  // namespace

void solveFlat(const SmallFlat& b, const Round& a, double size, double cutoff, const Vec3* start,
               Minimum& result) {
  solveAny(b, a, size, cutoff, start, result);
}

void solveFlat(const HullFlat& b, const Round& a, double size, double cutoff, const Vec3* start,
               Minimum& result) {
  solveAny(b, a, size, cutoff, start, result);
}

}  // namespace abut::inline v0_1::curved
