// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

namespace abut::inline v0_1 {

/// Four and eight floats side by side. Two 16-byte vectors rather than one of 32: the same source
/// then compiles well with and without AVX, and lanes never mix, so the bits are the same anywhere.
typedef float Float4 __attribute__((vector_size(16)));
typedef std::int32_t Int4 __attribute__((vector_size(16)));
typedef double Double2 __attribute__((vector_size(16)));
typedef std::int64_t Long2 __attribute__((vector_size(16)));

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
inline Double2 load2(const void* p) {
  Double2 v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline Float4 splat4(float x) {
  return Float4{x, x, x, x};
}

// Lane by lane. Where a comparison involves NaN the first argument is kept. (That is what the
// instruction does; gcc 12 does not find it by itself.)
inline Float4 minOf(Float4 a, Float4 b) {
#ifdef __SSE2__
  return __builtin_ia32_minps(b, a);
#else
  return b < a ? b : a;
#endif
}
inline Float4 maxOf(Float4 a, Float4 b) {
#ifdef __SSE2__
  return __builtin_ia32_maxps(b, a);
#else
  return b > a ? b : a;
#endif
}
inline Float4 absOf(Float4 a) {
  return reinterpret_cast<Float4>(reinterpret_cast<Int4>(a) & 0x7fffffff);
}

inline Double2 absOf(Double2 a) {
  return reinterpret_cast<Double2>(reinterpret_cast<Long2>(a) & 0x7fffffffffffffff);
}

/// Rounded to nearest, in lanes 0 and 1.
inline Float4 toFloats(Double2 v) {
#ifdef __SSE2__
  return __builtin_ia32_cvtpd2ps(v);
#else
  return Float4{static_cast<float>(v[0]), static_cast<float>(v[1]), 0.0f, 0.0f};
#endif
}

/// Rows become columns.
inline void transpose(Float4& r0, Float4& r1, Float4& r2, Float4& r3) {
  const Float4 a = __builtin_shufflevector(r0, r1, 0, 4, 1, 5);
  const Float4 b = __builtin_shufflevector(r2, r3, 0, 4, 1, 5);
  const Float4 c = __builtin_shufflevector(r0, r1, 2, 6, 3, 7);
  const Float4 d = __builtin_shufflevector(r2, r3, 2, 6, 3, 7);
  r0 = __builtin_shufflevector(a, b, 0, 1, 4, 5);
  r1 = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  r2 = __builtin_shufflevector(c, d, 0, 1, 4, 5);
  r3 = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

inline bool allOf(Long2 mask) {
#ifdef __SSE2__
  return __builtin_ia32_movmskpd(reinterpret_cast<Double2>(mask)) == 3;
#else
  return (mask[0] & mask[1]) != 0;
#endif
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

}  // namespace abut::inline v0_1
