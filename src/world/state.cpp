// SPDX-License-Identifier: MIT
#include "world/state.hpp"

#include <string>
#include <utility>

#include <abut/math/convert.hpp>

#include "scheme/exact/exact_solver.hpp"
#include "scheme/real_time/real_time_solver.hpp"

namespace abut {
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

SchemeDemands demandsOf(const WorldOptions& options, const MaterialTable& materials) {
  return {options.solver, options.baumgarte, options.extrapolates, materials.hasResistance()};
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
  Status status;
  for (std::size_t i = 0; i < bodies.size() && status; ++i) {
    const BodyFacts& f = bodies.facts[i];
    if (!f.shape || bodies.rest[i].isAsleep()) continue;
    status = detector.awake.add(f.id, f.shape->computeAabb(bodies.shapePoseOf(i)));
  }
  if (!status) return status;
  const StepInput in = inputOf(0.0);
  SleepScene scene = sleepScene(in);
  return sleepers.placeBoxes(scene, 0.0);
}

void WorldState::takeOver(WorldState& other) {
  static_cast<PersistentState&>(*this) = std::move(static_cast<PersistentState&>(other));
  solver = makeStepSolver(options.scheme);
  shown.clear();
  deriveAll();
}

void WorldState::goBackTo(const PersistentState& saved) {
  static_cast<PersistentState&>(*this) = saved;
  deriveAll();
}

/// After the state was replaced as a whole.
void WorldState::deriveAll() {
  queries.changed();
  sleepers.reset();
  detector.awake.clear();
  addAllBoxes().orThrow();  // Cannot fail: a broad phase took the same boxes before.
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
          problems,
          joints.apart()};
}

SleepScene WorldState::sleepScene(const StepInput& in) {
  return {in, bodies, cache, touching, asleep, detector, joints};
}

void WorldState::wake(ObjectId id) {
  const StepInput in = inputOf(0.0);
  SleepScene scene = sleepScene(in);
  sleepers.wake(scene, {&id, 1});
}

Status WorldState::wakeAround(std::size_t body) {
  const StepInput in = inputOf(0.0);
  SleepScene scene = sleepScene(in);
  return sleepers.wakeAround(scene, body);
}

}  // namespace abut
