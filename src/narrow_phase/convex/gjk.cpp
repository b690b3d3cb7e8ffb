// SPDX-License-Identifier: MIT
#include "narrow_phase/convex/gjk.hpp"

#include "math/wide_vec3.hpp"

namespace abut::inline v0_1 {
namespace {

/// Bounds that differ by less than this, times the size, are equal: some tens of roundings.
constexpr double kGapTolerance = 1e-14;
/// Below this distance, times the size, differences of coordinates have lost their direction.
constexpr double kZeroTolerance = 1e-13;
/// A polytope needs far fewer; the descent test ends the loop long before.
constexpr int kMaxIterations = 256;
/// Near the end a step can turn the direction by 1e-8 and yet shorten the distance by less than its
/// rounding: a few steps that do not shorten it, within this, are taken as well.
constexpr double kStall = 1e-14;
constexpr int kMaxStalls = 4;

/// The point of a part of a simplex that is nearest to the origin.
struct Nearest {
  double length2;
  Vec3 v;
  int count;
  int index[3];
};

Nearest nearestOfPoint(const Simplex& s, int i) {
  const Vec3& a = s.points[i].u;
  return {squaredNorm(a), a, 1, {i, 0, 0}};
}

// Everything below is computed from the point nearest to the origin that will do: where the
// distance is small, the products of large coordinates would lose it.

Nearest nearestOfSegment(const Simplex& s, int i, int j) {
  const Vec3 &a = s.points[i].u, &b = s.points[j].u;
  const Vec3 e = b - a;
  const double fromA = -dot(a, e), fromB = dot(b, e);
  if (!(fromA > 0.0)) return nearestOfPoint(s, i);
  if (!(fromB > 0.0)) return nearestOfPoint(s, j);
  const double inverse = 1.0 / squaredNorm(e);
  Vec3 v = fromA < fromB ? a + e * (fromA * inverse) : b - e * (fromB * inverse);
  // The second time removes what rounding left along e, so that the result is at right angles to e
  // even if it is much shorter than a and b.
  v -= e * (dot(v, e) * inverse);
  return {squaredNorm(v), v, 2, {i, j, 0}};
}

void keepNearer(const Nearest& trial, Nearest& best) {
  if (trial.length2 < best.length2) best = trial;
}

constexpr double kFar = 1e300;

/// A triangle narrower than this, times its length, has three corners on a line: its width is the
/// rounding error of the corners.
constexpr double kNoWidth = 1e-15;
/// Narrower than this the normal needs care.
constexpr double kNarrow = 1e-3;

/// Normal of a triangle, of any length, oriented as ab x ac; zero if the corners are on a line. The
/// two shorter sides give the smallest rounding error, and in a narrow triangle the part along the
/// longest side is taken out, where a tilt does most harm.
Vec3 triangleNormal(const Vec3& ab, const Vec3& ac) {
  const Vec3 bc = ac - ab;
  const double ab2 = squaredNorm(ab), ac2 = squaredNorm(ac), bc2 = squaredNorm(bc);
  const bool isBc = bc2 >= ab2 && bc2 >= ac2, isAb = ab2 > ac2;
  const Vec3 n = isBc ? cross(ab, ac) : (isAb ? cross(ac, bc) : cross(ab, bc));
  const double longest2 = isBc ? bc2 : (isAb ? ab2 : ac2);
  const double n2 = squaredNorm(n), square = longest2 * longest2;
  if (n2 > kNarrow * kNarrow * square) return n;
  if (!(n2 > kNoWidth * kNoWidth * square)) return {};
  const Vec3& longest = isBc ? bc : (isAb ? ab : ac);
  return n - longest * (dot(n, longest) / longest2);
}

Nearest nearestOfTriangle(const Simplex& s, int i, int j, int k) {
  const Vec3 &a = s.points[i].u, &b = s.points[j].u, &c = s.points[k].u;
  const Vec3 ab = b - a, ac = c - a;
  const Vec3 n = triangleNormal(ab, ac);
  const double n2 = squaredNorm(n);
  const double a2 = squaredNorm(a), b2 = squaredNorm(b), c2 = squaredNorm(c);
  // On which side of each edge the origin's foot lies: positive inside.
  const double overAb = dot(cross(a2 < b2 ? a : b, ab), n);
  const double overCa = -dot(cross(a2 < c2 ? a : c, ac), n);
  const double overBc = dot(cross(b2 < c2 ? b : c, c - b), n);
  if (n2 > 0.0 && overAb > 0.0 && overCa > 0.0 && overBc > 0.0) {
    const Vec3& p = a2 < b2 ? (a2 < c2 ? a : c) : (b2 < c2 ? b : c);
    const Vec3 v = n * (dot(n, p) / n2);
    return {squaredNorm(v), v, 3, {i, j, k}};
  }
  // The nearest point lies on an edge whose outer side the foot is on.
  Nearest best{kFar, {}, 0, {0, 0, 0}};
  const bool all = !(n2 > 0.0);
  if (all || !(overAb > 0.0)) keepNearer(nearestOfSegment(s, i, j), best);
  if (all || !(overCa > 0.0)) keepNearer(nearestOfSegment(s, i, k), best);
  if (all || !(overBc > 0.0)) keepNearer(nearestOfSegment(s, j, k), best);
  return best;
}

/// Count 4 if the tetrahedron holds the origin.
Nearest nearestOfTetrahedron(const Simplex& s) {
  const Vec3 &a = s.points[3].u, &b = s.points[0].u, &c = s.points[1].u, &d = s.points[2].u;
  const Vec3 ab = b - a, ac = c - a, ad = d - a;
  const Vec3 abc = cross(ab, ac), acd = cross(ac, ad), adb = cross(ad, ab);
  const double volume = dot(abc, ad);
  // The outward side of each face is where the volume's sign is opposite.
  const double sign = volume > 0.0 ? 1.0 : -1.0;
  const bool flat = volume == 0.0;
  const bool outAbc = flat || !(sign * dot(abc, a) < 0.0);
  const bool outAcd = flat || !(sign * dot(acd, a) < 0.0);
  const bool outAdb = flat || !(sign * dot(adb, a) < 0.0);
  // The newest point a was found beyond the plane of b, c, d towards the origin: that face is
  // behind.
  if (!outAbc && !outAcd && !outAdb) return {0.0, {}, 4, {0, 0, 0}};
  Nearest best{kFar, {}, 0, {0, 0, 0}};
  if (outAbc) keepNearer(nearestOfTriangle(s, 3, 0, 1), best);
  if (outAcd) keepNearer(nearestOfTriangle(s, 3, 1, 2), best);
  if (outAdb) keepNearer(nearestOfTriangle(s, 3, 2, 0), best);
  return best;
}

Nearest nearestOfSimplex(const Simplex& s) {
  switch (s.count) {
    case 1:
      return nearestOfPoint(s, 0);
    case 2:
      return nearestOfSegment(s, 1, 0);
    case 3:
      return nearestOfTriangle(s, 2, 0, 1);
    default:
      return nearestOfTetrahedron(s);
  }
}

void reduce(Simplex& s, const Nearest& nearest) {
  if (nearest.count == s.count) return;
  MinkowskiPoint kept[3];
  for (int i = 0; i < nearest.count; ++i) kept[i] = s.points[nearest.index[i]];
  for (int i = 0; i < nearest.count; ++i) s.points[i] = kept[i];
  s.count = nearest.count;
}

/// Weight of the corner opposite the longest side from the areas, the other two from the place
/// along that side: however narrow the triangle, the point they give is off by rounding only.
void triangleWeights(const Simplex& s, double (&weights)[4]) {
  const double side01 = squaredNorm(s.points[1].u - s.points[0].u);
  const double side12 = squaredNorm(s.points[2].u - s.points[1].u);
  const double side20 = squaredNorm(s.points[0].u - s.points[2].u);
  const int ia = side01 >= side12 && side01 >= side20 ? 0 : (side12 >= side20 ? 1 : 2);
  const int ib = ia == 2 ? 0 : ia + 1, ic = ib == 2 ? 0 : ib + 1;
  const Vec3 &a = s.points[ia].u, &b = s.points[ib].u;
  const Vec3 ab = b - a, ac = s.points[ic].u - a;
  const Vec3 n = cross(ab, ac);
  const double n2 = squaredNorm(n), ab2 = squaredNorm(ab);
  const double wc = n2 > 0.0 ? clampTo(dot(cross(a, ab), n) / n2, 0.0, 1.0) : 0.0;
  const double wb = ab2 > 0.0 ? -(dot(a, ab) + wc * dot(ac, ab)) / ab2 : 0.0;
  weights[ic] = wc;
  weights[ib] = clampTo(wb, 0.0, 1.0 - wc);
  weights[ia] = (1.0 - wc) - weights[ib];
}

bool has(const Simplex& s, const MinkowskiPoint& w) {
  for (int i = 0; i < s.count; ++i) {
    if (s.points[i].i1 == w.i1 && s.points[i].i2 == w.i2) return true;
  }
  return false;
}

}  // namespace

void weightsOf(const Simplex& s, double (&weights)[4]) {
  if (s.count == 1) {
    weights[0] = 1.0;
  } else if (s.count == 2) {
    const Vec3 e = s.points[1].u - s.points[0].u;
    const double e2 = squaredNorm(e), from0 = -dot(s.points[0].u, e), from1 = dot(s.points[1].u, e);
    weights[0] = from0 < from1 ? 1.0 - from0 / e2 : from1 / e2;
    weights[1] = from0 < from1 ? from0 / e2 : 1.0 - from1 / e2;
    weights[0] = clampTo(weights[0], 0.0, 1.0);
    weights[1] = clampTo(weights[1], 0.0, 1.0);
  } else {
    triangleWeights(s, weights);
  }
}

namespace {

ABUT_ALWAYS_INLINE void search(const PolytopePair& pair, double cutoff, GjkResult& r,
                               const Vec3* start) {
  const double tolerance = kGapTolerance * pair.size, zero = kZeroTolerance * pair.size;
  Simplex& s = r.simplex;
  s.count = 0;
  r.end = GjkResult::End::Apart;
  // Any direction will do to start with; the line of centres often separates at once.
  Vec3 v = start != nullptr
               ? -*start
               : (pair.rotation * centerOf(pair.core2) + pair.translation) - centerOf(pair.core1);
  double v2 = squaredNorm(v);
  if (!(v2 > 0.0)) {
    v = {1.0, 0.0, 0.0};
    v2 = 1.0;
  }
  double length = std::sqrt(v2);
  int stalls = 0;
  for (r.iterations = 0; r.iterations < kMaxIterations; ++r.iterations) {
    const Vec3 n = v * (-1.0 / length);
    const MinkowskiPoint w = pair.support(n);
    const double bound = -dot(n, w.u);
    r.lowerBound = bound;
    r.normal = n;
    if (bound > cutoff) {
      r.end = GjkResult::End::Beyond;
      return;
    }
    // The first direction is no point of the difference.
    if (s.count > 0 && (length - bound <= tolerance || has(s, w))) break;
    s.points[s.count++] = w;
    const Nearest nearest = nearestOfSimplex(s);
    if (r.iterations > 0 && !(nearest.length2 < v2) &&
        (++stalls > kMaxStalls || nearest.count == 0 || nearest.length2 > (1.0 + kStall) * v2)) {
      --s.count;
      break;
    }
    reduce(s, nearest);
    v = nearest.v;
    v2 = nearest.length2;
    length = std::sqrt(v2);
    if (nearest.count == 4 || !(length > zero)) {
      r.end = GjkResult::End::NearZero;
      break;
    }
  }
  r.nearest = v;
  r.upperBound = length;
}

#if ABUT_HAS_WIDE
const bool kHasWide = __builtin_cpu_supports("avx2");

ABUT_WIDE_WHOLE void searchWide(const PolytopePair& pair, double cutoff, GjkResult& r,
                                const Vec3* start) {
  search(pair, cutoff, r, start);
}
#endif

}  // namespace

void gjk(const PolytopePair& pair, double cutoff, GjkResult& r, const Vec3* start) {
#if ABUT_HAS_WIDE
  if (kHasWide) return searchWide(pair, cutoff, r, start);
#endif
  search(pair, cutoff, r, start);
}

}  // namespace abut::inline v0_1
