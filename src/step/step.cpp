// SPDX-License-Identifier: MIT
//
// A step as data that flows: each call names what it reads and, last, what it writes.
#include <string>

#include <abut/math/convert.hpp>

#include "dynamics/point_velocity.hpp"
#include "integration/check_motion.hpp"
#include "integration/paths.hpp"
#include "step/limits.hpp"
#include "step/world_state.hpp"

namespace abut::inline v0_1 {
namespace {

/// Bodies that a thread takes at once.
constexpr std::size_t kBodyGrain = 256;
/// What springs may give back in the first step, whatever they hold [J].
constexpr double kAnyEnergy = 1e300;

void enter(const WorldState& w, StepStage stage) {
  if (w.observer != nullptr) w.observer->onStage(stage);
}

/// What a step of a whole world says; of a part, what all ranks say together.
Status agree(const StepInput& in, const Status& status) {
  return in.division == nullptr ? status : in.halo()->agree(status);
}

/// How drivers with limits move, as the ranks say that have their contacts; `moved`: also where
/// they go.
void shareDrivers(const StepInput& in, bool moved, StepMotion& motion) {
  if (in.division == nullptr || in.division->drivers.empty()) return;
  const bool isSoft = moved && !motion.softness.empty();
  const std::size_t each = (moved ? 19 : 12) + (isSoft ? 1 : 0);
  std::vector<double> numbers(each * in.division->drivers.size());
  const auto visit = [&](auto&& one) {
    double* at = numbers.data();
    const auto vector = [&](Vec3& v) {
      for (double* x : {&v.x, &v.y, &v.z}) one(*x, *at++);
    };
    for (const Division::Driver& d : in.division->drivers) {
      for (BodyVelocity* v : {&motion.startVelocity[d.body], &motion.endVelocity[d.body]}) {
        vector(v->linear);
        vector(v->angular);
      }
      if (!moved) continue;
      vector(motion.newPosition[d.body]);
      Quat& q = motion.newOrientation[d.body];
      for (double* x : {&q.w, &q.x, &q.y, &q.z}) one(*x, *at++);
      if (isSoft) one(motion.softness[d.body], *at++);
    }
  };
  visit([](double& value, double& number) { number = value; });
  in.division->shareDrivers(numbers);
  visit([](double& value, double& number) { value = number; });
}

/// Where the bodies of other ranks go, as those say.
void shareNewPlaces(const StepInput& in, StepMotion& motion) {
  if (in.division == nullptr) return;
  shareDrivers(in, true, motion);
  Halo& halo = *in.halo();
  halo.share(motion.newPosition);
  halo.share(motion.newOrientation);
  halo.share(motion.endVelocity);
}

/// Which bodies meet; contacts are matched with those of the last step.
Status detect(WorldState& w, const StepInput& in) {
  enter(w, StepStage::BroadPhase);
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
  enter(w, StepStage::NarrowPhase);
  status = agree(in, w.detector.findContacts(in, w.motion, w.cache));
  if (!status) return status;
  enter(w, StepStage::Manifolds);
  const Detection& found = w.detector.getFound();
  return agree(
      in,
      w.cache.update(found.manifolds, found.cachePoses.view(), found.recycled, in.tasks).status);
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

/// What geometry makes of the overlap of contacts that give way, from the end of a step to the
/// beginning of the next, is the integrator's. What springs hold at the end counts up to what there
/// was to store: no more can come back.
void bookElastic(const WorldState& w, EnergyAccount& account) {
  if (w.steps > 1) {
    const double found = account.elasticBefore, left = w.total.elasticAfter;
    account.elasticBefore = left;
    account.integrator += found - left;
  }
  const double given = (account.forces + account.drivers) + maxOf(0.0, account.correction);
  const double change = (account.kineticAfter - account.kineticBefore) +
                        (account.potentialAfter - account.potentialBefore);
  const double more = (change + (account.elasticAfter - account.elasticBefore)) - given;
  const double lost = clampTo(more, 0.0, account.elasticAfter);
  account.elasticAfter -= lost;
  account.integrator -= lost;
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
  if (w.materials.hasStiffness()) bookElastic(w, out.account);
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

/// Bodies that were held back stay higher than the step left them: they pay for that with their
/// motion, as far as they have any, so that nothing is gained by it.
void payForHeight(WorldState& w, const StepInput& in) {
  for (const HoldBack::Lift& lift : w.guard.getLifts()) {
    const BodyFacts& f = w.bodies.facts[lift.body];
    const double gained = -f.mass * f.gravityScale * dot(in.gravity, lift.by);
    BodyVelocity& v = w.motion.endVelocity[lift.body];
    const double spin = spinEnergy(f.inertia, w.motion.newOrientation[lift.body], v.angular);
    const double kinetic = 0.5 * f.mass * squaredNorm(v.linear) + spin;
    if (!(gained > 0.0) || !(kinetic > 0.0)) continue;
    const double factor = std::sqrt(maxOf(0.0, 1.0 - gained / kinetic));
    v = {v.linear * factor, v.angular * factor};
    if (!in.counts(lift.body)) continue;
    const double lost = 1.0 - factor * factor;
    w.books.impact -= lost * kinetic;
    w.books.integrator += lost * spin;
  }
}

/// Impacts. What blows of the step send on to bodies that were far away takes part in them too: it
/// is found by the ways that bodies go then, and the impacts are made anew.
Status strike(WorldState& w, const StepProblem& problem, StepReport& report) {
  constexpr int kRounds = 64;  // Blows that follow one from the other.
  const StepInput& in = problem.in;
  StepSolver& solver = *w.solver;
  solver.build(problem, w.motion);
  if (solver.hasImpactStage()) enter(w, StepStage::Impacts);
  solver.solveImpacts(problem, w.motion, report);
  Status status;
  bool found = solver.hasImpactStage();
  for (int round = 0; round < kRounds && found; ++round) {
    status = w.expected.find(in, w.motion, solver.getBlows(), solver, w.detector, found);
    found = found && status;
    if (!found) break;
    report = {};
    solver.findOver(w.overHits);
    w.detector.dropHits(w.overHits);
    solver.build(problem, w.motion);
    solver.solveImpacts(problem, w.motion, report);
  }
  if (in.division == nullptr || !solver.hasImpactStage()) return status;
  status = agree(in, status);
  return status ? w.expected.refuseForeign(in, w.motion, w.detector) : status;
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
    enter(w, StepStage::Contacts);
    w.detector.dropExpected();
    w.jointed.build(problem, w.joints, w.motion);
    const Status struck = strike(w, problem, report);
    if (!struck) return struck;
    enter(w, StepStage::Forces);
    solver.solveForces(problem, w.motion, report);
    if (movesFirst(w)) {
      solver.react(w.motion, w.drivers);
      moveWithJoints(w, problem, report);
      w.jointed.react(in, w.joints, w.drivers);
    }
    if (!w.drivers.empty() && in.division != nullptr) w.drivers.addOverRanks(in.halo()->comm);
    shareDrivers(in, false, w.motion);
  } while (w.drivers.judge(w.bodies, w.motion.endVelocity, w.motion.startVelocity));
  enter(w, StepStage::Integration);
  if (!movesFirst(w)) moveWithJoints(w, problem, report);
  shareNewPlaces(in, w.motion);
  w.expected.noteForeseen(in, solver, w.detector, w.motion);
  w.drivers.release(w.bodies);
  Status status =
      w.ranks != nullptr ? w.ranks->guard(w, in) : w.guard.run(in, w.detector, solver, w.motion);
  if (!status) return status;
  enter(w, StepStage::Books);
  solver.book(problem, w.motion, w.books);
  w.jointed.book(problem, w.joints, w.motion, w.books);
  w.guard.turnSpins(w.motion);
  if (!isExact) payForHeight(w, in);
  enter(w, StepStage::Correction);
  solver.correct(problem, w.guard.getLoose(), w.motion, w.books, report);
  w.jointed.correct(problem, w.motion, w.books);
  shareNewPlaces(in, w.motion);
  enter(w, StepStage::Results);
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
