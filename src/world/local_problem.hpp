// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <abut/solver/contact_solver.hpp>

#include "math/pose.hpp"

namespace abut {

/// Bodies joined by contacts. Indices into the orders below.
struct Island {
  std::uint32_t firstContact = 0, numContacts = 0;  ///< Into State::contactOrder.
};

struct WorldState;

/// One island's bodies and contacts under local indices, as the solver wants them.
struct LocalProblem {
  std::vector<std::uint32_t> bodies;  ///< Table indices, ascending.
  std::vector<BodyMobility> mobility;
  std::vector<SolverContact> contacts;
  std::vector<BodyVelocity> velocities;
  std::vector<Vec3> impulses;
  std::vector<Vec3> couples;  ///< Empty where no contact has a resistance.

  void gather(const WorldState& world, const Island& island);
  /// Greatest speed of a body's point at a contact [m/s].
  [[nodiscard]] double fastest() const;
  /// Whether the velocities part or keep apart what they should, up to that share of that speed.
  /// Between surfaces that close in on a body nothing does: impulses then grow without bound, and
  /// an error relative to them says nothing.
  [[nodiscard]] bool keepsBounds(double speed, double share) const;
};

}  // namespace abut
