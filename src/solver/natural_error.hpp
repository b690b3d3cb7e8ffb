// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/contact_space.hpp"

namespace abut::inline v0_1 {

/// How far impulses are from solving a problem; see SolverReport::error.
struct NaturalError {
  double relative = 0.0;  ///< By the largest impulse.
  double largest = 0.0;   ///< That impulse.
  double speed = 0.0;     ///< The same error as a velocity, by each contact's own response [m/s].
  double approach = 0.0;  ///< Greatest velocity at which a contact that may not still closes [m/s].
  std::uint32_t worst = 0;
};

/// What an error is measured by.
struct ErrorMeasure {
  std::span<const double> floors;  ///< Impulses that last bits amount to, by contact; may be empty.
  double least = 0.0;              ///< The largest impulse counts as at least this.
  /// Compliance of the contacts in units of their own response, about the impulses `rest`: the law
  /// then holds for u + softness response (r - rest). 0: rigid.
  double softness = 0.0;
  std::span<const Vec3> rest;
  /// Takes the error of each contact, with its couple's, as an impulse; empty: nobody asks.
  std::span<double> each = {};
};

/// The natural map of each contact at impulses r inside their limits, and velocities u.
NaturalError measure(const ContactSpace& space, std::span<const Vec3> r, std::span<const Vec3> u,
                     const ErrorMeasure& by);

/// The nearest impulses inside the cones, and couples inside their limits.
void allow(const ContactSpace& space, std::span<Vec3> r);

}  // namespace abut::inline v0_1
