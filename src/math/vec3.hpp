// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include <abut/math/types.hpp>

#include "core/check.hpp"

namespace abut::inline v0_1 {

// Order of evaluation is part of the contract: sums run x, y, z from the left, products are rounded
// before they are added (no fused multiply-add).

inline Vec3 operator+(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec3 operator-(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec3 operator-(const Vec3& a) {
  return {-a.x, -a.y, -a.z};
}
inline Vec3 operator*(const Vec3& a, double s) {
  return {a.x * s, a.y * s, a.z * s};
}
inline Vec3 operator*(double s, const Vec3& a) {
  return {a.x * s, a.y * s, a.z * s};
}
inline Vec3 operator/(const Vec3& a, double s) {
  return {a.x / s, a.y / s, a.z / s};
}
inline Vec3& operator+=(Vec3& a, const Vec3& b) {
  return a = a + b;
}
inline Vec3& operator-=(Vec3& a, const Vec3& b) {
  return a = a - b;
}
inline Vec3& operator*=(Vec3& a, double s) {
  return a = a * s;
}

inline double dot(const Vec3& a, const Vec3& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double squaredNorm(const Vec3& a) {
  return dot(a, a);
}
inline double norm(const Vec3& a) {
  return std::sqrt(dot(a, a));
}
inline Vec3 scaled(const Vec3& a, const Vec3& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

/// a/|a|. The caller guarantees |a|^2 neither underflows nor is zero.
inline Vec3 normalized(const Vec3& a) {
  return a * (1.0 / norm(a));
}

// min, max, abs and clamp without fmin/fmax, whose treatment of signed zero differs by machine.
inline double minOf(double a, double b) {
  return b < a ? b : a;
}
inline double maxOf(double a, double b) {
  return a < b ? b : a;
}
inline double absOf(double a) {
  return std::fabs(a);
}
/// Precondition: lo <= hi. Written so that compilers need no branch.
inline double clampTo(double a, double lo, double hi) {
  return maxOf(minOf(a, hi), lo);
}

inline Vec3 minOf(const Vec3& a, const Vec3& b) {
  return {minOf(a.x, b.x), minOf(a.y, b.y), minOf(a.z, b.z)};
}
inline Vec3 maxOf(const Vec3& a, const Vec3& b) {
  return {maxOf(a.x, b.x), maxOf(a.y, b.y), maxOf(a.z, b.z)};
}
inline Vec3 absOf(const Vec3& a) {
  return {absOf(a.x), absOf(a.y), absOf(a.z)};
}
inline double maxElement(const Vec3& a) {
  return maxOf(maxOf(a.x, a.y), a.z);
}

inline bool isFinite(const Vec3& a) {
  return isFinite(a.x) && isFinite(a.y) && isFinite(a.z);
}

/// Lexicographic (x, y, z) order: a total order on finite vectors without signed zeros.
inline bool lexicographicLess(const Vec3& a, const Vec3& b) {
  if (a.x != b.x) return a.x < b.x;
  if (a.y != b.y) return a.y < b.y;
  return a.z < b.z;
}

/// A unit vector at right angles to the unit vector n: the axis with n's smallest component
/// (first of equals), projected.
Vec3 anyPerpendicular(const Vec3& n);

}  // namespace abut::inline v0_1
