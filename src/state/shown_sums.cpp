// SPDX-License-Identifier: MIT
#include "state/shown_sums.hpp"

#include <utility>

#include <abut/math/convert.hpp>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {
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

void ShownSums::add(StepShown& part, bool isFirst) {
  if (isFirst) {
    std::swap(sum_, part);
    parts_ = 1;
    sum_.jointParts.assign(sum_.jointEvents.size(), 0);
    return;
  }
  // Contacts of a part of a world count the islands of all substeps.
  const auto known = static_cast<std::uint32_t>(sum_.islands.size());
  for (WorldContact& c : part.contacts) c.island += c.island == kNoIsland ? 0 : known;
  sum_.islands.insert(sum_.islands.end(), part.islands.begin(), part.islands.end());
  sum_.account.append(part.account);
  addReport(part.report);
  addContacts(part.contacts);
  addEvents(part.events);
  for (const JointShown& more : part.joints) {
    if (JointShown* sum = findShown(sum_.joints, more.joint)) sum->append(more);
  }
  sum_.jointEvents.insert(sum_.jointEvents.end(), part.jointEvents.begin(), part.jointEvents.end());
  sum_.jointParts.resize(sum_.jointEvents.size(), parts_++);
  for (std::size_t i = 0; i < sum_.drivers.size(); ++i) {
    DriverReport& sum = sum_.drivers[i];
    const DriverReport& more = part.drivers[i];
    sum.work += more.work;
    sum.force = toEigen(toVec3(sum.force) + toVec3(more.force));
    sum.torque = toEigen(toVec3(sum.torque) + toVec3(more.torque));
    sum.stalled = sum.stalled || more.stalled;
  }
}

void ShownSums::addReport(const StepReport& r) {
  StepReport& sum = sum_.report;
  sum.islands = r.islands;
  sum.converged = sum.converged && r.converged;
  sum.tolerance = maxOf(sum.tolerance, r.tolerance);
  sum.sweeps += r.sweeps;
  sum.newtonSteps += r.newtonSteps;
  sum.compliantIslands += r.compliantIslands;
  sum.softness = maxOf(sum.softness, r.softness);
  sum.rigidError = maxOf(sum.rigidError, r.rigidError);
  sum.approach = maxOf(sum.approach, r.approach);
  sum.greatestDepth = maxOf(sum.greatestDepth, r.greatestDepth);
  sum.restitutionAsked += r.restitutionAsked;
  sum.restitutionDelivered += r.restitutionDelivered;
  sum.unfinishedImpacts += r.unfinishedImpacts;
  sum.presses += r.presses;
  if (r.pressSpeed > sum.pressSpeed || sum.pressed1 == kNoObject) {
    sum.pressSpeed = r.pressSpeed;
    sum.pressed1 = r.pressed1;
    sum.pressed2 = r.pressed2;
  }
  if (!(r.worstError > sum.worstError)) return;
  sum.worstError = r.worstError;
  sum.worst1 = r.worst1;
  sum.worst2 = r.worst2;
}

/// Both lists are sorted by pair. Contacts of a pair are matched by their id; those without one
/// lived for one substep only.
void ShownSums::addContacts(const std::vector<WorldContact>& now) {
  std::vector<WorldContact>& merged = scratch_contacts_;
  merged.clear();
  std::size_t old = 0;
  const std::vector<WorldContact>& known = sum_.contacts;
  for (std::size_t k = 0; k < now.size();) {
    const ObjectPair pair = pairOf(now[k]);
    while (old < known.size() && pairOf(known[old]) < pair) {
      merged.push_back(known[old++]);
    }
    const std::size_t first = merged.size();
    for (; old < known.size() && pairOf(known[old]) == pair; ++old) {
      merged.push_back(known[old]);
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
  while (old < known.size()) merged.push_back(known[old++]);
  sum_.contacts.swap(merged);
}

void ShownSums::addEvents(const std::vector<ContactEvent>& newer) {
  std::vector<ContactEvent>& merged = scratch_events_;
  merged.clear();
  const std::vector<ContactEvent>& events = sum_.events;
  std::size_t old = 0;
  for (const ContactEvent& now : newer) {
    while (old < events.size() && pairOf(events[old]) < pairOf(now)) {
      merged.push_back(events[old++]);
    }
    const bool isKnown = old < events.size() && pairOf(events[old]) == pairOf(now);
    merged.push_back(isKnown ? events[old++] : now);
    if (!isKnown) continue;
    ContactEvent& sum = merged.back();
    sum.impulse = toEigen(toVec3(sum.impulse) + toVec3(now.impulse));
    sum.normalImpulse += now.normalImpulse;
  }
  while (old < events.size()) merged.push_back(events[old++]);
  sum_.events.swap(merged);
}

StepShown& ShownSums::finish(int count) {
  const double n = count;
  std::vector<WorldContact>& contacts = sum_.contacts;
  for (WorldContact& c : contacts) {
    c.normalForce = c.normalForce / n;
    c.frictionForce = toEigen(toVec3(c.frictionForce) / n);
    c.resistingCouple = toEigen(toVec3(c.resistingCouple) / n);
  }
  for (DriverReport& d : sum_.drivers) {
    d.force = toEigen(toVec3(d.force) / n);
    d.torque = toEigen(toVec3(d.torque) / n);
  }
  // Sorted by pair already; within one, deeper first, what was first stays first.
  for (std::size_t i = 1; i < contacts.size(); ++i) {
    for (std::size_t k = i; k > 0 && pairOf(contacts[k]) == pairOf(contacts[k - 1]) &&
                            contacts[k].depth > contacts[k - 1].depth;
         --k) {
      std::swap(contacts[k], contacts[k - 1]);
    }
  }
  sum_.report.contacts = contacts.size();
  return sum_;
}

}  // namespace abut::inline v0_1
