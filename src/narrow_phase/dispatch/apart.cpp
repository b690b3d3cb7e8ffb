// SPDX-License-Identifier: MIT
#include "narrow_phase/dispatch/apart.hpp"

#include "narrow_phase/convex/convex_gap.hpp"
#include "narrow_phase/dispatch/manifold_sink.hpp"
#include "narrow_phase/dispatch/pair_order.hpp"

namespace abut::inline v0_1 {

bool areApart(const Shape& shape1, const Pose& pose1, const Shape& shape2, const Pose& pose2,
              const Vec3& direction, double length) {
  const ConvexCore core1 = coreOf(shape1), core2 = coreOf(shape2);
  const Vec3 d1 = -transposeTimes(pose1.rotation, direction);
  const Vec3 d2 = transposeTimes(pose2.rotation, direction);
  const double between = dot(direction, pose1.translation - pose2.translation);
  const double gap = ((between - dot(d1, support(core1, d1))) - dot(d2, support(core2, d2))) -
                     (core1.radius + core2.radius);
  return gap > length;
}

bool collideSearched(const PlacedShape& object1, const PlacedShape& object2, double margin,
                     const Vec3* start, CollisionResult& result, Vec3& direction) {
  const bool swap = mustSwap(object1, object2);
  Vec3 near;
  if (start != nullptr) near = swap ? -*start : *start;
  const PlacedShape& first = swap ? object2 : object1;
  const PlacedShape& second = swap ? object1 : object2;
  const PairQuery query = makeQuery(first, second, margin, true);
  const ConvexCore core1 = coreOf(query.shape1), core2 = coreOf(query.shape2);
  const Pose pose1 = query.pose1, pose2 = query.pose2;
  PairGap gap;
  convexGap(core1, pose1, core2, pose2, gap, margin, start != nullptr ? &near : nullptr);
  if (gap.gap > margin && gap.status != QueryStatus::Touching) {
    direction = swap ? -gap.normal : gap.normal;
    return false;
  }
  PairManifold manifold;
  convexManifold(core1, pose1, core2, pose2, gap, margin, manifold);
  ManifoldSink sink(result, first, second, swap, margin);
  sink.add(manifold);
  return true;
}

}  // namespace abut::inline v0_1
