// SPDX-License-Identifier: MIT
#include <new>
#include <string>
#include <utility>

#include <abut/core/float_environment.hpp>

#include "state/snapshot.hpp"
#include "world/change.hpp"

namespace abut::inline v0_1 {
namespace {

ContactManifoldCacheOptions cacheOptions() {
  ContactManifoldCacheOptions options;
  options.allowNegativeDepth = true;  // Contacts within reach of a step count before they touch.
  return options;
}

}  // namespace

WorldState& StateHandle::settled() const {
  WorldState& state = asItIs();
  if (!state.isSettled.load(std::memory_order_acquire)) state.settle();
  return state;
}

World::World(const WorldOptions& options) {
  state_->setOptions(options);
  state_->options.tasks = nullptr;
  state_->tasks = options.tasks;
  state_->cache.setOptions(cacheOptions()).orThrow();
  state_->asleep.cache.setOptions(cacheOptions()).orThrow();
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

MaterialTable& World::materials() {
  state_->mayChange("materials").orThrow();  // The table could be changed, and steps look at it.
  return state_->materials;
}

void World::setObserver(StepObserver* observer) {
  state_->observer = observer;
}

void World::setProblemObserver(ProblemObserver* observer) {
  state_->problems = observer;
}

void World::setTasks(TaskRunner* tasks) {
  state_->tasks = tasks;
}

Status World::step(double dt) try {
  const FloatEnvironment environment;
  WorldState& s = *state_;
  if (Status locked = s.mayChange("step"); !locked) return locked;
  if (dt == 0.0) return {};
  if (!(dt > 0.0) || !(dt <= s.options.maxStep)) {
    return Status::failure(isFinite(dt) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                           "World::step: expected dt from 0 to " + toText(s.options.maxStep) +
                               " s (WorldOptions::maxStep), got " + toText(dt));
  }
  const Status known = s.solver->accepts(demandsOf(s.options, s.materials, s.joints.isUsed()));
  if (!known) return Status::failure(known.getCode(), "World::step: " + known.getMessage());
  const WorldState::Stepping stepping(s);
  Status status;
  try {
    s.mendStages();
    s.sensors.begin(s.bodies, s.ranks != nullptr ? &s.ranks->division : nullptr);
    status = s.options.substeps == 1 ? makeStep(s, dt) : s.substeps.run(s, dt);
  } catch (const std::bad_alloc&) {
    status = Status::outOfMemory();
  }
  s.queries.changed();
  if (status) std::swap(s.shown, s.nextShown);
  if (s.observer != nullptr) s.observer->onEnd();
  return status;
} catch (const std::bad_alloc&) {
  return Status::outOfMemory();
}

double World::getTime() const {
  return state_->time;
}
const StepReport& World::getReport() const {
  return state_->shown.report;
}
std::span<const WorldContact> World::getContacts() const {
  return state_->shown.allContacts();
}
std::span<const DriverReport> World::getDrivers() const {
  return state_->shown.drivers;
}
std::span<const ContactEvent> World::getEvents() const {
  return state_->shown.allEvents();
}
std::span<const ObjectPair> World::getBegunPairs() const {
  return state_->shown.begunPairs;
}
std::span<const ObjectPair> World::getEndedPairs() const {
  return state_->shown.endedPairs;
}
std::span<const SleepEvent> World::getSleepEvents() const {
  return state_->shown.sleepEvents;
}
std::span<const SensorEvent> World::getSensorEvents() const {
  return state_->shown.sensorEvents;
}
const EnergyAccount& World::getLedger() const {
  return state_->total;
}
const EnergyAccount& World::getStepLedger() const {
  return state_->shown.account;
}

std::uint64_t World::hash() const {
  return hashOf(*state_);
}

std::vector<std::byte> World::snapshot() const {
  return writeSnapshot(*state_, state_->labels);
}

Status World::restore(std::span<const std::byte> snapshot,
                      std::span<const std::shared_ptr<const Shape>> shapes) {
  return changeWorld(*state_, "restore", [&]() -> Status {
    try {
      World fresh;
      WorldState& s = *fresh.state_;
      Status status = readSnapshot(snapshot, state_->bodies, shapes, s, s.labels);
      if (!status) return status;
      requireSound(fresh.state_->options);
      status = fresh.state_->addAllBoxes();
      if (status) state_->takeOver(*fresh.state_);
      return status;
    } catch (const Error& error) {
      return Status::failure(StatusCode::BadData, std::string("World::restore: ") + error.what());
    }
  });
}

}  // namespace abut::inline v0_1
