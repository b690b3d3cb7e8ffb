// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include <Eigen/Core>

#include <abut/math/types.hpp>

#include "math/pack_wide.hpp"
#include "math/pose.hpp"

#if ABUT_HAS_WIDE
// For functions of plain doubles that are compiled for such machines as well, together with what
// they call in their file.
#define ABUT_WIDE_WHOLE __attribute__((target("avx2"), flatten))
#endif

// One vector in a wide register, for functions that are written once for Vec3 and for machines that
// have such registers. Element by element the operations are those of Vec3, in the same order, so
// the bits are the same; the fourth lane means nothing.

namespace abut::inline v0_1 {

/// A stored vector as a V: a Vec3 or a WideVec3.
template <class V>
V loadAs(const Vec3& a);
template <>
ABUT_ALWAYS_INLINE Vec3 loadAs<Vec3>(const Vec3& a) {
  return a;
}
/// The same of a vector that is not the last member of its object: what follows it may be read.
template <class V>
V loadInner(const Vec3& a);
template <>
ABUT_ALWAYS_INLINE Vec3 loadInner<Vec3>(const Vec3& a) {
  return a;
}
ABUT_ALWAYS_INLINE void store(const Vec3& a, Vec3& to) {
  to = a;
}
ABUT_ALWAYS_INLINE Eigen::Vector3d asEigen(const Vec3& a) {
  return {a.x, a.y, a.z};
}
ABUT_ALWAYS_INLINE void store(const Vec3& a, Eigen::Vector3d& to) {
  to = {a.x, a.y, a.z};
}
template <class V>
ABUT_ALWAYS_INLINE V loadAs(const Eigen::Vector3d& a) {
  return loadAs<V>(Vec3{a.x(), a.y(), a.z()});
}

/// A matrix by columns, of vectors V.
template <class V>
struct MatOf {
  V x, y, z;
};
ABUT_ALWAYS_INLINE MatOf<Vec3> transposed(const MatOf<Vec3>& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}

#if ABUT_HAS_WIDE
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

struct WideVec3 {
  Double4 v;
};

ABUT_ALWAYS_INLINE WideVec3 operator+(const WideVec3& a, const WideVec3& b) {
  return {a.v + b.v};
}
ABUT_ALWAYS_INLINE WideVec3 operator-(const WideVec3& a, const WideVec3& b) {
  return {a.v - b.v};
}
ABUT_ALWAYS_INLINE WideVec3 operator*(const WideVec3& a, double s) {
  return {a.v * Double4{s, s, s, s}};
}
ABUT_ALWAYS_INLINE WideVec3 operator/(const WideVec3& a, double s) {
  return {a.v / Double4{s, s, s, s}};
}
ABUT_ALWAYS_INLINE WideVec3& operator+=(WideVec3& a, const WideVec3& b) {
  a.v = a.v + b.v;
  return a;
}
ABUT_ALWAYS_INLINE double dot(const WideVec3& a, const WideVec3& b) {
  const Double4 p = a.v * b.v;
  return (p[0] + p[1]) + p[2];
}
ABUT_ALWAYS_INLINE double squaredNorm(const WideVec3& a) {
  return dot(a, a);
}
/// The elements y, z, x.
ABUT_ALWAYS_INLINE WideVec3 turned(const WideVec3& a) {
  return {__builtin_shufflevector(a.v, a.v, 1, 2, 0, 3)};
}
ABUT_ALWAYS_INLINE WideVec3 cross(const WideVec3& a, const WideVec3& b) {
  // Its z, x, y.
  const WideVec3 product{a.v * turned(b).v - turned(a).v * b.v};
  return turned(product);
}
ABUT_ALWAYS_INLINE bool isFinite(const WideVec3& a) {
  const Double4 none = a.v - a.v;
  return (none[0] + none[1]) + none[2] == 0.0;
}
/// M v.
ABUT_ALWAYS_INLINE WideVec3 times(const MatOf<WideVec3>& m, const WideVec3& v) {
  return {(m.x.v * __builtin_shufflevector(v.v, v.v, 0, 0, 0, 0) +
           m.y.v * __builtin_shufflevector(v.v, v.v, 1, 1, 1, 1)) +
          m.z.v * __builtin_shufflevector(v.v, v.v, 2, 2, 2, 2)};
}
ABUT_ALWAYS_INLINE double norm(const WideVec3& a) {
  return std::sqrt(dot(a, a));
}
ABUT_ALWAYS_INLINE WideVec3 normalized(const WideVec3& a) {
  return a * (1.0 / norm(a));
}

template <>
ABUT_ALWAYS_INLINE WideVec3 loadAs<WideVec3>(const Vec3& a) {
  Double2 low;
  __builtin_memcpy(&low, &a, sizeof low);
  const Double2 high{a.z, a.z};
  return {__builtin_shufflevector(low, high, 0, 1, 2, 3)};
}
template <>
ABUT_ALWAYS_INLINE WideVec3 loadAs<WideVec3>(const Eigen::Vector3d& a) {
  Double2 low;
  __builtin_memcpy(&low, a.data(), sizeof low);
  const Double2 high{a.z(), a.z()};
  return {__builtin_shufflevector(low, high, 0, 1, 2, 3)};
}
template <>
ABUT_ALWAYS_INLINE WideVec3 loadInner<WideVec3>(const Vec3& a) {
  WideVec3 whole;
  __builtin_memcpy(&whole.v, &a, sizeof whole.v);
  return whole;
}
ABUT_ALWAYS_INLINE void store(const WideVec3& a, double* to) {
  const Double2 low = __builtin_shufflevector(a.v, a.v, 0, 1);
  __builtin_memcpy(to, &low, sizeof low);
  to[2] = a.v[2];
}
ABUT_ALWAYS_INLINE Eigen::Vector3d asEigen(const WideVec3& a) {
  return {a.v[0], a.v[1], a.v[2]};
}
ABUT_ALWAYS_INLINE void store(const WideVec3& a, Vec3& to) {
  store(a, &to.x);
}
ABUT_ALWAYS_INLINE void store(const WideVec3& a, Eigen::Vector3d& to) {
  store(a, to.data());
}

ABUT_ALWAYS_INLINE MatOf<WideVec3> transposed(const MatOf<WideVec3>& m) {
  // x0 y0 x2 y2, x1 y1 - -
  const Double4 even = __builtin_shufflevector(m.x.v, m.y.v, 0, 4, 2, 6);
  const Double4 odd = __builtin_shufflevector(m.x.v, m.y.v, 1, 5, 3, 7);
  const Double4 last = __builtin_shufflevector(m.z.v, m.z.v, 0, 1, 2, 2);
  return {{__builtin_shufflevector(even, last, 0, 1, 4, 4)},
          {__builtin_shufflevector(odd, last, 0, 1, 5, 5)},
          {__builtin_shufflevector(even, last, 2, 3, 6, 6)}};
}
#pragma GCC diagnostic pop
#endif

template <class V>
ABUT_ALWAYS_INLINE MatOf<V> loadAs(const Mat3& m) {
  return {loadInner<V>(m.x), loadInner<V>(m.y), loadAs<V>(m.z)};
}
/// M v.
template <class V>
ABUT_ALWAYS_INLINE V times(const MatOf<V>& m, const Vec3& v) {
  return (m.x * v.x + m.y * v.y) + m.z * v.z;
}
template <class V>
ABUT_ALWAYS_INLINE void store(const MatOf<V>& m, Mat3& to) {
  store(m.x, to.x);
  store(m.y, to.y);
  store(m.z, to.z);
}

}  // namespace abut::inline v0_1
