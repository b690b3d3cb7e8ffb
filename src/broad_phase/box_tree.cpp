// SPDX-License-Identifier: MIT
#include "broad_phase/box_tree.hpp"

namespace abut::inline v0_1 {
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

/// All eight lanes at once: rows of four boxes become columns.
void setLanes(BoxNode& node, const std::uint64_t* order, const std::vector<FloatBox>& boxes) {
  for (int half = 0; half < 8; half += 4) {
    const FloatBox* box[4];
    for (int i = 0; i < 4; ++i) box[i] = &boxes[static_cast<std::uint32_t>(order[half + i])];
    Float4 x = box[0]->lo, y = box[1]->lo, z = box[2]->lo, w = box[3]->lo;
    transpose(x, y, z, w);
    std::memcpy(&node.lo[0][half], &x, sizeof x);
    std::memcpy(&node.lo[1][half], &y, sizeof y);
    std::memcpy(&node.lo[2][half], &z, sizeof z);
    x = box[0]->hi, y = box[1]->hi, z = box[2]->hi, w = box[3]->hi;
    transpose(x, y, z, w);
    std::memcpy(&node.hi[0][half], &x, sizeof x);
    std::memcpy(&node.hi[1][half], &y, sizeof y);
    std::memcpy(&node.hi[2][half], &z, sizeof z);
  }
}

/// Union of the eight boxes. Lane 0 is always there and the missing ones, which are the last, are
/// passed over by minOf and maxOf, which keep their first argument then.
FloatBox boundsOf(const BoxNode& node) {
  FloatBox box;
  Float8 x = load8(node.lo[0]), y = load8(node.lo[1]), z = load8(node.lo[2]);
  Float4 r0 = minOf(x.a, x.b), r1 = minOf(y.a, y.b), r2 = minOf(z.a, z.b), r3{};
  transpose(r0, r1, r2, r3);
  box.lo = minOf(minOf(minOf(r0, r1), r2), r3);
  x = load8(node.hi[0]), y = load8(node.hi[1]), z = load8(node.hi[2]);
  r0 = maxOf(x.a, x.b), r1 = maxOf(y.a, y.b), r2 = maxOf(z.a, z.b), r3 = Float4{};
  transpose(r0, r1, r2, r3);
  box.hi = maxOf(maxOf(maxOf(r0, r1), r2), r3);
  return box;
}

}  // namespace

void BoxTree::build(std::span<const std::uint64_t> order, const std::vector<FloatBox>& boxes) {
  slots_.resize(order.size());
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

  for (std::size_t i = 0; i < order.size(); ++i) slots_[i] = static_cast<std::uint32_t>(order[i]);
  const std::size_t whole = order.size() / 8;
  for (std::size_t i = 0; i < whole; ++i) setLanes(nodes_[i], &order[8 * i], boxes);
  for (std::size_t i = 8 * whole; i < order.size(); ++i) {
    setLane(nodes_[whole], i % 8, boxes[slots_[i]]);
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

}  // namespace abut::inline v0_1
