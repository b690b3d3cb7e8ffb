// SPDX-License-Identifier: MIT
#include "narrow_phase/curved/witness.hpp"

namespace abut::inline v0_1::curved {
namespace {

Vec3 nearestOnSegment(const Vec3& a, const Vec3& b, const Vec3& p) {
  const Vec3 ab = b - a;
  const double length = squaredNorm(ab);
  if (!(length > 0.0)) return a;
  return a + ab * clampTo(dot(p - a, ab) / length, 0.0, 1.0);
}

/// True if p lies in the polygon as seen along m (the winding may be either).
bool insidePolygon(const SupportSet& set, const Vec3& m, const Vec3& p) {
  bool left = true, right = true;
  for (int i = 0; i < set.count; ++i) {
    const Vec3 &a = set.points[i], &b = set.points[i + 1 == set.count ? 0 : i + 1];
    const double side = dot(cross(b - a, p - a), m);
    left = left && side >= 0.0;
    right = right && side <= 0.0;
  }
  return left || right;
}

/// The point of the set nearest to p, distances seen along m for a polygon that contains p.
Vec3 nearestOfSet(const SupportSet& set, const Vec3& m, const Vec3& p) {
  if (set.count == 0) {
    const Vec3 across = perpendicularPart(p - set.center, m);
    const double length = norm(across);
    return length <= set.radius ? set.center + across : set.center + across * (set.radius / length);
  }
  if (set.count == 1) return set.points[0];
  if (set.count == 2) return nearestOnSegment(set.points[0], set.points[1], p);
  if (insidePolygon(set, m, p)) {
    // Along m on to the polygon's own plane.
    const Vec3 n = cross(set.points[1] - set.points[0], set.points[2] - set.points[0]);
    return p - m * (dot(p - set.points[0], n) / dot(m, n));
  }
  Vec3 best = set.points[0];
  double least = 1e300;
  for (int i = 0; i < set.count; ++i) {
    const Vec3 q = nearestOnSegment(set.points[i], set.points[i + 1 == set.count ? 0 : i + 1], p);
    const double square = squaredNorm(perpendicularPart(q - p, m));
    if (square < least) {
      least = square;
      best = q;
    }
  }
  return best;
}

/// Two discs: the middle of what both cover on the line of centres.
void matchDiscs(const SupportSet& d1, const SupportSet& d2, const Vec3& m, Vec3& x1, Vec3& x2) {
  const Vec3 across = perpendicularPart(d1.center - d2.center, m);
  const double length = norm(across);
  const double lo = maxOf(-d2.radius, length - d1.radius);
  const double hi = minOf(d2.radius, length + d1.radius);
  const double t = 0.5 * (lo + hi);
  const Vec3 along = length > 0.0 ? across / length : Vec3{};
  x2 = d2.center + along * clampTo(t, -d2.radius, d2.radius);
  x1 = nearestOfSet(d1, m, x2);
}

/// The part of the segment inside the polygon, seen along m: its middle.
bool middleInPolygon(const SupportSet& segment, const SupportSet& polygon, const Vec3& m, Vec3& x) {
  const Vec3 &a = segment.points[0], &b = segment.points[1];
  double area = 0.0;
  for (int i = 2; i < polygon.count; ++i) {
    area += dot(
        cross(polygon.points[i - 1] - polygon.points[0], polygon.points[i] - polygon.points[0]), m);
  }
  const double winding = area < 0.0 ? -1.0 : 1.0;
  double lo = 0.0, hi = 1.0;
  for (int i = 0; i < polygon.count; ++i) {
    const Vec3& p = polygon.points[i];
    const Vec3 side = polygon.points[i + 1 == polygon.count ? 0 : i + 1] - p;
    const double da = winding * dot(cross(side, a - p), m);
    const double db = winding * dot(cross(side, b - p), m);
    if (da < 0.0 && db < 0.0) return false;
    if (da < 0.0) lo = maxOf(lo, da / (da - db));
    if (db < 0.0) hi = minOf(hi, da / (da - db));
  }
  if (lo > hi) return false;
  x = a + (b - a) * (0.5 * (lo + hi));
  return true;
}

void matchSegments(const SupportSet& s1, const SupportSet& s2, const Vec3& m, Vec3& x1, Vec3& x2) {
  const Vec3 d1 = s1.points[1] - s1.points[0], d2 = s2.points[1] - s2.points[0];
  const Vec3 w = s1.points[0] - s2.points[0];
  const double a = squaredNorm(d1), e = squaredNorm(d2), b = dot(d1, d2);
  const double twist = dot(cross(d1, d2), m);
  // Parallel within the rounding of the ends: take the middle of the common stretch.
  if (twist * twist <= 1e-20 * (a * e)) {
    const double t0 = -dot(w, d1) / a, t1 = t0 + b / a;
    const double lo = maxOf(0.0, minOf(t0, t1)), hi = minOf(1.0, maxOf(t0, t1));
    x1 = s1.points[0] + d1 * clampTo(0.5 * (lo + hi), 0.0, 1.0);
    x2 = nearestOnSegment(s2.points[0], s2.points[1], x1);
    return;
  }
  const double t1 = clampTo(dot(cross(d2, w), m) / twist, 0.0, 1.0);
  x2 = nearestOnSegment(s2.points[0], s2.points[1], s1.points[0] + d1 * t1);
  x1 = nearestOnSegment(s1.points[0], s1.points[1], x2);
}

}  // namespace

void supportSet(const Round& body, const Vec3& m, double tolerance, double strict,
                SupportSet& set) {
  using Kind = Feature::Kind;
  const double z = dot(m, body.a);
  const Vec3 perp = radialPart(m, body.a, z);
  const double s = norm(perp);
  const Vec3 bottom = body.c - body.a * body.hz, top = body.c + body.a * body.hz;
  if (body.r * s <= tolerance && (z < 0.0 || !body.cone)) {
    set.count = 0;
    set.center = z < 0.0 ? bottom : top;
    set.axis = body.a;
    set.radius = body.r;
    set.target = body.r * s <= strict ? set.center : set.center + perp * (body.r / s);
    set.feature = {Kind::Face, z < 0.0 ? 1u : 2u};
    return;
  }
  const Vec3 radial = s > 0.0 ? perp * (body.r / s) : Vec3{};
  const double excess = body.cone ? 2.0 * body.hz * z - body.r * s : 2.0 * body.hz * z;
  if (absOf(excess) <= tolerance && s > 0.0) {
    set.count = 2;
    set.points[0] = bottom + radial;
    set.points[1] = body.cone ? top : top + radial;
    set.feature = {Kind::Face, 0};
    return;
  }
  set.count = 1;
  if (excess < 0.0) {
    set.points[0] = bottom + radial;
    set.feature = {Kind::Edge, 0};
  } else {
    set.points[0] = body.cone ? top : top + radial;
    set.feature = {body.cone ? Kind::Vertex : Kind::Edge, body.cone ? 0u : 1u};
  }
}

void matchSets(const SupportSet& set1, const SupportSet& set2, const Vec3& m, Vec3& x1, Vec3& x2) {
  if (set1.count == 0 && set2.count == 0) {
    matchDiscs(set1, set2, m, x1, x2);
  } else if (set1.count == 1 || set2.count == 0) {
    x1 = nearestOfSet(set1, m, set2.count == 0 ? set2.target : set1.points[0]);
    x2 = nearestOfSet(set2, m, x1);
  } else if (set2.count == 1 || set1.count == 0) {
    x2 = nearestOfSet(set2, m, set1.count == 0 ? set1.target : set2.points[0]);
    x1 = nearestOfSet(set1, m, x2);
  } else if (set1.count == 2 && set2.count == 2) {
    matchSegments(set1, set2, m, x1, x2);
  } else if (set1.count == 2) {
    if (!middleInPolygon(set1, set2, m, x1)) x1 = set1.points[0];
    x2 = nearestOfSet(set2, m, x1);
    x1 = nearestOfSet(set1, m, x2);
  } else {
    if (!middleInPolygon(set2, set1, m, x2)) x2 = set2.points[0];
    x1 = nearestOfSet(set1, m, x2);
    x2 = nearestOfSet(set2, m, x1);
  }
}

Vec3 pointAbove(const SupportSet& set, const Vec3& m, const Vec3& place) {
  const Vec3 p = nearestOfSet(set, m, place);
  if (set.count != 0) return p;
  // The disc may be tilted against m: along m on to its own plane.
  return p - m * (dot(p - set.center, set.axis) / dot(m, set.axis));
}

void mirror(SupportSet& set) {
  for (int i = 0; i < set.count; ++i) set.points[i] = -set.points[i];
  set.center = -set.center;
  set.target = -set.target;
}

}  // namespace abut::inline v0_1::curved
