// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "narrow_phase/manifold_sink.hpp"
#include "narrow_phase/pair_table.hpp"
#include "narrow_phase/thin.hpp"

namespace abut {
namespace {

bool poseLess(const Pose& a, const Pose& b) {
  if (a.translation != b.translation) return lexicographicLess(a.translation, b.translation);
  if (a.rotation.x != b.rotation.x) return lexicographicLess(a.rotation.x, b.rotation.x);
  if (a.rotation.y != b.rotation.y) return lexicographicLess(a.rotation.y, b.rotation.y);
  return lexicographicLess(a.rotation.z, b.rotation.z);
}

/// True if the pair has to be exchanged to stand in the order in which it is computed: by type,
/// then id, then pose. A total order but for two shapes without ids at the very same place.
bool mustSwap(const PlacedShape& a, const PlacedShape& b) {
  const ShapeType typeA = a.shape->getType(), typeB = b.shape->getType();
  if (typeA != typeB) return typeB < typeA;
  if (a.id != b.id) return b.id < a.id;
  return poseLess(b.pose, a.pose);
}

PairQuery makeQuery(const PlacedShape& first, const PlacedShape& second, double margin,
                    bool enableContact) {
  return {*first.shape,
          *second.shape,
          {first.pose.rotation, {}},
          {second.pose.rotation, second.pose.translation - first.pose.translation},
          margin,
          enableContact};
}

Status checkPair(const PlacedShape& object1, const PlacedShape& object2) {
  if (object1.shape == nullptr || object2.shape == nullptr) {
    const PlacedShape& bad = object1.shape == nullptr ? object1 : object2;
    return Status::failure(StatusCode::NullObject,
                           "query: an object has no shape; give both objects one", bad.id);
  }
  if (object1.shape->getType() != ShapeType::Plane ||
      object2.shape->getType() != ShapeType::Plane) {
    return {};
  }
  const Vec3 n1 =
      object1.pose.rotation * toVec3(static_cast<const PlaneShape&>(*object1.shape).getNormal());
  const Vec3 n2 =
      object2.pose.rotation * toVec3(static_cast<const PlaneShape&>(*object2.shape).getNormal());
  // Two unit normals that oppose each other sum to zero but for the rounding of two products.
  constexpr double kOpposed = 1e-14;
  if (norm(n1 + n2) <= kOpposed) return {};
  return Status::failure(StatusCode::UnboundedOverlap,
                         "query: two half-spaces cross, so their overlap has no finite depth; "
                         "filter pairs of planes, or use boxes",
                         object1.id);
}

}  // namespace

Status collide(const PlacedShape& object1, const PlacedShape& object2,
               const CollisionOption& option, CollisionResult& result) {
  Status status = checkPair(object1, object2);
  if (!status) return status;
  if (!(option.margin >= 0.0) || !isFinite(option.margin)) {
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
  ManifoldSink sink(result, first.pose.translation, swap, object1.id, object2.id);
  pairFunctions(first.shape->getType(), second.shape->getType()).collide(query, sink);
  if (!option.enableContact) {
    if (result.numManifolds() != before) result.markCollision();
    result.truncate(before);
  } else {
    thinManifolds(result, before, option.maxNumContacts, swap);
  }
  return {};
}

Status distance(const PlacedShape& object1, const PlacedShape& object2, DistanceResult& result) {
  Status status = checkPair(object1, object2);
  if (!status) return status;
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
