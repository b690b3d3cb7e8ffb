// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/crew.hpp"
#include "core/halo.hpp"

namespace abut::inline v0_1 {

/// Terms of a sum that does not depend on their order: every term, >= 0, is rounded to a multiple
/// of a unit that the greatest of them and their number give, and the multiples are added as
/// integers. The error is at most half a unit a term: 1e-9 of the sum for a million terms.
class SweepSum {
public:
  /// So many terms, all zero.
  void reset(std::size_t count);
  /// Where term i lies; four neighbours may be written at once.
  [[nodiscard]] double* at(std::size_t i) { return terms_.data() + i; }
  /// Of two sums of equally many terms.
  friend std::pair<double, double> valuesOf(Crew& crew, SweepSum& a, SweepSum& b);
  /// The same where other ranks have the other terms, so many on all together. All ranks call it.
  friend std::pair<double, double> valuesOverRanks(Halo& halo, std::size_t count, SweepSum& a,
                                                   SweepSum& b);

private:
  /// What a part of the terms adds.
  struct Part {
    double most;
    std::uint64_t bits;
  };
  void findMost(std::size_t part);
  void findMost();
  void findUnit(std::size_t count);
  void addBits(std::size_t part);
  [[nodiscard]] std::uint64_t units() const;
  [[nodiscard]] double toTotal(std::uint64_t units) const;

  std::vector<double> terms_;  // Padded by zeros to whole packs.
  std::vector<Part> parts_;
  double most_ = 0.0, shift_ = 0.0;
  int unit_ = 0;
};

std::pair<double, double> valuesOf(Crew& crew, SweepSum& a, SweepSum& b);
std::pair<double, double> valuesOverRanks(Halo& halo, std::size_t count, SweepSum& a, SweepSum& b);

}  // namespace abut::inline v0_1
