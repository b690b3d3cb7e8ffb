// SPDX-License-Identifier: MIT
#include "step/step_undo.hpp"

namespace abut::inline v0_1 {

void StepUndo::save(const PersistentState& state) {
  position_ = state.bodies.position;
  orientation_ = state.bodies.orientation;
  velocity_ = state.bodies.velocity;
  softness_ = state.bodies.softness;
  time_ = state.time;
  last_step_ = state.lastStep;
  steps_ = state.steps;
  total_ = state.total;
  is_saved_ = true;
}

void StepUndo::restore(PersistentState& state) noexcept {
  if (!is_saved_) return;
  is_saved_ = false;
  BodyTable& bodies = state.bodies;
  bodies.position.swap(position_);
  bodies.orientation.swap(orientation_);
  bodies.velocity.swap(velocity_);
  bodies.softness.swap(softness_);
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies.refreshMobility(i);
  state.time = time_;
  state.lastStep = last_step_;
  state.steps = steps_;
  state.total = total_;
}

}  // namespace abut::inline v0_1
