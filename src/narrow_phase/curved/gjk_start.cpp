// SPDX-License-Identifier: MIT
#include "narrow_phase/curved/gjk_start.hpp"

namespace abut::inline v0_1::curved {
namespace {

/// Nearest point of a sub-simplex to the origin.
struct Nearest {
  Vec3 v;
  int count;
  int index[3];
  double square;
};

Nearest nearestOfSegment(const DifferencePoint* s, int i, int j) {
  const Vec3 &a = s[i].p, &b = s[j].p;
  const Vec3 ab = b - a;
  const double length = squaredNorm(ab);
  const double t = -dot(a, ab);
  if (t <= 0.0) return {a, 1, {i, 0, 0}, squaredNorm(a)};
  if (t >= length) return {b, 1, {j, 0, 0}, squaredNorm(b)};
  const Vec3 v = a + ab * (t / length);
  return {v, 2, {i, j, 0}, squaredNorm(v)};
}

Nearest nearestOfTriangle(const DifferencePoint* s, int i, int j, int k) {
  const Vec3 &a = s[i].p, &b = s[j].p, &c = s[k].p;
  const Vec3 ab = b - a, ac = c - a;
  const double d1 = -dot(ab, a), d2 = -dot(ac, a);
  const double d3 = -dot(ab, b), d4 = -dot(ac, b);
  const double d5 = -dot(ab, c), d6 = -dot(ac, c);
  const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  if (va > 0.0 && vb > 0.0 && vc > 0.0) {
    // Inside: the foot of the perpendicular on the plane.
    const Vec3 n = cross(ab, ac);
    const double square = squaredNorm(n);
    if (square > 0.0) {
      const Vec3 v = n * (dot(a, n) / square);
      return {v, 3, {i, j, k}, squaredNorm(v)};
    }
  }
  Nearest best = nearestOfSegment(s, i, j);
  const Nearest other = nearestOfSegment(s, i, k), last = nearestOfSegment(s, j, k);
  if (other.square < best.square) best = other;
  if (last.square < best.square) best = last;
  return best;
}

}  // namespace

void Simplex::add(const DifferencePoint& point) {
  points[count++] = point;
  Nearest best{points[0].p, 1, {0, 0, 0}, 0.0};
  if (count == 2) {
    best = nearestOfSegment(points, 0, 1);
  } else if (count == 3) {
    best = nearestOfTriangle(points, 0, 1, 2);
  } else if (count == 4) {
    const Vec3 &a = points[0].p, &b = points[1].p, &c = points[2].p, &d = points[3].p;
    const Vec3 ab = b - a, ac = c - a, ad = d - a;
    const Vec3 nd = cross(ab, ac);
    const double volume = dot(nd, ad);
    // The origin lies on the inner side of a face if it is on the side of the opposite corner.
    const double od = -dot(nd, a) * volume;
    const double oc = -dot(cross(ad, ab), a) * volume;
    const double ob = -dot(cross(ac, ad), a) * volume;
    const double oa = -dot(cross(c - b, d - b), b) * -volume;
    if (volume != 0.0 && oa > 0.0 && ob > 0.0 && oc > 0.0 && od > 0.0) {
      containsOrigin = true;
      v = {};
      return;
    }
    best.square = 1e300;
    const int faces[4][3] = {{0, 1, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2}};
    for (const int(&f)[3] : faces) {
      const Nearest n = nearestOfTriangle(points, f[0], f[1], f[2]);
      if (n.square < best.square) best = n;
    }
  }
  DifferencePoint kept[3];
  for (int i = 0; i < best.count; ++i) kept[i] = points[best.index[i]];
  for (int i = 0; i < best.count; ++i) points[i] = kept[i];
  count = best.count;
  v = best.v;
}

}  // namespace abut::inline v0_1::curved
