// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include <abut/math/convert.hpp>
#include <abut/math/types.hpp>

#include "io/core/rotation.hpp"

/// Arithmetic that reading robots needs, in a fixed order.
namespace abut::inline v0_1::io {

inline Vec3 add(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec3 subtract(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec3 scaled(const Vec3& v, double s) {
  return {v.x * s, v.y * s, v.z * s};
}
inline double dotOf(const Vec3& a, const Vec3& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
inline Vec3 crossOf(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double lengthOf(const Vec3& v) {
  return std::sqrt(dotOf(v, v));
}
inline Mat3 transposed(const Mat3& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}
inline Mat3 times(const Mat3& a, const Mat3& b) {
  return {rotate(a, b.x), rotate(a, b.y), rotate(a, b.z)};
}
inline Pose inverseOf(const Pose& pose) {
  const Mat3 back = transposed(pose.rotation);
  return {back, scaled(rotate(back, pose.translation), -1.0)};
}
inline Pose shift(const Vec3& by) {
  return {Mat3{}, by};
}

/// By the library's own functions: the same bits on every machine.
[[nodiscard]] Mat3 rotationAbout(const Vec3& unitAxis, double angle);
/// A frame whose z is this unit vector: the turn from z by the shortest way.
[[nodiscard]] Mat3 frameAlong(const Vec3& z);

}  // namespace abut::inline v0_1::io
