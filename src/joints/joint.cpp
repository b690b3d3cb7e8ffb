// SPDX-License-Identifier: MIT
#include <abut/joints/joint.hpp>

namespace abut::inline v0_1 {

int numJointAxes(JointType type) {
  switch (type) {
    case JointType::Fixed:
    case JointType::Distance:
      return 0;
    case JointType::Hinge:
    case JointType::Slider:
    case JointType::Tether:
      return 1;
    case JointType::Ball:
    case JointType::Universal:
      return 2;
    case JointType::SixAxis:
    case JointType::Gimbal:
      break;
  }
  return kMaxJointAxes;
}

}  // namespace abut::inline v0_1
