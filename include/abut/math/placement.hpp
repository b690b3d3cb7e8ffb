// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Geometry>

#include <abut/math/convert.hpp>

namespace abut::inline v0_1 {

// Rotations to and from Eigen, and placements made of them; vectors and transforms are in
// math/convert.hpp.

/// Copies of the numbers; no arithmetic.
[[nodiscard]] inline Quat toQuat(const Eigen::Quaterniond& q) {
  return {q.w(), q.x(), q.y(), q.z()};
}
[[nodiscard]] inline Eigen::Quaterniond toEigen(const Quat& q) {
  return {q.w, q.x, q.y, q.z};
}
[[nodiscard]] Eigen::Matrix3d toEigen(const Mat3& m);

/// The unit quaternion, w >= 0, of a rotation.
[[nodiscard]] Quat toQuat(const Mat3& rotation);

/// A placement from a position [m] and a quaternion of unit length within 1e-6. Throws abut::Error
/// for values that are not finite or a quaternion that is no rotation.
[[nodiscard]] Pose poseAt(const Eigen::Vector3d& position, const Quat& orientation = {});

}  // namespace abut::inline v0_1
