// SPDX-License-Identifier: MIT
#include "ledger/step_books.hpp"

#include <algorithm>

#include <abut/math/convert.hpp>

#include "core/assert.hpp"
#include "dynamics/point_velocity.hpp"

namespace abut::inline v0_1 {
namespace {

/// Kinetic energy of a body's rotation w, world frame [J]. What is alike in all directions need not
/// be turned.
double spinOf(const BodyFacts& f, const Quat& orientation, const Vec3& w) {
  const Mat3& i = f.inertia.tensor;
  const bool isAlike = i.x.x == i.y.y && i.y.y == i.z.z && i.x.y == 0.0 && i.x.z == 0.0 &&
                       i.y.x == 0.0 && i.y.z == 0.0 && i.z.x == 0.0 && i.z.y == 0.0;
  return isAlike ? 0.5 * (i.x.x * squaredNorm(w)) : spinEnergy(f.inertia, orientation, w);
}

}  // namespace

std::array<Account*, 20> StepBooks::accounts() {
  return {&kineticBefore, &kineticAfter, &potentialBefore,  &potentialAfter,
          &drivers,       &forces,       &impact,           &friction,
          &correction,    &integrator,   &elasticBefore,    &elasticAfter,
          &motors,        &dampers,      &limits,           &jointFriction,
          &joints,        &compliance,   &restitutionAsked, &restitutionDelivered};
}

void StepBooks::clearAccounts() {
  for (Account* account : accounts()) account->clear();
}

std::array<Account*, 7> DriverAccount::accounts() {
  return {&work, &impulse[0], &impulse[1], &impulse[2], &moment[0], &moment[1], &moment[2]};
}

void DriverAccount::begin(std::uint32_t of) {
  body = of;
  for (Account* account : accounts()) account->clear();
}

void StepBooks::begin(const BodyTable& bodies, double springs) {
  clearAccounts();
  springsMayGive = springs;
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    if (!isDriver(bodies.facts[i])) continue;
    if (driverAccounts.size() == count) driverAccounts.emplace_back();
    driverAccounts[count++].begin(i);
  }
  driverAccounts.resize(count);
}

/// The work of an impulse and its moment about the centre of mass, as the driver gives them, under
/// its motion and its surface's.
double StepBooks::charge(const BodyFacts& f, std::uint32_t body, const Vec3& impulse,
                         const Vec3& moment, const Phase& phase) {
  if (!isDriver(f)) return 0.0;
  double work = dot(impulse, f.surfaceVelocity);
  if (f.type != BodyType::Dynamic) {
    const BodyVelocity mean = meanOf(phase.start[body], phase.end[body]);
    work += dot(impulse, mean.linear) + dot(moment, mean.angular);
  }
  drive(body, work, impulse, moment);
  return work;
}

DriverAccount* StepBooks::findDriver(std::uint32_t body) {
  const auto at =
      std::lower_bound(driverAccounts.begin(), driverAccounts.end(), body,
                       [](const DriverAccount& d, std::uint32_t b) { return d.body < b; });
  return at != driverAccounts.end() && at->body == body ? &*at : nullptr;
}

void StepBooks::drive(std::uint32_t body, double work, const Vec3& impulse, const Vec3& moment) {
  drivers += work;
  DriverAccount* const at = findDriver(body);
  ABUT_CHECK(at != nullptr);
  at->work += work;
  const double p[3] = {impulse.x, impulse.y, impulse.z}, m[3] = {moment.x, moment.y, moment.z};
  for (int k = 0; k < 3; ++k) {
    at->impulse[k] += p[k];
    at->moment[k] += m[k];
  }
}

double StepBooks::exchange(const BodyTable& bodies, const Phase& phase, const Exchange& e) {
  impact += e.normalWork;
  friction += e.frictionWork;
  const double work1 = charge(bodies.facts[e.body1], e.body1, -e.impulse, -e.moment1, phase);
  return work1 + charge(bodies.facts[e.body2], e.body2, e.impulse, e.moment2, phase);
}

bool StepBooks::bodyBefore(const BodyTable& bodies, std::size_t i, const Vec3& gravity,
                           const BodyVelocity& before) {
  const BodyFacts& f = bodies.facts[i];
  if (f.type != BodyType::Dynamic) return false;
  potentialBefore -= dot(gravity * (f.mass * f.gravityScale), bodies.position[i]);
  if (bodies.rest[i].isAsleep()) return false;
  kineticBefore +=
      0.5 * f.mass * squaredNorm(before.linear) + spinOf(f, bodies.orientation[i], before.angular);
  return true;
}

void StepBooks::bodyOnWay(const BodyTable& bodies, std::size_t i, const Vec3& gravity,
                          const Vec3& way, const Vec3& turn, const Quat& orientation, const Vec3& w,
                          const Vec3& newPosition) {
  const BodyFacts& f = bodies.facts[i];
  if (bodies.force[i] != Vec3{}) forces += dot(bodies.force[i], way);
  if (bodies.torque[i] != Vec3{}) forces += dot(bodies.torque[i], turn);
  // What contacts and forces add under one orientation is something else under the new one; see
  // bodiesAfter().
  integrator -= spinOf(f, orientation, w);
  const Vec3 weight = gravity * (f.mass * f.gravityScale);
  integrator -= dot(weight, (newPosition - bodies.position[i]) - way);
}

void StepBooks::bodyInPhase(const BodyTable& bodies, std::size_t i, const Vec3& gravity, double dt,
                            const BodyVelocity& impacted, const Phase& phase,
                            const Vec3& newPosition) {
  const BodyVelocity &start = phase.start[i], &end = phase.end[i];
  const Quat& q = bodies.orientation[i];
  // Free rotation keeps the energy, up to rounding.
  if (start.angular != impacted.angular) {
    const BodyFacts& f = bodies.facts[i];
    integrator += spinOf(f, q, start.angular) - spinOf(f, q, impacted.angular);
  }
  const Vec3 way = (start.linear + end.linear) * (0.5 * dt);
  const Vec3 turn = (start.angular + end.angular) * (0.5 * dt);
  bodyOnWay(bodies, i, gravity, way, turn, q, end.angular, newPosition);
}

void StepBooks::beginLike(const StepBooks& other) {
  clearAccounts();
  driverAccounts.resize(other.driverAccounts.size());
  for (std::size_t i = 0; i < driverAccounts.size(); ++i) {
    driverAccounts[i].begin(other.driverAccounts[i].body);
  }
}

void StepBooks::merge(const StepBooks& other) {
  const auto mine = accounts();
  const auto theirs = const_cast<StepBooks&>(other).accounts();
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i]->merge(*theirs[i]);
  for (std::size_t i = 0; i < driverAccounts.size(); ++i) {
    DriverAccount& driver = driverAccounts[i];
    const DriverAccount& more = other.driverAccounts[i];
    driver.work.merge(more.work);
    for (int k = 0; k < 3; ++k) {
      driver.impulse[k].merge(more.impulse[k]);
      driver.moment[k].merge(more.moment[k]);
    }
  }
}

void StepBooks::bodiesAfter(const BodyTable& bodies, const Vec3& gravity, std::size_t begin,
                            std::size_t end, const Division* division) {
  for (std::size_t i = begin; i < end; ++i) {
    const BodyFacts& f = bodies.facts[i];
    if (f.type != BodyType::Dynamic || (division != nullptr && !division->isMine(i))) continue;
    potentialAfter -= dot(gravity * (f.mass * f.gravityScale), bodies.position[i]);
    if (bodies.rest[i].isAsleep()) continue;
    const BodyVelocity& v = bodies.velocity[i];
    const double spin = spinOf(f, bodies.orientation[i], v.angular);
    kineticAfter += 0.5 * f.mass * squaredNorm(v.linear) + spin;
    integrator += spin;
  }
}

void StepBooks::addOverRanks(std::span<const ObjectId> ids, const Division& division) {
  std::vector<ExactSum*> sums;
  for (Account* account : accounts()) sums.push_back(&account->getSum());
  for (DriverAccount& driver : driverAccounts) {
    if (division.isDynamic[driver.body] != 0) continue;
    for (Account* account : driver.accounts()) sums.push_back(&account->getSum());
  }
  abut::addOverRanks(division.halo.comm, sums);
  if (division.hasSurfaces) addSurfacesOverRanks(ids, division);
}

/// What was booked here of bodies of other ranks goes to those.
void StepBooks::addSurfacesOverRanks(std::span<const ObjectId> ids, const Division& division) {
  const Halo& halo = division.halo;
  std::vector<std::vector<std::byte>> out(static_cast<std::size_t>(halo.comm.getSize())), in;
  for (DriverAccount& driver : driverAccounts) {
    if (halo.isGhost[driver.body] == 0) continue;
    std::vector<std::byte>& to = out[static_cast<std::size_t>(halo.owner[driver.body])];
    put(to, ids[driver.body]);
    for (Account* account : driver.accounts()) put(to, account->getSum());
  }
  halo.comm.exchange(out, in);
  for (const std::vector<std::byte>& part : in) {
    MessageReader message(part);
    while (!message.isEmpty()) {
      const auto id = message.take<ObjectId>();
      const auto at = std::lower_bound(ids.begin(), ids.end(), id) - ids.begin();
      DriverAccount* const driver = findDriver(static_cast<std::uint32_t>(at));
      ABUT_CHECK(driver != nullptr);
      for (Account* account : driver->accounts()) account->getSum().merge(message.take<ExactSum>());
    }
  }
}

void StepBooks::showDrivers(std::span<const ObjectId> ids, double dt,
                            std::vector<DriverReport>& reports) const {
  reports.clear();
  const auto mean = [dt](const Account(&sums)[3]) {
    return toEigen(Vec3{sums[0].value(), sums[1].value(), sums[2].value()} / dt);
  };
  for (const DriverAccount& d : driverAccounts) {
    reports.push_back({ids[d.body], d.work.value(), mean(d.impulse), mean(d.moment), false});
  }
}

EnergyAccount StepBooks::close() const {
  EnergyAccount a;
  a.kineticBefore = kineticBefore.value();
  a.kineticAfter = kineticAfter.value();
  a.potentialBefore = potentialBefore.value();
  a.potentialAfter = potentialAfter.value();
  a.drivers = drivers.value();
  a.forces = forces.value();
  a.impact = impact.value();
  a.friction = friction.value();
  a.correction = correction.value();
  a.integrator = integrator.value();
  a.elasticBefore = elasticBefore.value();
  a.elasticAfter = elasticAfter.value();
  a.motors = motors.value();
  a.dampers = dampers.value();
  a.limits = limits.value();
  a.jointFriction = jointFriction.value();
  a.joints = joints.value();
  a.compliance = compliance.value();
  return a;
}

void carryElastic(const EnergyAccount* last, bool givesWay, EnergyAccount& account) {
  if (last != nullptr) {
    const double found = account.elasticBefore, left = last->elasticAfter;
    account.elasticBefore = left;
    account.integrator += found - left;
  }
  if (!givesWay) return;
  const double given = (account.forces + account.drivers) + maxOf(0.0, account.correction);
  const double change = (account.kineticAfter - account.kineticBefore) +
                        (account.potentialAfter - account.potentialBefore);
  const double more = (change + (account.elasticAfter - account.elasticBefore)) - given;
  const double lost = clampTo(more, 0.0, account.elasticAfter);
  account.elasticAfter -= lost;
  account.integrator -= lost;
}

}  // namespace abut::inline v0_1
