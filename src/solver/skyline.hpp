// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace abut {

/// Symmetric positive definite matrix stored by rows from the first entry that may differ from zero
/// to the diagonal, with Cholesky factorisation in place. No pivoting: the order of operations
/// depends on the pattern alone.
class SkylineMatrix {
public:
  /// firstColumn[i] <= i is the first column of row i. All entries become zero. Reuses memory.
  void reset(std::span<const std::uint32_t> firstColumn);

  /// Entry (row, column), column <= row and inside the profile.
  [[nodiscard]] double& at(std::uint32_t row, std::uint32_t column) {
    return values_[start_[row] + (column - first_[row])];
  }

  /// Replaces the matrix by its Cholesky factor. Returns false if a pivot is not positive.
  bool factorise();
  /// Solves with the factor, in place.
  void solve(std::span<double> x) const;

private:
  std::vector<std::uint32_t> first_;
  std::vector<std::size_t> start_;
  std::vector<double> values_;
};

/// An order of nodes that keeps neighbours close (reverse Cuthill-McKee). `edges` are pairs of
/// nodes; order[i] is the node at place i. Ties go to the smaller node.
void bandOrder(std::uint32_t numNodes,
               std::span<const std::pair<std::uint32_t, std::uint32_t>> edges,
               std::vector<std::uint32_t>& order);

}  // namespace abut
