// SPDX-License-Identifier: MIT
//
// A step as data that flows: each call names what it reads and, last, what it writes.
#include "integration/check_motion.hpp"
#include "integration/paths.hpp"
#include "step/encounters.hpp"
#include "step/limits.hpp"
#include "step/shared_motion.hpp"
#include "step/world_state.hpp"

namespace abut::inline v0_1 {
namespace {

/// Bodies that a thread takes at once.
constexpr std::size_t kBodyGrain = 256;
/// What springs may give back in the first step, whatever they hold [J].
constexpr double kAnyEnergy = 1e300;

/// Which bodies meet; contacts are matched with those of the last step.
Status detect(WorldState& w, const StepInput& in) {
  w.enter(StepStage::BroadPhase);
  Status status;
  if (!w.detector.knowsBoxes()) status = w.detector.placeAtRest(in, in.dt);
  if (status) status = w.detector.placeAll(in, w.motion);
  status = agree(in, status);
  if (status && w.options.sleeping) {
    SleepScene scene = w.sleepScene(in);
    status = w.sleepers.beginStep(scene, w.motion);
  }
  if (!status) return status;
  status = agree(in, findPairs(w, in));
  if (!status) return status;
  w.enter(StepStage::NarrowPhase);
  status = agree(in, w.detector.findContacts(in, w.motion, w.cache));
  if (!status) return status;
  w.enter(StepStage::Manifolds);
  const Detection& found = w.detector.getFound();
  Seams seams(in, w.motion, found, w.options.scheme == StepScheme::Exact, w.seams);
  return agree(
      in, w.cache.update(found.manifolds, found.cachePoses.view(), found.recycled, in.tasks, &seams)
              .status);
}

/// Makes the new state the state: the only writer of it.
void commit(WorldState& w, const StepInput& in) {
  BodyTable& bodies = w.bodies;
  const StepMotion& motion = w.motion;
  forChunks(in.tasks, bodies.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (bodies.rest[i].isAsleep()) continue;
      bodies.position[i] = motion.newPosition[i];
      bodies.orientation[i] = motion.newOrientation[i];
      bodies.velocity[i] = motion.endVelocity[i];
      bodies.refreshMobility(i);
      if (!motion.softness.empty()) bodies.softness[i] = motion.softness[i];
    }
  });
  w.time += in.dt;
  ++w.steps;
  w.lastStep = in.dt;
  if (!w.options.sleeping || !w.substeps.isLast()) return;
  SleepScene scene = w.sleepScene(in);
  const SleepRule rule{w.options.sleepSpeed, w.options.sleepAfter, w.options.substeps};
  w.sleepers.stopBodies(scene, rule, w.solver->getLinks(), w.solver->getOrder(), w.motion, w.books);
}

/// Closes the books on the new state and shows what the step did.
void publish(WorldState& w, const StepInput& in, const StepProblem& problem, StepShown& out) {
  w.publisher.begin(in, w.cache, w.touching, out.contacts, out.report);
  w.solver->show(problem, w.motion, w.cache, w.publisher);
  w.jointed.show(w.motion, w.options.scheme == StepScheme::Exact, out.contacts.size(), w.cache,
                 w.publisher);
  w.publisher.putInOrder();
  w.books.inParts(in.tasks, w.bodies.size(), kBodyGrain,
                  [&](StepBooks& part, std::size_t begin, std::size_t end) {
                    part.bodiesAfter(w.bodies, in.gravity, begin, end, in.division);
                  });
  if (in.division != nullptr) w.books.addOverRanks(w.bodies.ids, *in.division);
  out.account = w.books.close();
  out.report.restitutionAsked = w.books.restitutionAsked.value();
  out.report.restitutionDelivered = w.books.restitutionDelivered.value();
  if (w.materials.hasStiffness()) {
    carryElastic(w.steps > 1 ? &w.total : nullptr, w.materials.givesWay(), out.account);
  }
  if (w.steps == 1) {
    w.total = out.account;
  } else {
    w.total.append(out.account);
  }
  w.books.showDrivers(w.bodies.ids, in.dt, out.drivers);
  for (std::size_t i = 0; i < out.drivers.size(); ++i) {
    out.drivers[i].stalled = w.drivers.isStalled(w.books.driverAccounts[i].body);
  }
  out.report.contacts = out.contacts.size();
  out.report.islands = w.solver->getOrder().getIslands().size() + w.motion.jointedEnds.size();
  if (w.ranks != nullptr) w.ranks->report(w, out);
  w.events.collect(w.publisher.getFacts(), in.time, in.dt, in.tasks, out.events);
  if (w.options.substeps == 1) endEvents(w, in.dt);
}

/// Whether bodies are moved before it is judged which drives stall: those may meet what joints
/// hold. Not asked is whether there are joints, here or on this rank, so that a drive does not
/// stall otherwise for a joint somewhere.
bool movesFirst(const WorldState& w) {
  return !w.drivers.empty();
}

/// All bodies, and then those that joints hold.
void moveWithJoints(WorldState& w, const StepProblem& problem, StepReport& report) {
  w.guard.begin();
  w.solver->move(problem, w.motion, w.guard);
  w.jointed.solve(problem, w.options.scheme == StepScheme::Exact, w.joints, w.motion, report);
}

/// From contacts to the new state.
Status advance(WorldState& w, const StepInput& in) {
  const StepProblem problem{in, w.options.solver, w.detector.getFound(), w.cache};
  StepSolver& solver = *w.solver;
  StepReport& report = w.nextShown.report;
  const bool isExact = w.options.scheme == StepScheme::Exact;
  do {
    report = {};
    w.enter(StepStage::Contacts);
    w.detector.dropExpected();
    w.jointed.build(problem, w.joints, w.motion);
    const Status struck = strike(w, problem, report);
    if (!struck) return struck;
    w.enter(StepStage::Forces);
    solver.solveForces(problem, w.motion, report);
    if (movesFirst(w)) {
      solver.react(w.motion, w.drivers);
      moveWithJoints(w, problem, report);
      w.jointed.react(in, w.joints, w.drivers);
    }
    if (!w.drivers.empty() && in.division != nullptr) w.drivers.addOverRanks(in.halo()->comm);
    shareDrivers(in, false, w.motion);
  } while (w.drivers.judge(w.bodies, w.motion.endVelocity, w.motion.startVelocity));
  w.enter(StepStage::Integration);
  if (!movesFirst(w)) moveWithJoints(w, problem, report);
  shareNewPlaces(in, w.motion);
  w.expected.noteForeseen(in, solver, w.detector, w.motion);
  w.drivers.release(w.bodies);
  Status status =
      w.ranks != nullptr ? w.ranks->guard(w, in) : w.guard.run(in, w.detector, solver, w.motion);
  if (!status) return status;
  w.enter(StepStage::Books);
  solver.book(problem, w.motion, w.books);
  w.jointed.book(problem, w.joints, w.motion, w.books);
  w.guard.turnSpins(w.motion);
  if (!isExact) payForHeight(w, in);
  w.enter(StepStage::Correction);
  solver.correct(problem, w.guard, w.motion, w.books, report);
  w.jointed.correct(problem, w.motion, w.books);
  shareNewPlaces(in, w.motion);
  w.enter(StepStage::Results);
  status = agree(in, checkMotion(w.bodies, w.motion, w.steps + 1, w.time, in.tasks));
  if (!status) return status;
  w.nextShown.joints.reserve(w.joints.joints.size());  // For finish(), which does not fail.
  w.nextShown.jointEvents.reserve(w.joints.joints.size());
  w.room.beginStage();
  w.undo.save(w, w.room);
  commit(w, in);
  publish(w, in, problem, w.nextShown);
  return {};
}

/// All that a step of dt does until nothing can fail any more.
Status tryStep(WorldState& w, const StepInput& in) {
  w.room.beginStep();
  w.nextShown.restart();
  w.books.begin(w.bodies, w.steps > 0 ? w.total.elasticAfter : kAnyEnergy);
  w.motion.startVelocity = w.bodies.velocity;
  w.motion.foundVelocity.clear();
  aimAlongPaths(w.bodies, in.time, in.dt, w.motion.startVelocity);
  w.drivers.begin(w.bodies, in.dt, w.motion.startVelocity);
  Status status = detect(w, in);
  if (status) status = agree(in, checkLimits(w));
  if (status) status = advance(w, in);
  return status;
}

/// Takes back all that a step did until it failed.
void undoStep(WorldState& w, const StepInput& in) noexcept {
  w.drivers.release(w.bodies);
  w.undo.restore(w);
  w.events.undo(w.touching);
  w.sensors.undo(w.sensed);
  w.cache.undoUpdate();
  SleepScene scene = w.sleepScene(in);
  w.sleepers.undo(scene);
}

/// What joints keep, and forces given for the step have acted.
void finish(WorldState& w, const StepInput& in) noexcept {
  w.drivers.release(w.bodies);
  w.jointed.commit(in.dt, w.joints, w.nextShown.joints, w.nextShown.jointEvents);
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    BodyFacts& f = w.bodies.facts[i];
    if (Drive* drive = f.drive.find()) drive->wasSet = false;
    if (f.type != BodyType::Dynamic || w.bodies.rest[i].isAsleep()) continue;
    if (w.substeps.isLast()) w.bodies.force[i] = w.bodies.torque[i] = {};
  }
}

}  // namespace

Status makeStep(WorldState& w, double dt) {
  if (w.ranks != nullptr) {
    const Status divided = w.ranks->beginStep(w, dt);
    if (!divided) return divided;
    if (w.substeps.isFirst()) w.sensors.begin(w.bodies, &w.ranks->division);
  } else {
    w.bodies.mark();
  }
  const StepInput in = w.inputOf(dt);
  w.undo.begin();
  w.events.beginStep();
  w.cache.endUndo();
  Status status;
  try {
    status = tryStep(w, in);
  } catch (...) {  // An observer threw, or memory ran out.
    undoStep(w, in);
    w.areStagesBroken = true;
    throw;
  }
  if (!status) {
    undoStep(w, in);
    w.areStagesBroken = status.getCode() == StatusCode::OutOfMemory;
    return status;
  }
  finish(w, in);
  return status;
}

void endEvents(WorldState& w, double dt) {
  StepShown& shown = w.nextShown;
  w.events.merge(w.touching, shown.events, shown.begunPairs, shown.endedPairs, w.tasks);
  const StepInput in = w.inputOf(dt);
  w.sensors.update(w.bodies, in.division, w.time, w.sensed, shown.sensorEvents);
  if (w.options.sleeping) {
    SleepScene scene = w.sleepScene(in);
    w.sleepers.endStep(
        scene, dt,
        {shown.contacts, shown.events, shown.withSleepers, shown.sleepEvents, shown.report});
  }
  if (w.ranks != nullptr) w.ranks->count(w, shown);
}

}  // namespace abut::inline v0_1
