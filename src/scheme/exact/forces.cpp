// SPDX-License-Identifier: MIT
#include "integration/rigid_rotation.hpp"
#include "scheme/exact/contact_speed.hpp"
#include "scheme/exact/stages.hpp"

namespace abut {

/// Applied forces, gravity, gyroscopic change, and the contact forces that answer them.
void solveForces(ExactStep& s, MovingContacts& moving) {
  const double dt = s.in.dt;
  const std::size_t n = s.in.bodies.size();
  s.motion.endVelocity = s.motion.impactedVelocity;
  s.motion.freeSpin.resize(n);
  s.motion.freeOrientation.resize(n);
  const Vec3 gravity = s.in.gravity;
  for (std::size_t i = 0; i < n; ++i) {
    const BodyFacts& f = s.in.bodies.facts[i];
    s.motion.freeSpin[i] = s.motion.impactedVelocity[i].angular;
    s.motion.freeOrientation[i] = s.in.bodies.orientation[i];
    if (s.in.bodies.rest[i].isAsleep()) continue;
    if (f.type != BodyType::Dynamic || (f.locks & kLockRotation) != 0) {
      const LocalInertia none;
      rotateFreely(none, dt, s.motion.freeOrientation[i], s.motion.freeSpin[i]);
    } else {
      rotateFreely(f.inertia, dt, s.motion.freeOrientation[i], s.motion.freeSpin[i]);
    }
    if (f.type != BodyType::Dynamic) continue;
    const Vec3 push = gravity * (f.mass * f.gravityScale) + s.in.bodies.force[i];
    s.motion.endVelocity[i].linear += scaled(s.in.bodies.mobility[i].inverseMass, push) * dt;
    s.motion.endVelocity[i].angular =
        s.motion.freeSpin[i] +
        (s.in.bodies.mobility[i].inverseInertia * s.in.bodies.torque[i]) * dt;
  }
  LocalProblem& local = s.local;
  moving.begin(s.contacts.all.size(), n);
  s.motion.softness.assign(n, 0.0);
  for (const Island& island : s.contacts.islands) {
    for (std::uint32_t k = 0; k < island.numContacts; ++k) {
      StepContact& c = s.contacts.at(island, k);
      // The gap at the end, by the mean of the velocities, must not be negative.
      const double u = normalVelocity(c.row, s.motion.impactedVelocity);
      const double bound = -(2.0 * (c.open + s.shiftAlong(c)) / dt + u);
      c.row.bound = bound < 0.0 && !c.rests ? bound : 0.0;
    }
    s.gather(island);
    for (std::size_t i = 0; i < local.bodies.size(); ++i) {
      local.velocities[i] = s.motion.endVelocity[local.bodies[i]];
    }
    for (std::uint32_t k = 0; k < island.numContacts; ++k) {
      local.impulses[k] = s.contacts.at(island, k).impulse;
    }
    const double fastest = local.fastest();
    const bool isPressed = s.yieldToPress(island, local.impulses);
    SolverSetting setting = s.settingOf(island);
    setting.remembers = isHeap(island);
    setting.load = 0.0;
    const SolverReport r = s.solver.solve({local.mobility, local.contacts}, s.optionsOf(island),
                                          setting, local.impulses, local.couples, local.velocities);
    s.noteSolve(r, fastest);
    for (const std::uint32_t b : local.bodies) {
      if (s.in.bodies.facts[b].type == BodyType::Dynamic) s.motion.softness[b] = r.nextSoftness;
    }
    for (std::uint32_t k = 0; k < island.numContacts; ++k) {
      StepContact& c = s.contacts.at(island, k);
      c.impulse = local.impulses[k];
      if (!local.couples.empty()) c.couple = local.couples[k];
    }
    for (std::size_t i = 0; i < local.bodies.size(); ++i) {
      if (s.in.bodies.facts[local.bodies[i]].type == BodyType::Dynamic) {
        s.motion.endVelocity[local.bodies[i]] = local.velocities[i];
      }
    }
    // An answer that is accepted, not exact, is not worth following contacts through the step; one
    // with a drive that stalls would need its work at both ends.
    bool accepted = r.converged && r.error > s.options.tolerance;
    for (const std::uint32_t b : local.bodies) {
      const BodyFacts& f = s.in.bodies.facts[b];
      accepted = accepted || (f.drive.isLimited && f.type == BodyType::Dynamic);
    }
    if (s.options.model == ContactModel::ExactCoulomb && !accepted && !isPressed) {
      moving.follow(s, island);
    }
  }
}

}  // namespace abut
