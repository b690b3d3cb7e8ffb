// SPDX-License-Identifier: MIT
#pragma once

#include "dynamics/local_inertia.hpp"
#include "math/pose.hpp"

namespace abut::inline v0_1 {

/// A rotation over a step that ends with a given angular momentum.
struct MeanRotation {
  Quat orientation;      ///< At the end, body to world.
  Vec3 velocity;         ///< At the end, world [rad/s].
  Vec3 mean;             ///< The rotation of the step is exp(h mean); world [rad/s].
  bool settled = false;  ///< Whether the equations were solved to rounding.
};

/// Turns a body by the mean of its angular velocities in its own frame: with W = R^T w,
///   mean = R0 (W0 + W1)/2,  R1 = exp(h mean) R0,  W1 = I^-1 R1^T momentum.
///
/// The mean is the axis of the rotation, so that it is the same vector in both body frames, and
/// mean . (L1 - L0) = (W0 + W1)/2 . I (W1 - W0) is the change of kinetic energy, exactly: whatever
/// couples changed the momentum did the work that they do on this mean. Symmetric in time, so of
/// second order; steady rotation about a principal axis keeps its exact phase.
///
/// h [s]; orientation and angular velocity at the start; momentum at the end [N m s], world frame
/// about the centre of mass. Solved as a fixed point, which contracts by about |w| h / 2.
MeanRotation rotateByMean(const LocalInertia& inertia, double h, const Quat& orientation,
                          const Vec3& angularVelocity, const Vec3& momentum);

}  // namespace abut::inline v0_1
