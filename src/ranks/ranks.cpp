// SPDX-License-Identifier: MIT
#include "ranks/ranks.hpp"

#include <algorithm>
#include <string>

#include <abut/math/convert.hpp>

#include "joints/visit_joints.hpp"
#include "manifold/visit_manifolds.hpp"
#include "math/archive.hpp"
#include "state/snapshot.hpp"
#include "step/world_state.hpp"

namespace abut::inline v0_1 {
namespace {

bool isDynamic(const BodyTable& bodies, std::size_t i) {
  return bodies.facts[i].type == BodyType::Dynamic;
}

bool isById(const JointRecord& a, const JointRecord& b) {
  return a.description.id < b.description.id;
}
bool isCouplingById(const CouplingRecord& a, const CouplingRecord& b) {
  return a.description.id < b.description.id;
}

constexpr ContactParts kAllParts{.recycles = true, .turns = true};

/// Writes something of a length that is known afterwards.
template <class Write>
void putPiece(std::vector<std::byte>& bytes, Write&& write) {
  const std::size_t at = bytes.size();
  put(bytes, std::uint64_t{0});
  WriteArchive archive(bytes);
  write(archive);
  const std::uint64_t size = bytes.size() - at - sizeof(std::uint64_t);
  std::memcpy(bytes.data() + at, &size, sizeof size);
}

}  // namespace

void putManifold(const PersistentManifold& manifold, std::vector<std::byte>& bytes) {
  putPiece(bytes, [&](WriteArchive& archive) { visitManifold(archive, manifold, kAllParts); });
}

PersistentManifold takeManifold(MessageReader& message) {
  const auto size = message.take<std::uint64_t>();
  ReadArchive archive(message.piece(static_cast<std::size_t>(size)));
  PersistentManifold manifold;
  visitManifold(archive, manifold, kAllParts);
  if (!archive.complete()) {
    throw Error(StatusCode::BadData, "a contact that came from another rank cannot be read");
  }
  return manifold;
}

void putJoints(const JointTable& joints, std::vector<std::byte>& bytes) {
  putPiece(bytes, [&](WriteArchive& archive) { visitJoints(archive, joints); });
}

void takeJoints(MessageReader& message, JointTable& joints) {
  const auto size = message.take<std::uint64_t>();
  ReadArchive archive(message.piece(static_cast<std::size_t>(size)));
  JointTable came;
  visitJoints(archive, came);
  if (!archive.complete()) {
    throw Error(StatusCode::BadData, "joints that came from another rank cannot be read");
  }
  joints.joints.insert(joints.joints.end(), came.joints.begin(), came.joints.end());
  joints.couplings.insert(joints.couplings.end(), came.couplings.begin(), came.couplings.end());
}

void sortJoints(JointTable& table) {
  std::sort(table.joints.begin(), table.joints.end(), isById);
  std::sort(table.couplings.begin(), table.couplings.end(), isCouplingById);
}

bool dividesIslands(const PersistentState& s) {
  if (s.options.scheme == StepScheme::Exact || s.options.sleeping || s.joints.isUsed()) return true;
  return std::any_of(s.bodies.facts.begin(), s.bodies.facts.end(),
                     [](const BodyFacts& f) { return f.drive->isLimited; });
}

/// Throws where ranks have another hash of what is to be the same on all.
void Ranks::requireSame(std::uint64_t hash, const char* what) {
  Halo& halo = division.halo;
  const auto ranks = static_cast<std::uint64_t>(halo.comm.getSize());
  if (!halo.any(halo.total(hash) != hash * ranks)) return;
  throw Error(
      StatusCode::BadData,
      std::string(what) + "; give all ranks the same scene and the same version of the program");
}

Ranks::Ranks(WorldState& w, Communicator& communicator, std::size_t largestIsland)
    : RankStage(communicator), largest_island_(largestIsland) {
  requireSame(hashOf(w),
              "the world that is to be divided is not the same on all ranks: its hashes differ");
  divide(w);
}

/// Of a whole world, the same on all ranks, leaves what belongs to this one.
void Ranks::divide(WorldState& w) {
  Communicator& communicator = division.halo.comm;
  has_islands_ = dividesIslands(w);
  division.shapes.add(w.bodies);
  noteRemoved(w, w.bodies.ids);
  w.bodies.mark();
  const auto ranks = static_cast<std::size_t>(communicator.getSize());
  const auto rank = static_cast<std::size_t>(communicator.getRank());
  layout_.sent.assign(ranks, {});
  std::vector<Vec3> places;
  for (std::size_t i = rank; i < w.bodies.size(); i += ranks) {
    if (isDynamic(w.bodies, i)) places.push_back(w.bodies.position[i]);
  }
  layout_.cut.build(communicator, places);
  layout_.stepsToCut = kStepsToCut;
  // Where the others are that own bodies touch is known once, from the whole world.
  findFirstHomes(w);
  Arrivals none;
  std::size_t k = 0;
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    if (!isDynamic(w.bodies, i)) continue;
    const std::int32_t home = homes_[k++];
    none.partners.push_back({w.bodies.ids[i], home});
  }
  layout_.own.clear();
  for (const auto& [id, home] : none.partners) {
    if (home == communicator.getRank()) layout_.own.push_back(id);
  }
  countKinds(w);
  keepOwn(w, none);
  layout_.ghosts.clear();
  if (!has_islands_) layout_.ghosts = none.partners;
  std::erase_if(layout_.ghosts, [&](const auto& g) { return isOwn(g.first); });
  BodyTable noGhosts;
  rebuild(w, none, noGhosts);
  describe(w);
}

bool Ranks::isOwn(ObjectId id) const {
  return std::binary_search(layout_.own.begin(), layout_.own.end(), id);
}

Status Ranks::beginStep(WorldState& w, double dt) {
  prepare(w);
  Halo& halo = division.halo;
  halo.share(w.bodies.position);
  halo.share(w.bodies.orientation);
  halo.share(w.bodies.velocity);
  const bool isFirst = w.substeps.isFirst();
  if (isFirst && layout_.stepsToCut == 0) {
    recut(w);
  } else if (isFirst) {
    --layout_.stepsToCut;
  }
  // Where an island is on several ranks, its contacts are summed up over substeps where they are.
  const bool mayMove = isFirst || has_islands_;
  Arrivals arrivals;
  if (has_islands_) {
    const Status status = findHomes(w, dt);
    if (!status) return status;
  } else if (mayMove) {
    for (auto& [id, owner] : layout_.ghosts) {
      const std::size_t i = w.bodies.find(id);
      if (i < w.bodies.size()) owner = layout_.cut.ownerOf(w.bodies.position[i]);
    }
  }
  if (mayMove) {
    const std::vector<ObjectId> before = layout_.own;
    migrate(w, arrivals);
    if (layout_.own != before || !arrivals.awake.manifolds.empty()) keepOwn(w, arrivals);
  }
  BodyTable ghosts;
  if (!has_islands_) {
    findRegion(w, arrivals, dt);
    choose(w, arrivals);
    sendGhosts(w, arrivals, ghosts);
  }
  rebuild(w, arrivals, ghosts);
  describe(w);
  return {};
}

void Ranks::save(WorldState& w) {
  prepare(w);
  saved_ = layout_;
}

void Ranks::goBack(const WorldState& w) {
  layout_ = saved_;
  describe(w);
}

/// Space is cut by the places of own bodies as they are.
void Ranks::recut(const WorldState& w) {
  std::vector<Vec3> places;
  places.reserve(layout_.own.size());
  for (const ObjectId id : layout_.own) {
    places.push_back(w.bodies.position[w.bodies.indexOf(id)]);
  }
  layout_.cut.build(division.halo.comm, places);
  layout_.stepsToCut = kStepsToCut;
}

/// Where a dynamic body belongs.
int Ranks::homeOf(const WorldState& w, ObjectId id) const {
  if (!has_islands_) return layout_.cut.ownerOf(w.bodies.position[w.bodies.indexOf(id)]);
  const auto at = std::lower_bound(layout_.own.begin(), layout_.own.end(), id);
  return homes_[static_cast<std::size_t>(at - layout_.own.begin())];
}

/// Own bodies that belong elsewhere go there with all that is theirs.
void Ranks::migrate(WorldState& w, Arrivals& arrivals) {
  Communicator& comm = division.halo.comm;
  const int self = comm.getRank();
  std::vector<std::vector<std::byte>> out(layout_.sent.size()), in;
  std::vector<std::vector<ObjectId>> going(layout_.sent.size());
  for (const ObjectId id : layout_.own) {
    const int to = homeOf(w, id);
    if (to != self) going[static_cast<std::size_t>(to)].push_back(id);
  }
  for (std::size_t r = 0; r < out.size(); ++r) {
    if (going[r].empty()) continue;
    // Bodies that stay may touch them.
    for (const ObjectId id : going[r]) {
      arrivals.partners.push_back({id, static_cast<std::int32_t>(r)});
    }
    pack(w, going[r], out[r]);
  }
  comm.exchange(out, in);
  std::vector<ObjectId> gone;
  for (const std::vector<ObjectId>& some : going) gone.insert(gone.end(), some.begin(), some.end());
  std::sort(gone.begin(), gone.end());
  if (!w.substeps.isFirst()) dropShown(w, gone);
  std::erase_if(layout_.own,
                [&](ObjectId id) { return std::binary_search(gone.begin(), gone.end(), id); });
  std::vector<BodyRecord> records;
  for (const std::vector<std::byte>& bytes : in) {
    if (!bytes.empty()) unpack(w, bytes, arrivals, records);
  }
  if (!w.substeps.isFirst()) sortShown(w);
  std::sort(layout_.own.begin(), layout_.own.end());
  std::sort(arrivals.partners.begin(), arrivals.partners.end());
  appendSorted(records, arrivals.bodies);
}

/// Bodies with their contacts, awake and asleep, joints and sensors that they are in.
void Ranks::pack(const WorldState& w, std::span<const ObjectId> going,
                 std::vector<std::byte>& bytes) const {
  const auto goes = [&](ObjectId id) { return std::binary_search(going.begin(), going.end(), id); };
  put(bytes, static_cast<std::uint64_t>(going.size()));
  for (const ObjectId id : going) putBody(w.bodies, w.bodies.indexOf(id), bytes);
  std::vector<ObjectId> partners;
  // Counts what it writes.
  const auto putAll = [&](const auto& items, auto&& isOne, auto&& write) {
    const std::size_t at = bytes.size();
    std::uint64_t count = 0;
    put(bytes, count);
    for (const auto& item : items) {
      if (!isOne(item)) continue;
      write(item);
      ++count;
    }
    std::memcpy(bytes.data() + at, &count, sizeof count);
  };
  const auto putContacts = [&](const ContactManifoldCache& cache,
                               const std::vector<Touch>& touching) {
    const auto goesPair = [&](const ObjectPair& pair) {
      return goes(pair.first) || goes(pair.second);
    };
    const auto meet = [&](const ObjectPair& pair) {
      // Where islands are divided, what touched in an earlier substep may be elsewhere.
      if (has_islands_) return;
      partners.push_back(pair.first);
      partners.push_back(pair.second);
    };
    putAll(
        cache.getManifolds(), [&](const PersistentManifold& m) { return goesPair(m.key.pair); },
        [&](const PersistentManifold& m) {
          putManifold(m, bytes);
          meet(m.key.pair);
        });
    putAll(
        touching, [&](const Touch& t) { return goesPair(t.pair); },
        [&](const Touch& t) {
          put(bytes, t);
          meet(t.pair);
        });
  };
  putContacts(w.cache, w.touching);
  putContacts(w.asleep.cache, w.asleep.touching);
  JointTable joints;
  for (const JointRecord& j : w.joints.joints) {
    if (goes(j.description.body1) || goes(j.description.body2)) joints.joints.push_back(j);
  }
  for (const CouplingRecord& c : w.joints.couplings) {
    if (joints.find(c.description.joint1) < joints.joints.size()) joints.couplings.push_back(c);
  }
  putJoints(joints, bytes);
  if (!w.substeps.isFirst()) packShown(w, going, joints, bytes);
  putAll(
      w.sensed, [&](const Sensed& s) { return goes(s.body); },
      [&](const Sensed& s) { put(bytes, s); });
  std::sort(partners.begin(), partners.end());
  partners.erase(std::unique(partners.begin(), partners.end()), partners.end());
  for (const ObjectId id : partners) {
    const std::size_t i = w.bodies.find(id);
    if (i == w.bodies.size()) continue;  // It was taken out.
    put(bytes, id);
    put(bytes, static_cast<std::int32_t>(isDynamic(w.bodies, i) ? homeOf(w, id) : -1));
  }
}

void Ranks::unpack(WorldState& w, std::span<const std::byte> bytes, Arrivals& arrivals,
                   std::vector<BodyRecord>& records) {
  MessageReader message(bytes);
  for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
    records.push_back(takeBody(message, division.shapes));
    layout_.own.push_back(records.back().facts.id);
  }
  for (Contacts* contacts : {&arrivals.awake, &arrivals.asleep}) {
    for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
      contacts->manifolds.push_back(takeManifold(message));
    }
    for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
      contacts->touching.push_back(message.take<Touch>());
    }
  }
  takeJoints(message, arrivals.joints);
  if (!w.substeps.isFirst()) unpackShown(w, message);
  for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
    arrivals.sensed.push_back(message.take<Sensed>());
  }
  while (!message.isEmpty()) {
    const auto id = message.take<ObjectId>();
    arrivals.partners.push_back({id, message.take<std::int32_t>()});
  }
}

/// Contacts and touching pairs of own bodies, and of no others.
void Ranks::keepContacts(const BodyTable& bodies, const Contacts& arrived,
                         ContactManifoldCache& cache, std::vector<Touch>& touching) const {
  // Both ranks of a pair have the same of it: what is here stays, what comes with two bodies comes
  // once.
  const auto isBefore = [](const auto& a, const auto& b) { return a->key < b->key; };
  std::vector<const PersistentManifold*> came;
  for (const PersistentManifold& m : arrived.manifolds) came.push_back(&m);
  std::stable_sort(came.begin(), came.end(), isBefore);
  std::vector<PersistentManifold> manifolds;
  manifolds.reserve(cache.getManifolds().size() + came.size());
  auto next = came.begin();
  const auto take = [&](const PersistentManifold& m) {
    if (manifolds.empty() || manifolds.back().key != m.key) manifolds.push_back(m);
  };
  for (const PersistentManifold& m : cache.getManifolds()) {
    if (!keeps(bodies, m.key.pair)) continue;
    for (; next != came.end() && (*next)->key < m.key; ++next) take(**next);
    take(m);
  }
  for (; next != came.end(); ++next) take(**next);
  cache.restore(manifolds, cache.getFrame()).orThrow();
  std::erase_if(touching, [&](const Touch& t) { return !keeps(bodies, t.pair); });
  touching.insert(touching.end(), arrived.touching.begin(), arrived.touching.end());
  std::sort(touching.begin(), touching.end(),
            [](const Touch& a, const Touch& b) { return a.pair < b.pair; });
  touching.erase(std::unique(touching.begin(), touching.end(),
                             [](const Touch& a, const Touch& b) { return a.pair == b.pair; }),
                 touching.end());
}

/// Whether a joint is here: of an own body, or of none that is dynamic.
bool Ranks::isKept(const WorldState& w, const JointDescription& d) const {
  bool isOfAny = false;
  for (const ObjectId id : {d.body1, d.body2}) {
    if (id == kNoObject) continue;
    if (isOwn(id)) return true;
    const std::size_t i = w.bodies.find(id);
    isOfAny = isOfAny || i == w.bodies.size() || isDynamic(w.bodies, i);
  }
  return !isOfAny && division.halo.comm.getRank() == 0;
}

/// Of all that belongs to bodies what belongs to own ones; `w` has the bodies of the step before.
void Ranks::keepOwn(WorldState& w, const Arrivals& arrivals) const {
  keepContacts(w.bodies, arrivals.awake, w.cache, w.touching);
  if (w.options.sleeping)
    keepContacts(w.bodies, arrivals.asleep, w.asleep.cache, w.asleep.touching);
  std::erase_if(w.sensed, [&](const Sensed& s) {
    return !keeps(w.bodies, ObjectPair{s.body, s.body});
  });
  w.sensed.insert(w.sensed.end(), arrivals.sensed.begin(), arrivals.sensed.end());
  std::sort(w.sensed.begin(), w.sensed.end());
  if (!w.joints.isUsed()) return;
  std::erase_if(w.joints.joints, [&](const JointRecord& j) { return !isKept(w, j.description); });
  std::erase_if(w.joints.couplings, [&](const CouplingRecord& c) {
    return w.joints.find(c.description.joint1) == w.joints.joints.size();
  });
  const JointTable& more = arrivals.joints;
  w.joints.joints.insert(w.joints.joints.end(), more.joints.begin(), more.joints.end());
  w.joints.couplings.insert(w.joints.couplings.end(), more.couplings.begin(), more.couplings.end());
  sortJoints(w.joints);
}

}  // namespace abut::inline v0_1
