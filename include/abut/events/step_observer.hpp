// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace abut::inline v0_1 {

/// What World::step() is at, in this order. The real-time scheme has no Impacts: it solves them
/// with the forces.
enum class StepStage : std::uint8_t {
  BroadPhase,   ///< Boxes, and pairs whose boxes overlap.
  NarrowPhase,  ///< Contacts of those pairs.
  Manifolds,    ///< Matching them with the contacts of the last step.
  Contacts,     ///< What the solver needs to know; islands and colours.
  Impacts,      ///< Velocities that jump before forces act.
  Forces,       ///< Contact forces over the step; corrections in the real-time scheme.
  Integration,  ///< New positions. Where drives have limits, these are found with the forces.
  Books,        ///< Energy accounts.
  Correction,   ///< Overlap taken out by displacement.
  Results,      ///< The new state takes effect; contacts and events for the caller.
};
inline constexpr std::size_t kNumStepStages = 10;

/// "broad phase", "narrow phase", ...
[[nodiscard]] std::string_view toString(StepStage stage);

/// Told of every stage of a step as it begins: for a profiler, which brings its own clock (the
/// library reads none). Calls come from the thread that called World::step(). From here the world
/// can be read as it was before the step, and answers every change with Locked. What an observer
/// throws leaves World::step(): from onStage() no step was made and nothing has changed, from
/// onEnd() it was.
class StepObserver {
public:
  virtual ~StepObserver() = default;
  /// The stage before, if any, has ended. Stages without work are told too.
  virtual void onStage(StepStage stage) = 0;
  /// The step has ended, or failed.
  virtual void onEnd() = 0;
};

}  // namespace abut::inline v0_1
