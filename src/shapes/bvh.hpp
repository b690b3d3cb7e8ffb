// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// Axis-aligned box in some shape's frame; the internal twin of Aabb.
struct Bounds {
  Vec3 min;
  Vec3 max;
};

[[nodiscard]] inline Bounds merged(const Bounds& a, const Bounds& b) {
  return {minOf(a.min, b.min), maxOf(a.max, b.max)};
}
[[nodiscard]] inline bool overlaps(const Bounds& a, const Bounds& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
         a.min.z <= b.max.z && b.min.z <= a.max.z;
}
[[nodiscard]] inline Bounds grown(const Bounds& a, double by) {
  return {a.min - Vec3{by, by, by}, a.max + Vec3{by, by, by}};
}
/// Squared distance of a point from a box [m^2]; 0 inside.
[[nodiscard]] inline double squaredDistance(const Bounds& box, const Vec3& p) {
  const Vec3 d = maxOf(maxOf(box.min - p, p - box.max), Vec3{});
  return squaredNorm(d);
}
/// Distance of two boxes [m]; 0 if they overlap.
[[nodiscard]] inline double distanceOf(const Bounds& a, const Bounds& b) {
  return norm(maxOf(maxOf(a.min - b.max, b.min - a.max), Vec3{}));
}

/// Binary tree of boxes over the parts of a composite shape.
///
/// The tree is a function of the boxes alone (surface-area heuristic on fixed bins, ties by index).
/// Queries yield parts in an order that depends on the tree: callers sort or take minima with ties
/// by index, so that no result depends on it. Queries do not allocate.
class Bvh {
public:
  struct Node {
    Bounds bounds;
    std::uint32_t first = 0;  ///< Leaf: into getItems(). Inner: the right child; left is the next.
    std::uint32_t count = 0;  ///< Items of a leaf; 0 for an inner node.
  };

  /// A stack this deep suffices: past kMaxSahDepth halves are taken, at most 32 times more.
  static constexpr int kMaxSahDepth = 60;
  static constexpr int kStackSize = kMaxSahDepth + 36;

  /// One box per part, at least one.
  explicit Bvh(std::span<const Bounds> boxes);

  [[nodiscard]] const Bounds& getBounds() const { return nodes_[0].bounds; }
  [[nodiscard]] std::span<const Node> getNodes() const { return nodes_; }
  [[nodiscard]] std::span<const std::uint32_t> getItems() const { return items_; }

  /// Calls visit(item) for every part in the leaves that can be reached through boxes with
  /// enter(bounds): a superset of the parts whose own boxes have it.
  template <typename Enter, typename Visit>
  void forEachIn(Enter enter, Visit visit) const {
    std::uint32_t stack[kStackSize];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const std::uint32_t index = stack[--top];
      const Node& node = nodes_[index];
      if (!enter(node.bounds)) continue;
      if (node.count == 0) {
        stack[top++] = node.first;
        stack[top++] = index + 1;
      } else {
        for (std::uint32_t i = 0; i < node.count; ++i) visit(items_[node.first + i]);
      }
    }
  }
  template <typename Visit>
  void forEachOverlap(const Bounds& box, Visit visit) const {
    forEachIn([&](const Bounds& bounds) { return overlaps(bounds, box); }, visit);
  }

  /// Branch and bound: lower(bounds) is a lower bound of the cost of all parts inside, and
  /// visit(item) may lower `best`. Nodes with lower(bounds) > best are skipped; the nearer child
  /// goes first.
  template <typename Lower, typename Visit>
  void minimize(const double& best, Lower lower, Visit visit) const {
    struct Entry {
      std::uint32_t node;
      double bound;
    };
    Entry stack[kStackSize];
    int top = 0;
    stack[top++] = {0, lower(nodes_[0].bounds)};
    while (top > 0) {
      const Entry entry = stack[--top];
      if (entry.bound > best) continue;
      const Node& node = nodes_[entry.node];
      if (node.count == 0) {
        const Entry left{entry.node + 1, lower(nodes_[entry.node + 1].bounds)};
        const Entry right{node.first, lower(nodes_[node.first].bounds)};
        const bool leftFirst = left.bound <= right.bound;
        stack[top++] = leftFirst ? right : left;
        stack[top++] = leftFirst ? left : right;
      } else {
        for (std::uint32_t i = 0; i < node.count; ++i) visit(items_[node.first + i]);
      }
    }
  }

private:
  std::uint32_t build(std::span<const Bounds> boxes, std::uint32_t first, std::uint32_t count,
                      int depth, std::vector<std::uint32_t>& scratch);

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> items_;
};

/// Lower bound of the fraction at which a ray o + t d enters a box widened by `pad` [m]; a value
/// above `limit` if it misses it.
double rayEntry(const Bounds& box, const Vec3& origin, const Vec3& direction, double pad,
                double limit);

}  // namespace abut::inline v0_1
