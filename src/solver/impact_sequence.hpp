// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "solver/prepared_contacts.hpp"

namespace abut {

/// Impacts with restitution, one after the other: the contact that closes fastest is thrown back
/// first, until none with a restitution approaches any more. A row of touching balls passes its
/// momentum on.
///
/// `restitution` is 0 for contacts that take no part; `impulses` grow by what was exchanged;
/// `velocities` follow. A contact's restitution is halved as often as needed for its impact not to
/// add energy (friction coupled to the normal can do that). Returns the number of impacts; gives up
/// after a fixed number for each contact and leaves the rest to the simultaneous solve.
int resolveImpactSequence(std::span<const PreparedContact> contacts,
                          std::span<const double> restitution, double slowest,
                          std::span<Vec3> impulses, std::span<BodyVelocity> velocities);

}  // namespace abut
