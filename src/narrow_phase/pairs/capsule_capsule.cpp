// SPDX-License-Identifier: MIT
#include <abut/shapes/capsule_shape.hpp>

#include "narrow_phase/convex/segments.hpp"
#include "narrow_phase/pairs/closed_form.hpp"
#include "narrow_phase/pairs/pairs.hpp"

namespace abut::inline v0_1 {
namespace {

/// Up to this angle (about half a degree) two capsules side by side touch along a line: the ends of
/// the line are listed, each with its own depth. Decides the number of points, no depth.
constexpr double kLineSine = 0.01;

/// Segment 1 is centred at the origin.
struct CapsulePair : SegmentPair {
  double radius1, radius2, size;
};

ABUT_ALWAYS_INLINE CapsulePair relate(const PairQuery& query) {
  CapsulePair c;
  const auto& capsule1 = static_cast<const CapsuleShape&>(query.shape1);
  const auto& capsule2 = static_cast<const CapsuleShape&>(query.shape2);
  c.radius1 = capsule1.getRadius();
  c.radius2 = capsule2.getRadius();
  c.half1 = 0.5 * capsule1.getLength();
  c.half2 = 0.5 * capsule2.getLength();
  c.size = (c.radius1 + c.radius2) + (c.half1 + c.half2);
  c.axis1 = fetch(query.pose1.rotation.z);
  c.axis2 = fetch(query.pose2.rotation.z);
  c.offset = query.pose2.translation;
  return c;
}

/// The common perpendicular of the axes; what rounding leaves along them is projected out.
ABUT_ALWAYS_INLINE Vec3 commonPerpendicular(const CapsulePair& c) {
  const Vec3 n = c.cross12 * (1.0 / std::sqrt(c.sine2));
  return normalized(n - c.axis1 * dot(n, c.axis1));
}

/// True if a direction at a place along an axis, with `slope` its component along the axis, is not
/// at right angles to it, as it is beside the segment, or points back at an end.
ABUT_ALWAYS_INLINE bool isWrong(double place, double half, double slope) {
  const bool above = place > 0.0;
  return (absOf(place) < half) | (above & (slope > 0.0)) | (!above & (slope < 0.0));
}

/// Unit normal from 2 to 1, and the distance of the segments along it. Beside a segment the normal
/// is at right angles to it; at an end it points away from it. Rounding breaks that where the
/// segments nearly touch, so it is enforced. Crossing axes: the common perpendicular, with the sign
/// of axis1 x axis2 if they meet. Overlapping collinear axes: the fixed perpendicular of axis 1.
ABUT_ALWAYS_INLINE double normalAcross(const CapsulePair& c, Vec3& normal) {
  const double slope1 = dot(c.across, c.axis1), slope2 = dot(c.across, c.axis2);
  const bool fix1 = isWrong(c.s, c.half1, slope1), fix2 = isWrong(c.t, c.half2, -slope2);
  Vec3 across = c.across;
  bool fixBoth = fix1 && fix2;
  if (!fixBoth) {
    // What breaks the rule goes; without a branch, as either, or neither, is as likely.
    across = (across - c.axis1 * choose(fix1, slope1, 0.0)) - c.axis2 * choose(fix2, slope2, 0.0);
    const bool wrong1 = isWrong(c.s, c.half1, dot(across, c.axis1));
    const bool wrong2 = isWrong(c.t, c.half2, -dot(across, c.axis2));
    fixBoth = (fix1 & wrong2) | (fix2 & wrong1);
  }
  const double d = norm(c.across);
  const bool parallel = c.sine2 <= kParallelSine * kParallelSine;
  const bool coincide = d <= kCoincident * c.size;
  if ((fixBoth || coincide) && !parallel) {
    const Vec3 n = commonPerpendicular(c);
    const double along = dot(n, c.across);
    if (coincide || absOf(along) >= d - kTouchTolerance * c.size) {
      normal = along < 0.0 ? -n : n;
      return absOf(along);
    }
  }
  if (fixBoth) across = c.across - c.axis1 * slope1;
  const double length = norm(across);
  normal = length > kCoincident * c.size ? across * (1.0 / length) : perpendicularTo(c.axis1);
  return d;
}

ABUT_ALWAYS_INLINE void capsuleCapsuleGap(const CapsulePair& c, PairGap& result) {
  const double d = normalAcross(c, result.normal);
  const Vec3& n = result.normal;
  result.gap = d - (c.radius1 + c.radius2);
  result.p1 = c.axis1 * c.s - n * c.radius1;
  result.p2 = result.p1 - n * result.gap;
  result.feature1 = capsuleFeature(c.s, c.half1);
  result.feature2 = capsuleFeature(c.t, c.half2);
  result.status = statusOfGap(result.gap, c.size);
}

/// Where the line y + k n crosses the tube of a radius about an axis: the middle of the chord, and
/// half its length (negative: none).
struct Chord {
  double middle;
  double half;
};
Chord chordOf(const Vec3& y, const Vec3& n, const Vec3& center, const Vec3& axis, double radius) {
  const Vec3 from = y - center;
  const Vec3 w = from - axis * dot(from, axis), m = n - axis * dot(n, axis);
  const double m2 = squaredNorm(m);
  const double middle = -dot(w, m) / m2;
  const double offset2 = squaredNorm(w + m * middle);
  const double rest = radius * radius - offset2;
  return {middle, rest < 0.0 ? -1.0 : std::sqrt(rest / m2)};
}

/// One end of the line of contact: the overlap at s along axis 1, measured along the normal between
/// the two side surfaces, on the line that splits their sideways offset in the ratio of the radii.
/// An end within `seam` [m] of the end of an axis belongs to that cap.
void addLineEnd(const CapsulePair& c, const PairGap& gap, double s, double allowed, double seam,
                PairManifold& manifold) {
  const Vec3 x1 = c.axis1 * s;
  const double t = dot(x1 - c.offset, c.axis2);
  const Vec3 x2 = c.offset + c.axis2 * t;
  const Vec3 y = (x1 * c.radius2 + x2 * c.radius1) * (1.0 / (c.radius1 + c.radius2));
  const Chord chord1 = chordOf(y, gap.normal, {}, c.axis1, c.radius1);
  const Chord chord2 = chordOf(y, gap.normal, c.offset, c.axis2, c.radius2);
  if (chord1.half < 0.0 || chord2.half < 0.0) return;
  const double low1 = chord1.middle - chord1.half, high2 = chord2.middle + chord2.half;
  if (low1 - high2 > allowed) return;
  manifold.add(y + gap.normal * (0.5 * (low1 + high2)), high2 - low1,
               absOf(s) >= c.half1 - seam ? capFeature(s > 0.0) : kSideFeature,
               absOf(t) >= c.half2 - seam ? capFeature(t > 0.0) : kSideFeature);
}

/// Lists the ends of the line of contact of nearly parallel capsules.
void addLine(const CapsulePair& c, const PairGap& gap, double allowed, PairManifold& manifold) {
  // At s on axis 1 the foot on axis 2 is t = s cos - offset . axis2, within half2 of its centre.
  const double cosine = dot(c.axis1, c.axis2);
  const double k = dot(c.offset, c.axis2) / cosine;
  const double reach = c.half2 / absOf(cosine);
  // Keeps the contact points on the sides, off the caps, of capsules that are not quite parallel.
  // Seen along either axis a point lies beside s, or t, by at most the sine times its distance from
  // x1 (or x2) plus that of the sides: a radius or what separates the axes, which grows by the sine
  // times the length from the nearest points on.
  const double sine = std::sqrt(c.sine2);
  const double apart = (c.radius1 + c.radius2) + maxOf(gap.gap, 0.0);
  const double inset = 2.0 * sine * (apart + sine * c.size);
  const double from = maxOf(-c.half1, k - reach) + inset, to = minOf(c.half1, k + reach) - inset;
  // A line shorter than this is a point.
  constexpr double kShortest = 1e-6;
  if (to - from <= kShortest * c.size) return;
  // Ends within rounding of a cap's seam belong to the cap, those set in from there too.
  constexpr double kSeam = 1e-9;
  const double seam = inset + kSeam * c.size;
  addLineEnd(c, gap, from, allowed, seam, manifold);
  addLineEnd(c, gap, to, allowed, seam, manifold);
}

/// Capsules within reach whose axes are nearly parallel. Apart from the other capsules, and from
/// the start, so that those need keep nothing in memory.
[[gnu::noinline]] void collideAlongside(const PairQuery& query, ManifoldSink& sink) {
  CapsulePair c = relate(query);
  findNearest(c);
  PairGap gap;
  capsuleCapsuleGap(c, gap);
  PairManifold manifold;
  manifold.normal = gap.normal;
  manifold.status = gap.status;
  addLine(c, gap, reportedGap(query, c.size), manifold);
  manifold.type = manifold.count > 1 ? ContactType::Edge : ContactType::Point;
  bool hasDeepest = false;
  for (int i = 0; i < manifold.count; ++i) {
    hasDeepest = hasDeepest || manifold.points[i].depth >= -gap.gap - kCoincident * c.size;
  }
  if (!hasDeepest) {
    manifold.add((gap.p1 + gap.p2) * 0.5, -gap.gap, gap.feature1, gap.feature2);
  }
  sink.add(manifold);
}

template <bool kShort>
ABUT_ALWAYS_INLINE bool collideKernel(const PairQuery& query, ManifoldSink& sink) {
  CapsulePair c = relate(query);
  const double allowed = reportedGap(query, c.size);
  const double bound = c.size + allowed;
  if (squaredNorm(c.offset) > bound * bound) return true;
  findNearest(c);
  const double reach = (c.radius1 + c.radius2) + allowed;
  if (squaredNorm(c.across) > reach * reach) return true;
  if (c.sine2 <= kLineSine * kLineSine && query.enableContact) {
    if (!kShort) collideAlongside(query, sink);
    return !kShort;
  }
  PairGap gap;
  capsuleCapsuleGap(c, gap);
  addSinglePoint(query, gap, sink);
  return true;
}

}  // namespace

ABUT_DEFINE_COLLIDE(Capsule, Capsule, collideKernel)

void distanceCapsuleCapsule(const PairQuery& query, PairGap& result) {
  CapsulePair c = relate(query);
  findNearest(c);
  capsuleCapsuleGap(c, result);
}

}  // namespace abut::inline v0_1
