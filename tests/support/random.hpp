// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "math/pose.hpp"

namespace abut::test {

/// splitmix64: the same numbers on every machine. Print the seed with SCOPED_TRACE.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15ull;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, 1).
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }

  /// Uniform in the cube [-size, size]^3.
  Vec3 vector(double size) {
    const double x = between(-size, size);
    const double y = between(-size, size);
    const double z = between(-size, size);
    return {x, y, z};
  }
  /// Uniform on the unit sphere.
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vector(1.0);
      const double length2 = squaredNorm(v);
      if (length2 > 1e-4 && length2 <= 1.0) return normalized(v);
    }
  }
  /// Uniform over all rotations.
  Quat quaternion() {
    for (;;) {
      const double w = between(-1.0, 1.0);
      const Vec3 v = vector(1.0);
      const double length2 = w * w + squaredNorm(v);
      if (length2 > 1e-4 && length2 <= 1.0) return normalized(Quat{w, v.x, v.y, v.z});
    }
  }
  Mat3 rotation() { return toMatrix(quaternion()); }
  Pose pose(double size) {
    const Mat3 turn = rotation();
    return {turn, vector(size)};
  }

private:
  std::uint64_t state_;
};

}  // namespace abut::test
