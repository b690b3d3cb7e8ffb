// SPDX-License-Identifier: MIT
#include "narrow_phase/convex_gap.hpp"
#include "narrow_phase/gjk.hpp"
#include "narrow_phase/sat.hpp"

namespace abut {
namespace {

/// GJK's bounds count as equal within this, times the size; beyond it the answer is checked
/// against the directions of all features.
constexpr double kCertified = 1e-13;
/// By how far the cores are moved apart beyond touching, times the size, to find the points that
/// touch: within GJK's contact tolerance, so that its simplex and weights describe them.
constexpr double kPartedBy = 5e-14;

struct Witness {
  Vec3 p1, p2;  // Frame of core 1.
  Feature feature1, feature2;
};

void witnessOf(const PolytopePair& pair, const Simplex& s, const Vec3& n, Witness& result) {
  std::uint32_t ids1[4], ids2[4];
  result.p1 = result.p2 = {};
  for (int i = 0; i < s.count; ++i) {
    ids1[i] = s.points[i].i1;
    ids2[i] = s.points[i].i2;
    result.p1 += pair.vertex1(ids1[i]) * s.weights[i];
    result.p2 += pair.vertex2(ids2[i]) * s.weights[i];
  }
  result.feature1 = featureOfVertices(pair.core1, ids1, s.count, -n);
  result.feature2 = featureOfVertices(pair.core2, ids2, s.count, transposeTimes(pair.rotation, n));
}

/// Points of both cores that touch once core 2 is moved back by the overlap along the normal.
void witnessOfAxis(const PolytopePair& pair, const BestAxis& axis, Witness& result) {
  PolytopePair parted = pair;
  const Vec3 shift = axis.normal * (axis.overlap + kPartedBy * pair.size);
  parted.translation = pair.translation - shift;
  GjkResult touching;
  gjk(parted, touching);
  witnessOf(pair, touching.simplex, axis.normal, result);
}

}  // namespace

void polytopeGap(const ConvexCore& core1, const Pose& pose1, const ConvexCore& core2,
                 const Pose& pose2, PairGap& result) {
  const PolytopePair pair(core1, pose1, core2, pose2);
  GjkResult apart;
  gjk(pair, apart);
  BestAxis axis;
  Witness witness;
  if (apart.lowerBound > 0.0) axis.offer(-apart.lowerBound, apart.normal);
  if (apart.end == GjkResult::End::Separated && apart.lowerBound > 0.0 &&
      apart.upperBound - apart.lowerBound <= kCertified * pair.size) {
    witnessOf(pair, apart.simplex, axis.normal, witness);
  } else {
    satAll(pair, axis);
    witnessOfAxis(pair, axis, witness);
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
  result.status = statusOfGap(result.gap, pair.size);
}

}  // namespace abut
