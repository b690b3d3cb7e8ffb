// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <abut/core/tasks.hpp>

#include "dynamics/body_table.hpp"
#include "dynamics/step_motion.hpp"

namespace abut::inline v0_1 {

/// Whether all new places and velocities are finite and within what a body may reach. A failure
/// names the step, which begins at `time` [s], and the body.
Status checkMotion(const BodyTable& bodies, const StepMotion& motion, std::uint64_t step,
                   double time, TaskRunner* tasks = nullptr);

}  // namespace abut::inline v0_1
