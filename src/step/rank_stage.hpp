// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

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
  /// Whether each rank has the labels of all bodies, not only of those that it was given.
  bool hasAllLabels = true;

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
  virtual void save(WorldState& w) = 0;
  virtual void goBack(const WorldState& w) = 0;

  // Changes between steps, which all ranks make.
  /// Of one body, by its index, on the ranks that have it; what it does to the books is the same on
  /// all. UnknownObject if no rank has it.
  virtual Status changeBody(WorldState& w, const char* call, ObjectId id,
                            const std::function<Status(std::size_t)>& change) = 0;
  /// Of the world, which is whole on every rank while it is made.
  virtual Status changeWhole(WorldState& w, const std::function<Status()>& change) = 0;
  /// What stages know of it follows bodies that came and went.
  virtual void refresh(WorldState& w) = 0;
  /// Whether a rank has a body of this id.
  virtual bool isKnown(const WorldState& w, ObjectId id) = 0;
  /// Of a body that was added to the table last: whether it stays on this rank.
  virtual bool takeNew(const WorldState& w, std::size_t body) = 0;
};

}  // namespace abut::inline v0_1
