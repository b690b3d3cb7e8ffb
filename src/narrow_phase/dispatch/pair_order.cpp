// SPDX-License-Identifier: MIT
#include "narrow_phase/dispatch/pair_order.hpp"

#include <abut/math/convert.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "core/check.hpp"

namespace abut::inline v0_1 {

bool poseLess(const Pose& a, const Pose& b) {
  if (a.translation != b.translation) return lexicographicLess(a.translation, b.translation);
  if (a.rotation.x != b.rotation.x) return lexicographicLess(a.rotation.x, b.rotation.x);
  if (a.rotation.y != b.rotation.y) return lexicographicLess(a.rotation.y, b.rotation.y);
  return lexicographicLess(a.rotation.z, b.rotation.z);
}

Status checkPose(const PlacedShape& object) {
  if (isSoundPose(object.pose)) return {};
  const Mat3& r = object.pose.rotation;
  if (!isFinite(object.pose.translation) || !isFinite(r.x) || !isFinite(r.y) || !isFinite(r.z)) {
    return Status::failure(StatusCode::NonFinite,
                           "query: the pose of an object is not finite; check what computed it",
                           object.id);
  }
  if (!isPlace(object.pose.translation)) {
    return Status::failure(StatusCode::OutOfRange,
                           "query: an object is farther than " + toText(kMaxPlace) +
                               " m from the origin; move both objects nearer",
                           object.id);
  }
  return Status::failure(StatusCode::NotARotation,
                         "query: the pose of an object is not a rotation (determinant " +
                             toText(determinant(r)) +
                             "); remove scale, shear or mirroring, or let toPose() look at it",
                         object.id);
}

Status checkPair(const PlacedShape& object1, const PlacedShape& object2) {
  if (object1.shape == nullptr || object2.shape == nullptr) {
    const PlacedShape& bad = object1.shape == nullptr ? object1 : object2;
    return Status::failure(StatusCode::NullObject,
                           "query: an object has no shape; give both objects one", bad.id);
  }
  for (const PlacedShape* object : {&object1, &object2}) {
    Status status = checkPose(*object);
    if (!status) return status;
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

}  // namespace abut::inline v0_1
