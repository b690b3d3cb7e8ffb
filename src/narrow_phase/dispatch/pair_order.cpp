// SPDX-License-Identifier: MIT
#include "narrow_phase/dispatch/pair_order.hpp"

#include <abut/math/convert.hpp>
#include <abut/shapes/plane_shape.hpp>

namespace abut {

bool poseLess(const Pose& a, const Pose& b) {
  if (a.translation != b.translation) return lexicographicLess(a.translation, b.translation);
  if (a.rotation.x != b.rotation.x) return lexicographicLess(a.rotation.x, b.rotation.x);
  if (a.rotation.y != b.rotation.y) return lexicographicLess(a.rotation.y, b.rotation.y);
  return lexicographicLess(a.rotation.z, b.rotation.z);
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

}  // namespace abut
