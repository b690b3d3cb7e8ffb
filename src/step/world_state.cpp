// SPDX-License-Identifier: MIT
#include "step/world_state.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include <abut/math/convert.hpp>

#include "scheme/exact/exact_solver.hpp"
#include "scheme/real_time/real_time_solver.hpp"

namespace abut::inline v0_1 {
namespace {

std::unique_ptr<StepSolver> makeStepSolver(StepScheme scheme) {
  switch (scheme) {
    case StepScheme::Exact:
      return std::make_unique<ExactSolver>();
    case StepScheme::RealTime:
      return std::make_unique<RealTimeSolver>();
  }
  return nullptr;
}

}  // namespace

SchemeDemands demandsOf(const WorldOptions& options, const MaterialTable& materials,
                        bool hasJoints) {
  return {options.solver,       options.baumgarte, options.extrapolates, materials.resists(),
          materials.givesWay(), hasJoints,         options.sleeping};
}

void requireSound(const WorldOptions& options) {
  requireInRange(options);
  const Status known = makeStepSolver(options.scheme)->accepts(demandsOf(options, {}));
  if (!known) throw Error(known.getCode(), "WorldOptions: " + known.getMessage());
}

void WorldState::setOptions(const WorldOptions& newOptions) {
  requireSound(newOptions);
  options = newOptions;
  solver = makeStepSolver(options.scheme);
}

Status WorldState::mayChange(const char* call) const {
  if (!isStepping) return {};
  return Status::failure(StatusCode::Locked,
                         std::string("World::") + call +
                             ": called from an observer while the world makes a step; call it "
                             "after World::step() has returned");
}

Status WorldState::addAllBoxes() {
  const StepInput in = inputOf(0.0);
  return detector.placeAtRest(in, 0.0);
}

void WorldState::takeOver(WorldState& other) {
  static_assert(std::is_nothrow_move_assignable_v<PersistentState>);
  std::unique_ptr<StepSolver> newSolver = makeStepSolver(other.options.scheme);
  // From here on nothing fails.
  other.options.limits = options.limits;  // No part of the state.
  static_cast<PersistentState&>(*this) = std::move(static_cast<PersistentState&>(other));
  labels = std::move(other.labels);
  solver = std::move(newSolver);
  shown.clear();
  deriveAll();
}

void WorldState::mendStages() {
  if (!areStagesBroken) return;
  solver = makeStepSolver(options.scheme);
  detector.reset();
  seams = {};
  cache.renewBuffers();
  asleep.cache.renewBuffers();
  sleepers = {};
  drivers = {};
  jointed = {};
  expected = {};
  guard = {};
  books = {};
  publisher = {};
  events = {};
  sensors = {};
  motion = {};
  nextShown = {};
  room.reset();
  areStagesBroken = false;
}

void WorldState::goBackTo(PersistentState& saved) noexcept {
  std::swap(static_cast<PersistentState&>(*this), saved);
  deriveAll();
}

/// After the state was replaced as a whole. Boxes are made when they are needed.
void WorldState::deriveAll() noexcept {
  isSettled.store(true, std::memory_order_relaxed);
  queries.changed();
  sleepers.reset();
  detector.forgetBoxes();
}

void WorldState::settle() {
  const std::lock_guard<std::mutex> lock(settling);
  if (isSettled.load(std::memory_order_relaxed)) return;
  const std::vector<ObjectId> gone = bodies.droppedIds();
  bodies.settle();
  // From here on nothing fails.
  if (!gone.empty()) {
    cache.forgetObjects(gone);
    joints.removeOf(gone);
    std::erase_if(sensed, [&](const Sensed& t) {
      return std::binary_search(gone.begin(), gone.end(), t.sensor);
    });
  }
  isSettled.store(true, std::memory_order_release);
}

StepInput WorldState::inputOf(double dt) const {
  return {bodies,
          materials,
          time,
          dt,
          lastStep,
          toVec3(options.gravity),
          options.detectionMargin,
          options.correctionShare,
          options.correctionSlop,
          options.baumgarte,
          options.speculative,
          options.extrapolates,
          options.speculative && options.scheme == StepScheme::RealTime,
          tasks,
          &room,
          problems,
          joints.apart(),
          ranks != nullptr ? &ranks->division : nullptr};
}

SleepScene WorldState::sleepScene(const StepInput& in) {
  return {in, bodies, cache, touching, asleep, detector, joints};
}

Status WorldState::wake(std::span<const ObjectId> ids, std::span<const Sleepers::Around> around) {
  const StepInput in = inputOf(0.0);
  SleepScene scene = sleepScene(in);
  return sleepers.wake(scene, ids, around);
}

}  // namespace abut::inline v0_1
