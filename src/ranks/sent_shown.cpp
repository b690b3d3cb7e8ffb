// SPDX-License-Identifier: MIT
#include "ranks/sent_shown.hpp"

#include <algorithm>

#include "ranks/ranks.hpp"
#include "step/world_state.hpp"

namespace abut::inline v0_1 {
namespace {

template <class V>
void store(const V& v, double* at) {
  at[0] = v.x();
  at[1] = v.y();
  at[2] = v.z();
}
Eigen::Vector3d load(const double* at) {
  return {at[0], at[1], at[2]};
}

}  // namespace

SentContact toSent(const WorldContact& c, const ShownIsland& island) {
  SentContact out{c.object1, c.object2, {}, c.friction, island, c.id};
  store(c.position, out.numbers);
  store(c.normal, out.numbers + 3);
  store(c.frictionForce, out.numbers + 6);
  store(c.resistingCouple, out.numbers + 9);
  store(c.slip, out.numbers + 12);
  out.numbers[15] = c.depth;
  out.numbers[16] = c.normalForce;
  store(c.impactImpulse, out.numbers + 17);
  return out;
}

WorldContact toContact(const SentContact& in) {
  WorldContact c;
  c.object1 = in.object1;
  c.object2 = in.object2;
  c.position = load(in.numbers);
  c.normal = load(in.numbers + 3);
  c.frictionForce = load(in.numbers + 6);
  c.resistingCouple = load(in.numbers + 9);
  c.slip = load(in.numbers + 12);
  c.depth = in.numbers[15];
  c.normalForce = in.numbers[16];
  c.impactImpulse = load(in.numbers + 17);
  c.friction = in.friction;
  c.id = in.id;
  return c;
}

SentEvent toSent(const ContactEvent& e) {
  SentEvent out{e.object1, e.object2,       static_cast<std::uint64_t>(e.kind),
                e.since,   e.normalImpulse, {}};
  store(e.impulse, out.impulse);
  return out;
}

ContactEvent toEvent(const SentEvent& in) {
  ContactEvent event;
  event.kind = static_cast<ContactEvent::Kind>(in.kind);
  event.object1 = in.object1;
  event.object2 = in.object2;
  event.since = in.since;
  event.normalImpulse = in.normalImpulse;
  event.impulse = load(in.impulse);
  return event;
}

SentDriver toSent(const DriverReport& d) {
  return {d.body,
          d.work,
          {d.force.x(), d.force.y(), d.force.z()},
          {d.torque.x(), d.torque.y(), d.torque.z()},
          d.stalled ? std::uint64_t{1} : 0};
}

DriverReport toDriver(const SentDriver& d) {
  return {d.body,
          d.work,
          {d.force[0], d.force[1], d.force[2]},
          {d.torque[0], d.torque[1], d.torque[2]},
          d.stalled != 0};
}

/// What earlier substeps show of a pair goes with the smaller of its bodies that is dynamic.
bool Ranks::carriesPair(const WorldState& w, std::span<const ObjectId> going, ObjectId object1,
                        ObjectId object2) {
  const std::size_t i = w.bodies.find(object1);
  const bool isFirst =
      i == w.bodies.size() || w.bodies.facts[i].type == BodyType::Dynamic;  // Or elsewhere.
  return std::binary_search(going.begin(), going.end(), isFirst ? object1 : object2);
}

void Ranks::packShown(const WorldState& w, std::span<const ObjectId> going,
                      const JointTable& joints, std::vector<std::byte>& bytes) const {
  const StepShown& sum = w.substeps.getSum();
  std::vector<SentContact> contacts;
  std::vector<SentEvent> events;
  std::vector<JointShown> shown;
  std::vector<Sensors::Start> starts;
  for (const WorldContact& c : sum.contacts) {
    if (!carriesPair(w, going, c.object1, c.object2)) continue;
    const bool isAsleep = c.island == kNoIsland;
    contacts.push_back(
        toSent(c, isAsleep ? ShownIsland{} : sum.islands[static_cast<std::size_t>(c.island)]));
  }
  for (const ContactEvent& e : sum.events) {
    if (carriesPair(w, going, e.object1, e.object2)) events.push_back(toSent(e));
  }
  for (const JointShown& j : sum.joints) {
    if (joints.find(j.joint) < joints.joints.size()) shown.push_back(j);
  }
  for (const ObjectId id : going) {
    if (w.sensors.isActive()) starts.push_back(w.sensors.getStart(id));
  }
  const auto putAll = [&](const auto& items) {
    put(bytes, static_cast<std::uint64_t>(items.size()));
    for (const auto& item : items) put(bytes, item);
  };
  putAll(contacts);
  putAll(events);
  putAll(shown);
  putAll(starts);
}

void Ranks::unpackShown(WorldState& w, MessageReader& message) {
  StepShown& sum = w.substeps.getSum();
  for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
    const auto sent = message.take<SentContact>();
    sum.contacts.push_back(toContact(sent));
    sum.contacts.back().island = kNoIsland;
    if (sent.island.label == kNoObject) continue;
    sum.contacts.back().island = static_cast<std::uint32_t>(sum.islands.size());
    sum.islands.push_back(sent.island);
    sum.islands.back().isCounted = 0;  // Where it was.
  }
  for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
    sum.events.push_back(toEvent(message.take<SentEvent>()));
  }
  for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
    sum.joints.push_back(message.take<JointShown>());
  }
  for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
    w.sensors.addStart(message.take<Sensors::Start>());
  }
}

void Ranks::dropShown(WorldState& w, std::span<const ObjectId> gone) {
  StepShown& sum = w.substeps.getSum();
  std::erase_if(sum.contacts,
                [&](const WorldContact& c) { return carriesPair(w, gone, c.object1, c.object2); });
  std::erase_if(sum.events,
                [&](const ContactEvent& e) { return carriesPair(w, gone, e.object1, e.object2); });
  const auto goes = [&](ObjectId id) { return std::binary_search(gone.begin(), gone.end(), id); };
  std::erase_if(sum.joints, [&](const JointShown& j) {
    const std::size_t at = w.joints.find(j.joint);
    if (at == w.joints.joints.size()) return false;  // It broke.
    const JointDescription& d = w.joints.joints[at].description;
    return goes(d.body1) || goes(d.body2);
  });
}

void Ranks::sortShown(WorldState& w) {
  StepShown& sum = w.substeps.getSum();
  const auto byPair = [](const auto& a, const auto& b) {
    return ObjectPair{a.object1, a.object2} < ObjectPair{b.object1, b.object2};
  };
  std::stable_sort(sum.contacts.begin(), sum.contacts.end(), byPair);
  std::stable_sort(sum.events.begin(), sum.events.end(), byPair);
  std::sort(sum.joints.begin(), sum.joints.end(),
            [](const JointShown& a, const JointShown& b) { return a.joint < b.joint; });
}

}  // namespace abut::inline v0_1
