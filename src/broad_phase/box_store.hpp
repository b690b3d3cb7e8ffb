// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <abut/broad_phase/broad_phase.hpp>

#include "broad_phase/box_tests.hpp"
#include "broad_phase/id_index.hpp"

namespace abut::inline v0_1 {

/// Ids and boxes in slots, with every check of the caller's input. Shared by the implementations of
/// BroadPhase.
///
/// After order() the slots are numbered by ascending id without gaps, so that sorting by slot is
/// sorting by id. In between, removed objects leave holes (id kNoObject) and new ones stand at the
/// end.
class BoxStore {
public:
  Status add(ObjectId id, const Aabb& box);
  /// `changed` tells whether the box differs from the stored one.
  Status update(ObjectId id, const Aabb& box, bool& changed);
  Status remove(ObjectId id);
  void clear();

  [[nodiscard]] std::size_t size() const { return ids_.size() - holes_; }
  [[nodiscard]] bool contains(ObjectId id) const { return index_.find(id) != IdIndex::kNone; }
  Status getBox(ObjectId id, Aabb& box) const;

  /// O(n) if objects came or went since the last call, else nothing.
  void order();

  // By slot; holes included.
  [[nodiscard]] const std::vector<ObjectId>& getIds() const { return ids_; }
  [[nodiscard]] const std::vector<Box>& getBoxes() const { return boxes_; }

  // Queries that look at every box; see BroadPhase.
  void overlapLinear(const Box& box, std::vector<ObjectId>& ids) const;
  void raycastLinear(const Sweep& ray, std::vector<RayCandidate>& candidates) const;
  void sweepLinear(const Sweep& sweep, std::vector<ObjectId>& ids) const;

private:
  [[nodiscard]] std::uint32_t slotOf(ObjectId id) const;
  void closeHoles();
  void mergeTail();

  std::vector<ObjectId> ids_;
  std::vector<Box> boxes_;
  std::size_t sorted_ = 0;  // Slots before this one ascend by id, holes aside.
  std::size_t holes_ = 0;
  IdIndex index_;
  std::uint32_t next_ = 0;  // Where the next update is expected: a hint, checked before use.

  struct Item {
    ObjectId id;
    Box box;
  };
  std::vector<Item> tail_;
};

/// Failure for a NaN or an inverted box; `where` opens the message.
Status checkBox(const char* where, const Box& box, ObjectId id);
/// Failure for a ray or motion that is not finite; `direction` may be zero only if `zeroAllowed`.
Status checkSweep(const char* where, const Sweep& sweep, bool zeroAllowed);

/// Order of RayCandidate: by entry, then id.
inline bool candidateLess(const RayCandidate& a, const RayCandidate& b) {
  return a.entry != b.entry ? a.entry < b.entry : a.id < b.id;
}

}  // namespace abut::inline v0_1
