// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <abut/core/object_id.hpp>

namespace abut {

/// Pairs of slots, in any order, turned into a sorted list of pairs of ids.
class PairList {
public:
  /// Empties the list; slots will be below `numSlots`.
  void start(std::size_t numSlots);

  /// Room for `count` more pairs: needed before add().
  void reserve(std::size_t count) {
    if (pairs_.size() - size_ < count) grow(count);
  }
  /// The two slots differ, and the pair is new.
  void add(std::uint32_t slot1, std::uint32_t slot2) {
    const std::uint32_t first = slot1 < slot2 ? slot1 : slot2;
    pairs_[size_++] = {first, slot1 ^ slot2 ^ first};
    ++starts_[first];
  }

  /// Replaces `pairs` by the list sorted by (first, second). ids[slot] ascends with the slot.
  void finish(const std::vector<ObjectId>& ids, std::vector<ObjectPair>& pairs);

private:
  struct SlotPair {
    std::uint32_t first;
    std::uint32_t second;
  };

  void grow(std::size_t count);
  void sortByFirst();

  std::vector<SlotPair> pairs_;  // The first size_ are live.
  std::size_t size_ = 0;
  std::vector<std::uint32_t> starts_;  // By first slot: number of pairs, then place in sorted_.
  std::vector<SlotPair> sorted_;
};

}  // namespace abut
