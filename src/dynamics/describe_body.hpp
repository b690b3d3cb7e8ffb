// SPDX-License-Identifier: MIT
#pragma once

#include "dynamics/body_table.hpp"

namespace abut::inline v0_1 {

/// Where a body is and how it moves.
[[nodiscard]] BodyMotion motionOf(const BodyTable& bodies, std::size_t i);

/// Mass, centre and inertia about it, in the body's frame; mass 0 unless dynamic.
[[nodiscard]] MassProperties massOf(const BodyFacts& facts);

/// The description by which a body would be added as it is now, with the mass in use.
[[nodiscard]] BodyDescription descriptionOf(const BodyTable& bodies, std::size_t i);

}  // namespace abut::inline v0_1
