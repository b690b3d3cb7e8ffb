// SPDX-License-Identifier: MIT
#pragma once

#include "core/inline.hpp"
#include "math/pack.hpp"

// The same four doubles as one vector, for functions compiled for machines that have such registers
// (ABUT_WIDE). Lane by lane the operations are those of Pack4d, so the bits are the same.
// Everything here is inlined into such functions and never called from others.
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define ABUT_HAS_WIDE 1
#define ABUT_WIDE __attribute__((target("avx2")))

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace abut::inline v0_1 {

using Double4 = double __attribute__((vector_size(32)));
using MaskOf4 = long long __attribute__((vector_size(32)));

struct WideMask {
  MaskOf4 v;
};
struct Wide4d {
  Double4 v;
};

ABUT_ALWAYS_INLINE Wide4d operator+(const Wide4d& a, const Wide4d& b) {
  return {a.v + b.v};
}
ABUT_ALWAYS_INLINE Wide4d operator-(const Wide4d& a, const Wide4d& b) {
  return {a.v - b.v};
}
ABUT_ALWAYS_INLINE Wide4d operator*(const Wide4d& a, const Wide4d& b) {
  return {a.v * b.v};
}
ABUT_ALWAYS_INLINE Wide4d operator/(const Wide4d& a, const Wide4d& b) {
  return {a.v / b.v};
}
ABUT_ALWAYS_INLINE Wide4d operator-(const Wide4d& a) {
  return {-a.v};
}
ABUT_ALWAYS_INLINE Wide4d& operator+=(Wide4d& a, const Wide4d& b) {
  a.v = a.v + b.v;
  return a;
}
ABUT_ALWAYS_INLINE Wide4d absOf(const Wide4d& a) {
  constexpr long long kMagnitude = 0x7fffffffffffffff;
  return {(Double4)((MaskOf4)a.v & MaskOf4{kMagnitude, kMagnitude, kMagnitude, kMagnitude})};
}
ABUT_ALWAYS_INLINE Wide4d sqrtOf(const Wide4d& a) {
  return {Double4{std::sqrt(a.v[0]), std::sqrt(a.v[1]), std::sqrt(a.v[2]), std::sqrt(a.v[3])}};
}
ABUT_ALWAYS_INLINE WideMask operator<(const Wide4d& a, const Wide4d& b) {
  return {a.v < b.v};
}
ABUT_ALWAYS_INLINE WideMask operator&(const WideMask& a, const WideMask& b) {
  return {a.v & b.v};
}
ABUT_ALWAYS_INLINE WideMask operator|(const WideMask& a, const WideMask& b) {
  return {a.v | b.v};
}
ABUT_ALWAYS_INLINE WideMask operator^(const WideMask& a, const WideMask& b) {
  return {a.v ^ b.v};
}
ABUT_ALWAYS_INLINE WideMask operator~(const WideMask& a) {
  return {~a.v};
}
ABUT_ALWAYS_INLINE Wide4d select(const WideMask& m, const Wide4d& a, const Wide4d& b) {
  return {m.v ? a.v : b.v};
}
// As those of plain doubles: the second where the comparison does not hold.
ABUT_ALWAYS_INLINE Wide4d minOf(const Wide4d& a, const Wide4d& b) {
  return {a.v < b.v ? a.v : b.v};
}
ABUT_ALWAYS_INLINE Wide4d maxOf(const Wide4d& a, const Wide4d& b) {
  return {b.v < a.v ? a.v : b.v};
}
ABUT_ALWAYS_INLINE unsigned bitsOf(const WideMask& m) {
  const Mask2 low = __builtin_shufflevector(m.v, m.v, 0, 1);
  const Mask2 high = __builtin_shufflevector(m.v, m.v, 2, 3);
  return bitsOf(low) | (bitsOf(high) << 2u);
}
ABUT_ALWAYS_INLINE WideMask lanesOf(unsigned bits, const Wide4d*) {
  const MaskOf4 lane{1, 2, 4, 8};
  const auto all = static_cast<long long>(bits);
  return {(MaskOf4{all, all, all, all} & lane) == lane};
}
ABUT_ALWAYS_INLINE bool anyOf(const WideMask& a) {
  return bitsOf(Mask2(__builtin_shufflevector(a.v, a.v, 0, 1) |
                      __builtin_shufflevector(a.v, a.v, 2, 3))) != 0;
}
ABUT_ALWAYS_INLINE bool holds(const WideMask& m, int lane) {
  return m.v[lane] != 0;
}

template <>
struct PackTraits<Wide4d> {
  using Mask = WideMask;
  static ABUT_ALWAYS_INLINE Wide4d splat(double x) { return {Double4{x, x, x, x}}; }
  static ABUT_ALWAYS_INLINE Wide4d load(const Pack4d& p) {
    Wide4d a;
    __builtin_memcpy(&a.v, &p, sizeof a.v);
    return a;
  }
  static ABUT_ALWAYS_INLINE void store(Pack4d& p, const Wide4d& a) {
    __builtin_memcpy(&p, &a.v, sizeof a.v);
  }
};

}  // namespace abut::inline v0_1

#pragma GCC diagnostic pop
#else
#define ABUT_HAS_WIDE 0
#endif
