// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sleep/sleepers.hpp"

namespace abut::inline v0_1 {
namespace {

/// Steps that a body must be still for, whatever the time. One that is thrown up is no faster than
/// what gravity adds in a step, the greatest sleepSpeed, in at most three steps about the top.
constexpr double kLeastSteps = 3.5;

}  // namespace

/// Counts for how long each body has hardly moved, and ends the motion of islands that have for
/// long enough. What they still had is lost as in an impact without restitution.
void Sleepers::stopBodies(SleepScene& w, const SleepRule& rule, std::span<const Link> links,
                          const LinkOrder& order, StepMotion& motion, StepBooks& books) {
  const double dt = w.in.dt;
  BodyTable& bodies = w.bodies;
  const double fall = rule.speed * norm(w.in.gravity) * dt;
  stopped_.clear();
  known_.assign(bodies.size(), 0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyFacts& f = bodies.facts[i];
    BodyRest& rest = bodies.rest[i];
    if (f.type != BodyType::Dynamic || rest.isAsleep()) continue;
    const double spin = norm(bodies.velocity[i].angular);
    double speed = norm(bodies.velocity[i].linear);
    if (spin > 0.0) {
      const double lever = norm(f.shapePose->translation - f.center);
      speed += spin * (f.shape ? f.shape->boundingRadius() + lever : 1.0);
    }
    const bool still = speed <= fall * absOf(f.gravityScale) && bodies.force[i] == Vec3{} &&
                       bodies.torque[i] == Vec3{};
    rest.still = still ? rest.still + dt * rule.substeps : 0.0;
  }
  for (const Link& link : links) {
    if (w.in.isDriven(link.body1, motion.startVelocity[link.body1]))
      bodies.rest[link.body2].still = 0.0;
    if (w.in.isDriven(link.body2, motion.startVelocity[link.body2]))
      bodies.rest[link.body1].still = 0.0;
  }
  const double longEnough = maxOf(rule.after, kLeastSteps * dt * rule.substeps);
  const auto isReady = [&](std::uint32_t b) {
    return bodies.rest[b].still >= longEnough && !bodies.rest[b].woken;
  };
  const auto stop = [&](std::uint32_t b) {
    const Vec3 spin = bodies.velocity[b].angular;
    books.impact -= bodies.kineticEnergy(b);
    books.integrator += 0.5 * dot(spin, bodies.inertiaOf(b) * spin);
    bodies.velocity[b] = motion.endVelocity[b] = {};
    bodies.rest[b].step = dt;
    stopped_.push_back(bodies.ids[b]);
  };
  const auto stopIsland = [&](std::span<const std::uint32_t> members) {
    for (const std::uint32_t b : members) known_[b] = 1;
    if (std::all_of(members.begin(), members.end(), isReady)) {
      std::for_each(members.begin(), members.end(), stop);
    }
  };
  for (const LinkOrder::Island& island : order.getIslands()) {
    stopIsland(order.getBodies().subspan(island.firstBody, island.numBodies));
  }
  const std::span<const std::uint32_t> jointed = motion.jointedBodies;
  std::uint32_t first = 0;
  for (const std::uint32_t end : motion.jointedEnds) {
    stopIsland(jointed.subspan(first, end - first));
    first = end;
  }
  for (std::uint32_t b = 0; b < bodies.size(); ++b) {
    const bool alone = bodies.facts[b].type == BodyType::Dynamic && known_[b] == 0;
    if (!alone || bodies.rest[b].isAsleep() || !isReady(b)) continue;
    if (w.in.freeAcceleration(b) == Vec3{}) stop(b);  // Else it falls, whatever it did until now.
  }
  std::sort(stopped_.begin(), stopped_.end());
}

}  // namespace abut::inline v0_1
