// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <abut/collision/collision_group.hpp>

#include "broad_phase/id_index.hpp"

namespace abut::inline v0_1 {

/// A member near the object of a distance query.
struct NearMember {
  double bound;  ///< The boxes are at least this far apart [m]; -infinity if they overlap.
  ObjectId id;
};

struct CollisionGroup::Impl {
  std::vector<CollisionObject> objects;  // In any order; found by id.
  IdIndex slots;
  ObjectId nextId = 1;
  std::unique_ptr<BroadPhase> broadPhase;
  std::shared_ptr<const CollisionFilter> filter;
  double margin = 0.0;  // Boxes in the broad phase reach half of this [m] beyond the objects.

  // Scratch of the queries.
  std::vector<ObjectPair> pairs;
  std::vector<ObjectId> ids;
  std::vector<ObjectId> members;
  std::vector<NearMember> near;
  std::vector<RayCandidate> candidates;
  CollisionResult yesOrNo;

  [[nodiscard]] const CollisionObject* find(ObjectId id) const {
    const std::uint32_t slot = slots.find(id);
    return slot == IdIndex::kNone ? nullptr : &objects[slot];
  }
  [[nodiscard]] const CollisionObject& get(ObjectId id) const { return objects[slots.find(id)]; }

  void sortedIds(std::vector<ObjectId>& result) const;
  /// Gives every box in the broad phase the reach that a query with this margin needs.
  void setMargin(double newMargin);

  /// False, and counted, if the pair is not to be looked at.
  bool wants(const CollisionObject& object1, const CollisionObject& object2,
             GroupReport& report) const;
  /// Narrow phase for one pair; true if the search may end.
  bool collidePair(const CollisionObject& object1, const CollisionObject& object2,
                   const CollisionOption& option, CollisionResult& result);
  /// An object of elsewhere (object 1) with the members; true if the search may end.
  bool collideObject(const CollisionObject& object, bool skipOwnId, const CollisionOption& option,
                     CollisionResult& result, GroupReport& report);

  /// Measures a pair and keeps it if it is closer than the best so far.
  void measure(const CollisionObject& object1, const CollisionObject& object2, GroupDistance& best,
               GroupReport& report);
  /// Closest member with an id above `after` and a box at least `done` away (-infinity: any), if
  /// closer than the best so far.
  void measureNear(const CollisionObject& object, ObjectId after, bool skipOwnId, double done,
                   GroupDistance& best, GroupReport& report);
};

/// World box of an object for the broad phase: its own, and beyond it half the margin and what
/// still counts as touching.
Aabb reachOf(const CollisionObject& object, double margin);

inline bool arePlanes(const CollisionObject& object1, const CollisionObject& object2) {
  return object1.getShape().getType() == ShapeType::Plane &&
         object2.getShape().getType() == ShapeType::Plane;
}

inline void writeReport(const GroupReport& counted, GroupReport* report) {
  if (report != nullptr) *report = counted;
}

/// Failure for options that collide() would refuse.
Status checkOption(const CollisionOption& option);

}  // namespace abut::inline v0_1
