// SPDX-License-Identifier: MIT
#pragma once

#include "dynamics/local_inertia.hpp"
#include "math/pose.hpp"

namespace abut::inline v0_1 {

/// Torque-free rotation over a time h [s]: orientation (body to world) and angular velocity (world,
/// rad/s) move on.
///
/// Euler's equation for the body momentum P, P' = P x I^-1 P, is integrated by the three-stage
/// Gauss method, which keeps the quadratic invariants |P|^2 and P . I^-1 P, that is momentum and
/// energy, to rounding; the attitude follows by a Magnus expansion of order six and is then turned
/// by the last 1e-10 or so that makes the momentum in the world exactly what it was.
void rotateFreely(const LocalInertia& inertia, double h, Quat& orientation, Vec3& angularVelocity);

}  // namespace abut::inline v0_1
