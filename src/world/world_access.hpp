// SPDX-License-Identifier: MIT
#pragma once

#include <abut/world/world.hpp>

#include "step/world_state.hpp"

namespace abut::inline v0_1 {

/// How other parts of the library look into a world.
struct WorldAccess {
  [[nodiscard]] static const WorldState& state(const World& world) { return *world.state_; }
  [[nodiscard]] static WorldState& state(World& world) { return *world.state_; }
};

}  // namespace abut::inline v0_1
