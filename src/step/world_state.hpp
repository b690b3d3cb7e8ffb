// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>

#include <abut/events/step_observer.hpp>
#include <abut/state/world_options.hpp>

#include "collision/detector.hpp"
#include "collision/expected_hits.hpp"
#include "collision/query_index.hpp"
#include "collision/seams.hpp"
#include "dynamics/body_labels.hpp"
#include "events/contact_publisher.hpp"
#include "events/pair_events.hpp"
#include "events/sensors.hpp"
#include "integration/hold_back.hpp"
#include "integration/limited_drivers.hpp"
#include "ledger/step_books.hpp"
#include "scheme/jointed/jointed_solver.hpp"
#include "scheme/step_solver.hpp"
#include "sleep/sleepers.hpp"
#include "state/persistent_state.hpp"
#include "state/step_shown.hpp"
#include "step/rank_stage.hpp"
#include "step/step_undo.hpp"
#include "step/substeps.hpp"

namespace abut::inline v0_1 {

/// Throws abut::Error for options that no world can have, or that its scheme does not know.
void requireSound(const WorldOptions& options);
/// What a world asks of its scheme.
[[nodiscard]] SchemeDemands demandsOf(const WorldOptions& options, const MaterialTable& materials,
                                      bool hasJoints = false);

/// Stages that see to what bodies run into: on their ways after blows, as drives with limits, and
/// where they would pass through others.
struct EncounterStages {
  ExpectedHits expected;
  std::vector<std::uint32_t> overHits;  ///< That do not happen after all.
  LimitedDrivers drivers;
  HoldBack guard;
};

/// Everything a world holds: the state that a snapshot holds, what the last step shows, and the
/// stages of a step with what they keep for themselves from step to step, on which no bit depends.
struct WorldState : PersistentState, EncounterStages {
  BodyLabels labels;           ///< Of bodies that are there.
  StepShown shown, nextShown;  ///< Of the last step; of the step that is being made.
  StepObserver* observer = nullptr;
  ProblemObserver* problems = nullptr;
  TaskRunner* tasks = nullptr;  ///< Not in the options, which snapshots replace.

  // The stages, in order.
  Sleepers sleepers;
  Detector detector;  ///< Its boxes follow from the bodies.
  SeamRoom seams;
  std::unique_ptr<StepSolver> solver;
  JointedSolver jointed;  ///< Of what joints hold; all else is the scheme's.
  StepBooks books;
  ContactPublisher publisher;
  PairEvents events;
  Substeps substeps;
  Sensors sensors;
  QueryIndex queries;

  mutable StageRoom room;  ///< Memory that the stages have one after the other.
  StepMotion motion;       ///< Of the step that is being made.
  StepUndo undo;
  RankStage* ranks = nullptr;  ///< Of a part of a world; null if it is whole.
  bool isStepping = false;
  /// Memory ran out in a step: what stages keep for themselves may not fit together.
  bool areStagesBroken = false;
  std::atomic<bool> isSettled = true;  ///< Bodies are in order.
  std::mutex settling;

  /// While there is one, the world answers changes with Locked.
  class Stepping {
  public:
    explicit Stepping(WorldState& w) : w_(w) { w_.isStepping = true; }
    ~Stepping() { w_.isStepping = false; }
    Stepping(const Stepping&) = delete;
    Stepping& operator=(const Stepping&) = delete;

  private:
    WorldState& w_;
  };
  /// Fails with Locked while a step is being made: an observer calls.
  [[nodiscard]] Status mayChange(const char* call) const;

  /// Tells the observer, if there is one, that a stage begins.
  void enter(StepStage stage) const {
    if (observer != nullptr) observer->onStage(stage);
  }

  /// Another scheme, other options: what follows from them. Throws what requireSound() throws.
  void setOptions(const WorldOptions& newOptions);
  /// The boxes of all bodies, for a detector that has none.
  Status addAllBoxes();
  /// Becomes what the other is; nothing of the last step is left. The other is used up.
  void takeOver(WorldState& other);
  /// Makes all stages anew if they are broken.
  void mendStages();
  /// Becomes what it was when the state was copied; what the last step shows stays. The copy is
  /// used up.
  void goBackTo(PersistentState& saved) noexcept;
  /// Puts bodies that came into their places, and forgets what there was of those that went. Where
  /// memory runs out it throws, and nothing has changed.
  void settle();

  /// What the stages of a step of dt read.
  [[nodiscard]] StepInput inputOf(double dt) const;
  /// What of this falls asleep and wakes up in such a step.
  [[nodiscard]] SleepScene sleepScene(const StepInput& in);
  /// See Sleepers::wake(). Where it fails, or memory runs out and it throws, nothing has changed.
  Status wake(std::span<const ObjectId> ids, std::span<const Sleepers::Around> around = {});

private:
  void deriveAll() noexcept;
};

/// Makes a step of dt, and shows it in WorldState::nextShown. If it fails, nothing of the state has
/// changed.
Status makeStep(WorldState& w, double dt);
/// What of the events of a step of dt begins, goes on or ends, what sensors see; and what sleeps is
/// put apart, and shown, after all else that can fail.
void endEvents(WorldState& w, double dt);

}  // namespace abut::inline v0_1
