// SPDX-License-Identifier: MIT
#include "narrow_phase/convex/convex_gap.hpp"

#include "narrow_phase/dispatch/manifold_sink.hpp"

namespace abut::inline v0_1 {
namespace {

bool isCurved(const ConvexCore& core) {
  return core.kind == ConvexCore::Kind::Cylinder || core.kind == ConvexCore::Kind::Cone;
}

}  // namespace

void convexGap(const ConvexCore& core1, const Pose& pose1, const ConvexCore& core2,
               const Pose& pose2, PairGap& result, double cutoff, const Vec3* start) {
  if (isCurved(core1) || isCurved(core2)) {
    curvedGap(core1, pose1, core2, pose2, result, cutoff, start);
  } else {
    polytopeGap(core1, pose1, core2, pose2, result, cutoff, start);
  }
}

void collideConvexConvex(const PairQuery& query, ManifoldSink& sink) {
  const ConvexCore core1 = coreOf(query.shape1), core2 = coreOf(query.shape2);
  PairGap gap;
  convexGap(core1, query.pose1, core2, query.pose2, gap, query.margin);
  if (gap.gap > query.margin && gap.status != QueryStatus::Touching) return;
  if (!query.enableContact) {
    sink.markCollision();
    return;
  }
  PairManifold manifold;
  convexManifold(core1, query.pose1, core2, query.pose2, gap, query.margin, manifold);
  sink.add(manifold);
}

void distanceConvexConvex(const PairQuery& query, PairGap& result) {
  convexGap(coreOf(query.shape1), query.pose1, coreOf(query.shape2), query.pose2, result);
}

}  // namespace abut::inline v0_1
