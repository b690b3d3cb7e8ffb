// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include <Eigen/Geometry>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/shape.hpp>

namespace abut::inline v0_1 {

/// A shape at a place, with an identity and what it may collide with.
class CollisionObject {
public:
  /// Throws abut::Error for a null shape or a transform that is not a finite rigid motion.
  /// An id of kNoObject is replaced by the CollisionGroup that takes the object.
  explicit CollisionObject(std::shared_ptr<const Shape> shape,
                           const Eigen::Isometry3d& transform = Eigen::Isometry3d::Identity(),
                           ObjectId id = kNoObject);
  CollisionObject(std::shared_ptr<const Shape> shape, const Pose& pose, ObjectId id = kNoObject);
  /// The same for a shape by value.
  template <class AnyShape, class = std::enable_if_t<std::is_base_of_v<Shape, AnyShape>>>
  explicit CollisionObject(AnyShape shape, const Pose& pose = {}, ObjectId id = kNoObject)
      : CollisionObject(std::make_shared<AnyShape>(std::move(shape)), pose, id) {}

  [[nodiscard]] ObjectId getId() const { return placed_.id; }
  void setId(ObjectId id) { placed_.id = id; }

  [[nodiscard]] const Shape& getShape() const { return *shape_; }
  [[nodiscard]] const std::shared_ptr<const Shape>& getShapePtr() const { return shape_; }

  [[nodiscard]] Eigen::Isometry3d getTransform() const { return toEigen(placed_.pose); }
  [[nodiscard]] const Pose& getPose() const { return placed_.pose; }
  /// Moves the object. A transform that is not a finite rigid motion is refused and changes
  /// nothing.
  Status setTransform(const Eigen::Isometry3d& transform);
  /// The same for a pose that is valid already (see toPose()).
  void setPose(const Pose& pose) { placed_.pose = pose; }

  /// Two objects may collide if each one's category is in the other's mask.
  [[nodiscard]] std::uint32_t getCategory() const { return category_; }
  [[nodiscard]] std::uint32_t getMask() const { return mask_; }
  void setCategory(std::uint32_t category) { category_ = category; }
  void setMask(std::uint32_t mask) { mask_ = mask; }

  /// World box; never too small.
  [[nodiscard]] Aabb computeAabb() const { return shape_->computeAabb(placed_.pose); }

  /// The object as the queries of the narrow phase take it. Ends with the object.
  [[nodiscard]] const PlacedShape& placed() const { return placed_; }

private:
  std::shared_ptr<const Shape> shape_;
  PlacedShape placed_;  // Of *shape_.
  std::uint32_t category_ = 1;
  std::uint32_t mask_ = 0xffffffffu;
};

/// Contacts of two objects, appended to `result`; see collide() in narrow_phase/queries.hpp. The
/// objects' categories and masks do not matter here.
Status collide(const CollisionObject& object1, const CollisionObject& object2,
               const CollisionOption& option, CollisionResult& result);
/// The same for pointers; a null pointer is a failure (NullObject).
Status collide(const CollisionObject* object1, const CollisionObject* object2,
               const CollisionOption& option, CollisionResult& result);

/// Signed distance of two objects. Throws abut::Error where distance() of narrow_phase/queries.hpp
/// would fail (two planes that cross).
[[nodiscard]] DistanceResult distance(const CollisionObject& object1,
                                      const CollisionObject& object2);

}  // namespace abut::inline v0_1
