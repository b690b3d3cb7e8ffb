// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <abut/solver/contact_solver.hpp>

#include "dynamics/point_velocity.hpp"

namespace abut::inline v0_1 {

/// Speed at which the bodies of a contact part along its normal [m/s].
inline double normalVelocity(const SolverContact& c, std::span<const BodyVelocity> v) {
  return dot(c.normal, relativeVelocity(v[c.body1], c.arm1, v[c.body2], c.arm2, c.offset));
}

/// Gap of a contact of given depth [m]; 0 where it overlaps.
inline double gapOf(double depth) {
  return depth < 0.0 ? -depth : 0.0;
}

}  // namespace abut::inline v0_1
