// SPDX-License-Identifier: MIT
#pragma once

#include <abut/core/status.hpp>

#include "dynamics/division.hpp"
#include "dynamics/step_input.hpp"

namespace abut::inline v0_1 {

struct WorldState;
struct StepShown;

/// What a step of a world that is divided among ranks does besides: see Ranks. All ranks make these
/// calls together.
class RankStage {
public:
  explicit RankStage(Communicator& communicator) : division(communicator) {}
  virtual ~RankStage() = default;
  RankStage(const RankStage&) = delete;
  RankStage& operator=(const RankStage&) = delete;

  Division division;  ///< What stages know of it.

  /// Bodies to their ranks, ghosts to those that need them. Fails on all ranks, and has changed
  /// nothing, where an island is too large for one.
  virtual Status beginStep(WorldState& w, double dt) = 0;
  /// The last guard of a step (HoldBack): where no body is in another's way each rank sees that by
  /// itself; else rank 0 guards all.
  virtual Status guard(WorldState& w, const StepInput& in) = 0;
  /// Makes the report of a step that of all ranks, but for what is counted when all is shown.
  virtual void report(const WorldState& w, StepShown& shown) = 0;
  virtual void count(const WorldState& w, StepShown& shown) = 0;
  /// Notes who has what, for a world that may go back to what it is now; becomes that again.
  virtual void save() = 0;
  virtual void goBack(const WorldState& w) = 0;
};

}  // namespace abut::inline v0_1
