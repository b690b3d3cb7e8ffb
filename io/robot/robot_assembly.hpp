// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "io/robot/robot.hpp"

namespace abut::inline v0_1::io {

/// A rigid body: a link with all that is fixed to it.
struct AssembledBody {
  std::string name;
  bool isStatic = false;
  Pose pose;       ///< In the world, at the start.
  RobotMass mass;  ///< In its frame.
  std::vector<RobotShape> shapes;
  double gravityScale = 1.0;
};

struct AssembledJoint {
  std::string name;
  JointType type = JointType::Hinge;
  std::size_t body1 = 0, body2 = 0;  ///< Indices of bodies, or Assembly::kWorld.
  Pose frame1, frame2;               ///< In the bodies, or in the world.
  std::vector<JointAxis> axes;
};

struct AssembledCoupling {
  std::string name;
  std::size_t joint1 = 0, joint2 = 0;
  int axis1 = 0, axis2 = 0;
  double ratio = 1.0, offset = 0.0;
};

struct Assembly {
  static constexpr std::size_t kWorld = std::numeric_limits<std::size_t>::max();
  std::vector<AssembledBody> bodies;
  std::vector<AssembledJoint> joints;
  std::vector<AssembledCoupling> couplings;
  std::vector<std::pair<std::size_t, std::size_t>> excluded;  ///< Sorted, smaller first.
};

/// Merges links that are fixed to each other, puts all where the joints' start positions have them,
/// and makes one joint of those of a link; what that loses is counted in the tree. Throws
/// InputError for what no world takes.
[[nodiscard]] Assembly assemble(RobotTree& tree, const Pose& base);

}  // namespace abut::inline v0_1::io
