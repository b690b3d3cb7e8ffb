// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "broad_phase/box_tests.hpp"

namespace abut {

/// A box in floats, relative to an origin, that contains the box it stands for.
struct alignas(16) FloatBox {
  float lo[4];  // x, y, z, unused
  float hi[4];
};

/// Boxes that reach beyond this [m] are wild: their floats are still conservative, but may be far
/// from the true value.
inline constexpr double kWildCoordinate = 1e30;
/// One unit in the last place of a float, relative; and a length that stands for it near zero.
inline constexpr float kFloatUlp = 0x1p-23f;
inline constexpr float kFloatTiny = 1e-30f;

/// A float below x. Rounding x to float errs by half a unit in the last place, and |f| 2^-23 is at
/// least one whole unit, so f - |f| 2^-23 rounds to a float at least one unit below f.
inline float floatBelow(double x) {
  if (x < -kWildCoordinate) return -std::numeric_limits<float>::infinity();
  const float f = static_cast<float>(x > kWildCoordinate ? kWildCoordinate : x);
  return f - ((f < 0.0f ? -f : f) * kFloatUlp + kFloatTiny);
}
inline float floatAbove(double x) {
  return -floatBelow(-x);
}

inline FloatBox toFloatBox(const Box& box, const Vec3& origin) {
  return {{floatBelow(box.lo.x - origin.x), floatBelow(box.lo.y - origin.y),
           floatBelow(box.lo.z - origin.z), 0.0f},
          {floatAbove(box.hi.x - origin.x), floatAbove(box.hi.y - origin.y),
           floatAbove(box.hi.z - origin.z), 0.0f}};
}

inline bool isWild(const Box& box) {
  constexpr double k = kWildCoordinate;
  return !(box.lo.x > -k && box.lo.y > -k && box.lo.z > -k && box.hi.x < k && box.hi.y < k &&
           box.hi.z < k);
}

/// The box made smaller by more than the error of the floats, its own and the other's.
///
/// Let a stand for a true lo in [a, a + e|a| + 2 tiny] and b for a true hi in [b - e|b| - 2 tiny,
/// b], where e = 2^-22 covers rounding and widening. If b >= a + 16 ulp |a| + 4 tiny, then lo <=
/// hi: either |b| <= 2|a|, and the errors sum to at most 3 e |a| = 6 ulp |a|; or |b| > 2|a|, and
/// then b - a > |b|/2. So a box that overlaps the shrunk one overlaps for certain, and only the
/// others need a test in double precision. Does not hold for wild boxes.
inline FloatBox shrunk(const FloatBox& box) {
  FloatBox s;
  for (int i = 0; i < 4; ++i) {
    const float lo = box.lo[i], hi = box.hi[i];
    s.lo[i] = lo + ((lo < 0.0f ? -lo : lo) * (16.0f * kFloatUlp) + 4.0f * kFloatTiny);
    s.hi[i] = hi - ((hi < 0.0f ? -hi : hi) * (16.0f * kFloatUlp) + 4.0f * kFloatTiny);
  }
  return s;
}

}  // namespace abut
