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

/// One event a pair; contacts are sorted by pair already.
void WorldState::reportEvents(double start, double dt) {
  events.clear();
  begunPairs.clear();
  endedPairs.clear();
  touchingNow.clear();
  for (std::size_t i = 0; i < contacts.size();) {
    const ObjectPair pair{bodies.facts[contacts[i].body1].id, bodies.facts[contacts[i].body2].id};
    ContactEvent event;
    event.object1 = pair.first;
    event.object2 = pair.second;
    Vec3 impulse;
    double first = dt;
    bool touches = false;
    for (; i < contacts.size() && bodies.facts[contacts[i].body1].id == pair.first &&
           bodies.facts[contacts[i].body2].id == pair.second;
         ++i) {
      const StepContact& c = contacts[i];
      const Vec3 p = c.impact + c.impulse;
      impulse += (c.row.normal * p.x + c.row.tangent1 * p.y) + c.row.tangent2 * p.z;
      event.normalImpulse += p.x;
      if (p == Vec3{} && c.depth < -kTouching) continue;
      touches = true;
      const Vec3 u = ((before[c.body1].linear + cross(before[c.body1].angular, c.row.arm1)) -
                      (before[c.body2].linear + cross(before[c.body2].angular, c.row.arm2))) +
                     c.row.offset;
      const double rest = timeToClose(-c.depth, dot(c.row.normal, u), c.pull, dt - c.late);
      first = minOf(first, c.late + rest);
    }
    if (!touches) continue;
    event.impulse = toEigen(impulse);
    event.since = start + first;
    touchingNow.push_back({pair, event.since});
    events.push_back(event);
  }
  mergeWithLast();
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
