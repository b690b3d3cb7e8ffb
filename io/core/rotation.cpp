// SPDX-License-Identifier: MIT
#include "io/core/rotation.hpp"

#include <cmath>

namespace abut::inline v0_1::io {

Quat quaternionOf(const Mat3& r) {
  // With m_ij by row and column: 4 w^2 = 1 + m00 + m11 + m22, and likewise for x, y, z.
  const double m00 = r.x.x, m11 = r.y.y, m22 = r.z.z;
  const double m10 = r.x.y, m01 = r.y.x, m20 = r.x.z, m02 = r.z.x, m21 = r.y.z, m12 = r.z.y;
  const double four[4] = {1.0 + m00 + m11 + m22, 1.0 + m00 - m11 - m22, 1.0 - m00 + m11 - m22,
                          1.0 - m00 - m11 + m22};
  int best = 0;
  for (int i = 1; i < 4; ++i)
    if (four[i] > four[best]) best = i;
  const double twice = std::sqrt(four[best]);
  const double s = 0.5 / twice;
  Quat q;
  switch (best) {
    case 0:
      q = {0.5 * twice, (m21 - m12) * s, (m02 - m20) * s, (m10 - m01) * s};
      break;
    case 1:
      q = {(m21 - m12) * s, 0.5 * twice, (m10 + m01) * s, (m02 + m20) * s};
      break;
    case 2:
      q = {(m02 - m20) * s, (m10 + m01) * s, 0.5 * twice, (m21 + m12) * s};
      break;
    default:
      q = {(m10 - m01) * s, (m02 + m20) * s, (m21 + m12) * s, 0.5 * twice};
  }
  if (q.w < 0.0) q = {-q.w, -q.x, -q.y, -q.z};
  return q;
}

Mat3 matrixOf(const Quat& q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{1.0 - 2.0 * (yy + zz), 2.0 * (xy + wz), 2.0 * (xz - wy)},
          {2.0 * (xy - wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz + wx)},
          {2.0 * (xz + wy), 2.0 * (yz - wx), 1.0 - 2.0 * (xx + yy)}};
}

Quat multiply(const Quat& a, const Quat& b) {
  return {((a.w * b.w - a.x * b.x) - a.y * b.y) - a.z * b.z,
          ((a.w * b.x + a.x * b.w) + a.y * b.z) - a.z * b.y,
          ((a.w * b.y - a.x * b.z) + a.y * b.w) + a.z * b.x,
          ((a.w * b.z + a.x * b.y) - a.y * b.x) + a.z * b.w};
}

Vec3 rotate(const Mat3& r, const Vec3& v) {
  return {(r.x.x * v.x + r.y.x * v.y) + r.z.x * v.z, (r.x.y * v.x + r.y.y * v.y) + r.z.y * v.z,
          (r.x.z * v.x + r.y.z * v.y) + r.z.z * v.z};
}

Pose compose(const Pose& a, const Pose& b) {
  const Vec3 t = rotate(a.rotation, b.translation);
  return {{rotate(a.rotation, b.rotation.x), rotate(a.rotation, b.rotation.y),
           rotate(a.rotation, b.rotation.z)},
          {t.x + a.translation.x, t.y + a.translation.y, t.z + a.translation.z}};
}

}  // namespace abut::inline v0_1::io
