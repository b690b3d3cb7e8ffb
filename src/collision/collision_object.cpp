// SPDX-License-Identifier: MIT
#include <utility>

#include <abut/collision/collision_object.hpp>

namespace abut::inline v0_1 {

CollisionObject::CollisionObject(std::shared_ptr<const Shape> shape,
                                 const Eigen::Isometry3d& transform, ObjectId id)
    : shape_(std::move(shape)), placed_{shape_.get(), poseFrom(transform), id} {
  if (!shape_) {
    throw Error(StatusCode::NullObject, "CollisionObject: the shape is null; give it one");
  }
}

CollisionObject::CollisionObject(std::shared_ptr<const Shape> shape, const Pose& pose, ObjectId id)
    : CollisionObject(std::move(shape), toEigen(pose), id) {}

Status CollisionObject::setTransform(const Eigen::Isometry3d& transform) {
  return toPose(transform, placed_.pose);
}

Status collide(const CollisionObject& object1, const CollisionObject& object2,
               const CollisionOption& option, CollisionResult& result) {
  return collide(object1.placed(), object2.placed(), option, result);
}

Status collide(const CollisionObject* object1, const CollisionObject* object2,
               const CollisionOption& option, CollisionResult& result) {
  if (object1 == nullptr || object2 == nullptr) {
    return Status::failure(StatusCode::NullObject, "collide: an object is null");
  }
  return collide(*object1, *object2, option, result);
}

DistanceResult distance(const CollisionObject& object1, const CollisionObject& object2) {
  DistanceResult result;
  distance(object1.placed(), object2.placed(), result).orThrow();
  return result;
}

}  // namespace abut::inline v0_1
