// SPDX-License-Identifier: MIT
#pragma once

#include "math/pose.hpp"
#include "math/trigonometry.hpp"

namespace abut::inline v0_1 {

/// Axis times angle [rad] of a rotation, the angle at most pi.
inline Vec3 rotationVectorOf(const Quat& q) {
  const double sign = q.w < 0.0 ? -1.0 : 1.0;
  const Vec3 v = Vec3{q.x, q.y, q.z} * sign;
  const double s = norm(v);
  if (!(s > 0.0)) return {};
  return v * (2.0 * atan2Of(s, sign * q.w) / s);
}

/// The rotation vector that takes one orientation to another, in the frame they are given in.
inline Vec3 rotationBetween(const Quat& from, const Quat& to) {
  return rotationVectorOf(to * Quat{from.w, -from.x, -from.y, -from.z});
}

}  // namespace abut::inline v0_1
