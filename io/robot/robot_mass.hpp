// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "io/robot/robot.hpp"

namespace abut::inline v0_1::io {

/// The same mass seen from the frame that `pose` places its own in.
[[nodiscard]] RobotMass placed(const RobotMass& mass, const Pose& pose);
/// Both together, in one frame.
[[nodiscard]] RobotMass sumOf(const RobotMass& a, const RobotMass& b);
/// m (d.d 1 - d d^T): what moving the axis by d adds to an inertia.
[[nodiscard]] Mat3 steiner(double mass, const Vec3& d);
/// Of a shape of uniform density [kg/m^3], in the frame that its pose is given in. Throws
/// InputError without a place for shapes without volume.
[[nodiscard]] RobotMass massOf(const RobotShape& shape, double density);
/// "" if a solid can have the tensor: positive definite, no principal moment above the sum of the
/// others to 1e-6; else what is wrong with it.
[[nodiscard]] std::string faultOfTensor(const Mat3& tensor);

}  // namespace abut::inline v0_1::io
