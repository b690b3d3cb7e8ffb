// SPDX-License-Identifier: MIT
#include <algorithm>

#include <abut/math/convert.hpp>

#include "world/state.hpp"

namespace abut {
namespace {

Vec3 worldImpulse(const SolverContact& c, const Vec3& p) {
  return (c.normal * p.x + c.tangent1 * p.y) + c.tangent2 * p.z;
}

Vec3 pointVelocity(const BodyVelocity& v, const Vec3& arm) {
  return v.linear + cross(v.angular, arm);
}

}  // namespace

/// A report for each body that drives others.
void WorldState::beginDrivers() {
  drivers.clear();
  for (const BodyFacts& f : bodies.facts) {
    if (f.type != BodyType::Kinematic && f.surfaceVelocity == Vec3{}) continue;
    DriverReport driver;
    driver.body = f.id;
    drivers.push_back(driver);
  }
}

/// Books the work of an impulse and its moment about the centre of mass, as the driver gives them,
/// under its motion and its surface's. Nothing for a body that neither drives nor has a surface
/// that moves.
void WorldState::chargeDriver(std::uint32_t b, const Vec3& impulse, const Vec3& couple,
                              const BodyVelocity& velocity, double dt) {
  const BodyFacts& f = bodies.facts[b];
  if (f.type != BodyType::Kinematic && f.surfaceVelocity == Vec3{}) return;
  double work = dot(impulse, f.surfaceVelocity);
  if (f.type != BodyType::Dynamic) {
    work += dot(impulse, velocity.linear) + dot(couple, velocity.angular);
  }
  last.drivers += work;
  const auto driver =
      std::lower_bound(drivers.begin(), drivers.end(), f.id,
                       [](const DriverReport& d, ObjectId id) { return d.body < id; });
  driver->work += work;
  driver->force = toEigen(toVec3(driver->force) + impulse / dt);
  driver->torque = toEigen(toVec3(driver->torque) + couple / dt);
}

/// Every change of energy under its name. In each phase a contact's impulse p does the work
/// p . (u- + u+)/2 on the relative motion, exactly; what a driven surface adds is p . its velocity.
void WorldState::closeBooks(double dt) {
  const Vec3 gravity = toVec3(options.gravity);
  beginDrivers();
  std::vector<BodyVelocity>& turning = exact.turning;
  turning.assign(impacted.begin(), impacted.end());
  for (std::size_t i = 0; i < turning.size(); ++i) turning[i].angular = turned[i];
  const auto account = [&](const StepContact& c, const SolverContact& row, const Vec3& impulse,
                           const Vec3& couple, const std::vector<BodyVelocity>& start,
                           const std::vector<BodyVelocity>& end) {
    if (impulse == Vec3{}) return;
    const Vec3 p = worldImpulse(row, impulse);
    const Vec3 w1 =
        (pointVelocity(start[c.body1], row.arm1) + pointVelocity(end[c.body1], row.arm1)) * 0.5;
    const Vec3 w2 =
        (pointVelocity(start[c.body2], row.arm2) + pointVelocity(end[c.body2], row.arm2)) * 0.5;
    const Vec3 u = (w1 - w2) + row.offset;
    const double normalWork = impulse.x * dot(row.normal, u);
    last.impact += normalWork;
    last.friction += dot(p, u) - normalWork;
    const auto meanOf = [&](std::uint32_t b) {
      return BodyVelocity{(start[b].linear + end[b].linear) * 0.5,
                          (start[b].angular + end[b].angular) * 0.5};
    };
    const BodyVelocity v1 = meanOf(c.body1), v2 = meanOf(c.body2);
    const Vec3 m = worldImpulse(row, couple);
    last.friction += dot(m, v1.angular - v2.angular);
    chargeDriver(c.body1, -p, -(cross(row.arm1, p) + m), v1, dt);
    chargeDriver(c.body2, p, cross(row.arm2, p) + m, v2, dt);
  };
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const StepContact& c = contacts[k];
    if (!exact.moving.isMoving(k)) {
      account(c, c.row, c.impact, c.impactCouple, before, impacted);
      account(c, c.row, c.impulse, c.couple, turning, after);
      continue;
    }
    const MovingContact& m = exact.moving.at(k);
    account(c, m.startRow, c.impact, c.impactCouple, before, impacted);
    bookMovingContact(c, m, dt);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyFacts& f = bodies.facts[i];
    if (f.type != BodyType::Dynamic) continue;
    last.potentialBefore -= f.mass * f.gravityScale * dot(gravity, bodies.position[i]);
    if (bodies.rest[i].isAsleep()) continue;
    if (exact.moving.movesBody(i)) {
      bookMovingBody(i);
      continue;
    }
    const Mat3 inertia = bodies.inertiaOf(i);
    const auto spinEnergy = [&](const Vec3& w) { return 0.5 * dot(w, inertia * w); };
    const Vec3 mean = (impacted[i].linear + after[i].linear) * (0.5 * dt);
    const Vec3 meanTurn = (turned[i] + after[i].angular) * (0.5 * dt);
    last.kineticBefore +=
        0.5 * f.mass * squaredNorm(before[i].linear) + spinEnergy(before[i].angular);
    last.forces += dot(bodies.force[i], mean) + dot(bodies.torque[i], meanTurn);
    // Free rotation keeps the energy; what contacts add to it under the old inertia is what the new
    // orientation makes of it.
    last.integrator += spinEnergy(turned[i]) - spinEnergy(impacted[i].angular);
    last.integrator -= spinEnergy(after[i].angular);
    // Where friction ended a slide within the step the mean is not the displacement.
    const Vec3 late = (moved[i] - bodies.position[i]) - mean;
    last.integrator -= f.mass * f.gravityScale * dot(gravity, late);
  }
}

/// A contact that moves: what the mean velocities of the bodies make of its impulse beyond the work
/// on those of both ends is the integrator's.
void WorldState::bookMovingContact(const StepContact& c, const MovingContact& m, double dt) {
  last.impact += m.normalWork;
  last.friction += m.frictionWork;
  last.integrator += m.excess;
  chargeDriver(c.body1, -m.impulse, -m.moment1, impacted[c.body1], dt);
  chargeDriver(c.body2, m.impulse, m.moment2, impacted[c.body2], dt);
}

/// A body in such contacts: forces do their work on its mean velocities. What a later stage makes
/// of its place and orientation is the integrator's.
void WorldState::bookMovingBody(std::size_t i) {
  const BodyFacts& f = bodies.facts[i];
  const MovingBody& m = exact.moving.ofBody(i);
  const auto spinEnergy = [&f](const Quat& q, const Vec3& w) {
    const Vec3 own = transposeTimes(toMatrix(q), w);
    return 0.5 * dot(own, f.inertia.tensor * own);
  };
  last.kineticBefore += 0.5 * f.mass * squaredNorm(before[i].linear) +
                        spinEnergy(bodies.orientation[i], before[i].angular);
  last.forces += dot(bodies.force[i], m.way) + dot(bodies.torque[i], m.turn);
  const Vec3 late = (moved[i] - bodies.position[i]) - m.way;
  last.integrator -= f.mass * f.gravityScale * dot(toVec3(options.gravity), late);
  last.integrator -= spinEnergy(m.orientation, after[i].angular);
}

void WorldState::closeStepBooks() {
  if (steps == 1) {
    total = last;
  } else {
    total.append(last);
  }
}

/// Contacts with forces for the caller; impulses for the next step.
void WorldState::publish(double dt) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyFacts& f = bodies.facts[i];
    if (f.type != BodyType::Dynamic) continue;
    last.potentialAfter -=
        f.mass * f.gravityScale * dot(toVec3(options.gravity), bodies.position[i]);
    if (bodies.rest[i].isAsleep()) continue;
    last.kineticAfter += bodies.kineticEnergy(i);
    last.integrator +=
        0.5 * dot(bodies.velocity[i].angular, bodies.inertiaOf(i) * bodies.velocity[i].angular);
    bodies.force[i] = bodies.torque[i] = {};
  }
  closeStepBooks();
  worldContacts.clear();
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const StepContact& c = contacts[k];
    WorldContact out;
    out.object1 = bodies.facts[c.body1].id;
    out.object2 = bodies.facts[c.body2].id;
    out.position = toEigen(c.position);
    out.normal = toEigen(c.row.normal);
    if (c.cacheIndex != kNoCacheIndex) {
      const PersistentContact& source = cache.getContacts()[c.cacheIndex];
      out.position = source.contact.position;
      out.id = source.id;
    }
    out.depth = c.depth;
    out.normalForce = c.impulse.x / dt;
    const Vec3 friction = c.row.tangent1 * c.impulse.y + c.row.tangent2 * c.impulse.z;
    out.frictionForce = toEigen(friction / dt);
    out.resistingCouple = toEigen(worldImpulse(c.row, c.couple) / dt);
    out.impactImpulse = toEigen(worldImpulse(c.row, c.impact));
    if (exact.moving.isMoving(k)) {
      const MovingContact& m = exact.moving.at(k);
      const Vec3 force = m.impulse / dt;
      out.normalForce = dot(force, c.row.normal);
      out.frictionForce = toEigen(force - c.row.normal * out.normalForce);
      out.resistingCouple = toEigen(m.couple / dt);
      out.impactImpulse = toEigen(worldImpulse(m.startRow, c.impact));
    }
    const Vec3 u =
        (pointVelocity(after[c.body1], c.row.arm1) - pointVelocity(after[c.body2], c.row.arm2)) +
        c.row.offset;
    out.slip = toEigen(u - c.row.normal * dot(c.row.normal, u));
    out.friction = c.row.friction;
    worldContacts.push_back(out);
    report.greatestDepth = maxOf(report.greatestDepth, c.depth);
  }
  for (const StepContact& c : contacts) {
    if (c.cacheIndex == kNoCacheIndex) continue;
    const Vec3 friction = c.row.tangent1 * c.impulse.y + c.row.tangent2 * c.impulse.z;
    // The solver keeps impulses finite and inside the cone, so this cannot be refused.
    (void)cache.setImpulse(c.cacheIndex, c.impulse.x, toEigen(friction), c.row.friction);
  }
  for (std::uint32_t k = 0; k < islands.size(); ++k) {
    const std::uint32_t first = islands[k].firstContact;
    for (std::uint32_t i = first; i < first + islands[k].numContacts; ++i)
      worldContacts[contactOrder[i]].island = k;
  }
  report.contacts = contacts.size();
  report.islands = islands.size();
}

}  // namespace abut
