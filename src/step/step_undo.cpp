// SPDX-License-Identifier: MIT
#include "step/step_undo.hpp"

#include <algorithm>

namespace abut::inline v0_1 {

void StepUndo::save(const PersistentState& state, StageRoom& room) {
  const auto keep = [&room](const auto& column, auto& to) {
    to.take(&room, column.size());
    std::copy(column.begin(), column.end(), to.begin());
  };
  keep(state.bodies.position, position_);
  keep(state.bodies.orientation, orientation_);
  keep(state.bodies.velocity, velocity_);
  keep(state.bodies.softness, softness_);
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
  std::copy(position_.begin(), position_.end(), bodies.position.begin());
  std::copy(orientation_.begin(), orientation_.end(), bodies.orientation.begin());
  std::copy(velocity_.begin(), velocity_.end(), bodies.velocity.begin());
  std::copy(softness_.begin(), softness_.end(), bodies.softness.begin());
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies.refreshMobility(i);
  state.time = time_;
  state.lastStep = last_step_;
  state.steps = steps_;
  state.total = total_;
}

}  // namespace abut::inline v0_1
