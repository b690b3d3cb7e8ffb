// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/solver/contact_solver.hpp>

#include "dynamics/body_table.hpp"
#include "scheme/exact/exact_contacts.hpp"

namespace abut::inline v0_1 {

/// The tolerance that an island's masses call for.
SolverOptions tightened(SolverOptions options, const std::vector<BodyMobility>& mobility);
/// Whether the masses differ so much that what rounding leaves in a velocity of the lightest body
/// would be seen in the force on the heaviest.
bool hasUnevenMasses(const std::vector<BodyMobility>& mobility);

/// One island's bodies and contacts under local indices, as the solver wants them.
struct LocalProblem {
  std::vector<std::uint32_t> bodies;  ///< Table indices, ascending.
  std::vector<BodyMobility> mobility;
  std::vector<SolverContact> contacts;
  std::vector<BodyVelocity> velocities;
  std::vector<Vec3> impulses;
  std::vector<Vec3> couples;         ///< Empty where no contact has a resistance.
  std::vector<BodyVelocity> before;  ///< Velocities that a solve began with.

  void gather(const BodyTable& table, const ExactContacts& all, const Island& island);
  /// Greatest speed of a body's point at a contact [m/s].
  [[nodiscard]] double fastest() const { return fastest(velocities); }
  [[nodiscard]] double fastest(std::span<const BodyVelocity> of) const;
  /// Momentum that the bodies that move have at a speed [N s].
  [[nodiscard]] double momentumAt(double speed) const;
  /// What resists at the contacts of a body that can only turn [kg]; 0 if it cannot either.
  [[nodiscard]] double turnedMass(std::uint32_t body) const;
  /// Whether the velocities part or keep apart what they should, up to that share of that speed.
  /// Between surfaces that close in on a body nothing does: impulses then grow without bound, and
  /// an error relative to them says nothing.
  [[nodiscard]] bool keepsBounds(double speed, double share) const;
};

}  // namespace abut::inline v0_1
