// SPDX-License-Identifier: MIT
#pragma once

#include "math/pose.hpp"

namespace abut::inline v0_1 {

/// Cayley's rotation of a rotation vector t, by 2 atan(|t|/2) about t: the quaternion (1, t/2),
/// normalised. From R0 to R1 = C(t) R0 every vector a of the body moves by
///   R1 a - R0 a = t x (R0 + R1)/2 a
/// exactly, which is why equations that are quadratic in rotations change by their rates at the
/// mean of the two. It needs no trigonometry.
inline Quat cayley(const Vec3& t) {
  return normalized(Quat{1.0, 0.5 * t.x, 0.5 * t.y, 0.5 * t.z});
}

/// The rotation vector t with q1 = C(t) q0, for a turn of less than pi.
inline Vec3 cayleyBetween(const Quat& q0, const Quat& q1) {
  const Quat turn = q1 * Quat{q0.w, -q0.x, -q0.y, -q0.z};
  return Vec3{turn.x, turn.y, turn.z} * (2.0 / turn.w);
}

}  // namespace abut::inline v0_1
