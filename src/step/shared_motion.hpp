// SPDX-License-Identifier: MIT
#pragma once

#include "dynamics/step_input.hpp"
#include "dynamics/step_motion.hpp"

namespace abut::inline v0_1 {

// What the ranks that have parts of a world tell each other of a step. In a whole world these do
// nothing. All ranks call them alike.

/// The status itself; of a part, what all ranks say together.
Status agree(const StepInput& in, const Status& status);
/// How drivers with limits move, as the ranks say that have their contacts; `moved`: also where
/// they go.
void shareDrivers(const StepInput& in, bool moved, StepMotion& motion);
/// Where the bodies of other ranks go, as those say.
void shareNewPlaces(const StepInput& in, StepMotion& motion);

}  // namespace abut::inline v0_1
