// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>

#include "math/pack.hpp"
#include "narrow_phase/pairs/closed_form.hpp"
#include "narrow_phase/pairs/pairs.hpp"
#include "narrow_phase/tolerances.hpp"
#include "shapes/box_features.hpp"

namespace abut::inline v0_1 {
namespace {

/// The capsule in the box's frame: points p(t) = center + t axis, |t| <= halfLength.
struct CapsuleOverBox {
  double radius, halfLength, size;
  Vec3 half, center, axis;
};

/// Signed distance of segment and box, in the box's frame.
struct CoreGap {
  double gap;
  Vec3 normal;  ///< From the segment to the box.
  double t;     ///< The segment's witness.
  Feature box;
};

ABUT_ALWAYS_INLINE CapsuleOverBox seenFromBox(const PairQuery& query) {
  CapsuleOverBox s;
  const auto& capsule = static_cast<const CapsuleShape&>(query.shape2);
  s.half = toVec3(static_cast<const BoxShape&>(query.shape1).getHalfExtents());
  s.radius = capsule.getRadius();
  s.halfLength = 0.5 * capsule.getLength();
  s.size = boxSize(s.half) + (s.radius + s.halfLength);
  s.center = transposeTimes(query.pose1.rotation, query.pose2.translation);
  s.axis = transposeTimes(query.pose1.rotation, query.pose2.rotation.z);
  return s;
}

/// Component of v along an axis.
double along(const Vec3& v, std::uint32_t axis) {
  return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

Vec3 clampToBox(const Vec3& p, const Vec3& h) {
  return {clampTo(p.x, -h.x, h.x), clampTo(p.y, -h.y, h.y), clampTo(p.z, -h.z, h.z)};
}

/// Half the derivative of the squared distance of p(t) from the box: it never falls with t.
double slopeAt(const CapsuleOverBox& s, double t) {
  const Vec3 p = s.center + s.axis * t;
  return dot(s.axis, p - clampToBox(p, s.half));
}

/// t of the point of the segment nearest to the box: the root of slopeAt(), which is linear between
/// the at most six places where the segment crosses the planes of the faces. Where it is zero over
/// a stretch, the stretch's middle. Any segment, one crossing at a time.
double searchSegment(const CapsuleOverBox& s) {
  double from = -s.halfLength, to = s.halfLength;
  double slopeFrom = slopeAt(s, from), slopeTo = slopeAt(s, to);
  if (slopeFrom > 0.0) return from;
  if (slopeTo < 0.0) return to;
  double zeroFrom = to, zeroTo = from;  // Empty while zeroFrom > zeroTo.
  if (slopeFrom == 0.0) zeroFrom = from;
  if (slopeTo == 0.0) zeroTo = to;
  if (slopeFrom == 0.0 && zeroTo < from) zeroTo = from;
  if (slopeTo == 0.0 && zeroFrom > to) zeroFrom = to;
  const double c[3] = {s.center.x, s.center.y, s.center.z};
  const double u[3] = {s.axis.x, s.axis.y, s.axis.z};
  const double h[3] = {s.half.x, s.half.y, s.half.z};
  for (int i = 0; i < 3; ++i) {
    if (u[i] == 0.0) continue;
    for (const double plane : {-h[i], h[i]}) {
      const double t = (plane - c[i]) / u[i];
      if (!(t > from && t < to)) continue;
      const double slope = slopeAt(s, t);
      if (slope < 0.0) {
        from = t;
        slopeFrom = slope;
      } else if (slope > 0.0) {
        to = t;
        slopeTo = slope;
      } else {
        zeroFrom = minOf(zeroFrom, t);
        zeroTo = maxOf(zeroTo, t);
      }
    }
  }
  if (zeroFrom <= zeroTo) return 0.5 * (zeroFrom + zeroTo);
  return from + (to - from) * (slopeFrom / (slopeFrom - slopeTo));
}

/// slopeAt() at two places. What p is beyond +h and -h is its distance from the nearest point.
ABUT_ALWAYS_INLINE Double2 slopesAt(const CapsuleOverBox& s, const Double2& t) {
  const auto term = [&t](double center, double axis, double half) {
    const Double2 p = center + axis * t;
    const Double2 above = p - half, below = -p - half;
    return axis * (0.5 * (above + absOf(above)) - 0.5 * (below + absOf(below)));
  };
  return (term(s.center.x, s.axis.x, s.half.x) + term(s.center.y, s.axis.y, s.half.y)) +
         term(s.center.z, s.axis.z, s.half.z);
}

/// searchSegment(), with both planes of an axis at once and without branches: which planes are
/// crossed before the root is hard to predict. Segments that run level over or through the box are
/// left to searchSegment().
ABUT_ALWAYS_INLINE double nearestOnSegment(const CapsuleOverBox& s) {
  const Double2 ends{-s.halfLength, s.halfLength};
  const Double2 slopes = slopesAt(s, ends);
  if (slopes[0] > 0.0) return ends[0];
  if (slopes[1] < 0.0) return ends[1];
  Double2 from{ends[0], ends[0]}, to{ends[1], ends[1]};
  Double2 slopeFrom{slopes[0], slopes[0]}, slopeTo{slopes[1], slopes[1]};
  Mask2 level = (slopes == 0.0);
  // A segment parallel to the planes crosses none: the place is infinite, or no number.
  const auto cross = [&](double center, double axis, double half) {
    const Double2 t = (Double2{-half, half} - center) / axis;
    const Mask2 isInside = (t > ends[0]) & (t < ends[1]);
    const Double2 slope = slopesAt(s, t);
    const Mask2 before = isInside & (slope < 0.0) & (t > from);
    const Mask2 after = isInside & (slope > 0.0) & (t < to);
    from = before ? t : from;
    slopeFrom = before ? slope : slopeFrom;
    to = after ? t : to;
    slopeTo = after ? slope : slopeTo;
    level |= isInside & (slope == 0.0);
  };
  cross(s.center.x, s.axis.x, s.half.x);
  cross(s.center.y, s.axis.y, s.half.y);
  cross(s.center.z, s.axis.z, s.half.z);
  if ((level[0] | level[1]) != 0) {
    const CapsuleOverBox copy = s;
    return searchSegment(copy);
  }
  const bool lastFrom = from[1] > from[0], firstTo = to[1] < to[0];
  const double a = choose(lastFrom, from[1], from[0]), b = choose(firstTo, to[1], to[0]);
  const double slopeA = choose(lastFrom, slopeFrom[1], slopeFrom[0]);
  const double slopeB = choose(firstTo, slopeTo[1], slopeTo[0]);
  return a + (b - a) * (slopeA / (slopeA - slopeB));
}

/// Gap of box and segment along a unit vector n that points from the segment to the box.
ABUT_ALWAYS_INLINE double gapAlong(const CapsuleOverBox& s, const Vec3& n) {
  return -(dot(absOf(n), s.half) + absOf(dot(n, s.axis)) * s.halfLength) - dot(n, s.center);
}

/// Cuts [from, to] to where center + t axis lies between the side planes of a face; empty if from >
/// to afterwards.
void clipOverFace(const Vec3& center, const Vec3& axis, const Vec3& half, std::uint32_t face,
                  double& from, double& to) {
  const double c[3] = {center.x, center.y, center.z};
  const double u[3] = {axis.x, axis.y, axis.z};
  const double h[3] = {half.x, half.y, half.z};
  for (std::uint32_t i = 0; i < 3; ++i) {
    if (i == face) continue;
    if (u[i] == 0.0) {
      if (absOf(c[i]) > h[i]) to = from - 1.0;
      continue;
    }
    const double a = (-h[i] - c[i]) / u[i], b = (h[i] - c[i]) / u[i];
    from = maxOf(from, minOf(a, b));
    to = minOf(to, maxOf(a, b));
  }
}

/// Witness on the segment of a face axis: its support point if the segment is inclined (it lies
/// over the face but for rounding), else the point nearest to it in the stretch over the face.
double witnessOverFace(const CapsuleOverBox& s, std::uint32_t face, const Vec3& n) {
  double from = -s.halfLength, to = s.halfLength;
  clipOverFace(s.center, s.axis, s.half, face, from, to);
  const double slope = dot(n, s.axis);
  if (from > to) return searchSegment(s);  // Rounding, at the face's rim.
  if (slope == 0.0) return 0.5 * (from + to);
  const double end = slope < 0.0 ? -s.halfLength : s.halfLength, cut = slope < 0.0 ? from : to;
  return absOf((end - cut) * slope) > kTouchTolerance * s.size ? end : cut;
}

/// Witness on the segment of the axis `edge` x segment: where the segment is nearest to the edge's
/// line, as far as it runs beside the edge (which matters if the two are almost parallel).
double witnessOverEdge(const CapsuleOverBox& s, std::uint32_t edge, const Vec3& n) {
  const Vec3 across{edge == 0 ? 0.0 : s.axis.x, edge == 1 ? 0.0 : s.axis.y,
                    edge == 2 ? 0.0 : s.axis.z};
  const Vec3 vertex = boxVertex(s.half, signBits(-n));
  const double t = dot(vertex - s.center, across) / squaredNorm(across);
  double from = -s.halfLength, to = s.halfLength;
  const double u = along(s.axis, edge), c = along(s.center, edge), h = along(s.half, edge);
  if (u != 0.0) {
    from = maxOf(from, ((u > 0.0 ? -h : h) - c) / u);
    to = minOf(to, ((u > 0.0 ? h : -h) - c) / u);
  }
  return from > to ? searchSegment(s) : clampTo(t, from, to);
}

/// The best of the six separating axes of a box and a segment: three faces, and the three products
/// of a box axis with the segment. Terms of the latter all scale with the product's length, so axes
/// parallel to the segment need no epsilon. A face is preferred by kCoincident of the size.
CoreGap bestAxis(const CapsuleOverBox& s) {
  const double c[3] = {s.center.x, s.center.y, s.center.z};
  const double u[3] = {s.axis.x, s.axis.y, s.axis.z};
  const double h[3] = {s.half.x, s.half.y, s.half.z};
  CoreGap best{};
  std::uint32_t face = 0;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const double gap = absOf(c[i]) - (h[i] + absOf(u[i]) * s.halfLength);
    if (i > 0 && gap <= best.gap) continue;
    best.gap = gap;
    face = i;
  }
  const std::uint32_t side = signBits(s.center);
  const double sign = (side >> face & 1u) != 0 ? -1.0 : 1.0;
  double n[3] = {0.0, 0.0, 0.0};
  n[face] = sign;
  best.normal = {n[0], n[1], n[2]};
  best.box = {Feature::Kind::Face, boxFace(face, side)};
  best.t = witnessOverFace(s, face, best.normal);
  double toBeat = best.gap + kCoincident * s.size;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::uint32_t j = (i + 1u) % 3u, k = (i + 2u) % 3u;
    const double length = std::sqrt(u[j] * u[j] + u[k] * u[k]);
    if (!(length > 0.0)) continue;
    const double offset = c[j] * u[k] - c[k] * u[j];
    const double gap = (absOf(offset) - (h[j] * absOf(u[k]) + h[k] * absOf(u[j]))) / length;
    if (gap <= toBeat) continue;
    toBeat = gap;
    best.gap = gap;
    const double scale = (offset < 0.0 ? 1.0 : -1.0) / length;
    n[i] = 0.0;
    n[j] = u[k] * scale;
    n[k] = -u[j] * scale;
    best.normal = {n[0], n[1], n[2]};
    best.box = {Feature::Kind::Edge, boxEdge(i, signBits(-best.normal))};
    best.t = witnessOverEdge(s, i, best.normal);
  }
  return best;
}

/// Normal from the difference of the nearest points, with what geometry knows about it enforced:
/// pointing away from the segment at an end, and at right angles to it beside it. There an edge's
/// product with the segment is exact, if it is the nearest.
ABUT_ALWAYS_INLINE Vec3 normalFrom(const CapsuleOverBox& s, const Vec3& across,
                                   std::uint32_t outside, double t) {
  const double slope = dot(across, s.axis);
  const bool atEnd = (t == s.halfLength && slope >= 0.0) || (t == -s.halfLength && slope <= 0.0);
  const bool oneAxis = (outside & (outside - 1u)) == 0u;
  if (atEnd || oneAxis) return normalized(across);
  Vec3 beside = across - s.axis * slope;
  beside = normalized(beside - s.axis * dot(beside, s.axis));
  if (outside == 7u) return beside;
  const Vec3 edge{(outside & 1u) == 0u ? 1.0 : 0.0, (outside & 2u) == 0u ? 1.0 : 0.0,
                  (outside & 4u) == 0u ? 1.0 : 0.0};
  const Vec3 product = cross(edge, s.axis);
  const double length = norm(product);
  if (!(length > 0.0)) return beside;
  const Vec3 n = product * ((dot(product, across) < 0.0 ? -1.0 : 1.0) / length);
  return gapAlong(s, n) < gapAlong(s, beside) ? beside : n;
}

ABUT_ALWAYS_INLINE CoreGap coreGap(const CapsuleOverBox& s) {
  CoreGap result;
  result.t = nearestOnSegment(s);
  const Vec3 p = s.center + s.axis * result.t;
  const Vec3 across = clampToBox(p, s.half) - p;
  result.gap = norm(across);
  if (!(result.gap > kCoincident * s.size)) {
    const CapsuleOverBox copy = s;
    return bestAxis(copy);
  }
  const std::uint32_t outside =
      (across.x != 0.0 ? 1u : 0u) | (across.y != 0.0 ? 2u : 0u) | (across.z != 0.0 ? 4u : 0u);
  result.normal = normalFrom(s, across, outside, result.t);
  result.box = boxRegion(outside, signBits(-across));
  // The normal proves the distance unless rounding hid which features are nearest: a segment almost
  // parallel to a face passes over its rim by less than an ulp. An axis then does better.
  const double proven = gapAlong(s, result.normal);
  if (proven >= result.gap - kCoincident * s.size) return result;
  const CapsuleOverBox copy = s;
  const CoreGap axis = bestAxis(copy);
  return proven < axis.gap ? axis : result;
}

/// The manifold in the box's frame while it is built.
struct Patch {
  const PairQuery& query;
  const CapsuleOverBox& s;
  const CoreGap& core;
  double allowed;
  PairManifold& manifold;  // Not a member by value: that would be cleared, 64 points and all.
  double deepest;

  void add(const Vec3& p2, double depth, const Feature& box, double t) {
    if (depth < -allowed) return;
    deepest = manifold.count == 0 ? depth : maxOf(deepest, depth);
    const Vec3 middle = p2 - core.normal * (0.5 * depth);
    manifold.add(query.pose1.rotation * middle, depth, box, capsuleFeature(t, s.halfLength));
  }
};

/// A face of the box seen along the manifold's normal.
struct FaceView {
  std::uint32_t face;
  double normal;  ///< The manifold's normal along the face's axis.
  double plane;   ///< Coordinate of the face.

  /// Overlap at a point p2 of the capsule: p2 - depth * n lies on the face.
  [[nodiscard]] double depthAt(const Vec3& p2) const { return (along(p2, face) - plane) / normal; }
};

/// Both ends of the stretch above the face, on the capsule's line nearest to the face, or on its
/// cap where the normal meets the cap. Depths are measured along the manifold's normal.
void addFaceLine(Patch& patch, const FaceView& view) {
  const CapsuleOverBox& s = patch.s;
  const Vec3& n = patch.core.normal;
  const double slope = dot(n, s.axis);
  if (slope * slope > kSteepest) return;
  const Vec3 beside = normalized(n - s.axis * slope) * s.radius;
  // The line's image on the face: moved along the normal, and so linear in t as well.
  const Vec3 start = s.center + beside;
  const Vec3 image = start - n * view.depthAt(start);
  const Vec3 direction = s.axis - n * (along(s.axis, view.face) / view.normal);
  double from = -s.halfLength, to = s.halfLength;
  clipOverFace(image, direction, s.half, view.face, from, to);
  // A stretch shorter than this is a point.
  constexpr double kShortest = 1e-6;
  if (!(to - from > kShortest * s.size)) return;
  const std::uint32_t side = view.normal < 0.0 ? 1u << view.face : 0u;
  for (const double t : {from, to}) {
    const Vec3 center = s.center + s.axis * t;
    const bool meetsCap =
        (t == s.halfLength && slope >= 0.0) || (t == -s.halfLength && slope <= 0.0);
    Vec3 p2 = center + (meetsCap ? n * s.radius : beside);
    double depth = view.depthAt(p2);
    const Vec3 p1 = p2 - n * depth;
    const Vec3 beyond = absOf(p1 - clampToBox(p1, s.half));
    if (meetsCap && maxElement(beyond) > kTouchTolerance * s.size) {
      p2 = center + beside;
      depth = view.depthAt(p2);
    }
    patch.add(p2, depth, {Feature::Kind::Face, boxFace(view.face, side)}, t);
  }
}

/// The contacts of a capsule that lies along a face, or stands on it.
[[gnu::noinline]] void collideOverFace(const PairQuery& query, const CapsuleOverBox& s,
                                       const CoreGap& core, double allowed, ManifoldSink& sink) {
  const double gap = core.gap - s.radius;
  PairManifold manifold;
  Patch patch{query, s, core, allowed, manifold, 0.0};
  manifold.normal = query.pose1.rotation * core.normal;
  manifold.status = statusOfGap(gap, s.size);
  const Vec3 a = absOf(core.normal);
  const std::uint32_t face = a.x >= a.y && a.x >= a.z ? 0u : (a.y >= a.z ? 1u : 2u);
  const double nFace = along(core.normal, face), half = along(s.half, face);
  addFaceLine(patch, {face, nFace, nFace < 0.0 ? half : -half});
  if (manifold.count == 0 || patch.deepest < -gap - kCoincident * s.size) {
    const Vec3 p2 = (s.center + s.axis * core.t) + core.normal * s.radius;
    patch.add(p2, -gap, core.box, core.t);
  }
  manifold.type = manifold.count > 1 ? ContactType::Edge : ContactType::Point;
  sink.add(manifold);
}

template <bool kShort>
ABUT_ALWAYS_INLINE bool collideKernel(const PairQuery& query, ManifoldSink& sink) {
  const CapsuleOverBox s = seenFromBox(query);
  const double allowed = reportedGap(query, s.size);
  const double reach = s.radius + allowed;
  const Vec3 beyond = (absOf(s.center) - s.half) - absOf(s.axis) * s.halfLength;
  if (maxElement(beyond) > reach) return true;
  const CoreGap core = coreGap(s);
  const double gap = core.gap - s.radius;
  if (gap > allowed) return true;
  if (!query.enableContact) {
    sink.markCollision();
    return true;
  }
  if (maxElement(absOf(core.normal)) >= kFlushCosine) {
    const CapsuleOverBox copy = s;
    const CoreGap coreCopy = core;
    collideOverFace(query, copy, coreCopy, allowed, sink);
    return true;
  }
  const Vec3 p2 = (s.center + s.axis * core.t) + core.normal * s.radius;
  const Vec3 middle = p2 + core.normal * (0.5 * gap);
  sink.addPoint(query.pose1.rotation * core.normal, query.pose1.rotation * middle, -gap, core.box,
                capsuleFeature(core.t, s.halfLength), statusOfGap(gap, s.size));
  return true;
}

}  // namespace

ABUT_DEFINE_COLLIDE(Box, Capsule, collideKernel)

void distanceBoxCapsule(const PairQuery& query, PairGap& result) {
  const CapsuleOverBox s = seenFromBox(query);
  const CoreGap core = coreGap(s);
  const Mat3& toWorld = query.pose1.rotation;
  result.gap = core.gap - s.radius;
  result.normal = toWorld * core.normal;
  const Vec3 p2 = (s.center + s.axis * core.t) + core.normal * s.radius;
  result.p2 = toWorld * p2;
  result.p1 = toWorld * (p2 + core.normal * result.gap);
  result.feature1 = core.box;
  result.feature2 = capsuleFeature(core.t, s.halfLength);
  result.status = statusOfGap(result.gap, s.size);
}

}  // namespace abut::inline v0_1
