// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>

#include <abut/math/types.hpp>

namespace abut::inline v0_1 {

/// Where a kinematic body is at a time. Between two points of a path it moves and turns evenly, by
/// the shorter way; before the first and after the last it rests.
struct PathPoint {
  double time = 0.0;                     ///< Of the world [s].
  Eigen::Vector3d position{0., 0., 0.};  ///< Of the body's frame, world [m].
  Quat orientation{};                    ///< Body to world; unit length within 1e-6.
};

}  // namespace abut::inline v0_1
