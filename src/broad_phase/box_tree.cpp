// SPDX-License-Identifier: MIT
#include "broad_phase/box_tree.hpp"

namespace abut {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

void setLane(BoxNode& node, unsigned lane, const FloatBox& box) {
  for (int axis = 0; axis < 3; ++axis) {
    node.lo[axis][lane] = box.lo[axis];
    node.hi[axis][lane] = box.hi[axis];
  }
}

void clearLanes(BoxNode& node, unsigned first) {
  for (unsigned lane = first; lane < 8; ++lane) {
    for (int axis = 0; axis < 3; ++axis) node.lo[axis][lane] = node.hi[axis][lane] = kMissing;
  }
}

/// Union of the eight boxes. Lane 0 is always there, and comparisons skip the missing ones.
FloatBox boundsOf(const BoxNode& node) {
  FloatBox box = laneOf(node, 0);
  for (int axis = 0; axis < 3; ++axis) {
    for (unsigned lane = 1; lane < 8; ++lane) {
      const float lo = node.lo[axis][lane], hi = node.hi[axis][lane];
      box.lo[axis] = lo < box.lo[axis] ? lo : box.lo[axis];
      box.hi[axis] = hi > box.hi[axis] ? hi : box.hi[axis];
    }
  }
  return box;
}

}  // namespace

void BoxTree::build(std::span<const std::uint32_t> order, const std::vector<FloatBox>& boxes) {
  slots_.assign(order.begin(), order.end());
  num_levels_ = 0;
  if (order.empty()) return;
  std::uint32_t total = 0;
  std::size_t count = order.size();
  do {
    count = (count + 7) / 8;
    first_[num_levels_++] = total;
    total += static_cast<std::uint32_t>(count);
  } while (count > 1);
  if (nodes_.size() < total) nodes_.resize(total);

  for (std::size_t i = 0; i < order.size(); ++i) {
    setLane(nodes_[i / 8], i % 8, boxes[order[i]]);
  }
  count = order.size();
  for (int level = 0; level < num_levels_; ++level) {
    const std::uint32_t lanes = static_cast<std::uint32_t>(count);
    BoxNode* nodes = &nodes_[first_[level]];
    if (lanes % 8 != 0) clearLanes(nodes[lanes / 8], lanes % 8);
    count = (count + 7) / 8;
    if (level + 1 == num_levels_) break;
    BoxNode* parents = &nodes_[first_[level + 1]];
    for (std::uint32_t i = 0; i < count; ++i) setLane(parents[i / 8], i % 8, boundsOf(nodes[i]));
  }
}

}  // namespace abut
