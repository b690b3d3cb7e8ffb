// SPDX-License-Identifier: MIT
//
// What a step on several ranks shows, and the whole world on one of them.
#include <algorithm>
#include <array>
#include <tuple>

#include "ranks/ranks.hpp"
#include "ranks/sent_shown.hpp"
#include "state/step_shown.hpp"
#include "step/world_state.hpp"

namespace abut::inline v0_1 {
namespace {

/// A number of which the report names the pair, here and over all ranks: the smallest of those
/// that have it. Nobody has one of `none`.
struct Named {
  double here, most, none;
  ObjectPair pair;
};

/// Ids in parts that doubles hold exactly.
std::array<double, 4> partsOf(const ObjectPair& pair) {
  std::array<double, 4> parts{};
  for (std::size_t k = 0; k < 4; ++k) {
    const ObjectId id = k < 2 ? pair.first : pair.second;
    parts[k] = static_cast<double>(k % 2 == 0 ? id >> 32u : id & 0xffffffffu);
  }
  return parts;
}

ObjectPair pairOf(std::span<const double> parts) {
  const auto id = [&](std::size_t k) {
    return (static_cast<ObjectId>(parts[k]) << 32u) | static_cast<ObjectId>(parts[k + 1]);
  };
  return {id(0), id(2)};
}

/// Makes the pairs those of all ranks. Mostly one pair has the greatest: then a reduction tells;
/// else all that have it are listed.
void agreeOnNames(Halo& halo, std::span<Named> names) {
  constexpr double kNone = -1e300;
  std::vector<double> ends;  // Of each part of an id the greatest, and minus the least.
  for (const Named& n : names) {
    const bool isOne = n.most > n.none && n.here == n.most;
    for (const double part : partsOf(n.pair)) {
      ends.push_back(isOne ? part : kNone);
      ends.push_back(isOne ? -part : kNone);
    }
  }
  halo.comm.greatest(ends);
  for (std::size_t i = 0; i < names.size(); ++i) {
    Named& n = names[i];
    if (!(n.most > n.none)) {
      n.pair = {};
      continue;
    }
    std::array<double, 4> parts{};
    bool isOnly = true;
    for (std::size_t k = 0; k < 4; ++k) {
      parts[k] = ends[8 * i + 2 * k];
      isOnly = isOnly && parts[k] == -ends[8 * i + 2 * k + 1];
    }
    if (isOnly) {
      n.pair = pairOf(parts);
      continue;
    }
    std::vector<std::byte> mine;
    if (n.here == n.most) put(mine, n.pair);
    std::vector<std::vector<std::byte>> all;
    halo.comm.gatherAll(mine, all);
    bool isFirst = true;
    for (const std::vector<std::byte>& one : all) {
      if (one.empty()) continue;
      const auto pair = MessageReader(one).take<ObjectPair>();
      n.pair = isFirst || pair < n.pair ? pair : n.pair;
      isFirst = false;
    }
  }
}

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

/// Of dynamic bodies whose surfaces move the owners know what they supplied; all ranks are told.
void Ranks::shareDrivers(const WorldState& w, StepShown& shown) const {
  if (!division.hasSurfaces) return;
  std::vector<DriverReport> all;
  std::vector<std::byte> mine;
  for (const DriverReport& d : shown.drivers) {
    const std::size_t i = w.bodies.indexOf(d.body);
    if (division.isDynamic[i] == 0) {
      all.push_back(d);
    } else if (division.isMine(i)) {
      put(mine, toSent(d));
    }
  }
  std::vector<std::vector<std::byte>> given;
  division.halo.comm.gatherAll(mine, given);
  for (const std::vector<std::byte>& one : given) {
    MessageReader message(one);
    for (SentDriver d{}; message.get(d);) all.push_back(toDriver(d));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.body < b.body; });
  shown.drivers.swap(all);
}

void Ranks::report(const WorldState& w, StepShown& shown) {
  StepReport& report = shown.report;
  listIslands(w, shown);
  shareDrivers(w, shown);
  std::uint64_t islands = 0;
  for (const ShownIsland& island : shown.islands) islands += island.isCounted;
  std::uint64_t sums[] = {islands,
                          report.presses,
                          report.compliantIslands,
                          report.unfinishedImpacts,
                          static_cast<std::uint64_t>(report.sweeps),
                          static_cast<std::uint64_t>(report.newtonSteps),
                          report.converged ? std::uint64_t{0} : 1};
  constexpr double kNoPress = -1.0;  // A press may close at no speed.
  const double pressed = report.pressed1 != kNoObject ? report.pressSpeed : kNoPress;
  double most[] = {report.tolerance,     report.rigidError, report.approach, report.softness,
                   report.greatestDepth, report.worstError, pressed};
  division.halo.comm.add(sums);
  division.halo.comm.greatest(most);
  Named names[] = {{report.worstError, most[5], 0.0, {report.worst1, report.worst2}},
                   {pressed, most[6], kNoPress, {report.pressed1, report.pressed2}}};
  agreeOnNames(division.halo, names);
  // What restitution asked for and delivered was summed with the books.
  report.islands = static_cast<std::size_t>(sums[0]);
  report.presses = static_cast<std::size_t>(sums[1]);
  report.compliantIslands = static_cast<std::size_t>(sums[2]);
  report.unfinishedImpacts = static_cast<std::size_t>(sums[3]);
  report.sweeps = static_cast<int>(sums[4]);
  report.newtonSteps = static_cast<int>(sums[5]);
  report.converged = sums[6] == 0;
  report.tolerance = most[0];
  report.rigidError = most[1];
  report.approach = most[2];
  report.softness = most[3];
  report.greatestDepth = most[4];
  report.worstError = most[5];
  report.pressSpeed = maxOf(0.0, most[6]);
  report.worst1 = names[0].pair.first;
  report.worst2 = names[0].pair.second;
  report.pressed1 = names[1].pair.first;
  report.pressed2 = names[1].pair.second;
}

/// By the owner of the dynamic body with the smaller id. Bodies of other ranks that are not here,
/// as before the first step, are dynamic, unless they were taken out.
bool Ranks::isCounted(const WorldState& w, ObjectId object1, ObjectId object2) const {
  if (has_islands_) return true;
  const ObjectPair pair{std::min(object1, object2), std::max(object1, object2)};
  for (const ObjectId id : {pair.first, pair.second}) {
    const std::size_t i = w.bodies.find(id);
    if (i == w.bodies.size()) {
      if (findRemoved(id) == nullptr) return false;
      continue;
    }
    if (division.isDynamic[i] != 0) return division.isMine(i);
  }
  return isLeftHere(pair);
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
  std::erase_if(layout_.removed, [](const Removed& r) { return r.isShown; });
  for (Removed& r : layout_.removed) r.isShown = true;
}

/// What this rank answers for.
std::vector<std::byte> Ranks::packState(const WorldState& w) const {
  std::vector<std::byte> bytes;
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
  return bytes;
}

void Ranks::assemble(const WorldState& w, PersistentState& whole) const {
  Communicator& comm = division.halo.comm;
  std::vector<std::vector<std::byte>> out(layout_.sent.size()), parts;
  out[0] = packState(w);
  comm.exchange(out, parts);
  if (comm.getRank() == 0) join(w, parts, whole);
}

/// The same on all ranks.
void Ranks::gatherWhole(const WorldState& w, PersistentState& whole) const {
  std::vector<std::vector<std::byte>> parts;
  division.halo.comm.gatherAll(packState(w), parts);
  join(w, parts, whole);
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
