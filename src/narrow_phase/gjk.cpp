// SPDX-License-Identifier: MIT
#include "narrow_phase/gjk.hpp"

namespace abut {
namespace {

/// Bounds that differ by less than this, times the size, are equal: some tens of roundings.
constexpr double kGapTolerance = 1e-14;
/// Below this distance, times the size, differences of coordinates have lost their direction.
constexpr double kContactTolerance = 1e-13;
/// A polytope of V vertices needs far fewer; the descent test ends the loop long before.
constexpr int kMaxIterations = 128;

void keep(Simplex& s, int i, double weight) {
  s.points[0] = s.points[i];
  s.weights[0] = weight;
  s.count = 1;
}

void keep(Simplex& s, int i, int j, double wi, double wj) {
  const MinkowskiPoint a = s.points[i], b = s.points[j];
  s.points[0] = a;
  s.points[1] = b;
  s.weights[0] = wi;
  s.weights[1] = wj;
  s.count = 2;
}

/// Nearest point of the line through a along e, where it lies inside the segment. Projected twice:
/// the second time removes what rounding left along e, so that the result is at right angles to e
/// even if it is much shorter than a.
Vec3 rejectFrom(const Vec3& a, const Vec3& e, double squaredLength) {
  const Vec3 v = a - e * (dot(a, e) / squaredLength);
  return v - e * (dot(v, e) / squaredLength);
}

Vec3 closestOfSegment(Simplex& s, int i, int j) {
  const Vec3 a = s.points[i].u, b = s.points[j].u;
  const Vec3 e = b - a;
  const double length2 = squaredNorm(e);
  const double t = -dot(a, e);
  if (!(t > 0.0)) {
    keep(s, i, 1.0);
    return a;
  }
  if (t >= length2) {
    keep(s, j, 1.0);
    return b;
  }
  const double w = t / length2;
  keep(s, i, j, 1.0 - w, w);
  return rejectFrom(a, e, length2);
}

/// Of the segments ij, jk, ki the one nearest to the origin.
Vec3 closestOfThreeSegments(const Simplex& s, int i, int j, int k, Simplex& best) {
  const int ends[3][2] = {{i, j}, {j, k}, {k, i}};
  Vec3 nearest;
  double nearest2 = -1.0;
  for (const auto& end : ends) {
    Simplex trial = s;
    const Vec3 v = closestOfSegment(trial, end[0], end[1]);
    const double v2 = squaredNorm(v);
    if (nearest2 < 0.0 || v2 < nearest2) {
      nearest2 = v2;
      nearest = v;
      best = trial;
    }
  }
  return nearest;
}

/// Nearest point of triangle ijk, into `best` (which may not be `s`).
Vec3 closestOfTriangle(const Simplex& s, int i, int j, int k, Simplex& best) {
  const Vec3 a = s.points[i].u, b = s.points[j].u, c = s.points[k].u;
  const Vec3 ab = b - a, ac = c - a, bc = c - b;
  // The two shorter sides give the normal with the smaller error.
  const double ab2 = squaredNorm(ab), ac2 = squaredNorm(ac), bc2 = squaredNorm(bc);
  Vec3 n;
  if (ab2 >= ac2 && ab2 >= bc2) {
    n = cross(ac, bc);
  } else if (ac2 >= bc2) {
    n = cross(ab, bc);
  } else {
    n = cross(ab, ac);
  }
  const double n2 = squaredNorm(n);
  // Twice the areas of the triangles that the origin's foot forms with each side.
  const double wa = dot(cross(b, bc), n), wc = dot(cross(a, ab), n), wb = -dot(cross(a, ac), n);
  if (n2 > 0.0 && wa > 0.0 && wb > 0.0 && wc > 0.0) {
    best.points[0] = s.points[i];
    best.points[1] = s.points[j];
    best.points[2] = s.points[k];
    const double sum = (wa + wb) + wc;
    best.weights[0] = wa / sum;
    best.weights[1] = wb / sum;
    best.weights[2] = wc / sum;
    best.count = 3;
    // The corner nearest to the origin has the smallest error in n . u.
    const double a2 = squaredNorm(a), b2 = squaredNorm(b), c2 = squaredNorm(c);
    const Vec3& p = a2 <= b2 && a2 <= c2 ? a : (b2 <= c2 ? b : c);
    return n * (dot(n, p) / n2);
  }
  return closestOfThreeSegments(s, i, j, k, best);
}

Vec3 closestOfTetrahedron(Simplex& s) {
  const int faces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
  const Vec3 e1 = s.points[1].u - s.points[0].u, e2 = s.points[2].u - s.points[0].u;
  const Vec3 e3 = s.points[3].u - s.points[0].u;
  const double volume = dot(e3, cross(e1, e2));
  bool inside = volume != 0.0;
  Vec3 nearest;
  double nearest2 = -1.0;
  Simplex best;
  for (const auto& f : faces) {
    const Vec3 a = s.points[f[0]].u, b = s.points[f[1]].u, c = s.points[f[2]].u;
    const Vec3 n = cross(b - a, c - a);
    // Face 0 sees point 3 on the side of the volume's sign; the others are oriented alike.
    const double side = dot(n, a) * volume;
    if (inside && side < 0.0) continue;
    if (side < 0.0 && volume != 0.0) continue;
    inside = false;
    Simplex trial;
    const Vec3 v = closestOfTriangle(s, f[0], f[1], f[2], trial);
    const double v2 = squaredNorm(v);
    if (nearest2 < 0.0 || v2 < nearest2) {
      nearest2 = v2;
      nearest = v;
      best = trial;
    }
  }
  if (inside) return {};
  s = best;
  return nearest;
}

bool has(const Simplex& s, const MinkowskiPoint& w) {
  for (int i = 0; i < s.count; ++i) {
    if (s.points[i].i1 == w.i1 && s.points[i].i2 == w.i2) return true;
  }
  return false;
}

}  // namespace

Vec3 closestOfSimplex(Simplex& s) {
  switch (s.count) {
    case 1:
      s.weights[0] = 1.0;
      return s.points[0].u;
    case 2:
      return closestOfSegment(s, 0, 1);
    case 3: {
      Simplex best;
      const Vec3 v = closestOfTriangle(s, 0, 1, 2, best);
      s = best;
      return v;
    }
    default:
      return closestOfTetrahedron(s);
  }
}

void gjk(const PolytopePair& pair, GjkResult& r) {
  const double tolerance = kGapTolerance * pair.size;
  const double contact = kContactTolerance * pair.size;
  Vec3 start = (pair.rotation * centerOf(pair.core2) + pair.translation) - centerOf(pair.core1);
  if (!(squaredNorm(start) > 0.0)) start = {1.0, 0.0, 0.0};
  Simplex& s = r.simplex;
  s.points[0] = pair.support(-start);
  s.count = 1;
  Vec3 v = closestOfSimplex(s);
  double length = norm(v);
  r.lowerBound = -2.0 * pair.size - length;
  r.end = GjkResult::End::Separated;
  for (r.iterations = 0; r.iterations < kMaxIterations; ++r.iterations) {
    if (!(length > contact)) {
      r.end = GjkResult::End::NearContact;
      break;
    }
    const Vec3 n = v * (-1.0 / length);
    const MinkowskiPoint w = pair.support(n);
    const double bound = -dot(n, w.u);
    if (bound > r.lowerBound) {
      r.lowerBound = bound;
      r.normal = n;
    }
    if (length - bound <= tolerance || has(s, w)) break;
    Simplex next = s;
    next.points[next.count++] = w;
    const Vec3 nextV = closestOfSimplex(next);
    if (next.count == 4) {
      s = next;
      v = {};
      length = 0.0;
      r.end = GjkResult::End::NearContact;
      break;
    }
    const double nextLength = norm(nextV);
    if (!(nextLength < length)) break;
    s = next;
    v = nextV;
    length = nextLength;
  }
  r.nearest = v;
  r.upperBound = length;
}

}  // namespace abut
