// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Geometry>

#include <abut/core/status.hpp>
#include <abut/math/types.hpp>

namespace abut::inline v0_1 {

/// Copies of the three numbers; no arithmetic.
[[nodiscard]] inline Vec3 toVec3(const Eigen::Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}
[[nodiscard]] inline Eigen::Vector3d toEigen(const Vec3& v) {
  return {v.x, v.y, v.z};
}

/// The placement as an Eigen transform; no arithmetic.
[[nodiscard]] Eigen::Isometry3d toEigen(const Pose& pose);

/// Checks and converts a transform given by a caller.
///
/// Fails with NonFinite for a NaN or infinity, and with NotARotation if the linear part differs
/// from a rotation by more than 1e-6 in any element of R^T R - I, or mirrors. A linear part within
/// that bound but not orthonormal to rounding is made so once. `pose` is unchanged on failure.
Status toPose(const Eigen::Isometry3d& transform, Pose& pose);

/// The same for one-line use: throws abut::Error instead of returning a failure.
[[nodiscard]] Pose poseFrom(const Eigen::Isometry3d& transform);

/// A placement from a position [m] and roll, pitch, yaw [rad]: rotation = Rz(yaw) Ry(pitch)
/// Rx(roll). Uses the library's own sine and cosine, so equal input gives equal bits on every
/// machine. Throws abut::Error for values that are not finite or angles beyond 1e9.
[[nodiscard]] Pose poseFromRollPitchYaw(const Eigen::Vector3d& position, double roll, double pitch,
                                        double yaw);

}  // namespace abut::inline v0_1
