// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "broad_phase/float_box.hpp"

namespace abut::inline v0_1 {

/// Divides boxes by size, so that large ones do not inflate the tree nodes of small ones, and
/// converts them to floats.
///
/// The first class holds all boxes up to some eight times the median size; the second those up to
/// eight times the median of the rest, and so on. Wild boxes (see isWild) have a class of their
/// own.
class SizeClasses {
public:
  static constexpr int kMaxClasses = 6;
  static constexpr int kWildClass = kMaxClasses;
  static constexpr int kNumClasses = kMaxClasses + 1;

  void assign(const std::vector<Box>& boxes, const Vec3& origin);

  /// Slots of a class, ascending.
  [[nodiscard]] std::span<const std::uint32_t> getSlots(int sizeClass) const {
    return std::span(slots_).subspan(first_[sizeClass], first_[sizeClass + 1] - first_[sizeClass]);
  }
  /// By slot, relative to the origin.
  [[nodiscard]] const std::vector<FloatBox>& getFloats() const { return floats_; }

private:
  std::vector<FloatBox> floats_;
  std::vector<std::uint8_t> exponents_;
  std::vector<std::uint32_t> slots_;  // By class, then slot.
  std::array<std::size_t, kNumClasses + 1> first_{};
};

}  // namespace abut::inline v0_1
