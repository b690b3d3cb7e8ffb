// SPDX-License-Identifier: MIT
//
// Changes between steps of a world that is divided: all ranks make the same ones. A body comes to
// the rank of its place and goes from wherever it is; what is changed of one is changed on all
// ranks that have it. What concerns several bodies is changed in the whole world, which is then
// divided anew.
#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

#include "ranks/ranks.hpp"
#include "world/change.hpp"

namespace abut::inline v0_1 {

const Ranks::Removed* Ranks::findRemoved(ObjectId id) const {
  const auto at = std::lower_bound(layout_.removed.begin(), layout_.removed.end(), id,
                                   [](const Removed& r, ObjectId wanted) { return r.id < wanted; });
  return at != layout_.removed.end() && at->id == id ? &*at : nullptr;
}

/// Of two bodies of which none is dynamic any more: whether this rank has what was between them.
bool Ranks::isLeftHere(const ObjectPair& pair) const {
  const int self = division.halo.comm.getRank();
  for (const ObjectId id : {pair.first, pair.second}) {
    const Removed* const r = findRemoved(id);
    if (r != nullptr && r->isDynamic) return r->owner == self;
  }
  return self == 0;
}

/// Whether this rank has what is between two bodies of a table: of its own bodies all.
bool Ranks::keeps(const BodyTable& bodies, const ObjectPair& pair) const {
  if (isOwn(pair.first) || isOwn(pair.second)) return true;
  for (const ObjectId id : {pair.first, pair.second}) {
    const std::size_t i = bodies.find(id);
    const bool isHere = i < bodies.size();
    if (isHere ? bodies.facts[i].type == BodyType::Dynamic : findRemoved(id) == nullptr) {
      return false;  // Of another rank.
    }
  }
  return isLeftHere(pair);
}

/// Bodies of which there are touches or what sensors saw, but that are no longer there: rank 0
/// answers for them. The table has all that are not dynamic, and these are all that are.
void Ranks::noteRemoved(const WorldState& w, std::span<const ObjectId> dynamic) {
  const auto note = [&](ObjectId id) {
    if (w.bodies.find(id) < w.bodies.size() || findRemoved(id) != nullptr) return;
    if (std::binary_search(dynamic.begin(), dynamic.end(), id)) return;
    const auto at =
        std::lower_bound(layout_.removed.begin(), layout_.removed.end(), id,
                         [](const Removed& r, ObjectId wanted) { return r.id < wanted; });
    layout_.removed.insert(at, {id, 0, true, false});
  };
  for (const Touch& t : w.touching) {
    note(t.pair.first);
    note(t.pair.second);
  }
  for (const Sensed& s : w.sensed) note(s.body);
}

/// Whether there are dynamic bodies that are sensors, or whose surfaces move. All ranks call it.
void Ranks::countKinds(const WorldState& w) {
  std::uint64_t counts[2] = {};
  for (const BodyFacts& f : w.bodies.facts) {
    if (f.type != BodyType::Dynamic || !isOwn(f.id)) continue;
    counts[0] += f.sensor ? 1 : 0;
    counts[1] += f.surfaceVelocity != Vec3{} ? 1 : 0;
  }
  division.halo.comm.add(counts);
  division.hasSensors = counts[0] > 0;
  division.hasSurfaces = counts[1] > 0;
  has_new_kinds_ = false;
}

void Ranks::refresh(WorldState& w) {
  if (!is_stale_) return;
  w.settle();
  const auto isGone = [&](ObjectId id) { return went_.count(id) != 0; };
  std::erase_if(layout_.own, isGone);
  layout_.own.insert(layout_.own.end(), came_.begin(), came_.end());
  std::sort(layout_.own.begin(), layout_.own.end());
  // Twice where a call before this one ran out of memory below.
  layout_.own.erase(std::unique(layout_.own.begin(), layout_.own.end()), layout_.own.end());
  for (std::vector<ObjectId>& ids : layout_.sent) std::erase_if(ids, isGone);
  std::erase_if(layout_.ghosts, [&](const auto& g) { return isGone(g.first); });
  std::erase_if(layout_.drivers, [&](const auto& d) { return isGone(d.first); });
  // Of bodies that were on other ranks alone.
  std::erase_if(w.sensed, [&](const Sensed& s) { return isGone(s.sensor); });
  const std::vector<ObjectId> gone(went_.begin(), went_.end());
  if (w.bodies.filtered > 0) w.bodies.forgetExclusions(gone);
  describe(w);
  came_.clear();
  went_.clear();
  is_stale_ = false;
}

void Ranks::refreshAll(WorldState& w) {
  refresh(w);
  if (has_new_kinds_) countKinds(w);
}

/// What is due before a step after changes. All ranks call it.
void Ranks::prepare(WorldState& w) {
  refreshAll(w);
  if (has_new_drives_) changeWhole(w, [] { return Status(); }).orThrow();
  if (has_new_marks_) division.halo.agree(tellApart(w)).orThrow();
  has_new_marks_ = false;
}

bool Ranks::isKnown(const WorldState& w, ObjectId id) {
  return division.halo.any(w.bodies.find(id) < w.bodies.size());
}

bool Ranks::takeNew(const WorldState& w, std::size_t body) {
  const BodyFacts& f = w.bodies.facts[body];
  division.shapes.add(f);
  is_stale_ = has_new_marks_ = has_new_kinds_ = true;
  has_new_drives_ = has_new_drives_ || (f.drive->isLimited && !has_islands_);
  if (f.type != BodyType::Dynamic) return true;
  if (layout_.cut.ownerOf(w.bodies.position[body]) != division.halo.comm.getRank()) return false;
  came_.insert(f.id);
  return true;
}

Status Ranks::changeBody(WorldState& w, const char* call, ObjectId id,
                         const std::function<Status(std::size_t)>& change) {
  const std::string_view name(call);
  const bool isRemoval = name == "removeBody";
  const int self = division.halo.comm.getRank();
  const std::size_t i = w.bodies.find(id);
  const bool isHere = i < w.bodies.size();
  const bool isDynamic = isHere && w.bodies.facts[i].type == BodyType::Dynamic;
  const bool answers = isHere && (isDynamic ? isOwn(id) || came_.count(id) != 0 : self == 0);
  Status status;
  std::set<ObjectId> leaving;  // What may run out of memory comes before the change.
  try {
    if (isRemoval) {
      leaving.insert(id);
      layout_.removed.reserve(layout_.removed.size() + 1);
    }
    if (isHere) status = change(i);
  } catch (...) {
    status = statusOfException();  // The others wait for an answer.
  }
  std::uint64_t words[5] = {};
  if (answers) {
    words[0] = 1;
    std::memcpy(&words[1], &w.total.forces, sizeof words[1]);
    words[2] = static_cast<std::uint64_t>(self);
    words[3] = isDynamic ? 1 : 0;
    words[4] = w.bodies.facts[i].sensor ? 1 : 0;
  }
  division.halo.comm.add(words);  // One rank's, the others' are zero.
  if (words[0] == 0) return BodyCall{call, id}.unknown();
  status = division.halo.agree(status);
  if (!status) return status;
  std::memcpy(&w.total.forces, &words[1], sizeof words[1]);
  if (name == "setSensor" && words[4] == 0)
    std::erase_if(w.sensed, [id](const Sensed& s) { return s.sensor == id; });
  has_new_kinds_ = has_new_kinds_ || name == "setSensor" || name == "setSurfaceVelocity";
  if (!isRemoval) return status;
  w.labels.remove(id);
  std::erase_if(layout_.removed, [id](const Removed& r) { return r.id == id; });
  const auto at = std::lower_bound(layout_.removed.begin(), layout_.removed.end(), id,
                                   [](const Removed& r, ObjectId wanted) { return r.id < wanted; });
  layout_.removed.insert(at, {id, static_cast<std::int32_t>(words[2]), words[3] != 0, false});
  came_.erase(id);
  went_.merge(leaving);
  is_stale_ = has_new_marks_ = has_new_kinds_ = true;
  return status;
}

Status Ranks::changeWhole(WorldState& w, const std::function<Status()>& change) {
  refresh(w);
  PersistentState whole;
  gatherWhole(w, whole);
  w.goBackTo(whole);
  w.ranks = nullptr;
  Status status;
  try {
    status = change();
    w.settle();
  } catch (...) {
    w.ranks = this;
    divide(w);
    throw;
  }
  w.ranks = this;
  divide(w);
  has_new_marks_ = has_new_drives_ = false;
  return status;
}

}  // namespace abut::inline v0_1
