// SPDX-License-Identifier: MIT
//
// What a step on several ranks shows, and the whole world on one of them.
#include <algorithm>

#include "ranks/ranks.hpp"
#include "state/step_shown.hpp"
#include "step/world_state.hpp"

namespace abut::inline v0_1 {
namespace {

/// What of a report has to be put together.
struct ReportPart {
  std::uint64_t contacts, islands, presses;
  std::int64_t sweeps, newtonSteps;
  double worstError, pressSpeed, greatestDepth;
  ObjectId pressed1, pressed2;
  std::uint8_t converged;
};

/// A contact of the last step on its way, with the label of its island in place of a number.
struct SentContact {
  ObjectId object1, object2;
  double numbers[18];
  double friction;
  ObjectId island;
  std::uint64_t id;
};

template <class V>
void store(const V& v, double* at) {
  at[0] = v.x();
  at[1] = v.y();
  at[2] = v.z();
}
Eigen::Vector3d load(const double* at) {
  return {at[0], at[1], at[2]};
}

SentContact pack(const WorldContact& c, ObjectId island) {
  SentContact out{c.object1, c.object2, {}, c.friction, island, c.id};
  store(c.position, out.numbers);
  store(c.normal, out.numbers + 3);
  store(c.frictionForce, out.numbers + 6);
  store(c.resistingCouple, out.numbers + 9);
  store(c.slip, out.numbers + 12);
  out.numbers[15] = c.depth;
  out.numbers[16] = c.normalForce;
  return out;
}

WorldContact unpack(const SentContact& in) {
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
  c.friction = in.friction;
  c.id = in.id;
  return c;
}

struct SentEvent {
  ObjectId object1, object2;
  std::uint8_t kind;
  double since, normalImpulse, impulse[3];
};

}  // namespace

void Ranks::report(const WorldState& w, StepShown& shown) {
  StepReport& report = shown.report;
  const auto counts = [&](ObjectId a, ObjectId b) {
    return division.counts(static_cast<std::uint32_t>(w.bodies.indexOf(a)),
                           static_cast<std::uint32_t>(w.bodies.indexOf(b)));
  };
  ReportPart mine{};
  for (const WorldContact& c : shown.contacts)
    mine.contacts += counts(c.object1, c.object2) ? 1 : 0;
  const LinkOrder& order = w.solver->getOrder();
  for (std::size_t i = 0; i < order.getIslands().size(); ++i) {
    mine.islands += order.isSpread(i) ? 0 : 1;
  }
  for (const LinkOrder::Spread& s : order.getSpread()) {
    mine.islands += s.home == division.halo.comm.getRank() ? 1 : 0;
  }
  mine.presses = report.presses;
  mine.sweeps = report.sweeps;
  mine.newtonSteps = report.newtonSteps;
  mine.worstError = report.worstError;
  mine.pressSpeed = report.pressSpeed;
  mine.greatestDepth = report.greatestDepth;
  mine.pressed1 = report.pressed1;
  mine.pressed2 = report.pressed2;
  mine.converged = report.converged ? 1 : 0;
  std::vector<std::byte> bytes;
  put(bytes, mine);
  std::vector<std::vector<std::byte>> all;
  division.halo.comm.gatherAll(bytes, all);
  StepReport sum;
  sum.worst1 = report.worst1;  // Named by all ranks together.
  sum.worst2 = report.worst2;
  for (const std::vector<std::byte>& one : all) {
    const auto part = MessageReader(one).take<ReportPart>();
    sum.contacts += static_cast<std::size_t>(part.contacts);
    sum.islands += static_cast<std::size_t>(part.islands);
    sum.presses += static_cast<std::size_t>(part.presses);
    sum.sweeps += static_cast<int>(part.sweeps);
    sum.newtonSteps += static_cast<int>(part.newtonSteps);
    sum.worstError = maxOf(sum.worstError, part.worstError);
    sum.greatestDepth = maxOf(sum.greatestDepth, part.greatestDepth);
    sum.converged = sum.converged && part.converged != 0;
    if (part.pressSpeed > sum.pressSpeed ||
        (part.pressSpeed == sum.pressSpeed && part.pressSpeed > 0.0 &&
         ObjectPair{part.pressed1, part.pressed2} < ObjectPair{sum.pressed1, sum.pressed2})) {
      sum.pressSpeed = part.pressSpeed;
      sum.pressed1 = part.pressed1;
      sum.pressed2 = part.pressed2;
    }
  }
  report = sum;
}

void Ranks::assemble(const WorldState& w, PersistentState& whole) const {
  Communicator& comm = division.halo.comm;
  std::vector<std::vector<std::byte>> out(sent_.size()), parts;
  std::vector<std::byte>& bytes = out[0];
  const auto counts = [&](const ObjectPair& pair) {
    return division.counts(static_cast<std::uint32_t>(w.bodies.indexOf(pair.first)),
                           static_cast<std::uint32_t>(w.bodies.indexOf(pair.second)));
  };
  const auto putAll = [&](std::uint64_t count, auto&& each) {
    const std::size_t at = bytes.size();
    put(bytes, count);
    count = 0;
    each(count);
    std::memcpy(bytes.data() + at, &count, sizeof count);
  };
  putAll(0, [&](std::uint64_t& count) {
    for (std::size_t i = 0; i < w.bodies.size(); ++i) {
      if (!division.isMine(i)) continue;
      putBody(w.bodies, i, bytes);
      ++count;
    }
  });
  putAll(0, [&](std::uint64_t& count) {
    for (const PersistentManifold& m : w.cache.getManifolds()) {
      if (!counts(m.key.pair)) continue;
      putManifold(m, bytes);
      ++count;
    }
  });
  putAll(0, [&](std::uint64_t& count) {
    for (const Touch& t : w.touching) {
      if (!counts(t.pair)) continue;
      put(bytes, t);
      ++count;
    }
  });
  comm.exchange(out, parts);
  if (comm.getRank() != 0) return;
  whole = w;
  whole.bodies = {};
  whole.touching.clear();
  std::vector<BodyRecord> records;
  std::vector<PersistentManifold> manifolds;
  for (std::vector<std::byte>& part : parts) {
    MessageReader message(part);
    for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
      records.push_back(takeBody(message, division.shapes));
    }
    for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
      manifolds.push_back(takeManifold(message));
    }
    for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
      whole.touching.push_back(message.take<Touch>());
    }
    std::vector<std::byte>().swap(part);
  }
  appendSorted(records, whole.bodies);
  std::sort(manifolds.begin(), manifolds.end(),
            [](const auto& a, const auto& b) { return a.key < b.key; });
  whole.cache.restore(manifolds, w.cache.getFrame()).orThrow();
  std::sort(whole.touching.begin(), whole.touching.end(),
            [](const Touch& a, const Touch& b) { return a.pair < b.pair; });
}

void Ranks::assembleShown(const WorldState& w, StepShown& whole) const {
  Communicator& comm = division.halo.comm;
  std::vector<std::vector<std::byte>> contactsOut(sent_.size()), eventsOut(sent_.size()), in;
  const auto counts = [&](ObjectId a, ObjectId b) {
    return division.counts(static_cast<std::uint32_t>(w.bodies.indexOf(a)),
                           static_cast<std::uint32_t>(w.bodies.indexOf(b)));
  };
  const auto labels = w.solver->getOrder().getLabels();
  for (const WorldContact& c : w.shown.contacts) {
    if (counts(c.object1, c.object2)) put(contactsOut[0], pack(c, labels[c.island]));
  }
  for (const ContactEvent& e : w.shown.events) {
    if (!counts(e.object1, e.object2)) continue;
    SentEvent sent{e.object1, e.object2,       static_cast<std::uint8_t>(e.kind),
                   e.since,   e.normalImpulse, {}};
    store(e.impulse, sent.impulse);
    put(eventsOut[0], sent);
  }
  comm.exchange(contactsOut, in);
  std::vector<SentContact> contacts;
  std::vector<ObjectId> islands;
  for (const std::vector<std::byte>& bytes : in) {
    MessageReader message(bytes);
    for (SentContact c{}; message.get(c);) {
      contacts.push_back(c);
      islands.push_back(c.island);
    }
  }
  comm.exchange(eventsOut, in);
  if (comm.getRank() != 0) return;
  whole.clear();
  whole.report = w.shown.report;
  whole.account = w.shown.account;
  whole.drivers = w.shown.drivers;
  std::sort(islands.begin(), islands.end());
  islands.erase(std::unique(islands.begin(), islands.end()), islands.end());
  // Contacts of a pair come from one rank, in their order.
  std::stable_sort(contacts.begin(), contacts.end(), [](const auto& a, const auto& b) {
    return ObjectPair{a.object1, a.object2} < ObjectPair{b.object1, b.object2};
  });
  for (const SentContact& c : contacts) {
    whole.contacts.push_back(unpack(c));
    whole.contacts.back().island = static_cast<std::uint32_t>(
        std::lower_bound(islands.begin(), islands.end(), c.island) - islands.begin());
  }
  for (const std::vector<std::byte>& bytes : in) {
    MessageReader message(bytes);
    for (SentEvent e{}; message.get(e);) {
      ContactEvent event;
      event.kind = static_cast<ContactEvent::Kind>(e.kind);
      event.object1 = e.object1;
      event.object2 = e.object2;
      event.since = e.since;
      event.normalImpulse = e.normalImpulse;
      event.impulse = load(e.impulse);
      whole.events.push_back(event);
    }
  }
  std::sort(whole.events.begin(), whole.events.end(), [](const auto& a, const auto& b) {
    return ObjectPair{a.object1, a.object2} < ObjectPair{b.object1, b.object2};
  });
  for (const ContactEvent& e : whole.events) {
    const ObjectPair pair{e.object1, e.object2};
    if (e.kind == ContactEvent::Kind::Begin) whole.begunPairs.push_back(pair);
    if (e.kind == ContactEvent::Kind::End) whole.endedPairs.push_back(pair);
  }
}

}  // namespace abut::inline v0_1
