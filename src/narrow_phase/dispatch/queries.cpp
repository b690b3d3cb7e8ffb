// SPDX-License-Identifier: MIT
#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>

#include "core/guard.hpp"
#include "narrow_phase/dispatch/collide_sound.hpp"
#include "narrow_phase/dispatch/manifold_sink.hpp"
#include "narrow_phase/dispatch/pair_order.hpp"
#include "narrow_phase/dispatch/pair_table.hpp"
#include "narrow_phase/dispatch/thin.hpp"

namespace abut::inline v0_1 {

namespace {

/// Brings what a query added to what was asked for.
void finish(const CollisionOption& option, std::size_t before, bool swapped,
            CollisionResult& result) {
  if (result.numManifolds() == before) return;
  if (!option.enableContact) {
    result.markCollision();
    result.truncate(before);
  } else if (result.numManifolds() - before > 1 ||
             option.maxNumContacts < ContactManifold::kMaxContacts) {
    thinManifolds(result, before, option.maxNumContacts, swapped);
  }
}

}  // namespace

Status detail::collideLong(const PlacedShape& object1, const PlacedShape& object2,
                           const CollisionOption& option, CollisionResult& result) {
  const FloatEnvironment environment;
  Status status = checkPair(object1, object2);
  if (!status) return status;
  if (!isMargin(option.margin)) {
    return Status::failure(
        StatusCode::OutOfRange,
        "CollisionOption::margin: expected a finite length >= 0 [m], got " + toText(option.margin));
  }
  if (option.maxNumContacts == 0) return {};
  const bool swap = mustSwap(object1, object2);
  const PlacedShape& first = swap ? object2 : object1;
  const PlacedShape& second = swap ? object1 : object2;
  const PairQuery query = makeQuery(first, second, option.margin, option.enableContact);
  const std::size_t before = result.numManifolds();
  ManifoldSink sink(result, first, second, swap, option.margin);
  pairFunctions(first.shape->getType(), second.shape->getType()).collide(query, sink);
  finish(option, before, swap, result);
  return {};
}

bool detail::collideShort(const PlacedShape& object1, const PlacedShape& object2,
                          const CollisionOption& option, CollisionResult& result) {
  // In this order: a pose is looked at by arithmetic.
  if (object1.shape == nullptr || object2.shape == nullptr || !FloatEnvironment::isStandardHere() ||
      !isSoundPose(object1.pose) || !isSoundPose(object2.pose)) [[unlikely]]
    return false;
  return collideAtOnce(object1, object2, option, result);
}

Status collideSound(const PlacedShape& object1, const PlacedShape& object2,
                    const CollisionOption& option, CollisionResult& result) {
  if (FloatEnvironment::isStandardHere() && collideAtOnce(object1, object2, option, result))
      [[likely]]
    return {};
  return detail::collideLong(object1, object2, option, result);
}

Status distance(const PlacedShape& object1, const PlacedShape& object2,
                DistanceResult& result) try {
  const FloatEnvironment environment;
  if (!isPlainPair(object1, object2)) {
    Status status = checkPair(object1, object2);
    if (!status) return status;
  }
  const bool swap = mustSwap(object1, object2);
  const PlacedShape& first = swap ? object2 : object1;
  const PlacedShape& second = swap ? object1 : object2;
  PairGap gap;
  pairFunctions(first.shape->getType(), second.shape->getType())
      .distance(makeQuery(first, second, 0.0, true), gap);
  const Vec3 p1 = gap.p1 + first.pose.translation;
  const Vec3 p2 = gap.p2 + first.pose.translation;
  result.distance = gap.gap;
  result.normal = toEigen(swap ? -gap.normal : gap.normal);
  result.point1 = toEigen(swap ? p2 : p1);
  result.point2 = toEigen(swap ? p1 : p2);
  result.feature1 = swap ? gap.feature2 : gap.feature1;
  result.feature2 = swap ? gap.feature1 : gap.feature2;
  result.subShape1 = swap ? gap.subShape2 : gap.subShape1;
  result.subShape2 = swap ? gap.subShape1 : gap.subShape2;
  result.status = gap.status;
  return {};
} catch (...) {
  return statusOfException();
}

}  // namespace abut::inline v0_1
