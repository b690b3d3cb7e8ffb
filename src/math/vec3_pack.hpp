// SPDX-License-Identifier: MIT
#pragma once

#include "core/inline.hpp"
#include "math/pack.hpp"

namespace abut::inline v0_1 {

// Four vectors that are computed together, lane by lane.

template <class P>
struct Vec3Pack {
  P x, y, z;
};
using Vec3x4 = Vec3Pack<Pack4d>;

template <class P>
ABUT_ALWAYS_INLINE Vec3Pack<P> operator+(const Vec3Pack<P>& a, const Vec3Pack<P>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class P>
ABUT_ALWAYS_INLINE Vec3Pack<P> operator-(const Vec3Pack<P>& a, const Vec3Pack<P>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class P>
ABUT_ALWAYS_INLINE Vec3Pack<P> operator*(const Vec3Pack<P>& a, const P& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class P>
ABUT_ALWAYS_INLINE Vec3Pack<P>& operator+=(Vec3Pack<P>& a, const Vec3Pack<P>& b) {
  return a = a + b;
}
template <class P>
ABUT_ALWAYS_INLINE Vec3Pack<P>& operator-=(Vec3Pack<P>& a, const Vec3Pack<P>& b) {
  return a = a - b;
}
template <class P>
ABUT_ALWAYS_INLINE Vec3Pack<P> scaled(const Vec3Pack<P>& a, const Vec3Pack<P>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
template <class P>
ABUT_ALWAYS_INLINE P dot(const Vec3Pack<P>& a, const Vec3Pack<P>& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
template <class P>
ABUT_ALWAYS_INLINE Vec3Pack<P> cross(const Vec3Pack<P>& a, const Vec3Pack<P>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Reads four stored vectors.
template <class P>
ABUT_ALWAYS_INLINE Vec3Pack<P> load(const Vec3x4& v) {
  return {PackTraits<P>::load(v.x), PackTraits<P>::load(v.y), PackTraits<P>::load(v.z)};
}
template <class P>
ABUT_ALWAYS_INLINE P load(const Pack4d& p) {
  return PackTraits<P>::load(p);
}

/// Four symmetric matrices.
struct Symmetric3x4 {
  Pack4d xx, xy, xz, yy, yz, zz;
};
template <class P>
ABUT_ALWAYS_INLINE Vec3Pack<P> times(const Symmetric3x4& m, const Vec3Pack<P>& v) {
  const P xx = load<P>(m.xx), xy = load<P>(m.xy), xz = load<P>(m.xz);
  const P yy = load<P>(m.yy), yz = load<P>(m.yz), zz = load<P>(m.zz);
  return {(xx * v.x + xy * v.y) + xz * v.z, (xy * v.x + yy * v.y) + yz * v.z,
          (xz * v.x + yz * v.y) + zz * v.z};
}

/// Writes one lane.
inline void setLane(Pack4d& pack, int lane, double value) {
  (lane < 2 ? pack.low : pack.high)[lane & 1] = value;
}
inline void setLane(Vec3x4& pack, int lane, const Vec3& value) {
  setLane(pack.x, lane, value.x);
  setLane(pack.y, lane, value.y);
  setLane(pack.z, lane, value.z);
}
inline Vec3 getLane(const Vec3x4& pack, int lane) {
  return {pack.x[lane], pack.y[lane], pack.z[lane]};
}

}  // namespace abut::inline v0_1
