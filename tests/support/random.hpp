// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "math/pose.hpp"
#include "support/generator.hpp"

namespace abut::test {

/// The shared generator with draws of the library's own types. Print the seed on failure.
class Random : public Generator {
public:
  using Generator::Generator;

  double between(double low, double high) { return range(low, high); }

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
};

}  // namespace abut::test
