// SPDX-License-Identifier: MIT
#pragma once

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// |q|^2.
inline double squaredNorm(const Quat& q) {
  return ((q.w * q.w + q.x * q.x) + q.y * q.y) + q.z * q.z;
}

/// Whether |q|^2 is 1 up to what a caller's arithmetic may leave; false for NaN.
inline bool isUnit(const Quat& q) {
  constexpr double kCallersRounding = 1e-6;
  return absOf(squaredNorm(q) - 1.0) <= kCallersRounding;
}

}  // namespace abut::inline v0_1
