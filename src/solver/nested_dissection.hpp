// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace abut::inline v0_1 {

/// Neighbours of the nodes of a graph: those of node i are node[start[i]] up to node[start[i + 1]],
/// ascending, without i itself.
struct Neighbours {
  std::vector<std::uint32_t> start, node;

  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t i) const {
    return std::span(node).subspan(start[i], start[i + 1] - start[i]);
  }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(start.size() - 1); }
};

/// An order of elimination with little fill: nested dissection. A graph is cut in two by a small
/// set of nodes that come last; each part likewise. Cuts start from distances to a few nodes far
/// from each other: halves that are nearer to one, or to one than to another. The smallest of them
/// are made smaller by moving single nodes, and the best is taken. Ties go to the smaller node:
/// equal graphs give equal orders. Cost about O(n log n).
class NestedDissection {
public:
  /// order[i] is the node at place i.
  void find(const Neighbours& graph, std::vector<std::uint32_t>& order);

private:
  enum Side : std::uint8_t { kSeparator, kLeft, kRight, kOutside };
  struct Cut {
    std::uint32_t separator = 0, left = 0, right = 0;
    [[nodiscard]] std::uint64_t cost() const;
  };

  void dissect(std::uint32_t begin, std::uint32_t end);
  void orderLeaf(std::uint32_t begin, std::uint32_t end);
  std::uint32_t levelsFrom(std::uint32_t root, std::uint32_t begin);
  bool cutOffComponent(std::uint32_t begin, std::uint32_t end, std::uint32_t& middle);
  Cut halve(std::uint32_t begin, std::uint32_t end);
  void findCorners(std::uint32_t begin, std::uint32_t end);
  Cut cutBy(std::size_t corner, std::size_t other, std::uint32_t begin, std::uint32_t end);
  Cut refine(std::uint32_t begin, std::uint32_t end, Cut cut);
  bool improve(std::uint32_t begin, std::uint32_t end, Cut& cut);
  void moveOut(std::uint32_t node, Side to, Cut& cut);

  const Neighbours* graph_ = nullptr;
  std::vector<std::uint32_t> nodes_;  // In order of elimination, part by part.
  std::vector<std::uint32_t> part_;   // Mark of the part that a node belongs to.
  std::vector<std::uint32_t> queue_, level_, separator_, scratch_;
  std::vector<std::uint8_t> side_, best_, moved_;
  struct Move {
    std::uint32_t node;
    std::uint8_t from;
  };
  std::vector<Move> trail_;
  std::size_t num_corners_ = 0;
  std::vector<std::vector<std::uint32_t>> distance_;  // From each corner, by node.
  std::vector<std::pair<std::int64_t, std::uint32_t>> keys_;
  struct Start {
    std::uint64_t cost;
    std::size_t corner, other;
  };
  std::vector<Start> starts_;
  std::uint32_t mark_ = 0;
};

}  // namespace abut::inline v0_1
