// SPDX-License-Identifier: MIT
#pragma once

#include "broad_phase/box_tree.hpp"
#include "broad_phase/pair_list.hpp"

namespace abut {

/// Finds pairs of overlapping boxes in trees, and appends each once to a list. Floats decide where
/// their error cannot matter; the rest is decided by the boxes themselves.
class PairSearch {
public:
  /// `boxes` are by slot.
  PairSearch(const std::vector<Box>& boxes, PairList& pairs) : boxes_(boxes), pairs_(pairs) {}

  /// Pairs within a tree. `wild`: the tree's floats do not bound its boxes closely.
  void within(const BoxTree& tree, bool wild);

  /// Pairs of one object, whose floats are given, with those of a tree.
  void between(std::uint32_t slot, const FloatBox& box, const BoxTree& tree);

private:
  void self(int level, std::uint32_t node);
  void cross(int level, std::uint32_t node1, std::uint32_t node2, const BoxNode& parent2,
             unsigned lane2);
  void emit(std::uint32_t leaf1, unsigned lane1, std::uint32_t leaf2, unsigned mask2);

  const std::vector<Box>& boxes_;
  PairList& pairs_;
  bool wild_ = false;
  const BoxTree* tree_ = nullptr;
};

}  // namespace abut
