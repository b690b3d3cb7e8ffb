// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace abut::inline v0_1 {

/// What a body may touch. Two bodies may if each one's category has a bit in the other's mask.
struct BodyFilter {
  std::uint32_t category = 1;        ///< Bits of what the body is.
  std::uint32_t mask = 0xffffffffu;  ///< Bits of what it touches.
  /// Bodies of one group, whatever their categories: never touch if it is negative, do if it is
  /// positive; 0 is no group.
  std::int32_t group = 0;

  friend bool operator==(const BodyFilter&, const BodyFilter&) = default;

  [[nodiscard]] static bool allows(const BodyFilter& a, const BodyFilter& b) {
    if (a.group != 0 && a.group == b.group) return a.group > 0;
    return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
  }
};

}  // namespace abut::inline v0_1
