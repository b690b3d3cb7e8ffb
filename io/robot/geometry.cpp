// SPDX-License-Identifier: MIT
#include "io/robot/geometry.hpp"

namespace abut::inline v0_1::io {

Mat3 rotationAbout(const Vec3& k, double angle) {
  const Mat3 turn = poseFromRollPitchYaw({0, 0, 0}, 0, 0, angle).rotation;
  const double c = turn.x.x, s = turn.x.y, d = 1.0 - c;
  return {{c + d * k.x * k.x, d * k.x * k.y + s * k.z, d * k.x * k.z - s * k.y},
          {d * k.x * k.y - s * k.z, c + d * k.y * k.y, d * k.y * k.z + s * k.x},
          {d * k.x * k.z + s * k.y, d * k.y * k.z - s * k.x, c + d * k.z * k.z}};
}

/// The half-way quaternion of z and the vector v is (1 + v.z, z x v). Opposite to z, a half turn
/// about x does.
Mat3 frameAlong(const Vec3& v) {
  constexpr double kNearlyOpposite = 1e-12;
  const double w = 1.0 + v.z;
  if (w < kNearlyOpposite) return {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  const double length = std::sqrt((w * w + v.x * v.x) + v.y * v.y);
  return matrixOf({w / length, -v.y / length, v.x / length, 0.0});
}

}  // namespace abut::inline v0_1::io
