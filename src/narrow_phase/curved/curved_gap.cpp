// SPDX-License-Identifier: MIT
#include "narrow_phase/convex/convex_gap.hpp"
#include "narrow_phase/curved/curved_parts.hpp"

namespace abut::inline v0_1 {
namespace curved {
namespace {

bool isRound(const ConvexCore& core) {
  return core.kind == ConvexCore::Kind::Cylinder || core.kind == ConvexCore::Kind::Cone;
}

void solvePoint(const Round& a, Minimum& result) {
  result.m = nearestNormal(a, {});
  result.h = supportValue(a, result.m);
  result.xB = {};
  result.xA = result.m * -result.h;
  result.residual = 0.0;
  SupportSet set;
  supportSet(a, result.m, 0.0, 0.0, set);
  result.featureA = set.feature;
  result.featureB = {Feature::Kind::Vertex, 0};
}

void solve(const ConvexCore& coreB, const Round& a, double size, double cutoff, const Vec3* start,
           Minimum& result) {
  using Kind = ConvexCore::Kind;
  switch (coreB.kind) {
    case Kind::Point:
      solvePoint(a, result);
      return;
    case Kind::Segment:
    case Kind::Triangle:
    case Kind::Box:
      solveFlat(SmallFlat(coreB), a, size, cutoff, start, result);
      return;
    case Kind::Hull:
      solveFlat(HullFlat(*coreB.hull), a, size, cutoff, start, result);
      return;
    case Kind::Cylinder:
    case Kind::Cone:
      solveRound(makeRound(coreB, Pose{}, false), a, size, cutoff, start, result);
      return;
  }
}

}  // namespace
}  // namespace curved

void curvedGap(const ConvexCore& core1, const Pose& pose1, const ConvexCore& core2,
               const Pose& pose2, PairGap& result, double cutoff, const Vec3* start) {
  // Of two round bodies B is the one with the smaller rim, whatever the ids: rims are searched
  // along B's, and what lies close together there may lie closer still on a larger one.
  const bool swapped =
      !curved::isRound(core1) || (curved::isRound(core2) && core1.half.x < core2.half.x);
  const ConvexCore &coreA = swapped ? core2 : core1, &coreB = swapped ? core1 : core2;
  const Pose &poseA = swapped ? pose2 : pose1, &poseB = swapped ? pose1 : pose2;
  const double size = boundingRadius(core1) + boundingRadius(core2);
  const curved::Round a = curved::makeRound(coreA, relative(poseB, poseA), true);
  const double radii = core1.radius + core2.radius;
  curved::Minimum minimum;
  Vec3 near;
  if (start != nullptr) near = transposeTimes(poseB.rotation, swapped ? -*start : *start);
  // Beyond what counts as touching.
  curved::solve(coreB, a, size, cutoff + radii + 2.0 * kTouchTolerance * size,
                start != nullptr ? &near : nullptr, minimum);

  const Vec3 m = poseB.rotation * minimum.m;
  const double gap = -minimum.h - radii;
  // Both witnesses from one: their difference is gap * normal to rounding.
  const Vec3 middle =
      apply(poseB, (minimum.xA + minimum.xB) * 0.5) + m * (0.5 * (coreB.radius - coreA.radius));
  const Vec3 pA = middle + m * (0.5 * gap), pB = middle - m * (0.5 * gap);
  result.gap = gap;
  result.normal = swapped ? -m : m;
  result.p1 = swapped ? pB : pA;
  result.p2 = swapped ? pA : pB;
  result.feature1 = swapped ? minimum.featureB : minimum.featureA;
  result.feature2 = swapped ? minimum.featureA : minimum.featureB;
  result.subShape1 = result.subShape2 = 0;
  result.status = minimum.residual <= kTouchTolerance * size ? statusOfGap(gap, size)
                                                             : QueryStatus::IterationLimit;
}

}  // namespace abut::inline v0_1
