// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <abut/core/object_id.hpp>
#include <abut/core/status.hpp>

namespace abut::inline v0_1 {

class CollisionObject;

/// Decides which pairs of a CollisionGroup are looked at.
class CollisionFilter {
public:
  virtual ~CollisionFilter() = default;

  /// True if the pair is to be left out. Must not depend on the order of the two, nor on anything
  /// that changes while a query runs. Called with the smaller id first.
  [[nodiscard]] virtual bool ignoresCollision(const CollisionObject& object1,
                                              const CollisionObject& object2) const = 0;
};

/// Two objects may collide if each one's category is in the other's mask, and the pair is not on a
/// list of exceptions.
class DefaultCollisionFilter final : public CollisionFilter {
public:
  [[nodiscard]] bool ignoresCollision(const CollisionObject& object1,
                                      const CollisionObject& object2) const override;

  /// Leaves a pair out, given in any order; does nothing if it is left out already. Objects need
  /// not exist. Fails with SelfPair for twice the same id, with OutOfRange for kNoObject.
  Status ignorePair(ObjectId object1, ObjectId object2);
  /// Lets the pair collide again. Fails with UnknownObject if it was not left out.
  Status restorePair(ObjectId object1, ObjectId object2);
  void clearPairs() { ignored_.clear(); }
  [[nodiscard]] std::size_t numIgnoredPairs() const { return ignored_.size(); }

private:
  std::vector<ObjectPair> ignored_;  // Sorted.
};

}  // namespace abut::inline v0_1
