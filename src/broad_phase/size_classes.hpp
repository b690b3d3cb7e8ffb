// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "broad_phase/float_box.hpp"

namespace abut {

/// Divides boxes by size, so that large ones do not inflate the tree nodes of small ones.
///
/// The first class holds all boxes up to some eight times the median size; the second those up to
/// eight times the median of the rest, and so on. Wild boxes (see isWild) have a class of their
/// own.
class SizeClasses {
public:
  static constexpr int kMaxClasses = 6;
  static constexpr int kWildClass = kMaxClasses;
  static constexpr int kNumClasses = kMaxClasses + 1;

  /// Distributes the boxes; each class lists slots in ascending order.
  void assign(const std::vector<Box>& boxes);

  [[nodiscard]] const std::vector<std::uint32_t>& getSlots(int sizeClass) const {
    return slots_[sizeClass];
  }
  [[nodiscard]] std::vector<std::uint32_t>& getSlots(int sizeClass) { return slots_[sizeClass]; }

private:
  std::vector<std::uint8_t> exponents_;
  std::array<std::vector<std::uint32_t>, kNumClasses> slots_;
};

}  // namespace abut
