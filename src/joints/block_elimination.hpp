// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "joints/single_inverse.hpp"
#include "math/block6.hpp"

namespace abut::inline v0_1 {

/// The nodes of a mechanism and which of them meet: bodies 0 up to numBodies, then constraints
/// between them, each of six rows.
struct MechanismGraph {
  struct Edge {
    std::uint32_t constraint = 0;  ///< Number among all nodes.
    std::uint32_t body = 0;

    friend bool operator==(const Edge&, const Edge&) = default;
  };
  std::uint32_t numBodies = 0;
  std::uint32_t numNodes = 0;
  std::vector<Edge> edges;
  /// By body: 1 where some of its freedom is taken from it, so that a constraint is not sure to
  /// have an answer of it alone.
  std::vector<std::uint8_t> isLocked;

  friend bool operator==(const MechanismGraph&, const MechanismGraph&) = default;
};

/// Solves
///   [ M  J^T ] [ x ]   [ f ]
///   [ J  -D  ] [ y ] = [ g ]
/// with a positive definite M of one block for each body and a positive D of one block for each
/// constraint, by L D L^T of blocks in an order of least degree; constraints come after a body that
/// they hold. A tree has no fill, so that its cost is linear; loops fill around where they close.
/// Constraints that hold the same thing twice share it in the norm of D.
///
/// Equal input gives equal bits: the order depends on the numbers of the nodes alone.
class BlockElimination {
public:
  /// Finds the order; nothing to do for the graph of the last call.
  void prepare(const MechanismGraph& graph);

  /// Zeroes the matrix.
  void clear();
  /// The block of a node on the diagonal: of M, or of -D.
  [[nodiscard]] Mat6& diagonal(std::uint32_t node) { return diagonal_[node]; }
  /// Sets the block of J of an edge of the graph.
  void setEdge(std::uint32_t edge, const Mat6& j);

  /// False if a block is not definite: the matrix is not what it should be.
  bool factorise();
  /// One vector for each node: the right side on entry, the solution on return.
  void solve(std::span<Vec6> x) const;
  /// What a row of a constraint had left on the diagonal when its turn came, by the last
  /// factorise(): its part of D where rows before it hold the same thing.
  [[nodiscard]] double pivot(std::uint32_t node, int row) const {
    return 1.0 / factors_[node].entry[row][row];
  }

  /// What up to three right sides on a few bodies become half way to the solution: b A^-1 c is the
  /// sum of half(b) scaled(c) over the nodes that both reach, a path to the root of the tree.
  struct Reach {
    std::vector<std::uint32_t> nodes;  ///< Places in the order, ascending.
    std::vector<std::array<Vec6, 3>> half, scaled;
  };
  /// Of right sides on bodies: sides[i] on body[i], of as many directions.
  void reach(std::span<const std::uint32_t> bodies, std::span<const std::array<Vec6, 3>> sides,
             int directions, Reach& out) const;

  /// Blocks of the inverse between bodies: block [i][j] at i numBodies + j is what a right side on
  /// body j makes of body i. Cost and room grow with the square of the nodes.
  void invert(std::vector<Mat6>& between);

  /// The same of a tree, in single precision, for a part of the cost: what hands bodies' answers on
  /// is made of the factors in double precision. False, and nothing is done, if it is no tree.
  bool invertSingly(SingleInverse& between);

  /// Blocks outside the diagonal.
  [[nodiscard]] std::size_t numBlocks() const { return blocks_.size(); }

private:
  /// The block of a row in a later column.
  struct Entry {
    std::uint32_t column = 0, block = 0;
  };

  void findOrder();
  void findSlots();
  [[nodiscard]] std::uint32_t blockAt(std::uint32_t row, std::uint32_t column) const;
  void eliminate(std::uint32_t node);
  [[nodiscard]] Mat6 ownInverse(std::uint32_t node) const;
  [[nodiscard]] bool isTree() const;
  void invertTree(std::vector<Mat6>& between);

  MechanismGraph graph_;
  std::vector<std::uint32_t> order_, place_;
  std::vector<std::uint32_t> first_entry_;  ///< Of each node, and the end.
  std::vector<Entry> entries_;              ///< By order of their columns.
  std::vector<std::vector<std::uint32_t>> later_;
  struct Target {
    std::uint32_t block = 0;
    bool isDiagonal = false;
  };
  std::vector<Target> targets_;              ///< What each elimination changes, in order.
  std::vector<std::uint32_t> first_target_;  ///< Of each node.
  std::vector<std::uint32_t> slot_of_;       ///< Of each edge.
  std::vector<Mat6> diagonal_, blocks_;
  std::vector<Factors6> factors_;
  std::vector<Mat6> products_;
  std::vector<Mat6> inverse_;                         ///< By places, row after row.
  mutable std::vector<std::uint32_t> slot_of_place_;  ///< In a reach, plus one; 0: none.
};

}  // namespace abut::inline v0_1
