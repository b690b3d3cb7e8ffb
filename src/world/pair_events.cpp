// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>

#include "world/state.hpp"

namespace abut {
namespace {

/// Surfaces nearer than this [m] touch.
constexpr double kTouching = 1e-9;

}  // namespace

double timeToClose(double gap, double u, double a, double most) {
  if (!(gap > 0.0)) return 0.0;
  // 2 gap / (-u + root) is the smaller root for either sign of a, without cancellation for u < 0.
  const double discriminant = u * u - 2.0 * a * gap;
  if (discriminant < 0.0) return most;
  const double divisor = std::sqrt(discriminant) - u;
  const double t = divisor > 0.0 ? 2.0 * gap / divisor : most;
  return t < most ? t : most;
}

/// One event a pair; contacts come sorted by pair.
template <class FactsOf>
void WorldState::collectEvents(std::size_t count, FactsOf factsOf, double start, double dt) {
  events.clear();
  begunPairs.clear();
  endedPairs.clear();
  touchingNow.clear();
  for (std::size_t i = 0; i < count;) {
    EventFacts c = factsOf(i);
    ContactEvent event;
    event.object1 = c.pair.first;
    event.object2 = c.pair.second;
    const ObjectPair pair = c.pair;
    Vec3 impulse;
    double first = dt;
    bool touches = false;
    for (; c.pair == pair; c = factsOf(i)) {
      impulse += c.impulse;
      event.normalImpulse += c.normalImpulse;
      if (c.impulse != Vec3{} || c.depth >= -kTouching) {
        touches = true;
        const double rest = timeToClose(-c.depth, c.approach, c.pull, dt - c.late);
        first = minOf(first, c.late + rest);
      }
      if (++i == count) break;
    }
    if (!touches) continue;
    event.impulse = toEigen(impulse);
    event.since = start + first;
    touchingNow.push_back({pair, event.since});
    events.push_back(event);
  }
  if (options.substeps == 1) mergeWithLast();
}

void WorldState::reportEvents(double start, double dt) {
  const auto factsOf = [this](std::size_t i) {
    const StepContact& c = contacts[i];
    const bool moving = exact.moving.isMoving(i);
    const SolverContact& row = moving ? exact.moving.at(i).startRow : c.row;
    const Vec3 p = moving ? c.impact : c.impact + c.impulse;
    const Vec3 u = ((before[c.body1].linear + cross(before[c.body1].angular, row.arm1)) -
                    (before[c.body2].linear + cross(before[c.body2].angular, row.arm2))) +
                   row.offset;
    EventFacts facts{{bodies.facts[c.body1].id, bodies.facts[c.body2].id},
                     p.x,
                     (row.normal * p.x + row.tangent1 * p.y) + row.tangent2 * p.z,
                     c.depth,
                     dot(row.normal, u),
                     c.pull,
                     c.late};
    if (moving) {
      const MovingContact& m = exact.moving.at(i);
      facts.normalImpulse += dot(m.impulse, c.row.normal);
      facts.impulse += m.impulse;
    }
    return facts;
  };
  collectEvents(contacts.size(), factsOf, start, dt);
}

/// The same from what was published.
void WorldState::reportRowEvents(double start, double dt) {
  const auto factsOf = [&](std::size_t i) {
    const WorldContact& c = worldContacts[i];
    const Vec3 normal = toVec3(c.normal);
    const std::size_t a = bodies.find(c.object1), b = bodies.find(c.object2);
    const Vec3 at = toVec3(c.position);
    const Vec3 u = (before[a].linear + cross(before[a].angular, at - real.start[a])) -
                   (before[b].linear + cross(before[b].angular, at - real.start[b]));
    return EventFacts{{c.object1, c.object2},
                      c.normalForce * dt,
                      (normal * c.normalForce + toVec3(c.frictionForce)) * dt,
                      c.depth,
                      dot(normal, u),
                      0.0,
                      0.0};
  };
  collectEvents(worldContacts.size(), factsOf, start, dt);
}

/// Begin or Persist for what touches, End for what no longer does, in order of the pairs.
void WorldState::mergeWithLast() {
  std::vector<Touch>& now = touchingNow;
  std::vector<ContactEvent>& merged = mergedEvents;
  merged.clear();
  std::size_t old = 0;
  const auto endOld = [&] {
    ContactEvent event;
    event.kind = ContactEvent::Kind::End;
    event.object1 = touching[old].pair.first;
    event.object2 = touching[old].pair.second;
    event.since = touching[old].since;
    merged.push_back(event);
    endedPairs.push_back(touching[old++].pair);
  };
  for (std::size_t i = 0; i < now.size(); ++i) {
    while (old < touching.size() && touching[old].pair < now[i].pair) endOld();
    if (old < touching.size() && touching[old].pair == now[i].pair) {
      events[i].kind = ContactEvent::Kind::Persist;
      events[i].since = now[i].since = touching[old++].since;
    } else {
      begunPairs.push_back(now[i].pair);
    }
    merged.push_back(events[i]);
  }
  while (old < touching.size()) endOld();
  events.swap(merged);
  touching.swap(now);
}

}  // namespace abut
