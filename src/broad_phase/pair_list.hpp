// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <abut/core/object_id.hpp>

#include "broad_phase/box_tests.hpp"

namespace abut {

/// Pairs of slots that may overlap, in any order, turned into a sorted list of pairs of ids.
class PairList {
public:
  void clear() { size_ = 0; }

  /// Room for `count` more pairs: needed before add().
  void reserve(std::size_t count) {
    if (pairs_.size() - size_ < count) grow(count);
  }
  void add(std::uint32_t slot1, std::uint32_t slot2) { pairs_[size_++] = {slot1, slot2}; }

  /// Replaces `pairs` by the pairs whose boxes overlap, sorted by (first, second). `ids` and
  /// `boxes` are by slot; ids ascend.
  void finish(const std::vector<ObjectId>& ids, const std::vector<Box>& boxes,
              std::vector<ObjectPair>& pairs);

private:
  struct SlotPair {
    std::uint32_t first;
    std::uint32_t second;
  };

  void grow(std::size_t count);
  void keepOverlapping(const std::vector<Box>& boxes);

  std::vector<SlotPair> pairs_;  // The first size_ are live.
  std::size_t size_ = 0;
  std::vector<std::uint32_t> ends_;     // By first slot: number of pairs, then end in seconds_.
  std::vector<std::uint32_t> seconds_;  // Second slots, grouped by first slot.
};

}  // namespace abut
