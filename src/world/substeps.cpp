// SPDX-License-Identifier: MIT
#include "world/substeps.hpp"

#include <string>
#include <utility>

#include "world/state.hpp"

namespace abut {

Status Substeps::run(WorldState& w, double dt) {
  const int count = w.options.substeps;
  const double part = dt / count;
  if (!(part > 0.0)) {
    return Status::failure(StatusCode::OutOfRange, "World::step: " + toText(dt) +
                                                       " s is too short for " +
                                                       std::to_string(count) + " substeps");
  }
  saved_ = w;
  for (left_ = count; left_ > 0; --left_) {
    if (left_ < count) {
      w.bodies.force = saved_.bodies.force;
      w.bodies.torque = saved_.bodies.torque;
    }
    Status status;
    try {
      status = makeStep(w, part);
    } catch (...) {
      left_ = 0;
      w.goBackTo(saved_);
      throw;
    }
    if (!status) {
      left_ = 0;
      w.goBackTo(saved_);
      return status;
    }
    sums_.add(w.nextShown, left_ == count);
  }
  std::swap(w.nextShown, sums_.finish(count));
  mergeWithLast(w);
  if (w.options.sleeping) endStepOfSleepers(w, dt);
  return {};
}

}  // namespace abut
