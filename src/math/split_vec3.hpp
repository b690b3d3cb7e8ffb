// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include "core/inline.hpp"
#include "math/pack.hpp"

namespace abut::inline v0_1 {

/// A Vec3 with x and y in one register and z in another: three quarters of the instructions of
/// three plain doubles, and the same bits.
struct SplitVec3 {
  Double2 xy;
  double z;
};

// Two neighbouring doubles in memory, however aligned: one instruction, where a vector type that
// claims less alignment is believed by gcc but not by clang.
ABUT_ALWAYS_INLINE Double2 loadPair(const double* from) {
  Double2 a;
  std::memcpy(&a, from, sizeof a);
  return a;
}
ABUT_ALWAYS_INLINE void storePair(double* to, const Double2& a) {
  std::memcpy(to, &a, sizeof a);
}

/// Four neighbouring doubles in memory.
ABUT_ALWAYS_INLINE Pack4d loadPack(const double* from) {
  return {loadPair(from), loadPair(from + 2)};
}
ABUT_ALWAYS_INLINE void storePack(double* to, const Pack4d& a) {
  storePair(to, a.low);
  storePair(to + 2, a.high);
}

/// Of a vector in memory.
ABUT_ALWAYS_INLINE SplitVec3 loadSplit(const Vec3& v) {
  return {loadPair(&v.x), v.z};
}
/// Of a vector in registers.
ABUT_ALWAYS_INLINE SplitVec3 split(const Vec3& v) {
  return {Double2{v.x, v.y}, v.z};
}
ABUT_ALWAYS_INLINE Vec3 join(const SplitVec3& v) {
  return {v.xy[0], v.xy[1], v.z};
}
/// Three neighbouring doubles in memory.
ABUT_ALWAYS_INLINE void storeSplit(double* to, const SplitVec3& v) {
  storePair(to, v.xy);
  to[2] = v.z;
}

ABUT_ALWAYS_INLINE SplitVec3 operator+(const SplitVec3& a, const SplitVec3& b) {
  return {a.xy + b.xy, a.z + b.z};
}
ABUT_ALWAYS_INLINE SplitVec3 operator-(const SplitVec3& a, const SplitVec3& b) {
  return {a.xy - b.xy, a.z - b.z};
}
ABUT_ALWAYS_INLINE SplitVec3 operator*(const SplitVec3& a, double s) {
  return {a.xy * s, a.z * s};
}

}  // namespace abut::inline v0_1
