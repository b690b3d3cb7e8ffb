// SPDX-License-Identifier: MIT
#include "exact_stretch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

namespace abut::bench {

double processorSeconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

std::string inMilliseconds(double seconds) {
  return std::to_string(static_cast<int>(std::lround(1e3 * seconds))) + " ms";
}

void bar(const std::string& name, bool holds) {
  std::printf("  %-74s %s\n", name.c_str(), holds ? "holds" : "FAILS");
  barsHeld += holds ? 1 : 0;
  ++barsSeen;
}

void Stretch::step(World& world, std::size_t count, int support) {
  speeds(world, count, {});
  missing = velocity;
  const double start = processorSeconds();
  world.step(kStep).orThrow();
  const double took = processorSeconds() - start;
  const StepReport& r = world.getReport();
  seconds += took;
  longest = std::max(longest, took);
  ++steps;
  missed += r.converged ? 0 : 1;
  compliant += r.compliantIslands > 0 ? 1 : 0;
  factorisations += r.newtonSteps;
  error = std::max(error, r.worstError);
  allowed = std::max(allowed, r.tolerance);
  rigid = std::max(rigid, r.rigidError);
  if (untilRigid < 0 && r.rigidError <= kRigid) untilRigid = steps;
  approach = std::max(approach, r.approach);
  const EnergyAccount& a = world.getStepLedger();
  books = std::max(books, std::fabs(a.residual()) / a.largestEntry());
  given += a.compliance;
  speeds(world, count, held(world, count, support));
  noteBalance(world, count);
}

std::vector<char> Stretch::held(const World& world, std::size_t count, int support) {
  std::vector<int> loads(count, 0);
  for (const WorldContact& c : world.getContacts()) {
    if (!(c.normalForce > 0.0)) continue;
    if (c.object1 <= count) ++loads[c.object1 - 1];
    if (c.object2 <= count) ++loads[c.object2 - 1];
  }
  std::vector<char> are(count);
  for (std::size_t i = 0; i < count; ++i) are[i] = loads[i] >= support ? 1 : 0;
  return are;
}

void Stretch::add(const Stretch& more) {
  if (untilRigid < 0 && more.untilRigid >= 0) untilRigid = steps + more.untilRigid;
  steps += more.steps;
  missed += more.missed;
  compliant += more.compliant;
  seconds += more.seconds;
  factorisations += more.factorisations;
  given += more.given;
  for (double Stretch::*greatest :
       {&Stretch::longest, &Stretch::error, &Stretch::allowed, &Stretch::rigid, &Stretch::approach,
        &Stretch::books, &Stretch::balance}) {
    this->*greatest = std::max(this->*greatest, more.*greatest);
  }
}

void Stretch::print(const char* name) const {
  std::printf(
      "  %-10s %4d steps %8.1f ms (longest %8.1f) %5.1f factorisations, %3d compliant, %d not "
      "converged; error %.0e of %.0e, rigid %.0e, %.0e m/s; balance %.0e, books %.0e\n",
      name, steps, 1e3 * seconds / std::max(1, steps), 1e3 * longest,
      factorisations / std::max(1, steps), compliant, missed, error, allowed, rigid, approach,
      balance, books);
}

void Stretch::speeds(const World& world, std::size_t count, const std::vector<char>& areHeld) {
  velocity.resize(count);
  fastest = 0.0;
  loose = 0;
  for (std::size_t i = 0; i < count; ++i) {
    BodyMotion m;
    world.getMotion(i + 1, m).orThrow();
    velocity[i] = m.linearVelocity;
    const bool counts = areHeld.empty() || areHeld[i] != 0;
    if (counts) fastest = std::max(fastest, m.linearVelocity.norm());
    loose += counts ? 0 : 1;
  }
}

/// Mass times change of velocity, less weight and the forces that the contacts report, for each
/// body, by the largest force on it.
void Stretch::noteBalance(const World& world, std::size_t count) {
  std::vector<double> largest(count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    MassProperties mass;
    world.getMass(i + 1, mass).orThrow();
    const Eigen::Vector3d weight(0, 0, -9.81 * mass.mass);
    largest[i] = weight.norm();
    missing[i] = (velocity[i] - missing[i]) * (mass.mass / kStep) - weight;
  }
  for (const WorldContact& c : world.getContacts()) {
    const Eigen::Vector3d force =
        c.normal * c.normalForce + c.frictionForce + c.impactImpulse / kStep;
    const auto push = [&](ObjectId id, double sign) {
      if (id > count) return;
      missing[id - 1] -= force * sign;
      largest[id - 1] = std::max(largest[id - 1], force.norm());
    };
    push(c.object1, 1.0);
    push(c.object2, -1.0);
  }
  for (std::size_t i = 0; i < count; ++i) {
    balance = std::max(balance, missing[i].norm() / largest[i]);
  }
}

}  // namespace abut::bench
