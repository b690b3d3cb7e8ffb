// SPDX-License-Identifier: MIT
#include <abut/core/float_environment.hpp>
#include <abut/math/placement.hpp>

#include "math/pose.hpp"
#include "math/unit_quat.hpp"

namespace abut::inline v0_1 {

Pose poseAt(const Eigen::Vector3d& position, const Quat& orientation) {
  const FloatEnvironment environment;
  if (!isUnit(orientation)) {
    const double length2 = squaredNorm(orientation);
    throw Error(
        isFinite(length2) ? StatusCode::NotARotation : StatusCode::NonFinite,
        "poseAt: expected a quaternion of unit length, got squared length " + toText(length2));
  }
  return poseFrom(toEigen(Pose{toMatrix(normalized(orientation)), toVec3(position)}));
}

Eigen::Matrix3d toEigen(const Mat3& m) {
  Eigen::Matrix3d result;
  result << m.x.x, m.y.x, m.z.x, m.x.y, m.y.y, m.z.y, m.x.z, m.y.z, m.z.z;
  return result;
}

}  // namespace abut::inline v0_1
