// SPDX-License-Identifier: MIT
#pragma once

#include "broad_phase/box_tree.hpp"
#include "broad_phase/pair_list.hpp"

namespace abut::inline v0_1 {

/// A part of a search: pairs of the children of two nodes of one tree, or of one; or pairs of
/// objects of a tree, by their place in it, with those of another tree.
struct PairTask {
  std::uint32_t tree = 0;               ///< Which one: its number.
  std::uint32_t other = 0;              ///< The other tree; the same for pairs within.
  std::uint32_t first = 0, second = 0;  ///< Nodes; or the first object and the end.
};

/// Finds pairs of overlapping boxes in trees, and appends each once to a list. Floats decide where
/// their error cannot matter; the rest is decided by the boxes themselves.
class PairSearch {
public:
  /// `boxes` are by slot.
  PairSearch(const std::vector<Box>& boxes, PairList& pairs) : boxes_(boxes), pairs_(pairs) {}

  /// Nodes of so many levels above the leaves are searched at once.
  static constexpr int kTaskLevel = 1;
  /// The parts of a search within a tree.
  static void plan(const BoxTree& tree, std::uint32_t number, std::vector<PairTask>& tasks);

  /// One of them. `wild`: the tree's floats do not bound its boxes closely.
  void within(const BoxTree& tree, bool wild, const PairTask& task);

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

}  // namespace abut::inline v0_1
