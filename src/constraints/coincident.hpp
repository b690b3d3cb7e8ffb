// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// Bodies whose centres are no farther apart than this share of their least half width lie in one
/// place, as when they were created there.
inline constexpr double kOnePlace = 1e-6;

/// The normal of a contact between bodies with these centres. Of bodies in one place none is on any
/// side of the other: detection gives all such pairs one direction, in which a hundred of them
/// could only line up. Each pair gets a direction of its own then, by its rank.
inline bool areInOnePlace(const Vec3& center1, const Vec3& center2, double halfWidth) {
  const double near = kOnePlace * halfWidth;
  return squaredNorm(center1 - center2) < near * near;
}
inline Vec3 partingNormal(const Vec3& normal, const Vec3& center1, const Vec3& center2,
                          double halfWidth, std::uint64_t hash) {
  if (!areInOnePlace(center1, center2, halfWidth)) return normal;
  const auto part = [hash](int shift) {
    constexpr std::uint64_t kMask = 0xfffff;
    return static_cast<double>((hash >> shift) & kMask) / 524288.0 - 1.0;
  };
  const Vec3 direction{part(0), part(20), part(40)};
  constexpr double kTooShort = 1e-2;
  return squaredNorm(direction) > kTooShort ? normalized(direction) : normal;
}

}  // namespace abut::inline v0_1
