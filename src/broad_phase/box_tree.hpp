// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "broad_phase/float8.hpp"
#include "broad_phase/float_box.hpp"

namespace abut::inline v0_1 {

/// Eight boxes side by side. Missing ones are NaN, which no comparison accepts.
struct alignas(16) BoxNode {
  float lo[3][8];
  float hi[3][8];
};

/// Lanes of `node` that overlap the box with the given bounds.
inline unsigned overlapMask(const BoxNode& node, const Float4 (&lo)[3], const Float4 (&hi)[3]) {
  const Mask8 x = atMost(load8(node.lo[0]), hi[0]) & atLeast(load8(node.hi[0]), lo[0]);
  const Mask8 y = atMost(load8(node.lo[1]), hi[1]) & atLeast(load8(node.hi[1]), lo[1]);
  const Mask8 z = atMost(load8(node.lo[2]), hi[2]) & atLeast(load8(node.hi[2]), lo[2]);
  return bitsOf(x & y & z);
}
inline unsigned overlapMask(const BoxNode& node, const FloatBox& box) {
  return overlapMask(node, {splat4(box.lo[0]), splat4(box.lo[1]), splat4(box.lo[2])},
                     {splat4(box.hi[0]), splat4(box.hi[1]), splat4(box.hi[2])});
}
/// Lanes of `node` that overlap one lane of another.
inline unsigned overlapMask(const BoxNode& node, const BoxNode& other, unsigned lane) {
  return overlapMask(
      node, {splat4(other.lo[0][lane]), splat4(other.lo[1][lane]), splat4(other.lo[2][lane])},
      {splat4(other.hi[0][lane]), splat4(other.hi[1][lane]), splat4(other.hi[2][lane])});
}

/// Lanes of `node` that overlap one lane of another for certain; neither has wild boxes.
inline unsigned certainMask(const BoxNode& node, const BoxNode& other, unsigned lane) {
  return overlapMask(node,
                     {splat4(insideLo(other.lo[0][lane])), splat4(insideLo(other.lo[1][lane])),
                      splat4(insideLo(other.lo[2][lane]))},
                     {splat4(insideHi(other.hi[0][lane])), splat4(insideHi(other.hi[1][lane])),
                      splat4(insideHi(other.hi[2][lane]))});
}

/// An implicit tree of eight children a node over boxes in curve order: node i of a level holds
/// the bounds of nodes 8i .. 8i+7 of the level below; level 0 holds the objects' boxes.
class BoxTree {
public:
  /// The low halves of `order` are slots; neighbours in the list share nodes.
  void build(std::span<const std::uint64_t> order, const std::vector<FloatBox>& boxes);

  [[nodiscard]] bool empty() const { return slots_.empty(); }
  [[nodiscard]] int numLevels() const { return num_levels_; }
  [[nodiscard]] const BoxNode& node(int level, std::uint32_t i) const {
    return nodes_[first_[level] + i];
  }
  /// The slot in lane `lane` of leaf `leaf`.
  [[nodiscard]] std::uint32_t slot(std::uint32_t leaf, unsigned lane) const {
    return slots_[8 * static_cast<std::size_t>(leaf) + lane];
  }
  /// The slots in the order of the tree.
  [[nodiscard]] std::span<const std::uint32_t> getSlots() const { return slots_; }

  /// Calls found(slot) for every leaf box that the box may overlap.
  template <typename Found>
  void visitOverlaps(const FloatBox& box, Found&& found) const {
    if (!empty()) visitOverlaps(num_levels_ - 1, 0, box, found);
  }

  /// Calls found(slot) for every object such that accept(bounds) holds for it and all its
  /// ancestors; bounds are given in the world frame (`origin` is that of the floats).
  template <typename Accept, typename Found>
  void visit(const Vec3& origin, Accept&& accept, Found&& found) const {
    if (!empty()) visit(num_levels_ - 1, 0, origin, accept, found);
  }

private:
  static constexpr int kMaxLevels = 12;  // 8^11 > 2^32.

  template <typename Found>
  void visitOverlaps(int level, std::uint32_t i, const FloatBox& box, Found& found) const {
    for (unsigned m = overlapMask(node(level, i), box); m != 0; m &= m - 1) {
      const unsigned lane = static_cast<unsigned>(__builtin_ctz(m));
      if (level == 0) {
        found(slot(i, lane));
      } else {
        visitOverlaps(level - 1, 8 * i + lane, box, found);
      }
    }
  }

  template <typename Accept, typename Found>
  void visit(int level, std::uint32_t i, const Vec3& origin, Accept& accept, Found& found) const {
    const BoxNode& n = node(level, i);
    for (unsigned lane = 0; lane < 8 && n.lo[0][lane] == n.lo[0][lane]; ++lane) {
      // Rounding is monotone: float + origin <= true bound implies the same of its rounded value.
      const Box bounds{
          {n.lo[0][lane] + origin.x, n.lo[1][lane] + origin.y, n.lo[2][lane] + origin.z},
          {n.hi[0][lane] + origin.x, n.hi[1][lane] + origin.y, n.hi[2][lane] + origin.z}};
      if (!accept(bounds)) continue;
      if (level == 0) {
        found(slot(i, lane));
      } else {
        visit(level - 1, 8 * i + lane, origin, accept, found);
      }
    }
  }

  std::vector<BoxNode> nodes_;
  std::vector<std::uint32_t> slots_;
  std::uint32_t first_[kMaxLevels] = {};
  int num_levels_ = 0;
};

}  // namespace abut::inline v0_1
