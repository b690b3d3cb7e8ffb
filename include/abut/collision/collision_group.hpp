// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <Eigen/Geometry>

#include <abut/broad_phase/broad_phase.hpp>
#include <abut/collision/collision_filter.hpp>
#include <abut/collision/collision_object.hpp>
#include <abut/core/owned.hpp>
#include <abut/narrow_phase/cast.hpp>
#include <abut/narrow_phase/queries.hpp>

namespace abut::inline v0_1 {

/// What one query of a group did.
struct GroupReport {
  std::size_t pairsFound = 0;    ///< Pairs of overlapping boxes, or pairs given by the caller.
  std::size_t pairsIgnored = 0;  ///< Left out by the filter.
  /// Left out because both are planes: half-spaces that cross have no finite depth.
  std::size_t planePairs = 0;
  std::size_t pairsTested = 0;  ///< Handed to the narrow phase.
};

/// The closest pair found by a distance query.
struct GroupDistance {
  bool found = false;  ///< False if there was no pair to measure.
  ObjectId object1 = kNoObject;
  ObjectId object2 = kNoObject;
  DistanceResult result;  ///< Of object 1 and object 2.
};

/// A hit of a ray on a member of a group.
struct GroupRayHit {
  ObjectId object = kNoObject;
  RayHit hit;
};

/// Objects that are queried together: collision detection without dynamics.
///
/// Owns its objects. Every result depends on the objects present, their ids and poses, and on
/// nothing else: not on the order of insertion, on what was there before, or on the broad phase.
/// Ids that are not given are assigned 1, 2, 3, ... in order; those in use are passed over.
///
/// Queries use scratch memory of the group and allocate nothing once they have seen their sizes.
/// Use a group from one thread at a time.
class CollisionGroup {
public:
  /// Null broad phase: a BvhBroadPhase. Throws Error if the broad phase given is not empty.
  explicit CollisionGroup(std::unique_ptr<BroadPhase> broadPhase = nullptr);
  ~CollisionGroup();
  CollisionGroup(CollisionGroup&&) noexcept;
  CollisionGroup& operator=(CollisionGroup&&) noexcept;

  /// Takes the object; `id` is its id in the group. Fails with DuplicateObject for an id in use,
  /// with NonFinite if the object's box is not bounded by numbers.
  Status add(CollisionObject object, ObjectId& id);
  Status add(CollisionObject object);
  /// UnknownObject if there is none, as in all calls that take an id.
  Status remove(ObjectId id);
  void clear();
  /// Moves an object; failures of toPose(), and NonFinite as in add().
  Status setTransform(ObjectId id, const Eigen::Isometry3d& transform);
  Status setCategory(ObjectId id, std::uint32_t category, std::uint32_t mask);

  /// Null if there is none. The pointer ends with the next add() or remove().
  [[nodiscard]] const CollisionObject* find(ObjectId id) const;
  [[nodiscard]] std::size_t size() const;
  /// Ids in ascending order.
  void getIds(std::vector<ObjectId>& ids) const;

  /// Null: a DefaultCollisionFilter without exceptions, which is also what a new group has.
  void setFilter(std::shared_ptr<const CollisionFilter> filter);

  // Contacts; appended to `result`, sorted by pair of ids. Options and failures are those of
  // collide() in narrow_phase/queries.hpp; a call that fails appends nothing. With
  // CollisionOption::binaryCheck() the search ends at the first pair that collides.

  /// All pairs of the group. Object 1 is the one with the smaller id.
  Status collide(const CollisionOption& option, CollisionResult& result,
                 GroupReport* report = nullptr);
  /// Every object of this group (object 1) with every one of another. SelfPair for the same group.
  Status collide(CollisionGroup& other, const CollisionOption& option, CollisionResult& result,
                 GroupReport* report = nullptr);
  /// One object (object 1) with the group. A member with the object's own id is passed over.
  Status collide(const CollisionObject& object, const CollisionOption& option,
                 CollisionResult& result, GroupReport* report = nullptr);
  /// The pairs named, whatever the filter says; repetitions count once. SelfPair for twice the same
  /// id, UnknownObject for an id that is not in the group.
  Status collidePairs(std::span<const ObjectPair> pairs, const CollisionOption& option,
                      CollisionResult& result, GroupReport* report = nullptr);

  // Signed distance of the closest pair, or of the deepest one if some overlap; of equals the one
  // with the smallest ids. The filter applies; pairs of planes are left out.

  Status distance(GroupDistance& result, GroupReport* report = nullptr);
  Status distance(CollisionGroup& other, GroupDistance& result, GroupReport* report = nullptr);
  Status distance(const CollisionObject& object, GroupDistance& result,
                  GroupReport* report = nullptr);

  // Rays. `mask` selects objects by category. NonFinite or OutOfRange for a bad ray.

  /// First hit along the ray; of equal fractions the smallest id.
  Status raycast(const Ray& ray, bool& found, GroupRayHit& hit, std::uint32_t mask = 0xffffffffu);
  /// The first hit on each object, sorted by (fraction, id); replaces `hits`.
  Status raycastAll(const Ray& ray, std::vector<GroupRayHit>& hits,
                    std::uint32_t mask = 0xffffffffu);

  // Casts: the first member (object 2) that a moving object (object 1) touches; of equal fractions
  // the smallest id. Members stand still; one with the object's own id is passed over. The filter
  // applies; pairs of planes are left out. If a pair could not be decided before the first hit, the
  // result is that pair's, with status IterationLimit. Failures are those of narrow_phase/cast.hpp.

  /// Motion along a straight line by `displacement` [m].
  Status shapeCast(const CollisionObject& object, const Eigen::Vector3d& displacement,
                   CastResult& result, GroupReport* report = nullptr);
  /// Motion with rotation.
  Status timeOfImpact(const CollisionObject& object, const Motion& motion, CastResult& result,
                      GroupReport* report = nullptr);

private:
  struct Impl;
  Owned<Impl> impl_;
};

}  // namespace abut::inline v0_1
