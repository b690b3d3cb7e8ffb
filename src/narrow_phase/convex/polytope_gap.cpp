// SPDX-License-Identifier: MIT
#include <limits>

#include "math/wide_vec3.hpp"
#include "narrow_phase/convex/convex_gap.hpp"
#include "narrow_phase/convex/epa.hpp"
#include "narrow_phase/convex/sat.hpp"

namespace abut::inline v0_1 {
namespace {

/// GJK's bounds count as equal within this, times the size; beyond it the answer is checked
/// against the directions of all features.
constexpr double kCertified = 1e-13;
/// By how far the cores are moved apart beyond touching, times the size, to find the points that
/// touch: within GJK's contact tolerance, so that its simplex and weights describe them.
constexpr double kPartedBy = 5e-14;

/// How far the witness points may be from lying on the normal, times the size.
constexpr double kWitnessTolerance = 1e-13;
/// Vertices this close to the farthest one, times the size, belong to the feature that touches.
constexpr double kFeatureTolerance = 1e-12;
/// Normals this close are one: the corners of a face give its normal to rounding.
constexpr double kSameNormal = 1e-12;
/// ... if the overlap along both is the same to rounding, times the size.
constexpr double kSnapTolerance = 1e-14;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Witness {
  Vec3 p1, p2;  // Frame of core 1.
  Feature feature1, feature2;
};

/// The points of both cores that the simplex's point nearest to the origin stands for. Returns
/// whether they lie on the normal.
bool witnessOf(const PolytopePair& pair, const Simplex& s, const BestAxis& axis, Witness& result) {
  const Vec3& n = axis.normal;
  double weights[4];
  weightsOf(s, weights);
  result.p1 = result.p2 = {};
  for (int i = 0; i < s.count; ++i) {
    const Vec3 a = pair.vertex1(s.points[i].i1);
    result.p1 += a * weights[i];
    result.p2 += (a + s.points[i].u) * weights[i];
  }
  const double tolerance = kFeatureTolerance * pair.size;
  result.feature1 = featureAlong(pair.core1, -n, s.points[0].i1, tolerance);
  result.feature2 =
      featureAlong(pair.core2, transposeTimes(pair.rotation, n), s.points[0].i2, tolerance);
  const Vec3 miss = (result.p2 - result.p1) - n * axis.overlap;
  return squaredNorm(miss) <= kWitnessTolerance * kWitnessTolerance * pair.size * pair.size;
}

/// Points of both cores that touch once core 2 is moved back by the overlap along the normal.
void witnessOfAxis(const PolytopePair& pair, const BestAxis& axis, Witness& result) {
  PolytopePair parted = pair;
  parted.translation = pair.translation - axis.normal * (axis.overlap + kPartedBy * pair.size);
  GjkResult touching;
  gjk(parted, kInfinity, touching);
  if (touching.simplex.count == 4) touching.simplex.count = 3;
  witnessOf(parted, touching.simplex, axis, result);
  result.p2 += pair.translation - parted.translation;
}

/// Where a face takes part, its own normal stands for the one found from corners: flush faces then
/// share their normal to the bit. The overlap stays the true one along it.
void snapToFace(const PolytopePair& pair, const Witness& witness, BestAxis& axis) {
  Vec3 n;
  if (witness.feature1.kind == Feature::Kind::Face) {
    n = -faceNormalOf(pair.core1, witness.feature1.index);
  } else if (witness.feature2.kind == Feature::Kind::Face) {
    n = pair.rotation * faceNormalOf(pair.core2, witness.feature2.index);
  } else {
    return;
  }
  if (n == axis.normal || !(squaredNorm(n - axis.normal) <= kSameNormal * kSameNormal)) return;
  const double h = dot(n, pair.support(n).u);
  if (absOf(h - axis.overlap) > kSnapTolerance * pair.size) return;
  axis.normal = n;
  axis.overlap = h;
}

bool isHull(const ConvexCore& core) {
  return core.kind == ConvexCore::Kind::Hull;
}

/// The direction of least overlap of two cores that GJK could not prove apart, or that are so close
/// that its direction is not exact; `axis` holds the best known.
/// Returns false if it is only the best found.
bool overlapOf(const PolytopePair& pair, const GjkResult& near, BestAxis& axis, Witness& witness) {
  if (near.end == GjkResult::End::NearZero && (isHull(pair.core1) || isHull(pair.core2))) {
    EpaResult deep;
    const bool isExact = epa(pair, near.simplex, deep);
    axis.offer(deep.overlap, deep.normal);
    if (isExact) {
      if (deep.hasFace && axis.overlap == deep.overlap &&
          witnessOf(pair, deep.face, axis, witness)) {
        return true;
      }
      witnessOfAxis(pair, axis, witness);
      return true;
    }
  }
  const bool isExact = satAll(pair, axis);
  witnessOfAxis(pair, axis, witness);
  return isExact;
}

ABUT_ALWAYS_INLINE void findGap(const ConvexCore& core1, const Pose& pose1, const ConvexCore& core2,
                                const Pose& pose2, PairGap& result, double cutoff,
                                const Vec3* start) {
  const PolytopePair pair(core1, pose1, core2, pose2);
  // Beyond this gap between the cores the rounded shapes are apart by more than the cutoff, and do
  // not touch either.
  const double coreCutoff =
      maxOf(cutoff, kTouchTolerance * pair.size) + core1.radius + core2.radius;
  GjkResult near;
  Vec3 first;
  if (start != nullptr) first = transposeTimes(pose1.rotation, *start);
  gjk(pair, coreCutoff, near, start != nullptr ? &first : nullptr);
  BestAxis axis;
  if (near.lowerBound > 0.0) axis.offer(-near.lowerBound, near.normal);
  Witness witness;
  bool isExact = true;
  if (near.end == GjkResult::End::Beyond) {
    witness.p1 = witness.p2 = {};
  } else if (near.end == GjkResult::End::Apart && near.lowerBound > 0.0 &&
             near.upperBound - near.lowerBound <= kCertified * pair.size) {
    if (!witnessOf(pair, near.simplex, axis, witness)) witnessOfAxis(pair, axis, witness);
  } else {
    isExact = overlapOf(pair, near, axis, witness);
  }
  if (near.end != GjkResult::End::Beyond) snapToFace(pair, witness, axis);
  const double coreGap = -axis.overlap;
  const Vec3 n = pose1.rotation * axis.normal;
  const Vec3 middle = apply(pose1, (witness.p1 + witness.p2) * 0.5);
  result.gap = (coreGap - core1.radius) - core2.radius;
  result.normal = n;
  // Surfaces of the rounded cores along the normal, so that p1 - p2 = gap * normal.
  result.p1 = middle + n * (0.5 * coreGap - core1.radius);
  result.p2 = middle - n * (0.5 * coreGap - core2.radius);
  result.feature1 = witness.feature1;
  result.feature2 = witness.feature2;
  result.subShape1 = result.subShape2 = 0;
  result.status = isExact ? statusOfGap(result.gap, pair.size) : QueryStatus::IterationLimit;
}

#if ABUT_HAS_WIDE
const bool kHasWide = __builtin_cpu_supports("avx2");

ABUT_WIDE_WHOLE void findGapWide(const ConvexCore& core1, const Pose& pose1,
                                 const ConvexCore& core2, const Pose& pose2, PairGap& result,
                                 double cutoff, const Vec3* start) {
  findGap(core1, pose1, core2, pose2, result, cutoff, start);
}
#endif

}  // namespace

void polytopeGap(const ConvexCore& core1, const Pose& pose1, const ConvexCore& core2,
                 const Pose& pose2, PairGap& result, double cutoff, const Vec3* start) {
#if ABUT_HAS_WIDE
  if (kHasWide) return findGapWide(core1, pose1, core2, pose2, result, cutoff, start);
#endif
  findGap(core1, pose1, core2, pose2, result, cutoff, start);
}

}  // namespace abut::inline v0_1
