// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "broad_phase/box_tests.hpp"
#include "broad_phase/float8.hpp"

namespace abut::inline v0_1 {

/// A box in floats, relative to an origin, that contains the box it stands for. Lanes x, y, z; the
/// fourth is unused.
struct FloatBox {
  Float4 lo;
  Float4 hi;
};

/// Boxes that reach beyond this [m] are wild: their floats still contain them, but loosely.
inline constexpr double kWildCoordinate = 1e30;
/// One unit in the last place of a float, relative; and a length that stands for it near zero.
inline constexpr float kFloatUlp = 0x1p-23f;
inline constexpr float kFloatTiny = 1e-30f;

/// The six numbers of a box as they lie in memory: (lo x, lo y), (lo z, hi x), (hi y, hi z).
struct PackedBox {
  Double2 a, b, c;
};
static_assert(sizeof(PackedBox) == sizeof(Box));

inline PackedBox pack(const Box& box) {
  const char* p = reinterpret_cast<const char*>(&box);
  return {load2(p), load2(p + 16), load2(p + 32)};
}

inline bool isWild(const PackedBox& box) {
  return !allOf((absOf(box.a) < kWildCoordinate) & (absOf(box.b) < kWildCoordinate) &
                (absOf(box.c) < kWildCoordinate));
}

/// The floats of a box that is not wild, relative to an origin (packed twice over).
///
/// Rounding to float errs by half a unit in the last place, and |f| 2^-23 is at least one whole
/// unit, so f - |f| 2^-23 rounds to a float at least one unit below f.
inline FloatBox toFloatBox(const PackedBox& box, const PackedBox& origin) {
  const Float4 a = toFloats(box.a - origin.a), b = toFloats(box.b - origin.b),
               c = toFloats(box.c - origin.c);
  const Float4 lo = __builtin_shufflevector(a, b, 0, 1, 4, 6);
  const Float4 hi = __builtin_shufflevector(b, c, 1, 4, 5, 6);
  return {lo - (absOf(lo) * kFloatUlp + kFloatTiny), hi + (absOf(hi) * kFloatUlp + kFloatTiny)};
}

/// The floats of a wild box: bounds beyond kWildCoordinate become infinite outwards, and are cut to
/// what a float can hold inwards.
inline FloatBox toFloatBoxWild(const Box& box, const Vec3& origin) {
  constexpr double kLargest = 1e37;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Vec3 largest{kLargest, kLargest, kLargest};
  const Box cut{maxOf(minOf(box.lo - origin, largest), -largest),
                minOf(maxOf(box.hi - origin, -largest), largest)};
  FloatBox result = toFloatBox(pack(cut), PackedBox{});
  const double lo[3] = {box.lo.x, box.lo.y, box.lo.z}, hi[3] = {box.hi.x, box.hi.y, box.hi.z};
  for (int axis = 0; axis < 3; ++axis) {
    if (lo[axis] < -kWildCoordinate) result.lo[axis] = -kInfinity;
    if (hi[axis] > kWildCoordinate) result.hi[axis] = kInfinity;
  }
  return result;
}

/// The lower, or upper, bound of a box moved inwards by more than the error of floats.
///
/// Let a stand for a true lo in [a, a + e|a| + 2 tiny] and b for a true hi in [b - e|b| - 2 tiny,
/// b], where e = 2^-22 covers rounding and widening. If b >= a + 16 ulp |a| + 4 tiny, then lo <=
/// hi: either |b| <= 2|a|, and the errors sum to at most 3 e |a| = 6 ulp |a|; or |b| > 2|a|, and
/// then b - a > |b|/2. So a box that overlaps the one with both bounds moved inwards overlaps for
/// certain, and only the others need a test in double precision. Does not hold for wild boxes.
inline float insideLo(float lo) {
  return lo + ((lo < 0.0f ? -lo : lo) * (16.0f * kFloatUlp) + 4.0f * kFloatTiny);
}
inline float insideHi(float hi) {
  return -insideLo(-hi);
}

}  // namespace abut::inline v0_1
