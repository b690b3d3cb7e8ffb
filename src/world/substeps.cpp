// SPDX-License-Identifier: MIT
#include "world/substeps.hpp"

#include <string>
#include <utility>

#include <abut/math/convert.hpp>

#include "world/state.hpp"

namespace abut {
namespace {

ObjectPair pairOf(const WorldContact& c) {
  return {c.object1, c.object2};
}
ObjectPair pairOf(const ContactEvent& e) {
  return {e.object1, e.object2};
}

/// Adds what a contact carried to an earlier record of it; where it is, is what it is now.
void addTo(const WorldContact& now, WorldContact& sum) {
  const WorldContact earlier = sum;
  sum = now;
  sum.normalForce = earlier.normalForce + now.normalForce;
  sum.frictionForce = toEigen(toVec3(earlier.frictionForce) + toVec3(now.frictionForce));
  sum.resistingCouple = toEigen(toVec3(earlier.resistingCouple) + toVec3(now.resistingCouple));
  sum.impactImpulse = toEigen(toVec3(earlier.impactImpulse) + toVec3(now.impactImpulse));
}

}  // namespace

Status Substeps::run(WorldState& w, double dt) {
  const int count = w.options.substeps;
  const double part = dt / count;
  if (!(part > 0.0)) {
    return Status::failure(StatusCode::OutOfRange, "World::step: " + toText(dt) +
                                                       " s is too short for " +
                                                       std::to_string(count) + " substeps");
  }
  save(w);
  for (left_ = count; left_ > 0; --left_) {
    if (left_ < count) {
      w.bodies.force = saved_.bodies.force;
      w.bodies.torque = saved_.bodies.torque;
    }
    const Status status = w.makeStep(part);
    if (!status) {
      left_ = 0;
      takeBack(w);
      return status;
    }
    add(w);
  }
  finish(w, count, dt);
  return {};
}

void Substeps::save(WorldState& w) {
  Saved& s = saved_;
  s.bodies.position = w.bodies.position;
  s.bodies.orientation = w.bodies.orientation;
  s.bodies.velocity = w.bodies.velocity;
  s.bodies.force = w.bodies.force;
  s.bodies.torque = w.bodies.torque;
  s.bodies.rest = w.bodies.rest;
  s.manifolds.assign(w.cache.getManifolds().begin(), w.cache.getManifolds().end());
  s.frame = w.cache.getFrame();
  s.touching = w.touching;
  s.sleepers = false;
  s.time = w.time;
  s.lastStep = w.lastStep;
  s.steps = w.steps;
  s.total = w.total;
  s.last = w.last;
  s.report = w.report;
  s.contacts.swap(w.worldContacts);
  s.drivers.swap(w.drivers);
  s.events.swap(w.events);
  s.begun.swap(w.begunPairs);
  s.ended.swap(w.endedPairs);
  contacts_.clear();
  drivers_.clear();
  events_.clear();
  account_ = {};
  report_ = {};
}

void Substeps::saveSleepers(const Sleepers& sleepers) {
  if (left_ == 0 || saved_.sleepers) return;
  saved_.sleepers = true;
  const auto manifolds = sleepers.cache.getManifolds();
  saved_.asleep.assign(manifolds.begin(), manifolds.end());
  saved_.touchingAsleep = sleepers.touching;
}

void Substeps::takeBack(WorldState& w) {
  Saved& s = saved_;
  w.bodies.position = s.bodies.position;
  w.bodies.orientation = s.bodies.orientation;
  w.bodies.velocity = s.bodies.velocity;
  w.bodies.force = s.bodies.force;
  w.bodies.torque = s.bodies.torque;
  w.bodies.rest = s.bodies.rest;
  for (std::size_t i = 0; i < w.bodies.size(); ++i) w.bodies.refreshMobility(i);
  w.cache.restore(s.manifolds, s.frame).orThrow();  // It held them before.
  w.touching = s.touching;
  if (s.sleepers) {
    w.sleepers.cache.restore(s.asleep, 0).orThrow();
    w.sleepers.touching = s.touchingAsleep;
    w.sleepers.changed();
    w.broadPhase.clear();
    w.addAllToBroadPhase().orThrow();
  }
  w.time = s.time;
  w.lastStep = s.lastStep;
  w.steps = s.steps;
  w.total = s.total;
  w.last = s.last;
  w.report = s.report;
  w.worldContacts.swap(s.contacts);
  w.drivers.swap(s.drivers);
  w.events.swap(s.events);
  w.begunPairs.swap(s.begun);
  w.endedPairs.swap(s.ended);
}

void Substeps::add(WorldState& w) {
  const bool isFirst = left_ == w.options.substeps;
  if (isFirst) {
    account_ = w.last;
    contacts_.swap(w.worldContacts);
    drivers_.swap(w.drivers);
    events_.swap(w.events);
    report_ = w.report;
    return;
  }
  account_.append(w.last);
  addReport(w.report);
  addContacts(w);
  addEvents(w);
  for (std::size_t i = 0; i < drivers_.size(); ++i) {
    DriverReport& sum = drivers_[i];
    sum.work += w.drivers[i].work;
    sum.force = toEigen(toVec3(sum.force) + toVec3(w.drivers[i].force));
    sum.torque = toEigen(toVec3(sum.torque) + toVec3(w.drivers[i].torque));
  }
}

void Substeps::addReport(const StepReport& r) {
  report_.islands = r.islands;
  report_.converged = report_.converged && r.converged;
  report_.sweeps += r.sweeps;
  report_.newtonSteps += r.newtonSteps;
  report_.greatestDepth = maxOf(report_.greatestDepth, r.greatestDepth);
  if (!(r.worstError > report_.worstError)) return;
  report_.worstError = r.worstError;
  report_.worst1 = r.worst1;
  report_.worst2 = r.worst2;
}

/// Both lists are sorted by pair. Contacts of a pair are matched by their id; those without one
/// lived for one substep only.
void Substeps::addContacts(const WorldState& w) {
  std::vector<WorldContact>& merged = scratchContacts_;
  merged.clear();
  std::size_t old = 0;
  const std::vector<WorldContact>& now = w.worldContacts;
  for (std::size_t k = 0; k < now.size();) {
    const ObjectPair pair = pairOf(now[k]);
    while (old < contacts_.size() && pairOf(contacts_[old]) < pair) {
      merged.push_back(contacts_[old++]);
    }
    const std::size_t first = merged.size();
    for (; old < contacts_.size() && pairOf(contacts_[old]) == pair; ++old) {
      merged.push_back(contacts_[old]);
    }
    const std::size_t end = merged.size();
    for (; k < now.size() && pairOf(now[k]) == pair; ++k) {
      std::size_t match = now[k].id == 0 ? end : first;
      while (match < end && merged[match].id != now[k].id) ++match;
      if (match < end) {
        addTo(now[k], merged[match]);
      } else {
        merged.push_back(now[k]);
      }
    }
  }
  while (old < contacts_.size()) merged.push_back(contacts_[old++]);
  contacts_.swap(merged);
}

void Substeps::addEvents(const WorldState& w) {
  std::vector<ContactEvent>& merged = scratchEvents_;
  merged.clear();
  std::size_t old = 0;
  for (const ContactEvent& now : w.events) {
    while (old < events_.size() && pairOf(events_[old]) < pairOf(now)) {
      merged.push_back(events_[old++]);
    }
    const bool known = old < events_.size() && pairOf(events_[old]) == pairOf(now);
    merged.push_back(known ? events_[old++] : now);
    if (!known) continue;
    ContactEvent& sum = merged.back();
    sum.impulse = toEigen(toVec3(sum.impulse) + toVec3(now.impulse));
    sum.normalImpulse += now.normalImpulse;
  }
  while (old < events_.size()) merged.push_back(events_[old++]);
  events_.swap(merged);
}

/// Forces become means, and what was gathered takes the place of the last substep's.
void Substeps::finish(WorldState& w, int count, double dt) {
  const double n = count;
  for (WorldContact& c : contacts_) {
    c.normalForce = c.normalForce / n;
    c.frictionForce = toEigen(toVec3(c.frictionForce) / n);
    c.resistingCouple = toEigen(toVec3(c.resistingCouple) / n);
  }
  for (DriverReport& d : drivers_) {
    d.force = toEigen(toVec3(d.force) / n);
    d.torque = toEigen(toVec3(d.torque) / n);
  }
  // Sorted by pair already; within one, deeper first, what was first stays first.
  for (std::size_t i = 1; i < contacts_.size(); ++i) {
    for (std::size_t k = i; k > 0 && pairOf(contacts_[k]) == pairOf(contacts_[k - 1]) &&
                            contacts_[k].depth > contacts_[k - 1].depth;
         --k) {
      std::swap(contacts_[k], contacts_[k - 1]);
    }
  }
  report_.contacts = contacts_.size();
  w.report = report_;
  w.last = account_;
  w.worldContacts.swap(contacts_);
  w.drivers.swap(drivers_);
  w.events.swap(events_);
  w.touchingNow.clear();
  for (const ContactEvent& e : w.events) w.touchingNow.push_back({pairOf(e), e.since});
  w.mergeWithLast();
  if (w.options.sleeping) w.sleepers.endStep(w, dt);
}

}  // namespace abut
