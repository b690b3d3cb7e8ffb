// SPDX-License-Identifier: MIT
#include "math/pose.hpp"

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>

#include "math/trigonometry.hpp"

namespace abut::inline v0_1 {

Vec3 anyPerpendicular(const Vec3& n) {
  const Vec3 a = absOf(n);
  if (a.z < a.x && a.z < a.y) {
    return normalized(Vec3{0.0 - n.x * n.z, 0.0 - n.y * n.z, 1.0 - n.z * n.z});
  }
  if (a.y < a.x && a.y <= a.z) {
    return normalized(Vec3{0.0 - n.x * n.y, 1.0 - n.y * n.y, 0.0 - n.z * n.y});
  }
  return normalized(Vec3{1.0 - n.x * n.x, 0.0 - n.y * n.x, 0.0 - n.z * n.x});
}

Mat3 inverse(const Mat3& m) {
  const Vec3 a = cross(m.y, m.z), b = cross(m.z, m.x), c = cross(m.x, m.y);
  const double s = 1.0 / dot(m.x, a);
  return transpose(Mat3{a * s, b * s, c * s});
}

Quat operator*(const Quat& a, const Quat& b) {
  return {((a.w * b.w - a.x * b.x) - a.y * b.y) - a.z * b.z,
          ((a.w * b.x + a.x * b.w) + a.y * b.z) - a.z * b.y,
          ((a.w * b.y - a.x * b.z) + a.y * b.w) + a.z * b.x,
          ((a.w * b.z + a.x * b.y) - a.y * b.x) + a.z * b.w};
}

Quat normalized(const Quat& q) {
  const double s = 1.0 / std::sqrt(((q.w * q.w + q.x * q.x) + q.y * q.y) + q.z * q.z);
  return {q.w * s, q.x * s, q.y * s, q.z * s};
}

Mat3 toMatrix(const Quat& q) {
  // Dividing by |q|^2 takes out the rounding of its length, which would otherwise scale in one
  // direction at every step of a long rotation.
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double s = 2.0 / (((q.w * q.w + xx) + yy) + zz);
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{1.0 - s * (yy + zz), s * (xy + wz), s * (xz - wy)},
          {s * (xy - wz), 1.0 - s * (xx + zz), s * (yz + wx)},
          {s * (xz + wy), s * (yz - wx), 1.0 - s * (xx + yy)}};
}

Quat toQuat(const Mat3& m) {
  // The largest of 4w^2, 4x^2, 4y^2, 4z^2 is at least 1, so the division is well conditioned.
  const double trace = (m.x.x + m.y.y) + m.z.z;
  Quat q;
  if (trace >= m.x.x && trace >= m.y.y && trace >= m.z.z) {
    q = {1.0 + trace, m.y.z - m.z.y, m.z.x - m.x.z, m.x.y - m.y.x};
  } else if (m.x.x >= m.y.y && m.x.x >= m.z.z) {
    q = {m.y.z - m.z.y, ((1.0 + m.x.x) - m.y.y) - m.z.z, m.x.y + m.y.x, m.z.x + m.x.z};
  } else if (m.y.y >= m.z.z) {
    q = {m.z.x - m.x.z, m.x.y + m.y.x, ((1.0 + m.y.y) - m.x.x) - m.z.z, m.y.z + m.z.y};
  } else {
    q = {m.x.y - m.y.x, m.z.x + m.x.z, m.y.z + m.z.y, ((1.0 + m.z.z) - m.x.x) - m.y.y};
  }
  q = normalized(q);
  return q.w < 0.0 ? Quat{-q.w, -q.x, -q.y, -q.z} : q;
}

Quat quatFromRotationVector(const Vec3& v) {
  const double angle = norm(v);
  // sin(a/2)/a tends to 1/2; below this angle the next term, a^2/48, is under half an ulp.
  constexpr double kSmallAngle = 1e-8;
  if (angle < kSmallAngle) return normalized(Quat{1.0, 0.5 * v.x, 0.5 * v.y, 0.5 * v.z});
  const SinCos half = sinCos(0.5 * angle);
  const double s = half.sin / angle;
  return normalized(Quat{half.cos, s * v.x, s * v.y, s * v.z});
}

double orthonormalityError(const Mat3& m) {
  const double xx = absOf(squaredNorm(m.x) - 1.0), yy = absOf(squaredNorm(m.y) - 1.0);
  const double zz = absOf(squaredNorm(m.z) - 1.0), xy = absOf(dot(m.x, m.y));
  const double xz = absOf(dot(m.x, m.z)), yz = absOf(dot(m.y, m.z));
  return maxOf(maxOf(maxOf(xx, yy), zz), maxOf(maxOf(xy, xz), yz));
}

bool isRotation(const Mat3& m) {
  constexpr double kRotationError = 1e-6;
  return orthonormalityError(m) <= kRotationError && determinant(m) > 0.0;
}

Mat3 polarStep(const Mat3& m) {
  const Mat3 gram = transposeTimes(m, m);
  return m * ((Mat3{} * 3.0 - gram) * 0.5);
}

Eigen::Isometry3d toEigen(const Pose& pose) {
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  const Vec3* columns[4] = {&pose.rotation.x, &pose.rotation.y, &pose.rotation.z,
                            &pose.translation};
  for (int c = 0; c < 4; ++c) {
    t(0, c) = columns[c]->x;
    t(1, c) = columns[c]->y;
    t(2, c) = columns[c]->z;
  }
  return t;
}

Status toPose(const Eigen::Isometry3d& transform, Pose& pose) {
  const FloatEnvironment environment;
  // The deviation that counts as rounding: a product of two rotations deviates by a few 1e-16.
  constexpr double kRoundingError = 4e-15;

  Vec3 columns[4];
  for (int c = 0; c < 4; ++c) columns[c] = {transform(0, c), transform(1, c), transform(2, c)};
  Pose result{{columns[0], columns[1], columns[2]}, columns[3]};
  for (const Vec3& column : columns) {
    if (isFinite(column)) continue;
    return Status::failure(StatusCode::NonFinite,
                           "transform: expected finite numbers, got a column (" + toText(column.x) +
                               ", " + toText(column.y) + ", " + toText(column.z) +
                               "); check what computed this pose");
  }
  double error = orthonormalityError(result.rotation);
  if (!isRotation(result.rotation)) {
    return Status::failure(
        StatusCode::NotARotation,
        "transform: the linear part is not a rotation (R^T R differs from 1 by " + toText(error) +
            ", determinant " + toText(determinant(result.rotation)) +
            "); remove scale, shear or mirroring");
  }
  for (int i = 0; i < 3 && error > kRoundingError; ++i) {
    result.rotation = polarStep(result.rotation);
    error = orthonormalityError(result.rotation);
  }
  pose = result;
  return {};
}

Pose poseFrom(const Eigen::Isometry3d& transform) {
  Pose pose;
  toPose(transform, pose).orThrow();
  return pose;
}

Pose poseFromRollPitchYaw(const Eigen::Vector3d& position, double roll, double pitch, double yaw) {
  const FloatEnvironment environment;
  constexpr double kMaxAngle = 1e9;
  requireInRange("roll", roll, -kMaxAngle, kMaxAngle, "rad");
  requireInRange("pitch", pitch, -kMaxAngle, kMaxAngle, "rad");
  requireInRange("yaw", yaw, -kMaxAngle, kMaxAngle, "rad");
  const SinCos r = sinCos(roll), p = sinCos(pitch), y = sinCos(yaw);
  const Mat3 rx{{1.0, 0.0, 0.0}, {0.0, r.cos, r.sin}, {0.0, -r.sin, r.cos}};
  const Mat3 ry{{p.cos, 0.0, -p.sin}, {0.0, 1.0, 0.0}, {p.sin, 0.0, p.cos}};
  const Mat3 rz{{y.cos, y.sin, 0.0}, {-y.sin, y.cos, 0.0}, {0.0, 0.0, 1.0}};
  return poseFrom(toEigen(Pose{rz * (ry * rx), toVec3(position)}));
}

}  // namespace abut::inline v0_1
