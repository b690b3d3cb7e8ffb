// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

namespace abut {

/// Four and eight floats side by side. Two 16-byte vectors rather than one of 32: the same source
/// then compiles well with and without AVX, and lanes never mix, so the bits are the same anywhere.
typedef float Float4 __attribute__((vector_size(16)));
typedef std::int32_t Int4 __attribute__((vector_size(16)));

struct Float8 {
  Float4 a;
  Float4 b;
};
struct Mask8 {
  Int4 a;
  Int4 b;
};

inline Float8 load8(const float* p) {
  Float8 v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline Float4 splat4(float x) {
  return Float4{x, x, x, x};
}

/// Lanes with value <= x, and with value >= x. NaN lanes are in neither.
inline Mask8 atMost(const Float8& v, Float4 x) {
  return {v.a <= x, v.b <= x};
}
inline Mask8 atLeast(const Float8& v, Float4 x) {
  return {v.a >= x, v.b >= x};
}
inline Mask8 operator&(const Mask8& m, const Mask8& n) {
  return {m.a & n.a, m.b & n.b};
}

/// Bit i is lane i.
inline unsigned bitsOf(const Mask8& m) {
#ifdef __SSE2__
  return static_cast<unsigned>(__builtin_ia32_movmskps(reinterpret_cast<Float4>(m.a))) |
         static_cast<unsigned>(__builtin_ia32_movmskps(reinterpret_cast<Float4>(m.b))) << 4;
#else
  const Int4 bits = (m.a & Int4{1, 2, 4, 8}) | (m.b & Int4{16, 32, 64, 128});
  return static_cast<unsigned>((bits[0] | bits[1]) | (bits[2] | bits[3]));
#endif
}

}  // namespace abut
