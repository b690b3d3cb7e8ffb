// SPDX-License-Identifier: MIT
#pragma once

#include "broad_phase/box_tree.hpp"
#include "broad_phase/pair_list.hpp"

namespace abut {

/// Finds pairs of boxes in trees that may overlap, and appends each once to a list.
class PairSearch {
public:
  explicit PairSearch(PairList& pairs) : pairs_(pairs) {}

  /// Pairs within a tree.
  void within(const BoxTree& tree);

  /// Pairs of one object, whose floats are given, with those of a tree.
  void between(std::uint32_t slot, const FloatBox& box, const BoxTree& tree);

private:
  void self(int level, std::uint32_t node);
  void cross(int level, std::uint32_t node1, std::uint32_t node2, const BoxNode& parent2,
             unsigned lane2);
  void emit(std::uint32_t leaf1, unsigned lane1, std::uint32_t leaf2, unsigned mask2);

  PairList& pairs_;
  const BoxTree* tree_ = nullptr;
};

}  // namespace abut
