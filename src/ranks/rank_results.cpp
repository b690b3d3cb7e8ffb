// SPDX-License-Identifier: MIT
//
// What a step on several ranks shows, and the whole world on one of them.
#include <algorithm>
#include <tuple>

#include "ranks/ranks.hpp"
#include "ranks/sent_shown.hpp"
#include "state/step_shown.hpp"
#include "step/world_state.hpp"

namespace abut::inline v0_1 {
namespace {

/// What of a report has to be put together.
struct ReportPart {
  std::uint64_t islands, presses, compliantIslands, unfinishedImpacts;
  std::int64_t sweeps, newtonSteps;
  double worstError, tolerance, rigidError, approach, softness, pressSpeed, greatestDepth;
  ObjectId worst1, worst2, pressed1, pressed2;
  std::uint64_t converged;
};

/// The order in which islands of a whole world are numbered: those of joints apart.
bool isBefore(const ShownIsland& a, const ShownIsland& b) {
  return std::tie(a.part, a.kind, a.label) < std::tie(b.part, b.kind, b.label);
}

/// Sent to rank 0 by all, one list after the other.
template <class T>
void gather(Communicator& comm, const std::vector<T>& mine, std::vector<T>& all) {
  std::vector<std::vector<std::byte>> out(static_cast<std::size_t>(comm.getSize())), in;
  const auto bytes = std::as_bytes(std::span(mine));
  out[0].assign(bytes.begin(), bytes.end());
  comm.exchange(out, in);
  all.clear();
  for (const std::vector<std::byte>& part : in) {
    MessageReader message(part);
    for (T one{}; message.get(one);) all.push_back(one);
  }
}

}  // namespace

/// Of each island of the step what it is over all ranks; contacts count those of contacts first,
/// then those of joints.
void Ranks::listIslands(const WorldState& w, StepShown& shown) const {
  const LinkOrder& order = w.solver->getOrder();
  const std::vector<ObjectId>& ids = w.bodies.ids;
  const auto part = static_cast<std::uint32_t>(w.substeps.number());
  shown.islands.clear();
  for (std::size_t i = 0; i < order.getIslands().size(); ++i) {
    const ObjectId first = ids[order.getBodies()[order.getIslands()[i].firstBody]];
    const ObjectId label = order.getLabels().empty() ? first : order.getLabels()[i];
    shown.islands.push_back({label, part, ShownIsland::kContacts, order.isSpread(i) ? 0u : 1u});
  }
  for (const LinkOrder::Spread& s : order.getSpread()) {
    if (s.island == LinkOrder::Spread::kNotHere) continue;
    shown.islands[s.island].isCounted = s.home == division.halo.comm.getRank() ? 1 : 0;
  }
  const auto others = static_cast<std::uint32_t>(shown.islands.size());
  std::uint32_t first = 0;
  for (std::size_t i = 0; i < w.motion.jointedEnds.size(); ++i) {
    const auto members =
        std::span(w.motion.jointedBodies).subspan(first, w.motion.jointedEnds[i] - first);
    const std::uint32_t smallest = *std::min_element(members.begin(), members.end());
    shown.islands.push_back(
        {ids[smallest], part,
         i < w.motion.jointedLinked ? ShownIsland::kJoints : ShownIsland::kAlone, 1});
    first = w.motion.jointedEnds[i];
  }
  if (w.motion.jointed.empty()) return;
  for (WorldContact& c : shown.contacts) {
    const bool isJointed = w.motion.isJointed(w.bodies.indexOf(c.object1)) ||
                           w.motion.isJointed(w.bodies.indexOf(c.object2));
    if (isJointed) c.island += others;
  }
}

void Ranks::report(const WorldState& w, StepShown& shown) {
  StepReport& report = shown.report;
  listIslands(w, shown);
  ReportPart mine{};
  for (const ShownIsland& island : shown.islands) mine.islands += island.isCounted;
  mine.presses = report.presses;
  mine.compliantIslands = report.compliantIslands;
  mine.unfinishedImpacts = report.unfinishedImpacts;
  mine.sweeps = report.sweeps;
  mine.newtonSteps = report.newtonSteps;
  mine.worstError = report.worstError;
  mine.tolerance = report.tolerance;
  mine.rigidError = report.rigidError;
  mine.approach = report.approach;
  mine.softness = report.softness;
  mine.pressSpeed = report.pressSpeed;
  mine.greatestDepth = report.greatestDepth;
  mine.worst1 = report.worst1;
  mine.worst2 = report.worst2;
  mine.pressed1 = report.pressed1;
  mine.pressed2 = report.pressed2;
  mine.converged = report.converged ? 1 : 0;
  std::vector<std::byte> bytes;
  put(bytes, mine);
  std::vector<std::vector<std::byte>> all;
  division.halo.comm.gatherAll(bytes, all);
  StepReport sum;
  sum.restitutionAsked = report.restitutionAsked;  // Summed with the books.
  sum.restitutionDelivered = report.restitutionDelivered;
  // Whether a pair is named in place of another: for more, or for as much if it is smaller.
  const auto isNamed = [](double value, double most, ObjectPair pair, ObjectPair known) {
    return value > most || (value == most && value > 0.0 && pair < known);
  };
  for (const std::vector<std::byte>& one : all) {
    const auto part = MessageReader(one).take<ReportPart>();
    sum.islands += static_cast<std::size_t>(part.islands);
    sum.presses += static_cast<std::size_t>(part.presses);
    sum.compliantIslands += static_cast<std::size_t>(part.compliantIslands);
    sum.unfinishedImpacts += static_cast<std::size_t>(part.unfinishedImpacts);
    sum.sweeps += static_cast<int>(part.sweeps);
    sum.newtonSteps += static_cast<int>(part.newtonSteps);
    sum.tolerance = maxOf(sum.tolerance, part.tolerance);
    sum.rigidError = maxOf(sum.rigidError, part.rigidError);
    sum.approach = maxOf(sum.approach, part.approach);
    sum.softness = maxOf(sum.softness, part.softness);
    sum.greatestDepth = maxOf(sum.greatestDepth, part.greatestDepth);
    sum.converged = sum.converged && part.converged != 0;
    if (isNamed(part.worstError, sum.worstError, {part.worst1, part.worst2},
                {sum.worst1, sum.worst2})) {
      sum.worstError = part.worstError;
      sum.worst1 = part.worst1;
      sum.worst2 = part.worst2;
    }
    if (isNamed(part.pressSpeed, sum.pressSpeed, {part.pressed1, part.pressed2},
                {sum.pressed1, sum.pressed2})) {
      sum.pressSpeed = part.pressSpeed;
      sum.pressed1 = part.pressed1;
      sum.pressed2 = part.pressed2;
    }
  }
  report = sum;
}

/// By the owner of the dynamic body with the smaller id. Bodies of other ranks that are not here,
/// as before the first step, are dynamic.
bool Ranks::isCounted(const WorldState& w, ObjectId object1, ObjectId object2) const {
  if (has_islands_) return true;
  for (const ObjectId id : {std::min(object1, object2), std::max(object1, object2)}) {
    const std::size_t i = w.bodies.find(id);
    if (i == w.bodies.size()) return false;
    if (division.isDynamic[i] != 0) return division.isMine(i);
  }
  return false;
}

void Ranks::count(const WorldState& w, StepShown& shown) {
  std::uint64_t counts[2] = {0, shown.report.asleep};
  for (const WorldContact& c : shown.allContacts())
    counts[0] += isCounted(w, c.object1, c.object2) ? 1 : 0;
  division.halo.comm.add(counts);
  shown.report.contacts = static_cast<std::size_t>(counts[0]);
  shown.report.asleep = static_cast<std::size_t>(counts[1]);
  if (w.options.sleeping)
    shown.report.greatestDepth = division.halo.greatest(shown.report.greatestDepth);
}

void Ranks::assemble(const WorldState& w, PersistentState& whole) const {
  Communicator& comm = division.halo.comm;
  std::vector<std::vector<std::byte>> out(layout_.sent.size()), parts;
  std::vector<std::byte>& bytes = out[0];
  const auto putAll = [&](std::size_t size, auto&& write) {
    const std::size_t at = bytes.size();
    std::uint64_t count = 0;
    put(bytes, count);
    for (std::size_t i = 0; i < size; ++i) count += write(i) ? 1 : 0;
    std::memcpy(bytes.data() + at, &count, sizeof count);
  };
  putAll(w.bodies.size(), [&](std::size_t i) {
    if (division.isMine(i)) putBody(w.bodies, i, bytes);
    return division.isMine(i);
  });
  const auto putContacts = [&](const ContactManifoldCache& cache,
                               const std::vector<Touch>& touching) {
    const auto manifolds = cache.getManifolds();
    putAll(manifolds.size(), [&](std::size_t i) {
      const ObjectPair& pair = manifolds[i].key.pair;
      const bool isHere = isCounted(w, pair.first, pair.second);
      if (isHere) putManifold(manifolds[i], bytes);
      return isHere;
    });
    putAll(touching.size(), [&](std::size_t i) {
      const bool isHere = isCounted(w, touching[i].pair.first, touching[i].pair.second);
      if (isHere) put(bytes, touching[i]);
      return isHere;
    });
  };
  putContacts(w.cache, w.touching);
  putContacts(w.asleep.cache, w.asleep.touching);
  putJoints(w.joints, bytes);
  putAll(w.sensed.size(), [&](std::size_t i) {
    put(bytes, w.sensed[i]);
    return true;
  });
  comm.exchange(out, parts);
  if (comm.getRank() == 0) join(w, parts, whole);
}

/// Puts together what all ranks sent.
void Ranks::join(const WorldState& w, std::vector<std::vector<std::byte>>& parts,
                 PersistentState& whole) const {
  whole = w;
  whole.bodies = {};
  whole.joints.joints.clear();
  whole.joints.couplings.clear();
  whole.sensed.clear();
  std::vector<BodyRecord> records;
  Contacts awake, asleep;
  for (std::vector<std::byte>& part : parts) {
    MessageReader message(part);
    for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
      records.push_back(takeBody(message, division.shapes));
    }
    for (Contacts* contacts : {&awake, &asleep}) {
      for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
        contacts->manifolds.push_back(takeManifold(message));
      }
      for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
        contacts->touching.push_back(message.take<Touch>());
      }
    }
    takeJoints(message, whole.joints);
    for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
      whole.sensed.push_back(message.take<Sensed>());
    }
    std::vector<std::byte>().swap(part);
  }
  appendSorted(records, whole.bodies);
  const auto sort = [](Contacts& from, ContactManifoldCache& cache, std::vector<Touch>& touching) {
    std::sort(from.manifolds.begin(), from.manifolds.end(),
              [](const auto& a, const auto& b) { return a.key < b.key; });
    cache.restore(from.manifolds, cache.getFrame()).orThrow();
    std::sort(from.touching.begin(), from.touching.end(),
              [](const Touch& a, const Touch& b) { return a.pair < b.pair; });
    touching.swap(from.touching);
  };
  sort(awake, whole.cache, whole.touching);
  sort(asleep, whole.asleep.cache, whole.asleep.touching);
  std::sort(whole.sensed.begin(), whole.sensed.end());
  sortJoints(whole.joints);
  whole.joints.deriveAll(whole.bodies);
}

std::vector<std::byte> Ranks::packContacts(const WorldState& w) const {
  std::vector<std::byte> bytes;
  std::uint64_t count = 0;
  put(bytes, count);
  for (const WorldContact& c : w.shown.allContacts()) {
    if (!isCounted(w, c.object1, c.object2)) continue;
    const bool isAsleep = c.island == kNoIsland;
    put(bytes,
        toSent(c, isAsleep ? ShownIsland{} : w.shown.islands[static_cast<std::size_t>(c.island)]));
    ++count;
  }
  std::memcpy(bytes.data(), &count, sizeof count);
  for (const ShownIsland& island : w.shown.islands) {
    if (island.isCounted != 0) put(bytes, island);
  }
  return bytes;
}

void Ranks::joinContacts(std::span<const std::vector<std::byte>> parts,
                         std::vector<WorldContact>& whole) {
  std::vector<SentContact> contacts;
  std::vector<ShownIsland> islands;
  for (const std::vector<std::byte>& part : parts) {
    MessageReader message(part);
    for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
      contacts.push_back(message.take<SentContact>());
    }
    for (ShownIsland island; message.get(island);) islands.push_back(island);
  }
  std::sort(islands.begin(), islands.end(), isBefore);
  const auto isFirst = [](const ShownIsland& a, const ShownIsland& b) {
    const bool ofJoints = a.kind != ShownIsland::kContacts;
    const bool ofOthers = b.kind != ShownIsland::kContacts;
    return a.part != b.part ? a.part < b.part : ofJoints < ofOthers;
  };
  // Contacts of a pair come from one rank, in their order.
  std::stable_sort(contacts.begin(), contacts.end(), [](const auto& a, const auto& b) {
    return ObjectPair{a.object1, a.object2} < ObjectPair{b.object1, b.object2};
  });
  whole.clear();
  for (const SentContact& c : contacts) {
    whole.push_back(toContact(c));
    const auto at = std::lower_bound(islands.begin(), islands.end(), c.island, isBefore);
    const auto first = std::lower_bound(islands.begin(), islands.end(), c.island, isFirst);
    whole.back().island =
        c.island.label == kNoObject ? kNoIsland : static_cast<std::uint32_t>(at - first);
  }
}

void Ranks::assembleShown(const WorldState& w, StepShown& whole) const {
  Communicator& comm = division.halo.comm;
  whole.clear();
  std::vector<std::vector<std::byte>> out(layout_.sent.size()), in;
  out[0] = packContacts(w);
  comm.exchange(out, in);
  if (comm.getRank() == 0) joinContacts(in, whole.contacts);
  std::vector<SentEvent> mine, events;
  for (const ContactEvent& e : w.shown.allEvents()) {
    if (!isCounted(w, e.object1, e.object2)) continue;
    mine.push_back(toSent(e));
  }
  gather(comm, mine, events);
  gather(comm, w.shown.sleepEvents, whole.sleepEvents);
  gather(comm, w.shown.sensorEvents, whole.sensorEvents);
  gather(comm, w.shown.joints, whole.joints);
  std::vector<SentBreak> ofHere, broken;
  for (std::size_t i = 0; i < w.shown.jointEvents.size(); ++i) {
    const bool isPart = i < w.shown.jointParts.size();
    ofHere.push_back({w.shown.jointEvents[i], isPart ? w.shown.jointParts[i] : 0});
  }
  gather(comm, ofHere, broken);
  if (comm.getRank() != 0) return whole.clear();
  whole.report = w.shown.report;
  whole.account = w.shown.account;
  whole.drivers = w.shown.drivers;
  for (const SentEvent& e : events) {
    whole.events.push_back(toEvent(e));
  }
  std::sort(whole.events.begin(), whole.events.end(), [](const auto& a, const auto& b) {
    return ObjectPair{a.object1, a.object2} < ObjectPair{b.object1, b.object2};
  });
  for (const ContactEvent& e : whole.events) {
    const ObjectPair pair{e.object1, e.object2};
    if (e.kind == ContactEvent::Kind::Begin) whole.begunPairs.push_back(pair);
    if (e.kind == ContactEvent::Kind::End) whole.endedPairs.push_back(pair);
  }
  std::sort(whole.sleepEvents.begin(), whole.sleepEvents.end(),
            [](const auto& a, const auto& b) { return a.body < b.body; });
  // Of a body that came and left within the step there are two, in their order.
  std::stable_sort(whole.sensorEvents.begin(), whole.sensorEvents.end(),
                   [](const auto& a, const auto& b) {
                     return std::tie(a.sensor, a.body) < std::tie(b.sensor, b.body);
                   });
  std::sort(whole.joints.begin(), whole.joints.end(),
            [](const auto& a, const auto& b) { return a.joint < b.joint; });
  std::sort(broken.begin(), broken.end(), [](const SentBreak& a, const SentBreak& b) {
    return std::tie(a.part, a.event.joint) < std::tie(b.part, b.event.joint);
  });
  for (const SentBreak& one : broken) whole.jointEvents.push_back(one.event);
}

}  // namespace abut::inline v0_1
