// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

// Four doubles that are computed together. A pack is two vectors of two: a baseline x86-64 machine
// has no wider ones, and compilers lower wider vectors badly there. Each lane gets the bits that
// the same expression gives on plain doubles, on every machine; nothing is summed across lanes.

using Double2 = double __attribute__((vector_size(16)));
using Mask2 = long long __attribute__((vector_size(16)));

/// Result of a comparison, lane by lane.
struct Mask4 {
  Mask2 low, high;
};

struct Pack4d {
  Double2 low, high;

  [[nodiscard]] double operator[](int lane) const { return lane < 2 ? low[lane] : high[lane - 2]; }
};

inline Pack4d makePack(double a, double b, double c, double d) {
  return {Double2{a, b}, Double2{c, d}};
}
/// A vector in the first three lanes.
inline Pack4d makePack(const Vec3& v, double last) {
  return {Double2{v.x, v.y}, Double2{v.z, last}};
}
inline Pack4d splat(double a) {
  return {Double2{a, a}, Double2{a, a}};
}

inline Pack4d operator+(const Pack4d& a, const Pack4d& b) {
  return {a.low + b.low, a.high + b.high};
}
inline Pack4d operator-(const Pack4d& a, const Pack4d& b) {
  return {a.low - b.low, a.high - b.high};
}
inline Pack4d operator*(const Pack4d& a, const Pack4d& b) {
  return {a.low * b.low, a.high * b.high};
}
inline Pack4d operator*(const Pack4d& a, double s) {
  return {a.low * s, a.high * s};
}

inline Pack4d operator/(const Pack4d& a, const Pack4d& b) {
  return {a.low / b.low, a.high / b.high};
}
inline Pack4d operator-(const Pack4d& a) {
  return {-a.low, -a.high};
}
inline Pack4d& operator+=(Pack4d& a, const Pack4d& b) {
  return a = a + b;
}
inline Pack4d& operator-=(Pack4d& a, const Pack4d& b) {
  return a = a - b;
}
inline Pack4d sqrtOf(const Pack4d& a) {
  return {Double2{std::sqrt(a.low[0]), std::sqrt(a.low[1])},
          Double2{std::sqrt(a.high[0]), std::sqrt(a.high[1])}};
}

inline Double2 absOf(const Double2& a) {
  constexpr Mask2 kMagnitude{0x7fffffffffffffff, 0x7fffffffffffffff};
  return (Double2)((Mask2)a & kMagnitude);
}
inline Pack4d absOf(const Pack4d& a) {
  return {absOf(a.low), absOf(a.high)};
}

inline Mask4 operator<(const Pack4d& a, const Pack4d& b) {
  return {a.low < b.low, a.high < b.high};
}
inline Mask4 operator&(const Mask4& a, const Mask4& b) {
  return {a.low & b.low, a.high & b.high};
}
inline Mask4 operator|(const Mask4& a, const Mask4& b) {
  return {a.low | b.low, a.high | b.high};
}
inline Mask4 operator^(const Mask4& a, const Mask4& b) {
  return {a.low ^ b.low, a.high ^ b.high};
}
inline Mask4 operator~(const Mask4& a) {
  return {~a.low, ~a.high};
}
/// a where the mask holds, else b.
inline Pack4d select(const Mask4& m, const Pack4d& a, const Pack4d& b) {
  return {(Double2)(((Mask2)a.low & m.low) | ((Mask2)b.low & ~m.low)),
          (Double2)(((Mask2)a.high & m.high) | ((Mask2)b.high & ~m.high))};
}
inline Pack4d minOf(const Pack4d& a, const Pack4d& b) {
  return select(a < b, a, b);
}
inline Pack4d maxOf(const Pack4d& a, const Pack4d& b) {
  return select(b < a, a, b);
}
/// Lane by lane minOf(a, b) and maxOf(a, b) of plain doubles, also where a lane is no number.
inline Pack4d atMost(const Pack4d& a, const Pack4d& b) {
  return {b.low < a.low ? b.low : a.low, b.high < a.high ? b.high : a.high};
}
inline Pack4d atLeast(const Pack4d& a, const Pack4d& b) {
  return {a.low < b.low ? b.low : a.low, a.high < b.high ? b.high : a.high};
}
inline Mask4 equal(const Pack4d& a, const Pack4d& b) {
  return {a.low == b.low, a.high == b.high};
}
/// Lanes in which the comparison holds, as bits.
inline unsigned bitsOf(const Mask2& m) {
#ifdef __SSE2__
  return static_cast<unsigned>(__builtin_ia32_movmskpd((Double2)m));
#else
  return (m[0] != 0 ? 1u : 0u) | (m[1] != 0 ? 2u : 0u);
#endif
}
inline unsigned bitsOf(const Mask4& m) {
  return bitsOf(m.low) | (bitsOf(m.high) << 2u);
}
/// The lanes of such bits.
inline Mask4 lanesOf(unsigned bits, const Pack4d*) {
  const auto lane = [bits](unsigned i) { return -static_cast<long long>((bits >> i) & 1u); };
  return {Mask2{lane(0), lane(1)}, Mask2{lane(2), lane(3)}};
}
/// True if the comparison holds in some lane.
inline bool anyOf(const Mask4& a) {
  return bitsOf(a.low | a.high) != 0;
}

inline bool holds(const Mask4& m, int lane) {
  return (lane < 2 ? m.low[lane] : m.high[lane - 2]) != 0;
}

/// What kernels that are written once for several kinds of packs need to know of one.
template <class P>
struct PackTraits;
template <>
struct PackTraits<Pack4d> {
  using Mask = Mask4;
  static Pack4d splat(double x) { return abut::splat(x); }
  static const Pack4d& load(const Pack4d& p) { return p; }
  static void store(Pack4d& p, const Pack4d& a) { p = a; }
};

/// condition ? a : b without a branch, for conditions that are hard to predict.
inline double choose(bool condition, double a, double b) {
  const long long bits = -static_cast<long long>(condition);
  const Mask2 mask{bits, bits};
  const Double2 result = mask ? Double2{a, a} : Double2{b, b};
  return result[0];
}

/// Lanes (1, 2, 0, 3): the next axis in cyclic order.
inline Pack4d nextAxis(const Pack4d& a) {
  return {__builtin_shufflevector(a.low, a.high, 1, 2),
          __builtin_shufflevector(a.low, a.high, 0, 3)};
}
/// Lanes (2, 0, 1, 3): the axis after that.
inline Pack4d afterNextAxis(const Pack4d& a) {
  return {__builtin_shufflevector(a.low, a.high, 2, 0),
          __builtin_shufflevector(a.low, a.high, 1, 3)};
}

/// Three rows of three, in the first three lanes; the last lane is 0.
struct Rows3 {
  Pack4d row0, row1, row2;
};
inline Rows3 transpose(const Rows3& m) {
  const Double2 zero{0.0, 0.0};
  return {{__builtin_shufflevector(m.row0.low, m.row1.low, 0, 2),
           __builtin_shufflevector(m.row2.low, zero, 0, 2)},
          {__builtin_shufflevector(m.row0.low, m.row1.low, 1, 3),
           __builtin_shufflevector(m.row2.low, zero, 1, 3)},
          {__builtin_shufflevector(m.row0.high, m.row1.high, 0, 2),
           __builtin_shufflevector(m.row2.high, zero, 0, 2)}};
}

}  // namespace abut::inline v0_1
