// SPDX-License-Identifier: MIT
#include "broad_phase/pair_search.hpp"

namespace abut::inline v0_1 {
namespace {

unsigned lowestLane(unsigned mask) {
  return static_cast<unsigned>(__builtin_ctz(mask));
}

/// Lanes after the given one.
unsigned lanesAfter(unsigned lane) {
  return 0xffu << (lane + 1) & 0xffu;
}

/// The level at which a tree's search is cut into parts.
int taskLevelOf(const BoxTree& tree) {
  const int top = tree.numLevels() - 1;
  return top < PairSearch::kTaskLevel ? top : PairSearch::kTaskLevel;
}

/// Goes through the upper levels as PairSearch does through the lower.
struct Planner {
  const BoxTree& tree;
  std::uint32_t number;
  std::vector<PairTask>& tasks;

  void self(int level, std::uint32_t i) {
    if (level == taskLevelOf(tree)) return tasks.push_back({number, number, i, i});
    const BoxNode& node = tree.node(level, i);
    for (unsigned lane = 0; lane < 8 && node.lo[0][lane] == node.lo[0][lane]; ++lane) {
      self(level - 1, 8 * i + lane);
      for (unsigned m = overlapMask(node, node, lane) & lanesAfter(lane); m != 0; m &= m - 1) {
        const unsigned other = lowestLane(m);
        cross(level - 1, 8 * i + lane, 8 * i + other, node, other);
      }
    }
  }
  void cross(int level, std::uint32_t i1, std::uint32_t i2, const BoxNode& parent2,
             unsigned laneOfParent2) {
    if (level == taskLevelOf(tree)) return tasks.push_back({number, number, i1, i2});
    const BoxNode &node1 = tree.node(level, i1), &node2 = tree.node(level, i2);
    for (unsigned m = overlapMask(node1, parent2, laneOfParent2); m != 0; m &= m - 1) {
      const unsigned lane1 = lowestLane(m);
      for (unsigned m2 = overlapMask(node2, node1, lane1); m2 != 0; m2 &= m2 - 1) {
        const unsigned lane2 = lowestLane(m2);
        cross(level - 1, 8 * i1 + lane1, 8 * i2 + lane2, node2, lane2);
      }
    }
  }
};

}  // namespace

void PairSearch::plan(const BoxTree& tree, std::uint32_t number, std::vector<PairTask>& tasks) {
  if (!tree.empty()) Planner{tree, number, tasks}.self(tree.numLevels() - 1, 0);
}

void PairSearch::within(const BoxTree& tree, bool wild, const PairTask& task) {
  wild_ = wild;
  tree_ = &tree;
  const int level = taskLevelOf(tree);
  if (task.first == task.second) return self(level, task.first);
  cross(level, task.first, task.second, tree.node(level + 1, task.second / 8), task.second % 8);
}

void PairSearch::between(std::uint32_t slot, const FloatBox& box, const BoxTree& tree) {
  tree.visitOverlaps(box, [&](std::uint32_t other) {
    if (!overlaps(boxes_[slot], boxes_[other])) return;
    pairs_.reserve(1);
    pairs_.add(slot, other);
  });
}

void PairSearch::self(int level, std::uint32_t i) {
  const BoxNode& node = tree_->node(level, i);
  for (unsigned lane = 0; lane < 8 && node.lo[0][lane] == node.lo[0][lane]; ++lane) {
    unsigned mask = overlapMask(node, node, lane) & lanesAfter(lane);
    if (level == 0) {
      if (mask != 0) emit(i, lane, i, mask);
      continue;
    }
    self(level - 1, 8 * i + lane);
    for (; mask != 0; mask &= mask - 1) {
      const unsigned other = lowestLane(mask);
      cross(level - 1, 8 * i + lane, 8 * i + other, node, other);
    }
  }
}

/// Children of node 1 with children of node 2, whose bounds stand in a lane of its parent.
void PairSearch::cross(int level, std::uint32_t i1, std::uint32_t i2, const BoxNode& parent2,
                       unsigned laneOfParent2) {
  const BoxNode &node1 = tree_->node(level, i1), &node2 = tree_->node(level, i2);
  unsigned mask1 = overlapMask(node1, parent2, laneOfParent2);
  for (; mask1 != 0; mask1 &= mask1 - 1) {
    const unsigned lane1 = lowestLane(mask1);
    unsigned mask2 = overlapMask(node2, node1, lane1);
    if (mask2 == 0) continue;
    if (level == 0) {
      emit(i1, lane1, i2, mask2);
      continue;
    }
    for (; mask2 != 0; mask2 &= mask2 - 1) {
      const unsigned lane2 = lowestLane(mask2);
      cross(level - 1, 8 * i1 + lane1, 8 * i2 + lane2, node2, lane2);
    }
  }
}

void PairSearch::emit(std::uint32_t leaf1, unsigned lane1, std::uint32_t leaf2, unsigned mask2) {
  const unsigned certain =
      wild_ ? 0u : certainMask(tree_->node(0, leaf2), tree_->node(0, leaf1), lane1);
  const std::uint32_t slot = tree_->slot(leaf1, lane1);
  pairs_.reserve(8);
  for (; mask2 != 0; mask2 &= mask2 - 1) {
    const unsigned lane2 = lowestLane(mask2);
    const std::uint32_t other = tree_->slot(leaf2, lane2);
    if ((certain >> lane2 & 1u) == 0 && !overlaps(boxes_[slot], boxes_[other])) continue;
    pairs_.add(slot, other);
  }
}

}  // namespace abut::inline v0_1
