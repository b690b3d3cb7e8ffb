// SPDX-License-Identifier: MIT
#include "step/substeps.hpp"

#include <string>
#include <utility>

#include "step/world_state.hpp"

namespace abut::inline v0_1 {

Status Substeps::run(WorldState& w, double dt) {
  const int count = w.options.substeps;
  const double part = dt / count;
  if (!(part > 0.0)) {
    return Status::failure(StatusCode::OutOfRange, "World::step: " + toText(dt) +
                                                       " s is too short for " +
                                                       std::to_string(count) + " substeps");
  }
  if (w.ranks != nullptr) w.ranks->save(w);
  saved_ = w;
  Status status;
  try {
    status = makeAll(w, dt, part);
  } catch (...) {
    goBack(w);
    throw;
  }
  if (!status) goBack(w);
  left_ = number_ = 0;
  return status;
}

void Substeps::goBack(WorldState& w) {
  left_ = number_ = 0;
  w.goBackTo(saved_);
  if (w.ranks != nullptr) w.ranks->goBack(w);
}

Status Substeps::makeAll(WorldState& w, double dt, double part) {
  const int count = w.options.substeps;
  for (left_ = count; left_ > 0; --left_) {
    number_ = count - left_;
    const Status status = makeStep(w, part);
    if (!status) return status;
    sums_.add(w.nextShown, left_ == count);
  }
  std::swap(w.nextShown, sums_.finish(count));
  endEvents(w, dt);
  return {};
}

}  // namespace abut::inline v0_1
