// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>

#include <abut/core/status.hpp>
#include <abut/math/types.hpp>
#include <abut/narrow_phase/collision_result.hpp>
#include <abut/shapes/shape.hpp>

namespace abut::inline v0_1 {

/// A shape at a place. The id orders the pair and may be kNoObject; then the poses do.
struct PlacedShape {
  const Shape* shape = nullptr;
  Pose pose;
  ObjectId id = kNoObject;
};

/// Signed distance of two shapes.
struct DistanceResult {
  double distance = 0.0;               ///< Gap [m]; negative: penetration depth.
  Eigen::Vector3d normal{0., 0., 0.};  ///< Unit, from object 2 to object 1, world frame.
  Eigen::Vector3d point1{0., 0., 0.};  ///< Witness on object 1, world frame [m].
  Eigen::Vector3d point2{0., 0., 0.};  ///< Witness on object 2, world frame [m].
  Feature feature1;
  Feature feature2;
  std::uint64_t subShape1 = 0;  ///< As in ContactManifold.
  std::uint64_t subShape2 = 0;
  QueryStatus status = QueryStatus::Separated;
};

namespace detail {

/// The short way of collide(): for two shapes with a pair function, whole manifolds asked for, and
/// memory for one. False if the query is none of these, or needs more; nothing has changed then.
bool collideShort(const PlacedShape& object1, const PlacedShape& object2,
                  const CollisionOption& option, CollisionResult& result);
/// The long way: any query.
Status collideLong(const PlacedShape& object1, const PlacedShape& object2,
                   const CollisionOption& option, CollisionResult& result);

}  // namespace detail

/// Contacts of two placed shapes; appended to `result`. Works for every pair of shapes.
///
/// Fails with NullObject for a missing shape, with NonFinite or NotARotation for a bad pose (of a
/// ball too), with OutOfRange for one beyond 1e30 m, and with UnboundedOverlap for two planes that
/// cross; nothing is appended then.
inline Status collide(const PlacedShape& object1, const PlacedShape& object2,
                      const CollisionOption& option, CollisionResult& result) {
  if (detail::collideShort(object1, object2, option, result)) [[likely]]
    return {};
  return detail::collideLong(object1, object2, option, result);
}

/// Signed distance and witness points of two placed shapes. Works for every pair of shapes;
/// `result` is written only on success. Composite shapes: the signed distance of the nearest, or
/// the deepest, pair of parts. Failures as for collide().
Status distance(const PlacedShape& object1, const PlacedShape& object2, DistanceResult& result);

/// First entry of a world ray into a placed shape. Returns Ok with `found` false if there is none.
/// Fails with NonFinite or OutOfRange for a bad ray.
Status raycast(const PlacedShape& object, const Ray& ray, bool& found, RayHit& hit);

}  // namespace abut::inline v0_1
