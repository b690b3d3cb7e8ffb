// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "broad_phase/float_box.hpp"

namespace abut::inline v0_1 {

/// Orders boxes so that neighbours in the list are near in space: along a Hilbert curve of 2^24
/// cubic cells, and where many boxes fall in one cell, along a finer curve inside it. (A Z curve
/// has long jumps; eight neighbours on it make leaves that overlap twice as many others.)
class CurveOrder {
public:
  /// A key of the curve in the high half, a slot in the low half.
  using Entry = std::uint64_t;

  /// The slots in their order; the view ends with the next call.
  std::span<const Entry> sort(std::span<const std::uint32_t> slots,
                              const std::vector<FloatBox>& boxes);

private:
  void sortRange(std::span<Entry> entries, std::span<Entry> scratch,
                 const std::vector<FloatBox>& boxes);

  std::vector<Entry> entries_;
  std::vector<Entry> scratch_;
};

}  // namespace abut::inline v0_1
