// SPDX-License-Identifier: MIT
#include "broad_phase/pair_search.hpp"

namespace abut {
namespace {

unsigned lowestLane(unsigned mask) {
  return static_cast<unsigned>(__builtin_ctz(mask));
}

/// Lanes after the given one.
unsigned lanesAfter(unsigned lane) {
  return 0xffu << (lane + 1) & 0xffu;
}

}  // namespace

void PairSearch::within(const BoxTree& tree, bool wild) {
  if (tree.empty()) return;
  tree_ = &tree;
  wild_ = wild;
  self(tree.numLevels() - 1, 0);
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
    const FloatBox box = laneOf(node, lane);
    unsigned mask = overlapMask(node, box) & lanesAfter(lane);
    if (level == 0) {
      if (mask != 0) emit(tree_->slot(i, lane), box, *tree_, i, mask);
      continue;
    }
    self(level - 1, 8 * i + lane);
    for (; mask != 0; mask &= mask - 1) {
      const unsigned other = lowestLane(mask);
      cross(level - 1, 8 * i + lane, 8 * i + other, laneOf(node, other));
    }
  }
}

/// Children of node 1 with children of node 2, whose bounds are given.
void PairSearch::cross(int level, std::uint32_t i1, std::uint32_t i2, const FloatBox& bounds2) {
  const BoxNode &node1 = tree_->node(level, i1), &node2 = tree_->node(level, i2);
  for (unsigned mask1 = overlapMask(node1, bounds2); mask1 != 0; mask1 &= mask1 - 1) {
    const unsigned lane1 = lowestLane(mask1);
    const FloatBox box1 = laneOf(node1, lane1);
    unsigned mask2 = overlapMask(node2, box1);
    if (mask2 == 0) continue;
    if (level == 0) {
      emit(tree_->slot(i1, lane1), box1, *tree_, i2, mask2);
      continue;
    }
    for (; mask2 != 0; mask2 &= mask2 - 1) {
      const unsigned lane2 = lowestLane(mask2);
      cross(level - 1, 8 * i1 + lane1, 8 * i2 + lane2, laneOf(node2, lane2));
    }
  }
}

void PairSearch::emit(std::uint32_t slot, const FloatBox& box, const BoxTree& tree,
                      std::uint32_t leaf, unsigned mask) {
  const unsigned certain = wild_ ? 0u : overlapMask(tree.node(0, leaf), shrunk(box));
  pairs_.reserve(8);
  for (; mask != 0; mask &= mask - 1) {
    const unsigned lane = lowestLane(mask);
    const std::uint32_t other = tree.slot(leaf, lane);
    if ((certain >> lane & 1u) == 0 && !overlaps(boxes_[slot], boxes_[other])) continue;
    pairs_.add(slot, other);
  }
}

}  // namespace abut
