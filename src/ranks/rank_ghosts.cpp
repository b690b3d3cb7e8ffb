// SPDX-License-Identifier: MIT
//
// Which bodies a rank holds beside its own: those that come near its own in the step, and those
// that its contacts and touching pairs are of.
#include <algorithm>
#include <iterator>

#include <abut/math/convert.hpp>

#include "integration/paths.hpp"
#include "ranks/ranks.hpp"
#include "step/world_state.hpp"

namespace abut::inline v0_1 {
namespace {

/// Moves a body from one table to the end of another.
void moveBody(BodyTable& from, std::size_t i, BodyTable& to) {
  to.ids.push_back(from.ids[i]);
  to.position.push_back(from.position[i]);
  to.orientation.push_back(from.orientation[i]);
  to.velocity.push_back(from.velocity[i]);
  to.mobility.push_back(from.mobility[i]);
  to.force.push_back(from.force[i]);
  to.torque.push_back(from.torque[i]);
  to.rest.push_back(from.rest[i]);
  to.softness.push_back(from.softness[i]);
  to.marks.push_back(from.marks[i]);
  if (from.facts[i].isFiltered()) ++to.filtered;
  to.facts.push_back(std::move(from.facts[i]));
}

/// What changes of a body in a step, from one table to another.
void copyState(const BodyTable& from, std::size_t i, BodyTable& to, std::size_t k) {
  to.position[k] = from.position[i];
  to.orientation[k] = from.orientation[i];
  to.velocity[k] = from.velocity[i];
  to.mobility[k] = from.mobility[i];
  to.force[k] = from.force[i];
  to.torque[k] = from.torque[i];
  to.marks[k] = from.marks[i];
}

struct Ends {
  double low[3], high[3];
};

/// As fast as a driver with limits may go in a step, along an axis and about one.
BodyVelocity fastestOf(const WorldState& w, std::size_t driver, double dt) {
  const BodyFacts& f = w.bodies.facts[driver];
  BodyVelocity most = w.bodies.velocity[driver];
  BodyVelocity others[2] = {f.drive->target, {}};
  if (!f.path.empty()) others[1] = velocityOnPath(w.bodies, driver, w.time, dt);
  for (const BodyVelocity& v : others) {
    if (norm(v.linear) > norm(most.linear)) most.linear = v.linear;
    if (norm(v.angular) > norm(most.angular)) most.angular = v.angular;
  }
  return most;
}

}  // namespace

/// Boxes of own bodies in the step, and what they take up on each rank.
void Ranks::findRegion(const WorldState& w, const Arrivals& arrivals, double dt) {
  const StepInput in = w.inputOf(dt);
  layout_.boxes.clear();
  Aabb all = Aabb::empty();
  // Where islands are divided, a blow of the step may send a body on at up to twice the speed of
  // what strikes it: what it meets then is to be on its rank.
  double sent = 0.0;
  if (has_islands_ && w.options.scheme == StepScheme::Exact) {
    double fastest = 0.0;
    for (std::size_t i = 0; i < w.bodies.size(); ++i)
      fastest = maxOf(fastest, norm(w.bodies.velocity[i].linear));
    for (const Division::Driver& d : division.drivers)
      fastest = maxOf(fastest, norm(fastestOf(w, d.body, dt).linear));
    sent = 2.0 * division.halo.greatest(minOf(fastest, kMaxBodySpeed)) * dt;
  }
  for (const ObjectId id : layout_.own) {
    const std::size_t arrived = arrivals.bodies.find(id);
    const bool isNew = arrived < arrivals.bodies.size();
    const BodyTable& bodies = isNew ? arrivals.bodies : w.bodies;
    const std::size_t i = isNew ? arrived : bodies.indexOf(id);
    const BodyFacts& f = bodies.facts[i];
    if (!f.shape) continue;
    Aabb box = f.shape->computeAabb(bodies.shapePoseOf(i));
    // A little more than the boxes of the step, which may be rounded.
    box.expand(Detector::reachOf(in, f, bodies.velocity[i], dt) + 0.5 * in.detectionMargin + sent);
    all.merge(box);
    layout_.boxes.push_back({id, box});
  }
  layout_.driverBoxes.clear();
  for (const Division::Driver& d : division.drivers) {
    const BodyFacts& f = w.bodies.facts[d.body];
    if (!f.shape) continue;
    Aabb box = f.shape->computeAabb(w.bodies.shapePoseOf(d.body));
    const double reach = Detector::reachOf(in, f, fastestOf(w, d.body, dt), dt);
    box.expand(reach + 0.5 * in.detectionMargin + sent);
    layout_.driverBoxes.push_back({f.id, box});
  }
  const Vec3 low = toVec3(all.min_), high = toVec3(all.max_);
  const Ends mine{{low.x, low.y, low.z}, {high.x, high.y, high.z}};
  std::vector<std::byte> bytes;
  put(bytes, mine);
  std::vector<std::vector<std::byte>> given;
  division.halo.comm.gatherAll(bytes, given);
  layout_.regions.clear();
  for (const std::vector<std::byte>& one : given) {
    const auto ends = MessageReader(one).take<Ends>();
    layout_.regions.emplace_back(Eigen::Vector3d(ends.low[0], ends.low[1], ends.low[2]),
                                 Eigen::Vector3d(ends.high[0], ends.high[1], ends.high[2]));
  }
}

/// Ranks whose region meets that of this one.
std::vector<std::size_t> Ranks::nearRanks() const {
  const auto self = static_cast<std::size_t>(division.halo.comm.getRank());
  std::vector<std::size_t> near;
  for (std::size_t r = 0; r < layout_.regions.size(); ++r) {
    if (r != self && layout_.regions[r].overlaps(layout_.regions[self])) near.push_back(r);
  }
  return near;
}

/// Own bodies that other ranks need.
void Ranks::choose(const WorldState& w, const Arrivals& arrivals) {
  const int self = division.halo.comm.getRank();
  for (std::vector<ObjectId>& ids : layout_.sent) ids.clear();
  const std::vector<std::size_t> near = nearRanks();
  for (const auto& [id, box] : layout_.boxes) {
    for (const std::size_t r : near) {
      if (layout_.regions[r].overlaps(box)) layout_.sent[r].push_back(id);
    }
  }
  const auto ownerOf = [&](ObjectId id) -> std::int32_t {
    const std::vector<std::pair<ObjectId, std::int32_t>>* const lists[] = {&arrivals.partners,
                                                                           &layout_.ghosts};
    for (const auto* list : lists) {
      const auto at = std::lower_bound(list->begin(), list->end(), std::pair(id, std::int32_t{-2}));
      if (at != list->end() && at->first == id) return at->second;
    }
    return -1;  // On all ranks.
  };
  const auto keepWith = [&](const ObjectPair& pair) {
    const bool first = isOwn(pair.first), second = isOwn(pair.second);
    if (first == second) return;
    const std::int32_t rank = ownerOf(first ? pair.second : pair.first);
    if (rank >= 0 && rank != self) {
      layout_.sent[static_cast<std::size_t>(rank)].push_back(first ? pair.first : pair.second);
    }
  };
  for (const PersistentManifold& m : w.cache.getManifolds()) keepWith(m.key.pair);
  for (const Touch& t : w.touching) keepWith(t.pair);
  for (std::vector<ObjectId>& ids : layout_.sent) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
}

void Ranks::sendGhosts(const WorldState& w, const Arrivals& arrivals, BodyTable& ghosts) {
  std::vector<std::vector<std::byte>> out(layout_.sent.size()), in;
  for (std::size_t r = 0; r < layout_.sent.size(); ++r) {
    for (const ObjectId id : layout_.sent[r]) {
      const std::size_t arrived = arrivals.bodies.find(id);
      const bool isNew = arrived < arrivals.bodies.size();
      putBody(isNew ? arrivals.bodies : w.bodies, isNew ? arrived : w.bodies.indexOf(id), out[r]);
    }
  }
  division.halo.comm.exchange(out, in);
  std::vector<BodyRecord> records;
  layout_.ghosts.clear();
  for (std::size_t r = 0; r < in.size(); ++r) {
    MessageReader message(in[r]);
    while (!message.isEmpty()) {
      records.push_back(takeBody(message, division.shapes));
      layout_.ghosts.push_back({records.back().facts.id, static_cast<std::int32_t>(r)});
    }
  }
  std::sort(layout_.ghosts.begin(), layout_.ghosts.end());
  appendSorted(records, ghosts);
}

/// The table holds own bodies, ghosts and what is on all ranks, and the detector their boxes.
void Ranks::rebuild(WorldState& w, Arrivals& arrivals, BodyTable& ghosts) const {
  BodyTable& bodies = w.bodies;
  const auto stays = [&](std::size_t i) {
    return bodies.facts[i].type != BodyType::Dynamic ||
           (isOwn(bodies.ids[i]) && arrivals.bodies.find(bodies.ids[i]) == arrivals.bodies.size());
  };
  std::vector<std::size_t> kept;
  std::vector<ObjectId> ids;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (stays(i)) kept.push_back(i);
  }
  BodyTable* const tables[] = {&bodies, &arrivals.bodies, &ghosts};
  const auto idAt = [&](int t, std::size_t k) {
    const std::size_t count = t == 0 ? kept.size() : tables[t]->size();
    return k == count ? ~ObjectId{0} : tables[t]->ids[t == 0 ? kept[k] : k];
  };
  const auto forMerged = [&](auto&& use) {
    std::size_t at[3] = {};
    for (;;) {
      int least = 0;
      for (int t = 1; t < 3; ++t) least = idAt(t, at[t]) < idAt(least, at[least]) ? t : least;
      if (idAt(least, at[least]) == ~ObjectId{0}) return;
      use(least, least == 0 ? kept[at[0]] : at[least]);
      ++at[least];
    }
  };
  forMerged([&](int t, std::size_t k) { ids.push_back(tables[t]->ids[k]); });
  if (ids == bodies.ids && arrivals.bodies.size() == 0) {
    for (std::size_t k = 0; k < ghosts.size(); ++k) {
      copyState(ghosts, k, bodies, bodies.indexOf(ghosts.ids[k]));
    }
    return;
  }
  if (has_islands_) {  // Boxes and what sleeps follow from the bodies when they are needed.
    BodyTable merged;
    forMerged([&](int t, std::size_t k) { moveBody(*tables[t], k, merged); });
    bodies = std::move(merged);
    w.sleepers.reset();
    w.detector.forgetBoxes();
    w.joints.deriveAll(bodies);
    w.queries.changed();
    return;
  }
  std::vector<ObjectId> gone;
  std::set_difference(bodies.ids.begin(), bodies.ids.end(), ids.begin(), ids.end(),
                      std::back_inserter(gone));
  for (const ObjectId id : gone) {
    if (w.detector.awake.contains(id)) w.detector.awake.remove(id).orThrow();
  }
  BodyTable merged;
  forMerged([&](int t, std::size_t k) { moveBody(*tables[t], k, merged); });
  bodies = std::move(merged);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyFacts& f = bodies.facts[i];
    if (!f.shape || w.detector.awake.contains(f.id)) continue;
    w.detector.awake.add(f.id, f.shape->computeAabb(bodies.shapePoseOf(i))).orThrow();
  }
  w.queries.changed();
}

/// What stages ask of the halo.
void Ranks::describe(const WorldState& w) {
  Halo& halo = division.halo;
  const BodyTable& bodies = w.bodies;
  const std::size_t n = bodies.size();
  const int self = halo.comm.getRank();
  halo.ids = bodies.ids;
  halo.isMine.assign(n, 0);
  halo.isGhost.assign(n, 0);
  halo.owner.assign(n, 0);
  halo.outgoing.assign(layout_.sent.size(), {});
  halo.incoming.assign(layout_.sent.size(), {});
  markMovingBodies(bodies, division.isDynamic);
  for (std::size_t i = 0; i < n; ++i) {
    if (division.isDynamic[i] == 0) {
      halo.isMine[i] = self == 0 ? 1 : 0;
    } else if (isOwn(bodies.ids[i])) {
      halo.isMine[i] = 1;
      halo.owner[i] = self;
    }
  }
  division.drivers.clear();
  for (std::size_t i = 0; i < n; ++i) {
    if (!bodies.facts[i].drive->isLimited) continue;
    const auto at = std::lower_bound(layout_.drivers.begin(), layout_.drivers.end(),
                                     std::pair(bodies.ids[i], std::int32_t{-1}));
    const bool isThere = at != layout_.drivers.end() && at->first == bodies.ids[i];
    const std::int32_t home = isThere ? at->second : layout_.cut.ownerOf(bodies.position[i]);
    division.drivers.push_back({static_cast<std::uint32_t>(i), home});
  }
  for (const auto& [id, owner] : layout_.ghosts) {
    const std::size_t i = bodies.find(id);
    if (i == n) continue;  // Before the first step.
    halo.isGhost[i] = 1;
    halo.owner[i] = owner;
    halo.incoming[static_cast<std::size_t>(owner)].push_back(static_cast<std::uint32_t>(i));
  }
  for (std::size_t r = 0; r < layout_.sent.size(); ++r) {
    for (const ObjectId id : layout_.sent[r]) {
      halo.outgoing[r].push_back(static_cast<std::uint32_t>(bodies.indexOf(id)));
    }
  }
}

}  // namespace abut::inline v0_1
