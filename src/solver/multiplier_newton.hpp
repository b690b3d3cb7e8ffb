// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "solver/prepared_contacts.hpp"

namespace abut {

/// Solves a contact problem by the method of multipliers, with Newton's method in the space of body
/// velocities inside: what sweeps cannot do in reasonable time (large mass ratios, tall stacks).
///
/// With K the friction cone, s_c = friction |u_t| held fixed, and r_c the present impulses, v
/// minimises the convex function
///   phi(v) = |v - v0|_M^2 / 2 + sum_c |P_K(r_c - rho_c (u_c(v) + s_c n))|^2 / (2 rho_c);
/// the projections are the new impulses, s_c follows the new slip, and rho grows while progress is
/// slow. A fixed point solves the problem exactly, whatever rho is.
class MultiplierNewton {
public:
  struct Result {
    int newtonSteps = 0;
    bool finite = true;
  };

  MultiplierNewton();
  ~MultiplierNewton();

  /// Prepares for a problem: its pattern and its masses.
  void begin(std::span<const BodyMobility> bodies, std::span<const PreparedContact> contacts);

  /// One outer iteration: replaces `impulses` by the next multipliers. `free` are the velocities
  /// without contacts, `now` those that belong to the impulses; kappa scales rho_c = kappa / W_c.
  Result advance(std::span<const PreparedContact> contacts, std::span<const BodyVelocity> free,
                 std::span<const BodyVelocity> now, double kappa, std::span<Vec3> impulses);

private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace abut
