// SPDX-License-Identifier: MIT
#pragma once

#include <abut/math/types.hpp>

namespace abut::inline v0_1 {

/// How a body answers an impulse. Zero for bodies that do not.
struct BodyMobility {
  Vec3 inverseMass;     ///< Along the world axes [1/kg]; zero along locked ones.
  Mat3 inverseInertia;  ///< World frame, about the centre of mass [1/(kg m^2)].
};

/// Linear and angular velocity of a body, world frame [m/s, rad/s].
struct BodyVelocity {
  Vec3 linear;
  Vec3 angular;
};

}  // namespace abut::inline v0_1
