// SPDX-License-Identifier: MIT
#pragma once

#include <abut/dynamics/mobility.hpp>

#include "dynamics/local_inertia.hpp"
#include "math/pose.hpp"

namespace abut::inline v0_1 {

/// Velocity of a body's point, given from its centre of mass: v + w x arm [m/s].
inline Vec3 velocityAt(const BodyVelocity& v, const Vec3& arm) {
  return v.linear + cross(v.angular, arm);
}

/// Velocity of body 1's point over body 2's at a contact; `offset` is what their surfaces add.
inline Vec3 relativeVelocity(const BodyVelocity& v1, const Vec3& arm1, const BodyVelocity& v2,
                             const Vec3& arm2, const Vec3& offset) {
  return (velocityAt(v1, arm1) - velocityAt(v2, arm2)) + offset;
}

/// Mean of the velocities at the beginning and the end of a phase: what impulses do their work on.
inline BodyVelocity meanOf(const BodyVelocity& a, const BodyVelocity& b) {
  return {(a.linear + b.linear) * 0.5, (a.angular + b.angular) * 0.5};
}

/// Kinetic energy of a rotation w, world frame, of a body that is oriented so [J].
inline double spinEnergy(const LocalInertia& inertia, const Quat& orientation, const Vec3& w) {
  const Vec3 local = transposeTimes(toMatrix(orientation), w);
  return 0.5 * dot(local, inertia.tensor * local);
}

}  // namespace abut::inline v0_1
