// SPDX-License-Identifier: MIT
#pragma once

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// A factor of gravity beyond this has no use, and could make energies that are no numbers.
inline constexpr double kMaxGravityScale = 1e30;

/// False for a NaN, too.
[[nodiscard]] inline bool isGravityScale(double scale) {
  return absOf(scale) <= kMaxGravityScale;
}

}  // namespace abut::inline v0_1
