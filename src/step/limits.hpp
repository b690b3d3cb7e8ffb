// SPDX-License-Identifier: MIT
#pragma once

#include "step/world_state.hpp"

namespace abut::inline v0_1 {

/// The detector's pairs. Fails with LimitExceeded for more than WorldOptions::limits allow.
Status findPairs(WorldState& w, const StepInput& in);
/// Fails with LimitExceeded if the contacts of the cache are more than they allow.
Status checkLimits(const WorldState& w);

}  // namespace abut::inline v0_1
