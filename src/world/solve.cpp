// SPDX-License-Identifier: MIT
#include <algorithm>

#include <abut/math/convert.hpp>

#include "world/contact_speed.hpp"
#include "world/state.hpp"

namespace abut {
namespace {

/// A bound beyond every displacement [m]: the contact takes no part in the correction.
constexpr double kNoBound = 1e30;

}  // namespace

/// The solver's error counts velocities in the response of the lighter body of a contact; at a mass
/// ratio k the heavier one's force is wrong by k times that. So the tolerance shrinks with the
/// ratio of the island's masses beyond 100, down to what rounding leaves.
SolverOptions tightened(SolverOptions options, const std::vector<BodyMobility>& mobility) {
  constexpr double kRounding = 4e-16, kHarmless = 100.0;
  double least = 0.0, most = 0.0;
  for (const BodyMobility& m : mobility) {
    const double inverse = maxOf(maxOf(m.inverseMass.x, m.inverseMass.y), m.inverseMass.z);
    if (!(inverse > 0.0)) continue;
    least = least > 0.0 ? minOf(least, inverse) : inverse;
    most = maxOf(most, inverse);
  }
  if (most > kHarmless * least) {
    const double wanted = options.tolerance * (kHarmless * least / most);
    options.tolerance = minOf(options.tolerance, maxOf(kRounding, wanted));
  }
  return options;
}

namespace {

/// Islands of so many contacts may be heaps, which rigid contacts leave unsolved: for them what is
/// acceptable counts. Fewer are solved by rigid contacts to the tolerance. Between the jaws of a
/// press, say, nothing measured by the last step's load would be an error.
bool isHeap(const Island& island) {
  constexpr std::uint32_t kHeapContacts = 100;
  return island.numContacts >= kHeapContacts;
}

}  // namespace

double LocalProblem::fastest() const {
  double speed = 0.0;
  for (const SolverContact& c : contacts) {
    const auto at = [this](std::uint32_t body, const Vec3& arm) {
      return norm(velocities[body].linear + cross(velocities[body].angular, arm));
    };
    speed = maxOf(speed, at(c.body1, c.arm1) + at(c.body2, c.arm2) + norm(c.offset));
  }
  return speed;
}

bool LocalProblem::keepsBounds(double speed, double share) const {
  for (const SolverContact& c : contacts) {
    const auto answer = [&](std::uint32_t body, const Vec3& arm) {
      const BodyMobility& m = mobility[body];
      return dot(c.normal, scaled(m.inverseMass, c.normal)) +
             dot(cross(arm, c.normal), m.inverseInertia * cross(arm, c.normal));
    };
    if (!(answer(c.body1, c.arm1) + answer(c.body2, c.arm2) > 0.0)) continue;
    if (normalVelocity(c, velocities) < c.bound - share * maxOf(speed, absOf(c.bound))) {
      return false;
    }
  }
  return true;
}

namespace {

/// Scales all displacements so that none is longer than `most` [m].
void limitDisplacements(double most, std::vector<BodyVelocity>& displacements) {
  double longest = 0.0;
  for (const BodyVelocity& d : displacements) longest = maxOf(longest, norm(d.linear));
  if (!(longest > most)) return;
  const double scale = most / longest;
  for (BodyVelocity& d : displacements) d = {d.linear * scale, d.angular * scale};
}

}  // namespace

void LocalProblem::gather(const WorldState& world, const Island& island) {
  bodies.clear();
  contacts.clear();
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = world.contacts[world.contactOrder[island.firstContact + k]];
    bodies.push_back(c.body1);
    bodies.push_back(c.body2);
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  mobility.resize(bodies.size());
  velocities.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) mobility[i] = world.bodies.mobility[bodies[i]];
  const auto place = [this](std::uint32_t body) {
    return static_cast<std::uint32_t>(std::lower_bound(bodies.begin(), bodies.end(), body) -
                                      bodies.begin());
  };
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = world.contacts[world.contactOrder[island.firstContact + k]];
    contacts.push_back(c.row);
    contacts.back().body1 = place(c.body1);
    contacts.back().body2 = place(c.body2);
  }
  impulses.assign(contacts.size(), Vec3{});
  bool resists = false;
  for (const SolverContact& c : contacts) {
    resists = resists || c.rollingResistance > 0.0 || c.spinningResistance > 0.0;
  }
  couples.assign(resists ? contacts.size() : 0, Vec3{});
}

/// Acceleration of a body by the forces of the step, without contacts [m/s^2].
Vec3 WorldState::freeAcceleration(std::uint32_t b) const {
  const Vec3 weight =
      toVec3(options.gravity) * (bodies.facts[b].mass * bodies.facts[b].gravityScale);
  return scaled(bodies.mobility[b].inverseMass, weight + bodies.force[b]);
}

/// Rate at which those forces part the bodies of a contact along its normal [m/s^2].
double WorldState::normalAcceleration(const StepContact& c) const {
  return dot(c.row.normal, freeAcceleration(c.body1) - freeAcceleration(c.body2));
}

/// Whether a gap closes in the step by the velocities before it and the forces of the step.
bool WorldState::closesWithin(const StepContact& c, double dt) const {
  const double u = normalVelocity(c.row, motion.startVelocity);
  return u * dt < -gapOf(c.depth) || (u + 0.5 * c.pull * dt) * dt < -gapOf(c.depth);
}

void WorldState::noteError(const SolverReport& of, std::uint32_t body1, std::uint32_t body2) {
  if (!(of.error > report.worstError)) return;
  report.worstError = of.error;
  report.worst1 = bodies.ids[body1];
  report.worst2 = bodies.ids[body2];
}

/// How the problem in ExactBuffers::local, of that island, is solved.
SolverOptions WorldState::solverOptionsOf(const Island& island) const {
  SolverOptions wanted = tightened(options.solver, exact.local.mobility);
  if (!isHeap(island)) wanted.acceptable = 0.0;
  return wanted;
}

/// Solves the problem in ExactBuffers::local, by rigid contacts.
SolverReport WorldState::solveLocal() {
  LocalProblem& local = exact.local;
  SolverOptions rigid = tightened(options.solver, local.mobility);
  rigid.acceptable = 0.0;
  const SolverReport r = solver.solve({local.mobility, local.contacts}, rigid, local.impulses,
                                      local.couples, local.velocities);
  report.sweeps += r.sweeps;
  report.newtonSteps += r.newtonSteps;
  return r;
}

/// Tells of its answer.
void WorldState::noteSolved(const SolverReport& r) {
  const LocalProblem& local = exact.local;
  report.converged = report.converged && r.error <= options.solver.tolerance;
  report.rigidError = maxOf(report.rigidError, r.rigidError);
  report.approach = maxOf(report.approach, r.approach);
  noteError(r, local.bodies[local.contacts[r.worstContact].body1],
            local.bodies[local.contacts[r.worstContact].body2]);
}

/// Adds a solve of exact.local to the step's report; `fastest` is the greatest speed before it.
void WorldState::noteSolve(const SolverReport& of, double fastest, double dt) {
  // Bounds are kept to a millionth of the speed, or to what the tolerance leaves of it. Where less
  // is accepted, it may be a part of the speed; that of a step's fall is always there.
  constexpr double kShare = 1e-6, kOfTolerance = 10.0, kAccepted = 0.1;
  const bool strict = of.error <= options.solver.tolerance;
  const double fall = maxOf(fastest, norm(toVec3(options.gravity)) * dt);
  const double loose = strict ? kOfTolerance * options.solver.tolerance : kAccepted;
  const bool isLoose = loose * fall > kShare * fastest;
  const double speed = isLoose ? fall : fastest, share = isLoose ? loose : kShare;
  report.converged =
      report.converged && (strict || of.converged) && exact.local.keepsBounds(speed, share);
  const SolverContact& worst = exact.local.contacts[of.worstContact];
  noteError(of, exact.local.bodies[worst.body1], exact.local.bodies[worst.body2]);
  report.sweeps += of.sweeps;
  report.newtonSteps += of.newtonSteps;
  report.rigidError = maxOf(report.rigidError, of.rigidError);
  report.approach = maxOf(report.approach, of.approach);
  report.softness = maxOf(report.softness, of.softness);
  report.compliantIslands += of.softness > 0.0 ? 1 : 0;
}

/// What the solves of an island are told: the load that it carried, and how soft it was. Few
/// contacts are rigid and held to their own impulses.
SolverSetting WorldState::settingOf(const Island& island) const {
  SolverSetting setting;
  if (!isHeap(island)) return setting;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = contacts[contactOrder[island.firstContact + k]];
    setting.load = maxOf(setting.load, norm(c.impulse));
    setting.softness =
        maxOf(setting.softness, maxOf(bodies.softness[c.body1], bodies.softness[c.body2]));
  }
  return setting;
}

/// Applied forces, gravity, gyroscopic change, and the contact forces that answer them.
void WorldState::solveForces(double dt) {
  const std::size_t n = bodies.size();
  motion.endVelocity = motion.impactedVelocity;
  motion.freeSpin.resize(n);
  motion.freeOrientation.resize(n);
  const Vec3 gravity = toVec3(options.gravity);
  for (std::size_t i = 0; i < n; ++i) {
    const BodyFacts& f = bodies.facts[i];
    motion.freeSpin[i] = motion.impactedVelocity[i].angular;
    motion.freeOrientation[i] = bodies.orientation[i];
    if (bodies.rest[i].isAsleep()) continue;
    if (f.type != BodyType::Dynamic || (f.locks & kLockRotation) != 0) {
      const LocalInertia none;
      rotateFreely(none, dt, motion.freeOrientation[i], motion.freeSpin[i]);
    } else {
      rotateFreely(f.inertia, dt, motion.freeOrientation[i], motion.freeSpin[i]);
    }
    if (f.type != BodyType::Dynamic) continue;
    const Vec3 push = gravity * (f.mass * f.gravityScale) + bodies.force[i];
    motion.endVelocity[i].linear += scaled(bodies.mobility[i].inverseMass, push) * dt;
    motion.endVelocity[i].angular =
        motion.freeSpin[i] + (bodies.mobility[i].inverseInertia * bodies.torque[i]) * dt;
  }
  LocalProblem& local = exact.local;
  exact.moving.begin(contacts.size(), n);
  exact.softness.assign(n, 0.0);
  for (const Island& island : islands) {
    for (std::uint32_t k = 0; k < island.numContacts; ++k) {
      StepContact& c = contacts[contactOrder[island.firstContact + k]];
      // The gap at the end, by the mean of the velocities, must not be negative.
      const double u = normalVelocity(c.row, motion.impactedVelocity);
      const double bound = -(2.0 * (c.open + shiftAlong(c)) / dt + u);
      c.row.bound = bound < 0.0 && !c.rests ? bound : 0.0;
    }
    local.gather(*this, island);
    for (std::size_t i = 0; i < local.bodies.size(); ++i) {
      local.velocities[i] = motion.endVelocity[local.bodies[i]];
    }
    for (std::uint32_t k = 0; k < island.numContacts; ++k) {
      local.impulses[k] = contacts[contactOrder[island.firstContact + k]].impulse;
    }
    const double fastest = local.fastest();
    SolverSetting setting = settingOf(island);
    setting.remembers = isHeap(island);
    setting.load = 0.0;
    const SolverReport r = solver.solve({local.mobility, local.contacts}, solverOptionsOf(island),
                                        setting, local.impulses, local.couples, local.velocities);
    noteSolve(r, fastest, dt);
    for (const std::uint32_t b : local.bodies) {
      if (bodies.facts[b].type == BodyType::Dynamic) exact.softness[b] = r.nextSoftness;
    }
    for (std::uint32_t k = 0; k < island.numContacts; ++k) {
      StepContact& c = contacts[contactOrder[island.firstContact + k]];
      c.impulse = local.impulses[k];
      if (!local.couples.empty()) c.couple = local.couples[k];
    }
    for (std::size_t i = 0; i < local.bodies.size(); ++i) {
      if (bodies.facts[local.bodies[i]].type == BodyType::Dynamic) {
        motion.endVelocity[local.bodies[i]] = local.velocities[i];
      }
    }
    // An answer that is accepted, not exact, is not worth following contacts through the step.
    const bool accepted = r.converged && r.error > options.solver.tolerance;
    if (options.solver.model == ContactModel::ExactCoulomb && !accepted) {
      exact.moving.follow(*this, island, dt);
    }
  }
}

/// Overlap that is left alone: less for bodies that are not much larger themselves.
double WorldState::slopOf(std::uint32_t body1, std::uint32_t body2) const {
  constexpr double kShareOfSize = 1e-3;
  const double size = minOf(bodies.facts[body1].shape->boundingRadius(),
                            bodies.facts[body2].shape->boundingRadius());
  return minOf(options.correctionSlop, kShareOfSize * size);
}

/// Takes a share of the overlap out by displacement, without friction; velocities do not change.
void WorldState::correctPositions() {
  LocalProblem& local = exact.local;
  const Vec3 gravity = toVec3(options.gravity);
  for (const Island& island : islands) {
    bool deep = false;
    double most = 0.0, sum = 0.0;  // Of what the contacts ask for.
    for (std::uint32_t k = 0; k < island.numContacts; ++k) {
      StepContact& c = contacts[contactOrder[island.firstContact + k]];
      const Vec3 m1 = bodies.mobility[c.body1].inverseMass;
      const Vec3 m2 = bodies.mobility[c.body2].inverseMass;
      const bool canTranslate = m1 != Vec3{} || m2 != Vec3{};
      const double slop = slopOf(c.body1, c.body2);
      const bool tooDeep = canTranslate && c.depth > slop;
      c.row.bound = tooDeep ? options.correctionShare * (c.depth - slop) : minOf(0.0, c.depth);
      if (!canTranslate) c.row.bound = -kNoBound;
      deep = deep || tooDeep;
      if (!tooDeep) continue;
      most = maxOf(most, c.row.bound);
      sum += c.row.bound;
    }
    if (!deep) continue;
    local.gather(*this, island);
    for (BodyVelocity& v : local.velocities) v = {};
    for (SolverContact& c : local.contacts) {
      c.friction = 0.0;
      c.offset = {};
    }
    // What is left of the overlap is to be known to a part of the slop.
    constexpr double kOfSlop = 0.1;
    SolverSetting setting;
    if (isHeap(island)) setting.enough = kOfSlop * options.correctionSlop;
    SolverOptions wanted = options.solver;
    if (!isHeap(island)) wanted.acceptable = 0.0;
    const SolverReport r = solver.solve({local.mobility, local.contacts}, wanted, setting,
                                        local.impulses, {}, local.velocities);
    // No body needs to go farther than all contacts ask for together. Where they ask for what
    // cannot be, as between the jaws of a press, the answer is not to be trusted so far.
    limitDisplacements(r.converged ? sum : most, local.velocities);
    for (std::size_t i = 0; i < local.bodies.size(); ++i) {
      const std::uint32_t b = local.bodies[i];
      const BodyFacts& f = bodies.facts[b];
      if (f.type != BodyType::Dynamic) continue;
      motion.newPosition[b] += local.velocities[i].linear;
      const Quat turn = quatFromRotationVector(local.velocities[i].angular);
      motion.newOrientation[b] = normalized(turn * motion.newOrientation[b]);
      if (r.converged)
        motion.endVelocity[b].angular = toMatrix(turn) * motion.endVelocity[b].angular;
      books.correction -= f.mass * f.gravityScale * dot(gravity, local.velocities[i].linear);
    }
  }
}

}  // namespace abut
