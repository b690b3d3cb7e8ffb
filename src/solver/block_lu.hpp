// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/crew.hpp"
#include "solver/dense_front.hpp"
#include "solver/nested_dissection.hpp"

namespace abut::inline v0_1 {

/// Square matrix of blocks on a graph, with a symmetric pattern but any values, and its LU factors
/// by the multifrontal method: nodes in an order of nested dissection, neighbours in it with nearly
/// the same pattern merged into fronts, each a dense matrix whose first unknowns are eliminated.
/// Rows are exchanged only among those. The order of operations depends on the pattern alone
/// (exchanges on the values too): equal input gives equal bits, on every machine.
///
/// The symbolic work is kept while the pattern stays; then nothing is allocated either.
class BlockLu {
public:
  using Edge = std::pair<std::uint32_t, std::uint32_t>;

  /// sizes[i] unknowns at node i, edges between different nodes in any order, repeated or not.
  void analyse(std::span<const std::uint8_t> sizes, std::span<const Edge> edges);

  /// Multiplications of a factorisation, about.
  [[nodiscard]] double cost() const { return cost_; }
  [[nodiscard]] std::size_t numUnknowns() const { return unknowns_; }
  /// First unknown of a node in solve().
  [[nodiscard]] std::size_t firstOf(std::uint32_t node) const { return first_of_[node]; }

  /// Sets all entries to zero.
  void clear();
  /// Where block (i, j), of sizes[i] rows, begins among the entries; i = j or an edge.
  [[nodiscard]] std::size_t blockAt(std::uint32_t i, std::uint32_t j) const;
  [[nodiscard]] double* entries() { return entries_.data(); }

  /// Factorises the entries, which stay. False if a pivot is zero or not finite. Large ones are
  /// shared out among the threads of the runner, if there is one; no bit depends on it. Rough
  /// factors are of single precision, of the matrix scaled by powers of two to blocks near 1 on the
  /// diagonal: in half the time, for answers that are refined.
  bool factorise(TaskRunner* tasks = nullptr, bool rough = false);
  /// Solves with the last factors, in place, unknowns node after node.
  void solve(std::span<double> x);

private:
  /// One dense matrix: pivots first, then the border, all as places in the order of elimination.
  struct Front {
    std::uint32_t numPivots = 0, size = 0;  // Unknowns.
    std::uint32_t firstPivot = 0;           // In order of elimination.
    std::size_t stride = 0;
    std::size_t upper = 0, lower = 0;  // Factors: rows of the pivots; columns below them.
    std::size_t work = 0, left = 0;    // Its matrix; what it leaves to its parent, without gaps.
    std::size_t rows = 0;              // Border: its unknowns in order of elimination.
    std::size_t child = 0;             // Border: places in the parent's matrix.
    std::uint32_t firstPart = 0, endPart = 0;
    std::uint32_t firstChild = 0, endChild = 0;
  };
  /// Fronts that need nothing from others but themselves, and leave their last one's rest.
  struct Branch {
    std::uint32_t first, end;
    double cost;
  };
  /// What can be done side by side.
  struct Sharing {
    std::vector<Branch> branches;     // The dearest first.
    std::vector<std::uint32_t> top;   // Fronts that are in no branch.
    std::vector<std::uint8_t> sound;  // By branch: whether all pivots were.
  };
  /// Factors, the matrices of fronts and what they leave; of solve(): unknowns in order of
  /// elimination, and those of a front.
  template <class Real>
  struct Numbers {
    std::vector<Real> factors, work, left;
    std::vector<Real> permuted, gathered;
    std::vector<double> scale;  // Powers of two, in order of elimination; of rough ones.
  };
  /// How many of them the pattern takes.
  struct Room {
    std::size_t factors = 0, work = 0, left = 0;
  };
  /// Block of the entries and where it goes in a front.
  struct Part {
    std::size_t block;
    std::uint32_t row, column;
    std::uint8_t rows, columns;
  };

  static double costOf(const Front& front);
  struct Symbolic;
  bool isKnown(std::span<const std::uint8_t> sizes, std::span<const Edge> edges);
  void findGraph();
  void placeBlocks();
  void buildFronts(const Symbolic& symbolic);
  void setFront(const std::vector<std::uint32_t>& order, std::uint32_t begin, std::uint32_t end,
                const std::vector<std::uint32_t>& border, std::vector<std::uint32_t>& local,
                Front& front);
  void placeChildren(const std::vector<std::uint32_t>& parentOf);
  void findBranches(const std::vector<std::uint32_t>& parentOf);
  void reserve();
  bool findScales();
  template <class Real>
  void assemble(const Front& front, Numbers<Real>& numbers, Crew& crew);
  template <class Real>
  bool eliminateFront(const Front& front, Numbers<Real>& numbers, Crew& crew);
  template <class Real>
  bool eliminateAll(Numbers<Real>& numbers, Crew& crew);
  template <class Real>
  bool factoriseAs(Numbers<Real>& numbers, TaskRunner* tasks);
  template <class Real>
  void substitute(Numbers<Real>& numbers) const;

  std::vector<std::uint8_t> sizes_;
  std::vector<Edge> edges_, sorted_;  // As (smaller, larger) node, ascending.
  Neighbours graph_;
  NestedDissection dissection_;
  std::vector<std::size_t> first_of_;  // By node.
  std::vector<std::size_t> diagonal_;  // Block of each node.
  std::vector<std::size_t> block_;     // By place in graph_.node: block (node, neighbour).
  std::vector<Front> fronts_;          // Children before parents, each parent after its last child.
  std::vector<std::uint32_t> place_;   // Order of elimination: unknown at each place.
  std::vector<std::uint32_t> place_of_, first_unknown_;  // Of nodes, and of places in that order.
  std::vector<std::uint32_t> rows_, child_places_, exchanged_;
  std::vector<std::uint32_t> children_;  // Of each front, the last one first.
  Sharing sharing_;
  std::vector<Part> parts_;
  std::vector<double> entries_;
  Numbers<double> full_;
  Numbers<Rough> rough_;
  Room room_;
  bool is_rough_ = false;
  std::size_t unknowns_ = 0;
  double cost_ = 0.0;
};

}  // namespace abut::inline v0_1
