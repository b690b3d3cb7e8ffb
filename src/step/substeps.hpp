// SPDX-License-Identifier: MIT
#pragma once

#include <abut/core/status.hpp>

#include "state/persistent_state.hpp"
#include "state/shown_sums.hpp"

namespace abut::inline v0_1 {

struct WorldState;

/// Makes one step of several: full steps of equal length, whose contacts, events, accounts and
/// reports are gathered into one. If one of them fails the world is what it was before the first.
class Substeps {
public:
  Status run(WorldState& w, double dt);
  /// Whether bodies may fall asleep in the step that is being made: only in the last of several.
  [[nodiscard]] bool isLast() const { return left_ <= 1; }
  /// Number of the step that is being made, from 0; 0 if it is the only one.
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool isFirst() const { return number_ == 0; }
  /// What those before it show together.
  [[nodiscard]] StepShown& getSum() { return sums_.getSum(); }
  [[nodiscard]] const StepShown& getSum() const { return sums_.getSum(); }

private:
  Status makeAll(WorldState& w, double dt, double part);
  void goBack(WorldState& w);

  int left_ = 0;           // Steps yet to be made, this one included.
  int number_ = 0;         // Of this one.
  ShownSums sums_;         // Of the substeps so far.
  PersistentState saved_;  // What the world was before the first.
};

}  // namespace abut::inline v0_1
