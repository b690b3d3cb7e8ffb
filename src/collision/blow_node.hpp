// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <abut/dynamics/mobility.hpp>

#include "math/pose.hpp"
#include "math/rotation_vector.hpp"
#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// A blow that changed how a body goes through the step: until the next one it flies freely.
struct BlowNode {
  std::uint32_t body = 0;
  double time = 0.0;      ///< In the step [s].
  BodyVelocity way;       ///< Since the beginning of the step, until then [m, rad].
  BodyVelocity velocity;  ///< After the blow.
  Vec3 acceleration;      ///< From then on [m/s^2].
  bool isFast = false;    ///< Of an island in which fast bodies meet.

  [[nodiscard]] BodyVelocity wayAt(double when) const {
    const double by = when - time;
    return {way.linear + (velocity.linear + acceleration * (0.5 * by)) * by,
            way.angular + velocity.angular * by};
  }
};

/// A shape's pose after its body went a way, given the pose and the centre of mass before it.
inline Pose placedAlong(const Pose& pose, const Vec3& center, const BodyVelocity& way) {
  const Mat3 r = way.angular == Vec3{} ? Mat3{} : toMatrix(quatFromRotationVector(way.angular));
  return {r * pose.rotation, (center + way.linear) + r * (pose.translation - center)};
}

}  // namespace abut::inline v0_1
