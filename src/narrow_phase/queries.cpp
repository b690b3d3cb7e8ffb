// SPDX-License-Identifier: MIT
#include <limits>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>

#include "narrow_phase/manifold_sink.hpp"
#include "narrow_phase/pair_order.hpp"
#include "narrow_phase/pair_table.hpp"
#include "narrow_phase/thin.hpp"

namespace abut {

namespace {

bool isMargin(double margin) {
  return margin >= 0.0 && margin <= std::numeric_limits<double>::max();
}

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

/// Any query.
[[gnu::noinline]] Status collideAny(const PlacedShape& object1, const PlacedShape& object2,
                                    const CollisionOption& option, CollisionResult& result) {
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

/// True for a query with nothing to refuse and nothing to do after the pair function: no shape is
/// missing or composite, so that there is one manifold at most, and it is asked for whole; ids
/// order the pair, which is not two planes.
bool isPlain(const PlacedShape& a, const PlacedShape& b, const CollisionOption& option) {
  if (a.shape == nullptr || b.shape == nullptr) return false;
  const ShapeType typeA = a.shape->getType(), typeB = b.shape->getType();
  return typeA <= ShapeType::Plane && typeB <= ShapeType::Plane && isMargin(option.margin) &&
         (typeA != typeB || (a.id != b.id && typeA != ShapeType::Plane)) && option.enableContact &&
         option.maxNumContacts >= ContactManifold::kMaxContacts;
}

}  // namespace

// What a query costs beyond the pair itself counts for the simplest pairs: plain queries take the
// short way.
Status collide(const PlacedShape& object1, const PlacedShape& object2,
               const CollisionOption& option, CollisionResult& result) {
  if (!isPlain(object1, object2, option)) return collideAny(object1, object2, option, result);
  const ShapeType type1 = object1.shape->getType(), type2 = object2.shape->getType();
  const bool swap = type1 != type2 ? type2 < type1 : object2.id < object1.id;  // mustSwap()
  const PlacedShape& first = swap ? object2 : object1;
  const PlacedShape& second = swap ? object1 : object2;
  const PairQuery query = makeQuery(first, second, option.margin, true);
  ManifoldSink sink(result, first, second, swap, option.margin);
  pairFunctions(first.shape->getType(), second.shape->getType()).collide(query, sink);
  return {};
}

Status distance(const PlacedShape& object1, const PlacedShape& object2, DistanceResult& result) {
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
}

}  // namespace abut
