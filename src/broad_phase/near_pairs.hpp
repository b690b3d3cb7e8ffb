// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/broad_phase/bvh_broad_phase.hpp>

#include "broad_phase/box_tests.hpp"

namespace abut::inline v0_1 {

/// Pairs of boxes that meet, from pairs of wider boxes that are kept while the boxes stay within
/// these. Boxes that leave theirs are looked up one by one, until they are many.
///
/// What is found are the pairs of the boxes as they are: nothing that is remembered shows in it,
/// and there is nothing to save. Cost of a step in which little moves: a look at each box and at
/// each pair of wider ones.
class NearPairs {
public:
  /// Boxes of the present.
  struct Boxes {
    std::span<const ObjectId> ids;  ///< Ascending.
    std::span<const Aabb> boxes;
    std::span<const std::uint8_t> present;  ///< Others have no box.
    /// By how much wider a box may be that is kept [m], >= 0: cost alone depends on it.
    std::span<const double> slack;
  };

  /// Replaces `pairs` by all pairs of boxes that overlap, sorted. The work is done by `tasks`, if
  /// there are any. Fails as BroadPhase::update() does for a box that is none.
  Status find(const Boxes& now, TaskRunner* tasks, std::vector<ObjectPair>& pairs);
  /// Nothing is left in its buffers.
  void reset();

private:
  struct IndexPair {
    std::uint32_t first, second;
  };

  [[nodiscard]] bool isOfSameObjects(const Boxes& now) const;
  [[nodiscard]] bool stayWithin(const Boxes& now, TaskRunner* tasks);
  Status fillTree(const Boxes& now, bool widened);
  Status remember(const Boxes& now, TaskRunner* tasks);
  void filter(const Boxes& now, TaskRunner* tasks, std::vector<ObjectPair>& pairs);
  [[nodiscard]] std::size_t filterPart(const Boxes& now, std::size_t begin, std::size_t end,
                                       ObjectPair* pairs) const;
  Status addLoose(const Boxes& now, std::vector<ObjectPair>& pairs);

  bool is_valid_ = false;  // Whether there are wider boxes.
  int age_ = 0;            // Steps since they were made.
  int pause_ = 0;          // Steps until there is another attempt, where they did not last.
  BvhBroadPhase tree_;
  std::vector<ObjectId> ids_;  // Those in the tree.
  std::vector<std::uint8_t> present_;
  std::vector<Box> wide_;
  std::vector<IndexPair> candidates_;   // Sorted.
  std::vector<std::uint8_t> is_loose_;  // By object: whether it left its box.
  std::vector<std::uint32_t> loose_;
  std::vector<std::size_t> kept_;  // Of each part of the candidates.
  std::vector<ObjectId> near_;
  std::vector<ObjectPair> more_;
  std::vector<ObjectPair> merged_;  // Found in the tree, or merged: what else there is to write to.
};

}  // namespace abut::inline v0_1
