// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>

#include "world/crushing.hpp"
#include "world/state.hpp"

namespace abut {

/// Room for so many contacts, which showContact() fills.
void WorldState::beginContacts(std::size_t count) {
  nextShown.contacts.resize(count);
  results.facts.resize(count);
}

/// The only writer of a published contact, and of what events know of it.
void WorldState::showContact(std::size_t at, const ContactOutcome& c, double dt) {
  WorldContact& out = nextShown.contacts[at];
  out.object1 = bodies.ids[c.body1];
  out.object2 = bodies.ids[c.body2];
  out.position = toEigen(c.position);
  out.normal = toEigen(c.normal);
  out.depth = c.depth;
  out.normalForce = c.normalImpulse / dt;
  out.frictionForce = toEigen(c.frictionImpulse / dt);
  out.resistingCouple = toEigen(c.couple / dt);
  out.impactImpulse = toEigen(c.impact);
  out.slip = toEigen(c.slip);
  out.friction = c.friction;
  out.island = c.island;
  out.id = c.cacheIndex == kNoCacheIndex ? 0 : cache.getContacts()[c.cacheIndex].id;
  report.greatestDepth = maxOf(report.greatestDepth, c.depth);
  if (isCrushed(bodies.facts[c.body1], bodies.facts[c.body2], c.depth, options.correctionSlop)) {
    report.converged = false;
  }
  results.facts[at] = {{out.object1, out.object2},
                       (c.normal * c.normalImpulse + c.frictionImpulse) + c.impact,
                       c.normalImpulse + c.normalImpact,
                       c.depth,
                       c.speed,
                       c.pull,
                       c.late};
}

/// Contacts that are not in the cache came last; all are to be sorted by pair.
void WorldState::sortContacts() {
  results.contactSorter.sort(nextShown.contacts, [](const WorldContact& a, const WorldContact& b) {
    return a.object1 != b.object1 ? a.object1 < b.object1 : a.object2 < b.object2;
  });
  results.factsSorter.sort(
      results.facts, [](const ContactFacts& a, const ContactFacts& b) { return a.pair < b.pair; });
}

/// Closes the books on the new state and reports the rest of what the step shows.
void WorldState::publish(double start, double dt) {
  books.bodiesAfter(bodies, toVec3(options.gravity));
  nextShown.account = books.close();
  if (steps == 1) {
    total = nextShown.account;
  } else {
    total.append(nextShown.account);
  }
  nextShown.drivers.clear();
  for (const DriverAccount& d : books.driverAccounts) {
    const auto mean = [dt](const Account(&sums)[3]) {
      return toEigen(Vec3{sums[0].value(), sums[1].value(), sums[2].value()} / dt);
    };
    nextShown.drivers.push_back(
        {bodies.ids[d.body], d.work.value(), mean(d.impulse), mean(d.moment)});
  }
  report.contacts = nextShown.contacts.size();
  report.islands = linkOrder.getIslands().size();
  nextShown.report = report;
  results.events.collect(results.facts, start, dt, nextShown.events);
  if (options.substeps == 1) mergeWithLast();
  // Forces given for the step have acted.
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.facts[i].type != BodyType::Dynamic || bodies.rest[i].isAsleep()) continue;
    bodies.force[i] = bodies.torque[i] = {};
  }
}

/// What of the events of the step begins, goes on or ends.
void WorldState::mergeWithLast() {
  results.events.merge(touching, nextShown.events, nextShown.begunPairs, nextShown.endedPairs);
}

}  // namespace abut
