// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <abut/core/object_id.hpp>
#include <abut/core/tasks.hpp>

namespace abut::inline v0_1 {

/// Pairs of slots, in any order, each once.
class PairList {
public:
  struct SlotPair {
    std::uint32_t first;
    std::uint32_t second;
  };

  /// Empty. Growing beyond `limit` pairs throws abut::Error(LimitExceeded).
  void clear(std::size_t limit = static_cast<std::size_t>(-1)) {
    size_ = 0;
    limit_ = limit;
  }
  /// Gives room back that is far more than the pairs need.
  void trim();
  /// Room for `count` more pairs: needed before add().
  void reserve(std::size_t count) {
    if (pairs_.size() - size_ < count) grow(count);
  }
  /// The two slots differ, and the pair is new.
  void add(std::uint32_t slot1, std::uint32_t slot2) {
    const std::uint32_t first = slot1 < slot2 ? slot1 : slot2;
    pairs_[size_++] = {first, slot1 ^ slot2 ^ first};
  }
  [[nodiscard]] std::span<const SlotPair> getPairs() const { return {pairs_.data(), size_}; }

private:
  void grow(std::size_t count);

  std::vector<SlotPair> pairs_;  // The first size_ are live.
  std::size_t size_ = 0;
  std::size_t limit_ = static_cast<std::size_t>(-1);
};

/// Turns lists of pairs of slots into one sorted list of pairs of ids.
class PairSorter {
public:
  /// Replaces `pairs` by the pairs of all lists, sorted by (first, second). ids[slot] ascends with
  /// the slot. `tasks` may do the work. Throws abut::Error(LimitExceeded) for more than `limit`
  /// pairs or 2^32.
  void run(std::span<const PairList> lists, const std::vector<ObjectId>& ids, TaskRunner* tasks,
           std::size_t limit, std::vector<ObjectPair>& pairs);

private:
  using SlotPair = PairList::SlotPair;

  std::vector<std::uint32_t> starts_;  // By first slot: number of pairs, then where they end.
};

}  // namespace abut::inline v0_1
