// SPDX-License-Identifier: MIT
#include <limits>

#include "narrow_phase/convex_gap.hpp"
#include "narrow_phase/epa.hpp"
#include "narrow_phase/sat.hpp"

namespace abut {
namespace {

/// GJK's bounds count as equal within this, times the size; beyond it the answer is checked
/// against the directions of all features.
constexpr double kCertified = 1e-13;
/// By how far the cores are moved apart beyond touching, times the size, to find the points that
/// touch: within GJK's contact tolerance, so that its simplex and weights describe them.
constexpr double kPartedBy = 5e-14;

/// How far the witness points may be from lying on the normal, times the size.
constexpr double kWitnessTolerance = 1e-13;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Witness {
  Vec3 p1, p2;  // Frame of core 1.
  Feature feature1, feature2;
};

/// The points of both cores that the simplex's point nearest to the origin stands for. Returns
/// whether they lie on the normal.
bool witnessOf(const PolytopePair& pair, const Simplex& s, const BestAxis& axis, Witness& result) {
  const Vec3& n = axis.normal;
  std::uint32_t ids1[4], ids2[4];
  double weights[4];
  weightsOf(s, weights);
  result.p1 = result.p2 = {};
  for (int i = 0; i < s.count; ++i) {
    ids1[i] = s.points[i].i1;
    ids2[i] = s.points[i].i2;
    const Vec3 a = pair.vertex1(ids1[i]);
    result.p1 += a * weights[i];
    result.p2 += (a + s.points[i].u) * weights[i];
  }
  result.feature1 = featureOfVertices(pair.core1, ids1, s.count, -n);
  result.feature2 = featureOfVertices(pair.core2, ids2, s.count, transposeTimes(pair.rotation, n));
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

bool hasVolume(const ConvexCore& core) {
  return core.kind == ConvexCore::Kind::Hull || core.kind == ConvexCore::Kind::Box;
}

/// The direction of least overlap of two cores that GJK could not prove apart, or that are so close
/// that its direction is not exact; `axis` holds the best known.
/// Returns false if it is only the best found.
bool overlapOf(const PolytopePair& pair, const GjkResult& near, BestAxis& axis, Witness& witness) {
  if (near.end == GjkResult::End::NearZero && (hasVolume(pair.core1) || hasVolume(pair.core2))) {
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

}  // namespace

void polytopeGap(const ConvexCore& core1, const Pose& pose1, const ConvexCore& core2,
                 const Pose& pose2, PairGap& result, double cutoff) {
  const PolytopePair pair(core1, pose1, core2, pose2);
  // Beyond this gap between the cores the rounded shapes are apart by more than the cutoff, and do
  // not touch either.
  const double coreCutoff =
      maxOf(cutoff, kTouchTolerance * pair.size) + core1.radius + core2.radius;
  GjkResult near;
  gjk(pair, coreCutoff, near);
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

}  // namespace abut
