// SPDX-License-Identifier: MIT
#include "math/wide_vec3.hpp"
#include "narrow_phase/convex/clip.hpp"
#include "narrow_phase/convex/convex_gap.hpp"
#include "narrow_phase/dispatch/reduce.hpp"
#include "narrow_phase/tolerances.hpp"

namespace abut::inline v0_1 {
namespace {

/// Within a margin a feature takes part that the margin lets come down on the other body, up to 15
/// degrees: without its far end a body that lands would turn about the near one. sin(15 degrees).
constexpr double kWidestSine = 0.25881904510252074;
/// Corners this close, times the size, coincide when clipping: a point that is off a feature by so
/// little is on it.
constexpr double kClipTolerance = 5e-13;
/// Beside a line on a cylinder's side by this much, times the size, its surface is lower by less
/// than rounding.
constexpr double kBesideLine = 1e-9;

struct ContactFrame {
  Vec3 origin, t1, t2, n;

  [[nodiscard]] Vec3 toWorld(double x, double y, double z) const {
    return origin + ((t1 * x + t2 * y) + n * z);
  }
};

/// Cosine of the angle to the normal within which features take part: the far end of one as wide as
/// given is then within the margin of where the bodies are deepest.
double facingCosine(double margin, double width) {
  const double sine = margin < kWidestSine * width ? margin / width : kWidestSine;
  return minOf(kFlushCosine, std::sqrt(1.0 - sine * sine));
}

/// Slopes of the feature's plane or line over the frame.
void setSlopes(const SupportFeature& s, const Pose& pose, const ContactFrame& frame,
               FlatFeature& f) {
  f.slopeX = f.slopeY = 0.0;
  if (f.count == 2) {
    const double ex = f.x[1] - f.x[0], ey = f.y[1] - f.y[0], ez = f.z[1] - f.z[0];
    const double e2 = ex * ex + ey * ey;
    if (!(e2 > 0.0)) return;
    f.slopeX = ez * ex / e2;
    f.slopeY = ez * ey / e2;
  } else if (f.count > 2) {
    const Vec3 m = pose.rotation * s.normal;
    const double along = dot(m, frame.n);
    if (along == 0.0) return;
    f.slopeX = -dot(m, frame.t1) / along;
    f.slopeY = -dot(m, frame.t2) / along;
  }
}

/// Where a feature's vertices are in the frame.
template <class V>
ABUT_ALWAYS_INLINE void placeVerticesAs(const SupportFeature& s, const Pose& pose, bool reversed,
                                        const ContactFrame& frame, FlatFeature& f) {
  const MatOf<V> rotation = loadAs<V>(pose.rotation);
  const V translation = loadAs<V>(pose.translation), origin = loadAs<V>(frame.origin);
  // Products with it are those with the axes of the frame.
  const MatOf<V> axes =
      transposed(MatOf<V>{loadAs<V>(frame.t1), loadAs<V>(frame.t2), loadAs<V>(frame.n)});
  for (int i = 0; i < s.count; ++i) {
    const Vec3& vertex = s.vertices[reversed ? s.count - 1 - i : i];
    const V p = times(axes, (times(rotation, vertex) + translation) - origin);
    Vec3 inFrame;
    store(p, inFrame);
    f.x[i] = inFrame.x;
    f.y[i] = inFrame.y;
    f.z[i] = inFrame.z;
  }
}

#if ABUT_HAS_WIDE
const bool kHasWide = __builtin_cpu_supports("avx2");

ABUT_WIDE void placeVerticesWide(const SupportFeature& s, const Pose& pose, bool reversed,
                                 const ContactFrame& frame, FlatFeature& f) {
  placeVerticesAs<WideVec3>(s, pose, reversed, frame, f);
}
#endif

void placeVertices(const SupportFeature& s, const Pose& pose, bool reversed,
                   const ContactFrame& frame, FlatFeature& f) {
#if ABUT_HAS_WIDE
  if (kHasWide) return placeVerticesWide(s, pose, reversed, frame, f);
#endif
  placeVerticesAs<Vec3>(s, pose, reversed, frame, f);
}

/// The feature of a core that faces along `outward` (world orientation), seen in the frame.
/// `reversed` tells that outward is against the frame's normal, so corners are listed backwards.
void flatten(const ConvexCore& core, const Pose& pose, const Vec3& outward, bool reversed,
             double facing, const ContactFrame& frame, FlatFeature& f) {
  SupportFeature s;
  supportFeature(core, transposeTimes(pose.rotation, outward), facing, s);
  f.count = s.count;
  f.feature = s.feature;
  placeVertices(s, pose, reversed, frame, f);
  for (int i = 0; i < s.count; ++i) {
    const int from = reversed ? s.count - 1 - i : i;
    f.vertexIds[i] = s.vertexIds[from];
    if (s.count == 1) continue;
    // Backwards, the edge from a corner to the next is the one that led to it.
    f.edgeIds[i] = s.edgeIds[reversed ? (from == 0 ? s.count - 1 : from - 1) : from];
  }
  if (s.count == 2) f.edgeIds[0] = f.edgeIds[1] = s.edgeIds[0];
  f.isDisc = s.isDisc;
  if (s.isDisc) {
    const Vec3 c = apply(pose, s.discCenter) - frame.origin;
    f.discX = dot(c, frame.t1);
    f.discY = dot(c, frame.t2);
    f.discZ = dot(c, frame.n);
    f.discRadius = s.discRadius;
  }
  f.radius = core.radius;
  f.isRound = s.count == 2 && core.kind == ConvexCore::Kind::Cylinder;
  f.tube = f.isRound ? core.half.x : 0.0;
  setSlopes(s, pose, frame, f);
}

/// Fills a manifold with points whose depth is true along its normal.
struct Collector {
  const ContactFrame& frame;
  double depth;       // Of the gap: the greatest there is.
  double shallowest;  // Points above this depth are kept.
  double tolerance;   // On depths.
  bool hasDeepest = false;
  PairManifold& result;

  /// Surfaces of 1 and 2 at heights z1 and z2 over (x, y).
  void add(double x, double y, double z1, double z2, Feature feature1, Feature feature2) {
    double d = z2 - z1;
    if (d >= depth - tolerance) {
      d = depth;
      hasDeepest = true;
    }
    if (d < shallowest) return;
    if (result.count == PairManifold::kMaxPoints) reduceManifold(result);
    result.add(frame.toWorld(x, y, 0.5 * (z1 + z2)), d, feature1, feature2);
  }
};

/// Side by side within a hundredth of the radii: the surfaces are lower by less than one part in
/// 10^4 there than where they are deepest.
constexpr double kSideBySide = 1e-2;
/// Lines at a greater angle than this (its tangent) meet in a point: they are side by side for a
/// fifth of the radii at most.
constexpr double kCrossing = 0.1;

/// By how far the surface over a point that is `across` beside a line on a cylinder's side ends
/// before the line, if that is inclined, at most [m]: the inclination times the fall.
double lostAtEnds(const FlatFeature& f, double across) {
  if (!f.isRound) return 0.0;
  const double ex = f.x[1] - f.x[0], ey = f.y[1] - f.y[0];
  return absOf(f.z[1] - f.z[0]) / std::sqrt(ex * ex + ey * ey) * (across * across / f.tube);
}

/// Cuts the stretch from low to high, where two lines are first + slope * a apart, to where that is
/// at most `limit`, and keeps clear of the ends of lines that are not quite parallel: seen from
/// either line a point beside it lies off by the slope times its distance.
void cutToSideBySide(const FlatFeature& f1, const FlatFeature& f2, double first, double slope,
                     double limit, double& low, double& high) {
  if (slope != 0.0) {
    const double a = (-limit - first) / slope, b = (limit - first) / slope;
    low = maxOf(low, minOf(a, b));
    high = minOf(high, maxOf(a, b));
  }
  const double widest = maxOf(absOf(first + slope * low), absOf(first + slope * high));
  const double lost = maxOf(lostAtEnds(f1, widest), lostAtEnds(f2, widest));
  const double inset = 2.0 * (absOf(slope) * widest) + lost;
  low += inset;
  high -= inset;
}

/// Two edges that run alongside each other: the ends of the stretch they share. Returns false if
/// they cross at an angle. Across the lines the surfaces are round: a point between two edges that
/// are s apart divides s in the ratio of the radii, where both surfaces have the same slope. Sharp
/// edges are apart by rounding at most, and the point lies on the sharp one of two. Where a
/// cylinder's side takes part, lines at an angle share the stretch where they are side by side.
bool addParallelEdges(const FlatFeature& f1, const FlatFeature& f2, double size, Collector& out) {
  const double tolerance = (f1.isRound || f2.isRound ? kBesideLine : kClipTolerance) * size;
  const double ex = f1.x[1] - f1.x[0], ey = f1.y[1] - f1.y[0];
  const double length = std::sqrt(ex * ex + ey * ey);
  if (!(length > 0.0)) return false;
  const double dx = ex / length, dy = ey / length;
  const auto along = [&](int i) { return (f2.x[i] - f1.x[0]) * dx + (f2.y[i] - f1.y[0]) * dy; };
  const auto across = [&](int i) { return (f2.y[i] - f1.y[0]) * dx - (f2.x[i] - f1.x[0]) * dy; };
  const double a0 = along(0), a1 = along(1), s0 = across(0), s1 = across(1);
  if (!(absOf(a1 - a0) > 0.0)) return false;
  const bool isRound = f1.isRound || f2.isRound;
  const double r1 = f1.radius + f1.tube, radii = r1 + (f2.radius + f2.tube);
  const double limit = kSideBySide * radii + tolerance;
  const int low2 = a0 < a1 ? 0 : 1, high2 = 1 - low2;
  double low = maxOf(0.0, minOf(a0, a1)), high = minOf(length, maxOf(a0, a1));
  const bool is1[2] = {!(minOf(a0, a1) > 0.0), !(maxOf(a0, a1) < length)};
  if (isRound) {
    const double slope = (s1 - s0) / (a1 - a0);
    if (absOf(slope) > kCrossing) return false;
    cutToSideBySide(f1, f2, s0 - slope * a0, slope, limit, low, high);
  }
  // A stretch shorter than this is a point.
  constexpr double kShortest = 1e-9;
  if (!(high - low > kShortest * size)) return false;
  double apart[2];
  const double ends[2] = {low, high};
  for (int k = 0; k < 2; ++k) {
    apart[k] = s0 + (s1 - s0) * ((ends[k] - a0) / (a1 - a0));
    if (!isRound && absOf(apart[k]) > limit) return false;
  }
  for (int k = 0; k < 2; ++k) {
    const double from1 = radii > 0.0 ? apart[k] * (r1 / radii) : 0.0;
    const double x1 = f1.x[0] + ends[k] * dx, y1 = f1.y[0] + ends[k] * dy;
    const double w = (ends[k] - a0) / (a1 - a0);
    const double x2 = f2.x[0] + w * (f2.x[1] - f2.x[0]), y2 = f2.y[0] + w * (f2.y[1] - f2.y[0]);
    const double x = x1 - from1 * dy, y = y1 + from1 * dx;
    const double z1 = isRound ? f1.lineSurfaceAt(x, y, -1.0) : f1.surfaceAt(x1, y1, -1.0, from1);
    const double z2 =
        isRound ? f2.lineSurfaceAt(x, y, 1.0) : f2.surfaceAt(x2, y2, 1.0, apart[k] - from1);
    const Feature end1{Feature::Kind::Vertex, f1.vertexIds[k]};
    const Feature end2{Feature::Kind::Vertex, f2.vertexIds[k == 0 ? low2 : high2]};
    out.add(x, y, z1, z2, is1[k] ? end1 : f1.feature, is1[k] ? f2.feature : end2);
  }
  return true;
}

ContactType typeOf(const FlatFeature& f1, const FlatFeature& f2, int count) {
  if (count == 1) return ContactType::Point;
  if (count == 2 || f1.count < 3 || f2.count < 3) return ContactType::Edge;
  return ContactType::Face;
}

ABUT_ALWAYS_INLINE void fill(const ConvexCore& core1, const Pose& pose1, const ConvexCore& core2,
                             const Pose& pose2, const PairGap& gap, double margin,
                             PairManifold& result) {
  const double radius1 = boundingRadius(core1), radius2 = boundingRadius(core2);
  const double size = radius1 + radius2;
  result.count = 0;
  result.normal = gap.normal;
  result.status = gap.status;
  ContactFrame frame;
  frame.n = gap.normal;
  frame.t1 = anyPerpendicular(frame.n);
  frame.t2 = cross(frame.n, frame.t1);
  frame.origin = (gap.p1 + gap.p2) * 0.5;
  FlatFeature f1, f2;
  // Features may be narrower than their bodies: a quarter of the smaller one. What of a wider one
  // is not within the margin is left out by its depth.
  const double width = 0.5 * minOf(radius1, radius2);
  const double facing = facingCosine(margin + maxOf(0.0, -gap.gap), width);
  flatten(core1, pose1, -gap.normal, true, facing, frame, f1);
  flatten(core2, pose2, gap.normal, false, facing, frame, f2);
  // A gap within the touching tolerance is a contact whatever the margin.
  const double keptGap = maxOf(margin, kTouchTolerance * size);
  Collector out{frame, -gap.gap, minOf(-keptGap, -gap.gap), kSameDepth * size, false, result};
  const double tolerance = kClipTolerance * size;
  if (!(f1.count == 2 && f2.count == 2 && addParallelEdges(f1, f2, size, out))) {
    ClipRegion region;
    clipFeatures(f1, f2, tolerance, region);
    for (int i = 0; i < region.count; ++i) {
      const ClipPoint& p = region.points[i];
      out.add(p.x, p.y, f1.surfaceAt(p.x, p.y, -1.0), f2.surfaceAt(p.x, p.y, 1.0), p.feature1,
              p.feature2);
    }
  }
  if (!out.hasDeepest) {
    if (result.count == PairManifold::kMaxPoints) reduceManifold(result);
    result.add(frame.origin, -gap.gap, gap.feature1, gap.feature2);
  }
  result.type = typeOf(f1, f2, result.count);
}

#if ABUT_HAS_WIDE
ABUT_WIDE_WHOLE void fillWide(const ConvexCore& core1, const Pose& pose1, const ConvexCore& core2,
                              const Pose& pose2, const PairGap& gap, double margin,
                              PairManifold& result) {
  fill(core1, pose1, core2, pose2, gap, margin, result);
}
#endif

}  // namespace

void convexManifold(const ConvexCore& core1, const Pose& pose1, const ConvexCore& core2,
                    const Pose& pose2, const PairGap& gap, double margin, PairManifold& result) {
#if ABUT_HAS_WIDE
  if (kHasWide) return fillWide(core1, pose1, core2, pose2, gap, margin, result);
#endif
  fill(core1, pose1, core2, pose2, gap, margin, result);
}

}  // namespace abut::inline v0_1
