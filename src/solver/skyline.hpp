// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace abut::inline v0_1 {

/// Square matrix with a symmetric pattern but any values: each row is stored from the first entry
/// that may differ from zero up to the diagonal, each column likewise. LU factorisation in place
/// without pivoting: the order of operations depends on the pattern alone.
class SkylineMatrix {
public:
  /// firstColumn[i] <= i is the first column of row i and the first row of column i. All entries
  /// become zero. Reuses memory.
  void reset(std::span<const std::uint32_t> firstColumn);

  /// Entry (row, column) inside the profile.
  [[nodiscard]] double& at(std::uint32_t row, std::uint32_t column) {
    return row >= column ? lower_[start_[row] + (column - first_[row])]
                         : upper_[start_[column] + (row - first_[column])];
  }

  /// Replaces the matrix by its factors. Returns false if a pivot is zero or not finite.
  bool factorise();
  /// Solves with the factors, in place.
  void solve(std::span<double> x) const;

private:
  std::vector<std::uint32_t> first_;
  std::vector<std::size_t> start_;
  std::vector<double> lower_;  // Rows of L, whose diagonal is 1; the diagonal of U in its place.
  std::vector<double> upper_;  // Columns of U above the diagonal.
};

/// An order of nodes that keeps neighbours close (reverse Cuthill-McKee). Reuses memory.
class BandOrder {
public:
  /// `edges` are pairs of different nodes; on return order[i] is the node at place i. Ties go to
  /// the smaller node.
  void find(std::uint32_t numNodes, std::span<const std::pair<std::uint32_t, std::uint32_t>> edges,
            std::vector<std::uint32_t>& order);

private:
  /// Neighbours of a node: neighbours_[start_[node]] up to its degree.
  std::vector<std::uint32_t> start_, degree_, neighbours_, starts_;
  std::vector<std::uint8_t> seen_;
};

}  // namespace abut::inline v0_1
