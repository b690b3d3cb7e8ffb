// SPDX-License-Identifier: MIT
#include "scheme/exact/exact_step.hpp"

#include <algorithm>

#include "scheme/exact/contact_speed.hpp"

namespace abut::inline v0_1 {

namespace {
constexpr std::uint32_t kHeapContacts = 100;
/// What is missing of bounds is no press up to this part of the speed.
constexpr double kRoundingOfPress = 1e-9;
}  // namespace

bool isHeap(const Island& island) {
  return island.numContacts >= kHeapContacts;
}

double acceptableOf(const SolverOptions& options, std::size_t numContacts) {
  constexpr double kOfHeaps = 1e-3;
  if (numContacts >= kHeapContacts) return options.acceptable;
  return numContacts > 1 ? kOfHeaps * options.acceptable : 0.0;
}

bool ExactStep::closesWithin(const StepContact& c) const {
  const double u = normalVelocity(c.row, motion.startVelocity), dt = in.dt;
  return u * dt < -gapOf(c.depth) || (u + 0.5 * c.pull * dt) * dt < -gapOf(c.depth);
}

double ExactStep::shiftAlong(const StepContact& c) const {
  if (late.shift.empty()) return 0.0;
  const BodyVelocity &a = late.shift[c.body1], &b = late.shift[c.body2];
  return dot(c.row.normal,
             (a.linear + cross(a.angular, c.row.arm1)) - (b.linear + cross(b.angular, c.row.arm2)));
}

void ExactStep::noteError(const SolverReport& of) {
  if (!(of.error > 0.0) || of.error < report.worstError) return;
  const SolverContact& worst = local.contacts[of.worstContact];
  const ObjectPair pair{in.bodies.ids[local.bodies[worst.body1]],
                        in.bodies.ids[local.bodies[worst.body2]]};
  // Of equals the smaller pair, whichever comes first.
  if (of.error == report.worstError && !(pair < ObjectPair{report.worst1, report.worst2})) return;
  report.worstError = of.error;
  report.worst1 = pair.first;
  report.worst2 = pair.second;
}

void ExactStep::noteTolerance(double error) {
  const double allowed =
      error <= options.tolerance
          ? options.tolerance
          : maxOf(options.tolerance, acceptableOf(options, local.contacts.size()));
  report.tolerance = maxOf(report.tolerance, allowed);
}

void ExactStep::tell(ProblemKind kind) const {
  if (in.problems == nullptr) return;
  std::vector<ObjectId> ids;
  for (const std::uint32_t b : local.bodies) ids.push_back(in.bodies.ids[b]);
  in.problems->onProblem({kind, {local.mobility, local.contacts}, local.velocities, ids});
}

SolverOptions ExactStep::optionsOf(const Island& island) const {
  SolverOptions wanted = tightened(options, local.mobility);
  if (!isHeap(island)) wanted.acceptable = 0.0;
  return wanted;
}

SolverSetting ExactStep::settingOf(const Island& island) const {
  SolverSetting setting;
  setting.tasks = in.tasks;
  if (!isHeap(island)) return setting;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = contacts.at(island, k);
    setting.load = maxOf(setting.load, norm(c.impulse));
    setting.softness =
        maxOf(setting.softness, maxOf(in.bodies.softness[c.body1], in.bodies.softness[c.body2]));
  }
  return setting;
}

bool ExactStep::yieldToPress(const Island& island, std::span<Vec3> impulses) {
  const PressedIsland pressed{island.firstContact, local.mobility, local.contacts, local.velocities,
                              local.bodies};
  if (!presses.relieve(pressed, in.bodies.ids, report)) return false;
  for (std::size_t k = 0; k < local.contacts.size(); ++k) {
    local.contacts[k].bound -= kSpareInPress * presses.closingOf(k);
  }
  for (Vec3& impulse : impulses) impulse = {};  // Those of the last step grew against the press.
  for (Vec3& couple : local.couples) couple = {};
  return true;
}

bool ExactStep::isBeyond(double times, std::span<const Vec3> impulses) const {
  double greatest = 0.0;
  for (const Vec3& p : impulses) greatest = maxOf(greatest, p.x);
  return greatest > times * local.momentumAt(local.fastest(local.before) + in.fall());
}

bool ExactStep::isJammed(const SolverReport& of, std::span<const Vec3> impulses) const {
  // Beyond so many times the momentum that the bodies have or could take in the step no lever
  // explains an impulse.
  constexpr double kJammed = 1e6;
  return !of.converged && isBeyond(kJammed, impulses);
}

bool ExactStep::isSqueezed(std::span<const Vec3> impulses) const {
  constexpr double kSqueezed = 2.0;
  return isBeyond(kSqueezed, impulses);
}

double ExactStep::spareOfPress() const {
  return kRoundingOfPress * (local.fastest(local.before) + in.fall());
}

bool ExactStep::mayBePress() const {
  const double spare = spareOfPress();
  std::vector<SolverContact> rows = local.contacts;
  for (SolverContact& c : rows) c.bound += spare;
  return PressFinder::mayBePress({local.mobility, rows}, local.before);
}

SolverReport ExactStep::solveAnew(const SolverOptions& wanted, const SolverSetting& setting,
                                  std::span<Vec3> impulses) {
  for (Vec3& p : impulses) p = {};
  for (Vec3& m : local.couples) m = {};
  local.velocities.assign(local.before.begin(), local.before.end());
  return solver.solve({local.mobility, local.contacts}, wanted, setting, impulses, local.couples,
                      local.velocities);
}

SolverReport ExactStep::solve(const Island& island, const SolverSetting& setting,
                              std::span<Vec3> impulses) {
  const SolverOptions wanted = optionsOf(island);
  local.before.assign(local.velocities.begin(), local.velocities.end());
  const ContactProblem problem{local.mobility, local.contacts};
  const SolverReport first =
      solver.solve(problem, wanted, setting, impulses, local.couples, local.velocities);
  // In a press friction may hold any squeeze, so that what it is depends on the way to it.
  const bool squeezed = isSqueezed(impulses);
  const bool isPressed = presses.isPress(island.firstContact);
  bool jams = isJammed(first, impulses);
  if (!squeezed && !jams) return first;
  if (!isPressed && !jams && !mayBePress()) return first;
  // A gap so narrow that it would throw what is in it out like a stone of a cherry is better held.
  // Wedges of two degrees throw it out sixty times as fast as one of two walls, with the square of
  // thirty times the impulse: beyond that friction jams it.
  constexpr double kThrown = 30.0, kBeyondWedges = 2000.0;
  const double thrown = kThrown * (local.fastest(local.before) + in.fall());
  const double fastest = local.fastest();
  jams = jams || fastest > 2.0 * thrown || isBeyond(kBeyondWedges, impulses);
  const std::vector<Vec3> held(impulses.begin(), impulses.end());
  const std::vector<Vec3> turned(local.couples.begin(), local.couples.end());
  const std::vector<BodyVelocity> holding(local.velocities.begin(), local.velocities.end());
  const auto takeBack = [&] {
    std::copy(held.begin(), held.end(), impulses.begin());
    std::copy(turned.begin(), turned.end(), local.couples.begin());
    std::copy(holding.begin(), holding.end(), local.velocities.begin());
    return first;
  };
  if (!isPressed) {
    // Walls that just meet what is between them squeeze it as rounding will have it: without what
    // is too little to be a press they do not. What levers press is the same.
    const double spare = spareOfPress();
    for (SolverContact& c : local.contacts) c.bound -= spare;
    const SolverReport r = solveAnew(wanted, setting, impulses);
    if (!isSqueezed(impulses)) return r;
    if (!jams) return takeBack();
  }
  for (SolverContact& c : local.contacts) c.friction = 0.0;
  SolverReport r = solveAnew(wanted, setting, impulses);
  if (isSqueezed(impulses)) {
    // Plain sweeps squeeze no more than they have to.
    SolverOptions plain = wanted;
    plain.model = ContactModel::Frictionless;
    r = solveAnew(plain, setting, impulses);
  }
  // In a press bounds are such that nothing is thrown, but friction may hold any squeeze.
  if (!isPressed && local.fastest() > maxOf(thrown, fastest)) r = takeBack();
  r.converged = false;
  report.converged = false;
  return r;
}

SolverReport ExactStep::solveRigidly() {
  SolverOptions rigid = tightened(options, local.mobility);
  rigid.acceptable = 0.0;
  local.before.assign(local.velocities.begin(), local.velocities.end());
  const SolverReport r = solver.solve({local.mobility, local.contacts}, rigid, local.impulses,
                                      local.couples, local.velocities);
  report.sweeps += r.sweeps;
  report.newtonSteps += r.newtonSteps;
  return r;
}

void ExactStep::noteRigid(const SolverReport& r) {
  report.converged =
      report.converged &&
      r.error <= maxOf(options.tolerance, acceptableOf(options, local.contacts.size()));
  report.rigidError = maxOf(report.rigidError, r.rigidError);
  report.approach = maxOf(report.approach, r.approach);
  noteTolerance(r.error);
  noteError(r);
}

void ExactStep::noteSolve(const Island& island, const SolverReport& of, double fastest) {
  // Bounds are kept to a millionth of the speed, or to what the tolerance leaves of it. Where less
  // is accepted, or contacts give way, it may be a part of the speed; that of a step's fall is
  // always there.
  constexpr double kShare = 1e-6, kOfTolerance = 10.0, kAccepted = 0.1;
  const bool strict = of.error <= options.tolerance && !(of.softness > 0.0);
  const bool accepted = of.converged || of.error <= acceptableOf(options, local.contacts.size());
  const double fall = maxOf(fastest, in.fall());
  const double loose = strict ? kOfTolerance * options.tolerance : kAccepted;
  const bool isLoose = loose * fall > kShare * fastest;
  const double speed = isLoose ? fall : fastest, share = isLoose ? loose : kShare;
  report.converged = report.converged && (strict || accepted) && local.keepsBounds(speed, share);
  noteTolerance(of.error);
  noteError(of);
  report.sweeps += of.sweeps;
  report.newtonSteps += of.newtonSteps;
  report.rigidError = maxOf(report.rigidError, of.rigidError);
  report.approach = maxOf(report.approach, of.approach);
  report.softness = maxOf(report.softness, of.softness);
  yielded.normal += 0.5 * of.yieldNormal;
  yielded.friction += 0.5 * of.yieldFriction;
  yielded.taken -= 0.5 * of.yieldNormal;
  yielded.taken -= 0.5 * of.yieldFriction;
  yielded.given[contacts.numberOf(island)] -= 0.5 * (of.yieldNormal + of.yieldFriction);
  report.compliantIslands += of.softness > 0.0 ? 1 : 0;
}

}  // namespace abut::inline v0_1
