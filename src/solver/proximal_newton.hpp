// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "solver/resisting_couple.hpp"

namespace abut {

/// Solves a contact problem by a proximal point method, with Newton's method in the space of body
/// velocities inside: what sweeps cannot do in reasonable time (large mass ratios, tall stacks,
/// bodies wedged between contacts that hardly contradict each other).
///
/// With A(z) the nearest impulse that Coulomb's law allows, part by part (the normal part first,
/// then the tangential one with that normal impulse), and r_c the present impulses, it finds v with
///   M (v - v0) = sum_c J_c^T A(r_c - rho_c u_c(v));
/// the A(...) are the new impulses. A fixed point solves the problem exactly, whatever rho is; the
/// larger rho, the fewer steps, and the more rounding: u is known to the last bit of the velocities
/// it is a difference of, and rho magnifies that.
class ProximalNewton {
public:
  struct Result {
    int newtonSteps = 0;
    bool solved = false;  ///< The equation holds to rounding.
  };

  ProximalNewton();
  ~ProximalNewton();

  /// Prepares for a problem: its pattern and its masses.
  void begin(std::span<const BodyMobility> bodies, std::span<const PreparedContact> contacts);

  /// Multiplications of one Newton step, about.
  [[nodiscard]] double stepCost() const;

  /// One outer iteration: replaces the impulses (those of the contacts, then the couples') by the
  /// next ones. `free` are the velocities without contacts, `now` those that belong to the
  /// impulses; kappa scales rho_c = kappa / W_c.
  Result advance(std::span<const PreparedContact> contacts, std::span<const PreparedCouple> couples,
                 std::span<const BodyVelocity> free, std::span<const BodyVelocity> now,
                 double kappa, std::span<Vec3> impulses);

private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace abut
