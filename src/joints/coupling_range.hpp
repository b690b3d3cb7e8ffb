// SPDX-License-Identifier: MIT
#pragma once

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// Ratios of couplings are in here, of either sign; offsets up to the greater.
inline constexpr double kLeastCoupled = 1e-30, kMostCoupled = 1e30;

/// Both are false for a NaN, too.
[[nodiscard]] inline bool isRatio(double ratio) {
  return absOf(ratio) >= kLeastCoupled && absOf(ratio) <= kMostCoupled;
}
[[nodiscard]] inline bool isOffset(double offset) {
  return absOf(offset) <= kMostCoupled;
}

}  // namespace abut::inline v0_1
