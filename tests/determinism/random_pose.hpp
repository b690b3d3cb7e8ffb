// SPDX-License-Identifier: MIT
#pragma once

#include "digest.hpp"
#include "math/pose.hpp"

namespace golden {

/// A rotation from four random numbers (not uniform, which does not matter here) and a translation
/// of up to `scale` in each coordinate.
inline abut::Pose randomPose(Generator& random, double scale) {
  abut::Quat q;
  q.w = random.between(0.1, 1.0);
  q.x = random.symmetric();
  q.y = random.symmetric();
  q.z = random.symmetric();
  const Eigen::Vector3d t = random.vector(scale);
  return {abut::toMatrix(abut::normalized(q)), {t.x(), t.y(), t.z()}};
}

}  // namespace golden
