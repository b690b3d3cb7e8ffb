// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "broad_phase/float_box.hpp"

namespace abut {

/// Orders boxes so that neighbours in the list are near in space: along a Z curve of 2^30 cubic
/// cells, and where many boxes fall in one cell, along a finer curve inside it.
class MortonOrder {
public:
  /// Reorders `slots`, which index into `boxes`.
  void sort(std::span<std::uint32_t> slots, const std::vector<FloatBox>& boxes);

private:
  /// Key in the high half, slot in the low half.
  using Entry = std::uint64_t;

  void sortRange(std::span<Entry> entries, std::span<Entry> scratch,
                 const std::vector<FloatBox>& boxes);

  std::vector<Entry> entries_;
  std::vector<Entry> scratch_;
};

}  // namespace abut
