// SPDX-License-Identifier: MIT
#pragma once

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// M v = x v_x + y v_y + z v_z, summed from the left.
inline Vec3 operator*(const Mat3& m, const Vec3& v) {
  return {(m.x.x * v.x + m.y.x * v.y) + m.z.x * v.z, (m.x.y * v.x + m.y.y * v.y) + m.z.y * v.z,
          (m.x.z * v.x + m.y.z * v.y) + m.z.z * v.z};
}
/// M^T v.
inline Vec3 transposeTimes(const Mat3& m, const Vec3& v) {
  return {dot(m.x, v), dot(m.y, v), dot(m.z, v)};
}
inline Mat3 operator*(const Mat3& a, const Mat3& b) {
  return {a * b.x, a * b.y, a * b.z};
}
/// A^T B.
inline Mat3 transposeTimes(const Mat3& a, const Mat3& b) {
  return {transposeTimes(a, b.x), transposeTimes(a, b.y), transposeTimes(a, b.z)};
}
inline Mat3 transpose(const Mat3& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}
inline Mat3 operator+(const Mat3& a, const Mat3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Mat3 operator-(const Mat3& a, const Mat3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Mat3 operator*(const Mat3& m, double s) {
  return {m.x * s, m.y * s, m.z * s};
}
/// a b^T.
inline Mat3 outer(const Vec3& a, const Vec3& b) {
  return {a * b.x, a * b.y, a * b.z};
}
inline double determinant(const Mat3& m) {
  return dot(cross(m.x, m.y), m.z);
}
/// Whether a pose's matrix is a rotation, as far as all that take poses ask. False for a NaN, too.
[[nodiscard]] bool isRotation(const Mat3& m);
/// Inverse of a regular matrix, by cofactors.
Mat3 inverse(const Mat3& m);
inline Mat3 absOf(const Mat3& m) {
  return {absOf(m.x), absOf(m.y), absOf(m.z)};
}

/// Local to world.
inline Vec3 apply(const Pose& pose, const Vec3& local) {
  return pose.rotation * local + pose.translation;
}
/// World to local.
inline Vec3 applyInverse(const Pose& pose, const Vec3& world) {
  return transposeTimes(pose.rotation, world - pose.translation);
}
/// The pose of b's frame seen from a's frame: a^-1 b.
inline Pose relative(const Pose& a, const Pose& b) {
  return {transposeTimes(a.rotation, b.rotation),
          transposeTimes(a.rotation, b.translation - a.translation)};
}
/// a b: b's placement, given in a's frame, seen from the world.
inline Pose compose(const Pose& a, const Pose& b) {
  return {a.rotation * b.rotation, apply(a, b.translation)};
}

/// Hamilton product a b.
Quat operator*(const Quat& a, const Quat& b);
/// q/|q|.
Quat normalized(const Quat& q);
/// The rotation matrix of a unit quaternion.
Mat3 toMatrix(const Quat& q);
/// The unit quaternion with w >= 0 of a rotation matrix.
Quat toQuat(const Mat3& m);
/// exp of a rotation vector (axis times angle [rad]).
Quat quatFromRotationVector(const Vec3& v);

/// Largest element of |R^T R - I|: 0 for a rotation or reflection.
double orthonormalityError(const Mat3& m);
/// One Newton step of the polar decomposition, R (3 I - R^T R) / 2: squares the error.
Mat3 polarStep(const Mat3& m);

}  // namespace abut::inline v0_1
