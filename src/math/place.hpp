// SPDX-License-Identifier: MIT
#pragma once

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// Queries take places up to here along each axis [m]: products of six lengths stay finite.
inline constexpr double kMaxPlace = 1e30;

/// False for a NaN, too.
[[nodiscard]] inline bool isPlace(const Vec3& point) {
  return absOf(point.x) <= kMaxPlace && absOf(point.y) <= kMaxPlace && absOf(point.z) <= kMaxPlace;
}

}  // namespace abut::inline v0_1
