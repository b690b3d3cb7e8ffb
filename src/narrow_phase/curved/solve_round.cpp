// SPDX-License-Identifier: MIT
// Two round bodies.
#include "math/wide_vec3.hpp"
#include "narrow_phase/curved/arc_minimum.hpp"
#include "narrow_phase/curved/curved_parts.hpp"
#include "narrow_phase/curved/direction_search.hpp"
#include "narrow_phase/curved/rim_pair.hpp"

namespace abut::inline v0_1::curved {
namespace {

/// Gains below this, times the size, are rounding.
constexpr double kNoGain = 1e-15;
/// Sine of the angle between two rims' tangents below which they run nearly parallel, and below
/// which they span no direction at all.
constexpr double kCrossing = 0.1;
constexpr double kNoTangent = 1e-12;

Angle halfway(Angle lo, Angle hi) {
  const double x = lo.x + hi.x, y = lo.y + hi.y, scale = 1.0 / std::sqrt(x * x + y * y);
  return {x * scale, y * scale};
}

class RoundSolver : DirectionSearch<RoundSolver> {
  friend DirectionSearch<RoundSolver>;

public:
  RoundSolver(const Round& b, const Round& a, double size, double cutoff, Minimum& result)
      : DirectionSearch(a, size, cutoff, result), b_(b) {}

  void solve(const Vec3* start) {
    const Start found = start != nullptr ? startFrom(*start) : Start::Failed;
    if (found == Start::Proved) return;
    if (found == Start::Failed && separated()) return;
    const double known = best_.h;
    enumerate();
    if (found == Start::Overlapping && !(best_.h < known)) return;
    if (finish()) return;
    // The lowest direction found is not a minimum: a rim pair was given up too early.
    thorough_ = true;
    tryAll(best_.m);
    enumerate();
    if (!finish()) search();
  }

private:
  static constexpr int kLastTry = 18;
  static bool triesAt(int i) { return i == 3 || i == 5 || i == 8 || i == 12 || i == kLastTry; }
  [[nodiscard]] Vec3 centerOfB() const { return b_.c; }
  [[nodiscard]] DifferencePoint supportOfBoth(const Vec3& m) const {
    return {supportOf(a_, m).p + supportOf(b_, m).p, 0};
  }
  double value(const Vec3& m) const { return supportValue(a_, m) + supportValue(b_, m); }
  void setOfB(const Vec3& m, double tolerance, double strict, SupportSet& set) const {
    supportSet(b_, m, tolerance, strict, set);
  }
  void tryNear(const Simplex& /*simplex*/, const Vec3& m, bool isLast) {
    isLast ? tryAll(m) : tryLikely(m);
  }
  void tryFrom(const Vec3& m) { tryLikely(m); }
  [[nodiscard]] bool holds(const Vec3& p) const {
    return signedDistanceTo(b_, p) < -kInside * size_;
  }
  void tryLikely(const Vec3& m);
  void tryAll(const Vec3& m);
  void trySide(const Round& side, const Round& other, const Vec3& m);
  void trySides();
  void tryRims(double signB, double signA, Vec3 m);
  void tryRimPoints(double signB, double signA, const Vec3& m);
  [[nodiscard]] double rimSlope(const Vec3& w, const Vec3& u) const;
  void enumerate();
  void enumerateSide(const Round& side, const Round& other);
  static bool isOverQuadrant(const Round& side, const Round& other, const RimCircle& circle,
                             double own, Angle from, Angle to, double target);
  [[nodiscard]] bool isTooFar(double square, double width) const;
  [[nodiscard]] bool isEmpty(const RimEnd& lo, const RimEnd& hi, double width, double most) const;
  void enumerateRims(const RimPair& rims);
  void searchRims(const RimPair& rims, const RimEnd& first, const RimEnd& last, double fullWidth);
  void tryRimsBetween(const RimPair& rims, Angle lo, Angle hi);
  static bool isInFan(const Round& body, double sign, const Vec3& radial, const Vec3& m);

  const Round& b_;
  bool thorough_ = false;
};

/// The features that lie near m.
void RoundSolver::tryLikely(const Vec3& m) {
  const double za = dot(m, a_.a), zb = dot(m, b_.a);
  const double offA = za - a_.sinSide, offB = zb - b_.sinSide;
  const bool sideA = absOf(offA) < kNearSide, sideB = absOf(offB) < kNearSide;
  const bool apexA = a_.cone && offA > 0.0, apexB = b_.cone && offB > 0.0;
  if (absOf(za) > kNearPole && !apexA) consider(za < 0.0 ? -a_.a : a_.a);
  if (absOf(zb) > kNearPole && !apexB) consider(zb < 0.0 ? -b_.a : b_.a);
  if (sideA && sideB) trySides();
  if (apexA) consider(nearestNormal(b_, a_.c + a_.a * a_.hz));
  if (apexB) consider(nearestNormal(a_, b_.c + b_.a * b_.hz));
  if (sideA) trySide(a_, b_, m);
  if (sideB) trySide(b_, a_, m);
  if (!apexA && !apexB)
    tryRims(b_.cone || zb < 0.0 ? -1.0 : 1.0, a_.cone || za < 0.0 ? -1.0 : 1.0, m);
}

/// Every pair of features, starting from m.
void RoundSolver::tryAll(const Vec3& m) {
  const double za = dot(m, a_.a), zb = dot(m, b_.a);
  if (za < 0.0 || !a_.cone) consider(za < 0.0 ? -a_.a : a_.a);
  if (zb < 0.0 || !b_.cone) consider(zb < 0.0 ? -b_.a : b_.a);
  if (a_.cone) consider(nearestNormal(b_, a_.c + a_.a * a_.hz));
  if (b_.cone) consider(nearestNormal(a_, b_.c + b_.a * b_.hz));
  trySides();
  trySide(a_, b_, m);
  trySide(b_, a_, m);
  const double signB = b_.cone || zb < 0.0 ? -1.0 : 1.0, signA = a_.cone || za < 0.0 ? -1.0 : 1.0;
  tryRims(signB, signA, m);
  tryRimPoints(signB, signA, m);
}

/// Slope of the squared distance between a point on b's rim and a's rim, along b's rim; w is the
/// sum of the rims' centres, u the unit vector from the centre of b's rim to the point.
double RoundSolver::rimSlope(const Vec3& w, const Vec3& u) const {
  const Vec3 q = w + u * b_.r;
  const Vec3 across = perpendicularPart(q, a_.a);
  const double rho = norm(across);
  // The nearest point of a's rim lies at across * r / rho.
  const Vec3 d = rho > 0.0 ? q - across * (a_.r / rho) : q;
  return dot(d, cross(b_.a, u));
}

/// Rim against rim in terms of the points: where m comes near an axis, it says too little about the
/// place on the rim for tryRims().
void RoundSolver::tryRimPoints(double signB, double signA, const Vec3& m) {
  const Vec3 centerB = b_.c + b_.a * (signB * b_.hz);
  const Vec3 w = centerB + (a_.c + a_.a * (signA * a_.hz));
  const Vec3 u = unitAcross(m, b_.a);
  if (!(squaredNorm(u) > 0.0)) return;
  const Vec3 v = cross(b_.a, u);
  // Angles from u as tangents of half angles, f(t) at u (1 - t^2) + v 2 t.
  const auto at = [&](double t) { return (u * (1.0 - t * t) + v * (2.0 * t)) / (1.0 + t * t); };
  double lo = 0.0, hi = 0.0, flo, fhi;
  flo = fhi = rimSlope(w, u);
  double reach = 0.01;
  while (!(flo < 0.0 && fhi > 0.0)) {
    if (reach > 1.0) return;
    if (fhi <= 0.0) {
      lo = hi;
      flo = fhi;
      hi = reach;
      fhi = rimSlope(w, at(hi));
    } else {
      hi = lo;
      fhi = flo;
      lo = -reach;
      flo = rimSlope(w, at(lo));
    }
    reach *= 3.0;
  }
  int side = 0;
  double t = 0.0;
  for (int i = 0; i < 60; ++i) {
    t = (lo * fhi - hi * flo) / (fhi - flo);
    if (!(t > lo && t < hi) || i % 4 == 3) t = 0.5 * (lo + hi);
    const double f = rimSlope(w, at(t));
    if (f == 0.0 || hi - lo < 1e-16) break;
    // Illinois: an end that stays counts half.
    if (f < 0.0) {
      lo = t;
      flo = f;
      if (side == -1) fhi *= 0.5;
      side = -1;
    } else {
      hi = t;
      fhi = f;
      if (side == 1) flo *= 0.5;
      side = 1;
    }
  }
  consider(nearestNormal(a_, centerB + at(t) * b_.r));
}

/// Side against side: m . a = sinSide of both.
void RoundSolver::trySides() {
  const double k = dot(a_.a, b_.a);
  const Vec3 across = cross(a_.a, b_.a);
  const double square = squaredNorm(across);
  if (!(square > 1e-24)) return;
  // m = x a + y b + z (a x b)
  const double x = (a_.sinSide - k * b_.sinSide) / square;
  const double y = (b_.sinSide - k * a_.sinSide) / square;
  const Vec3 inPlane = a_.a * x + b_.a * y;
  const double rest = 1.0 - squaredNorm(inPlane);
  if (!(rest > 0.0)) return;
  const double z = std::sqrt(rest / square);
  consider(normalized(inPlane + across * z));
  consider(normalized(inPlane - across * z));
}

/// The side of one body against the rims of the other, from a direction near the answer.
void RoundSolver::trySide(const Round& side, const Round& other, const Vec3& m) {
  RimCircle circle(side.a, side.sinSide, side.cosSide, other.a);
  double x = dot(m, circle.e1), y = dot(m, circle.e2);
  const double scale = std::sqrt(x * x + y * y);
  if (!(scale > 1e-3)) return;
  x /= scale;
  y /= scale;
  const double z = circle.s * circle.kappa + circle.c * circle.sigma * x;
  for (int rim = 0; rim < other.numRims(); ++rim) {
    if (!other.cone && z * Round::rimSign(rim) < -kNearSide) continue;
    circle.setRim(other.r, side.c + other.c + other.a * (other.hz * Round::rimSign(rim)));
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

/// Rim against rim: Newton's method on the sphere of directions.
void RoundSolver::tryRims(double signB, double signA, Vec3 m) {
  const Vec3 w = (b_.c + b_.a * (signB * b_.hz)) + (a_.c + a_.a * (signA * a_.hz));
  double last = 1e300;
  Vec3 previous = m;
  double shorten = 1.0;
  bool wasShort = false;
  Vec3 step{};
  for (int i = 0; i < 30; ++i) {
    const Vec3 pa = radialPart(m, a_.a, dot(m, a_.a)), pb = radialPart(m, b_.a, dot(m, b_.a));
    const double sa = norm(pa), sb = norm(pb);
    if (!(sa > 1e-12) || !(sb > 1e-12)) return;
    const Vec3 p = w + pa * (a_.r / sa) + pb * (b_.r / sb);
    const double f = dot(m, p);
    if (f > last + 1e-15 * size_ && shorten > 1e-3) {
      shorten *= 0.5;
      m = normalized(previous + step * shorten);
      continue;
    }
    last = f;
    const Vec3 g = p - m * f;
    if (squaredNorm(g) <= 1e-32 * size_ * size_) break;
    // Tangent basis: u along a x m. R = ra/sa u u + rb/sb v v with v along b x m.
    const Vec3 u = cross(a_.a, m) * (1.0 / sa), t = cross(m, u);
    const Vec3 v = cross(b_.a, m) * (1.0 / sb);
    const double vu = dot(v, u), vt = dot(v, t);
    const double ka = a_.r / sa, kb = b_.r / sb;
    double huu = ka + kb * vu * vu - f, hut = kb * vu * vt, htt = kb * vt * vt - f;
    double det = huu * htt - hut * hut;
    if (!(det > 1e-14 * (huu * huu + htt * htt) && huu + htt > 0.0)) {
      // Not a valley: a gradient step scaled by the larger curvature.
      const double shift = absOf(f) + 0.1 * (ka + kb);
      huu += f + shift;
      htt += f + shift;
      det = huu * htt - hut * hut;
    }
    const double gu = dot(g, u), gt = dot(g, t);
    step = u * ((hut * gt - htt * gu) / det) + t * ((hut * gu - huu * gt) / det);
    const double size = norm(step);
    if (size > 0.5) step *= 0.5 / size;
    previous = m;
    shorten = 1.0;
    m = normalized(m + step);
    // Once the step is short beside the distance from both axes, the error squares: after two such
    // steps it is below rounding.
    const bool isShort = size < 1e-8 * minOf(sa, sb);
    if (isShort && wasShort) break;
    wasShort = isShort;
  }
  consider(m);
  // Where the rims run parallel m may turn freely about the common tangent: the nearest point
  // decides.
  consider(nearestNormal(a_, supportOf(b_, m).p));
}

void RoundSolver::enumerate() {
  if (!a_.cone) consider(a_.a);
  consider(-a_.a);
  if (!b_.cone) consider(b_.a);
  consider(-b_.a);
  trySides();
  enumerateSide(a_, b_);
  enumerateSide(b_, a_);
  for (int rimB = 0; rimB < b_.numRims(); ++rimB) {
    for (int rimA = 0; rimA < a_.numRims(); ++rimA) {
      enumerateRims(RimPair(b_, a_, Round::rimSign(rimB), Round::rimSign(rimA)));
    }
  }
}

/// True if the overlap is at least `target` in a whole quadrant of the directions of one body's
/// side: there it is no less than along any one point p of the other body,
///   h >= own + s g . p + c (x e1 . p + y e2 . p);
/// p is the farthest in the middle of the quadrant.
bool RoundSolver::isOverQuadrant(const Round& side, const Round& other, const RimCircle& circle,
                                 double own, Angle from, Angle to, double target) {
  constexpr double kDiagonal = 0.70710678118654752440;  // cos 45 degrees
  const Vec3 middle = circle.direction((from.x + to.x) * kDiagonal, (from.y + to.y) * kDiagonal);
  const Vec3 p = side.c + supportOf(other, middle).p;
  const double p1 = circle.c * dot(circle.e1, p), p2 = circle.c * dot(circle.e2, p);
  const double atFrom = p1 * from.x + p2 * from.y, atTo = p1 * to.x + p2 * to.y;
  const double lowest =
      atFrom < 0.0 && atTo < 0.0 ? -std::sqrt(p1 * p1 + p2 * p2) : minOf(atFrom, atTo);
  return own + circle.s * dot(circle.g, p) + lowest >= target;
}

/// All minima on the circle of directions of one body's side.
void RoundSolver::enumerateSide(const Round& side, const Round& other) {
  RimCircle circle(side.a, side.sinSide, side.cosSide, other.a);
  const double own = side.r * side.cosSide - side.hz * side.sinSide;
  if (other.cone) {
    const Vec3 across = unitAcross(side.c + other.c + other.a * other.hz, side.a);
    if (squaredNorm(across) > 0.0) consider(side.a * side.sinSide - across * side.cosSide);
  }
  const auto trueValue = [&](const Vec3& m) { return value(m); };
  const double target = best_.h - kNoGain * size_;
  constexpr Angle kQuadrants[5] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}, {1.0, 0.0}};
  for (int quadrant = 0; quadrant < 4; ++quadrant) {
    const Angle from = kQuadrants[quadrant], to = kQuadrants[quadrant + 1];
    if (isOverQuadrant(side, other, circle, own, from, to, target)) continue;
    ArcEnds ends;
    ends.start(from, to);
    const auto insert = [&](Angle at) {
      if (ends.insert(at)) consider(circle.direction(at.x, at.y));
    };
    insertKinks(circle, other.sinSide, insert);
    for (int i = 0; i + 1 < ends.count; ++i) {
      const double x = 0.5 * (ends.at[i].x + ends.at[i + 1].x);
      const double z = circle.s * circle.kappa + circle.c * circle.sigma * x;
      if (other.cone && z > other.sinSide) continue;
      circle.setRim(other.r,
                    side.c + other.c + other.a * (other.cone || z < 0.0 ? -other.hz : other.hz));
      circle.w0 += own;
      minimiseOnArc(circle, ends.at[i], ends.at[i + 1], 1e-15 * size_, best_, trueValue);
    }
  }
}

/// Whether m is roughly among the normals of a rim at the place in the direction `radial` from the
/// axis: outwards, and between cap and side.
bool RoundSolver::isInFan(const Round& body, double sign, const Vec3& radial, const Vec3& m) {
  constexpr double kRoughly = -0.2;
  const double z = dot(m, body.a);
  if ((body.cone ? body.sinSide - z : sign * z) < kRoughly) return false;
  return dot(m, radial) >= kRoughly * norm(radial);
}

/// Minima of rim against rim: nearest points of the two circles.
void RoundSolver::enumerateRims(const RimPair& rims) {
  constexpr int kSamples = 16;
  constexpr double kWidth = 0.39269908169872414;  // A sixteenth of a turn.
  constexpr double k1 = 0.92387953251128675613, k2 = 0.70710678118654752440,
                   k3 = 0.38268343236508977173;  // cos of 22.5, 45, 67.5 degrees.
  constexpr double kCos[kSamples] = {1.0,  k1,  k2,  k3,  0.0, -k3, -k2, -k1,
                                     -1.0, -k1, -k2, -k3, 0.0, k3,  k2,  k1};
  const auto angle = [&](int i) {
    return Angle{kCos[i % kSamples], kCos[(i + kSamples - 4) % kSamples]};
  };
  double squares[kSamples + 1];
  for (int i = 0; i < kSamples; ++i) squares[i] = rims.roughSquareAt(angle(i));
  squares[kSamples] = squares[0];
  for (int i = 0; i < kSamples; ++i) {
    if (isTooFar(minOf(squares[i], squares[i + 1]), kWidth)) continue;
    searchRims(rims, rims.endAt(angle(i)), rims.endAt(angle(i + 1)), kWidth);
  }
}

/// True if the distance between the rims, whose square is known at the nearer end of a stretch of
/// the given width [rad], cannot fall below the best depth inside. Half the width along the rim it
/// falls by no more than on a straight line, and what the bends of the rims add.
bool RoundSolver::isTooFar(double square, double width) const {
  // Apart, the nearest place counts, however far: looked for only if nothing else is proved.
  if (thorough_ && best_.h < 0.0) return false;
  const double straight = 0.6366 * width * b_.r;
  const double bend = 0.3242 * width * width * b_.r;
  const double slack = straight * straight + bend * std::sqrt(maxOf(square, 0.0));
  return square - slack > best_.h * absOf(best_.h);
}

/// True if no minimum that matters lies between two ends, where f'' <= most: from a minimum the
/// squared distance rises by no more than that allows, and so does its slope.
bool RoundSolver::isEmpty(const RimEnd& lo, const RimEnd& hi, double width, double most) const {
  if (most < 0.0) return true;
  const double steepest = most * width;
  if (lo.slope < -steepest || hi.slope > steepest) return true;
  if (best_.h < 0.0) return false;
  const double target = maxOf(best_.h - kNoGain * size_, 0.0);
  return maxOf(lo.square, hi.square) - 0.5 * steepest * width > target * target;
}

/// All minima between two ends on b's rim. The stretch is divided until f is known to be convex
/// or concave in each part, or to gain nothing: no minimum is passed over.
void RoundSolver::searchRims(const RimPair& rims, const RimEnd& first, const RimEnd& last,
                             double fullWidth) {
  struct Stretch {
    RimEnd lo, hi;
    double width;
  };
  // Where f is flat to rounding no division decides; what is lost over such a width is of the order
  // of its square times that flatness.
  constexpr int kMaxLevel = 16;
  const double finest = fullWidth / (1 << kMaxLevel);
  Stretch stack[kMaxLevel + 2];
  int size = 0;
  stack[size++] = {first, last, fullWidth};
  while (size > 0) {
    const Stretch stretch = stack[--size];
    const RimEnd &lo = stretch.lo, &hi = stretch.hi;
    if (isTooFar(minOf(lo.square, hi.square), stretch.width)) continue;
    const Angle middle = halfway(lo.at, hi.at);
    double least, most;
    rims.bendAround(middle, 0.5 * stretch.width, least, most);
    if (isEmpty(lo, hi, stretch.width, most)) continue;
    if (least > 0.0 || stretch.width < 1.5 * finest) {
      if (lo.slope <= 0.0 && hi.slope > 0.0) tryRimsBetween(rims, lo.at, hi.at);
      continue;
    }
    const RimEnd end = rims.endAt(middle);
    stack[size++] = {lo, end, 0.5 * stretch.width};
    stack[size++] = {end, hi, 0.5 * stretch.width};
  }
}

/// The one minimum between two places on b's rim.
void RoundSolver::tryRimsBetween(const RimPair& rims, Angle lo, Angle hi) {
  // A few bisections are enough for Newton's method unless the rims run nearly parallel, where the
  // normal turns fast with the place: then, or if the distance found there is missed, all of them.
  constexpr int kFew = 6, kAll = 54;
  const double slack = kNoGain * size_;
  for (int steps = 0; steps < kAll;) {
    for (const int stop = steps == 0 ? kFew : kAll; steps < stop; ++steps) {
      const Angle middle = halfway(lo, hi);
      (rims.endAt(middle).slope < 0.0 ? lo : hi) = middle;
    }
    const Angle at = halfway(lo, hi);
    const Vec3 u = rims.radial(at), across = rims.across(at);
    Vec3 m = cross(cross(b_.a, u), cross(a_.a, across));
    const double length = norm(m), distance = std::sqrt(rims.endAt(at).square);
    const bool parallel = !(length > kCrossing * norm(across));
    if (parallel && steps < kAll) continue;
    if (parallel || thorough_) {
      consider(nearestNormal(a_, b_.c + b_.a * (rims.signB * b_.hz) + u * b_.r));
    }
    if (!(length > kNoTangent * norm(across))) return;
    // The middle of the normals at that place of b's rim, from cap to side.
    const Vec3 middle = b_.a * (rims.signB + b_.sinSide) + u * b_.cosSide;
    m = m * ((dot(m, middle) < 0.0 ? -1.0 : 1.0) / length);
    if (parallel || thorough_) consider(m);
    const bool inFan = isInFan(b_, rims.signB, u, m) && isInFan(a_, rims.signA, -across, m);
    if (!thorough_ && !inFan) return;
    tryRims(rims.signB, rims.signA, m);
    if (!thorough_ && best_.h <= distance + slack) return;
  }
}

#if ABUT_HAS_WIDE
const bool kHasWide = __builtin_cpu_supports("avx2");

ABUT_WIDE_WHOLE void solveWide(const Round& b, const Round& a, double size, double cutoff,
                               const Vec3* start, Minimum& result) {
  RoundSolver(b, a, size, cutoff, result).solve(start);
}
#endif

}  // namespace

void solveRound(const Round& b, const Round& a, double size, double cutoff, const Vec3* start,
                Minimum& result) {
#if ABUT_HAS_WIDE
  if (kHasWide) return solveWide(b, a, size, cutoff, start, result);
#endif
  RoundSolver(b, a, size, cutoff, result).solve(start);
}

}  // namespace abut::inline v0_1::curved
