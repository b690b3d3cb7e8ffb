// SPDX-License-Identifier: MIT
#pragma once

#include "step/world_state.hpp"

namespace abut::inline v0_1 {

/// Impacts. What blows of the step send on to bodies that were far away takes part in them too: it
/// is found by the ways that bodies go then, and the impacts are made anew.
Status strike(WorldState& w, const StepProblem& problem, StepReport& report);
/// Bodies that were held back stay higher than the step left them: they pay for that with their
/// motion, as far as they have any, so that nothing is gained by it.
void payForHeight(WorldState& w, const StepInput& in);

}  // namespace abut::inline v0_1
