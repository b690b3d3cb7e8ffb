// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>

#include <Eigen/Geometry>

namespace abut::test {

/// Splitmix64: the same numbers on every machine. Draw one number per statement: two draws in one
/// argument list come in no fixed order.
class Generator {
public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, 1).
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// Uniform in [low, high).
  double range(double low, double high) { return low + (high - low) * unit(); }
  /// Uniform in the logarithm.
  double logRange(double low, double high) { return low * std::exp(unit() * std::log(high / low)); }
  /// Uniform in 0 .. n-1.
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }

  /// Uniform on the unit sphere.
  Eigen::Vector3d direction() {
    for (;;) {
      Eigen::Vector3d v;
      for (int i = 0; i < 3; ++i) v[i] = range(-1.0, 1.0);
      const double length = v.norm();
      if (length > 0.1 && length <= 1.0) return v / length;
    }
  }
  /// Uniform rotation.
  Eigen::Matrix3d rotation() {
    for (;;) {
      Eigen::Vector4d q;
      for (int i = 0; i < 4; ++i) q[i] = range(-1.0, 1.0);
      const double length = q.norm();
      if (length > 0.1 && length <= 1.0) {
        return Eigen::Quaterniond(q / length).toRotationMatrix();
      }
    }
  }

private:
  std::uint64_t state_;
};

}  // namespace abut::test
