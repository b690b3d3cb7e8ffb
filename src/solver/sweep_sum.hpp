// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace abut {

/// Terms of a sum that does not depend on their order: every term, >= 0, is rounded to a multiple
/// of a unit that the greatest of them and their number give, and the multiples are added as
/// integers. The error is at most half a unit a term: 1e-9 of the sum for a million terms.
class SweepSum {
public:
  /// So many terms, all zero.
  void reset(std::size_t count);
  /// Where term i lies; four neighbours may be written at once.
  [[nodiscard]] double* at(std::size_t i) { return terms_.data() + i; }
  [[nodiscard]] double value() const;

private:
  std::vector<double> terms_;  // Padded by zeros to whole packs.
};

}  // namespace abut
