// SPDX-License-Identifier: MIT
#include "ranks/ranks.hpp"

#include <algorithm>
#include <string>

#include <abut/math/convert.hpp>

#include "manifold/visit_manifolds.hpp"
#include "math/archive.hpp"
#include "state/snapshot.hpp"
#include "step/world_state.hpp"

namespace abut::inline v0_1 {
namespace {

/// Steps after which space is cut anew, so that every rank has its share of the bodies.
constexpr std::uint64_t kStepsToCut = 32;

bool isIn(const std::vector<ObjectId>& sorted, ObjectId id) {
  return std::binary_search(sorted.begin(), sorted.end(), id);
}

bool isDynamic(const BodyTable& bodies, std::size_t i) {
  return bodies.facts[i].type == BodyType::Dynamic;
}

void sortUnique(std::vector<ObjectId>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

void putManifold(const PersistentManifold& manifold, std::vector<std::byte>& bytes) {
  const std::size_t at = bytes.size();
  put(bytes, std::uint64_t{0});
  WriteArchive archive(bytes);
  visitManifold(archive, manifold, true);
  const std::uint64_t size = bytes.size() - at - sizeof(std::uint64_t);
  std::memcpy(bytes.data() + at, &size, sizeof size);
}

PersistentManifold takeManifold(MessageReader& message) {
  const auto size = message.take<std::uint64_t>();
  ReadArchive archive(message.piece(static_cast<std::size_t>(size)));
  PersistentManifold manifold;
  visitManifold(archive, manifold, true);
  if (!archive.complete()) {
    throw Error(StatusCode::BadData, "a contact that came from another rank cannot be read");
  }
  return manifold;
}

Status Ranks::accepts(const WorldState& w) {
  const auto refuse = [](const std::string& what) {
    return Status::failure(StatusCode::OutOfRange,
                           "a world on several ranks " + what + "; run it on one rank");
  };
  if (w.options.scheme != StepScheme::RealTime) {
    return refuse("is stepped by StepScheme::RealTime; the exact scheme is not divided");
  }
  if (w.options.sleeping) return refuse("has no bodies that fall asleep (sleeping)");
  if (w.options.substeps != 1) return refuse("makes no substeps");
  if (w.joints.isUsed()) return refuse("has no joints");
  for (const BodyFacts& f : w.bodies.facts) {
    const std::string name = "body " + std::to_string(f.id);
    if (f.sensor) return refuse("has no sensors, as " + name);
    if (f.drive.isLimited) return refuse("has no drives with limits, as that of " + name);
    if (f.type == BodyType::Dynamic && f.surfaceVelocity != Vec3{}) {
      return refuse("has no dynamic bodies whose surface moves, as " + name);
    }
  }
  return {};
}

Ranks::Ranks(WorldState& w, Communicator& communicator) : RankStage(communicator) {
  Halo& halo = division.halo;
  const std::uint64_t hash = hashOf(w);
  if (halo.any(halo.total(hash) != hash * static_cast<std::uint64_t>(communicator.getSize()))) {
    throw Error(StatusCode::BadData,
                "the world that is to be divided is not the same on all ranks: its hashes differ; "
                "give all ranks the same scene and the same version of the program");
  }
  accepts(w).orThrow();  // Of one world all ranks say the same.
  division.shapes.add(w.bodies);
  w.bodies.mark();
  const auto ranks = static_cast<std::size_t>(communicator.getSize());
  const auto rank = static_cast<std::size_t>(communicator.getRank());
  sent_.resize(ranks);
  std::vector<Vec3> places;
  for (std::size_t i = rank; i < w.bodies.size(); i += ranks) {
    if (isDynamic(w.bodies, i)) places.push_back(w.bodies.position[i]);
  }
  cut_.build(communicator, places);
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    if (!isDynamic(w.bodies, i)) continue;
    if (cut_.ownerOf(w.bodies.position[i]) == communicator.getRank())
      own_.push_back(w.bodies.ids[i]);
  }
  // Where the others are that own bodies touch is known once, from the whole world.
  Arrivals none;
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    if (isDynamic(w.bodies, i)) {
      none.partners.push_back({w.bodies.ids[i], cut_.ownerOf(w.bodies.position[i])});
    }
  }
  keepOwn(w, none);
  ghosts_ = none.partners;
  std::erase_if(ghosts_, [&](const auto& g) { return isIn(own_, g.first); });
  BodyTable noGhosts;
  rebuild(w, none, noGhosts);
  describe(w);
  steps_to_cut_ = kStepsToCut;
}

void Ranks::beginStep(WorldState& w, double dt) {
  Halo& halo = division.halo;
  halo.share(w.bodies.position);
  halo.share(w.bodies.orientation);
  halo.share(w.bodies.velocity);
  if (steps_to_cut_ == 0) {
    recut(w);
  } else {
    --steps_to_cut_;
  }
  for (auto& [id, owner] : ghosts_) {
    const std::size_t i = w.bodies.find(id);
    if (i < w.bodies.size()) owner = cut_.ownerOf(w.bodies.position[i]);
  }
  Arrivals arrivals;
  const std::vector<ObjectId> before = own_;
  migrate(w, arrivals);
  if (own_ != before || !arrivals.manifolds.empty()) keepOwn(w, arrivals);
  findRegion(w, arrivals, dt);
  choose(w, arrivals);
  BodyTable ghosts;
  sendGhosts(w, arrivals, ghosts);
  rebuild(w, arrivals, ghosts);
  describe(w);
}

/// Space is cut by the places of own bodies as they are.
void Ranks::recut(const WorldState& w) {
  std::vector<Vec3> places;
  places.reserve(own_.size());
  for (const ObjectId id : own_) places.push_back(w.bodies.position[w.bodies.indexOf(id)]);
  cut_.build(division.halo.comm, places);
  steps_to_cut_ = kStepsToCut;
}

/// Own bodies that belong elsewhere go there with their contacts.
void Ranks::migrate(WorldState& w, Arrivals& arrivals) {
  Communicator& comm = division.halo.comm;
  const int self = comm.getRank();
  std::vector<std::vector<std::byte>> out(sent_.size()), in;
  std::vector<std::vector<ObjectId>> going(sent_.size());
  for (const ObjectId id : own_) {
    const int to = cut_.ownerOf(w.bodies.position[w.bodies.indexOf(id)]);
    if (to != self) going[static_cast<std::size_t>(to)].push_back(id);
  }
  const auto place = [&](ObjectId id) {
    const std::size_t i = w.bodies.indexOf(id);
    return isDynamic(w.bodies, i) ? cut_.ownerOf(w.bodies.position[i]) : -1;
  };
  for (std::size_t r = 0; r < out.size(); ++r) {
    if (going[r].empty()) continue;
    // Bodies that stay may touch them.
    for (const ObjectId id : going[r]) {
      arrivals.partners.push_back({id, static_cast<std::int32_t>(r)});
    }
    std::vector<std::byte>& bytes = out[r];
    put(bytes, static_cast<std::uint64_t>(going[r].size()));
    for (const ObjectId id : going[r]) putBody(w.bodies, w.bodies.indexOf(id), bytes);
    const auto goes = [&](const ObjectPair& pair) {
      return isIn(going[r], pair.first) || isIn(going[r], pair.second);
    };
    std::vector<ObjectId> partners;
    std::vector<std::byte> manifolds, touches;
    std::uint64_t numManifolds = 0, numTouches = 0;
    for (const PersistentManifold& m : w.cache.getManifolds()) {
      if (!goes(m.key.pair)) continue;
      putManifold(m, manifolds);
      ++numManifolds;
      partners.push_back(m.key.pair.first);
      partners.push_back(m.key.pair.second);
    }
    for (const Touch& t : w.touching) {
      if (!goes(t.pair)) continue;
      put(touches, t);
      ++numTouches;
      partners.push_back(t.pair.first);
      partners.push_back(t.pair.second);
    }
    put(bytes, numManifolds);
    bytes.insert(bytes.end(), manifolds.begin(), manifolds.end());
    put(bytes, numTouches);
    bytes.insert(bytes.end(), touches.begin(), touches.end());
    sortUnique(partners);
    for (const ObjectId id : partners) {
      put(bytes, id);
      put(bytes, static_cast<std::int32_t>(place(id)));
    }
  }
  comm.exchange(out, in);
  for (const std::vector<ObjectId>& gone : going) {
    std::erase_if(own_, [&](ObjectId id) { return isIn(gone, id); });
  }
  std::vector<BodyRecord> records;
  for (const std::vector<std::byte>& bytes : in) {
    if (bytes.empty()) continue;
    MessageReader message(bytes);
    for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
      records.push_back(takeBody(message, division.shapes));
      own_.push_back(records.back().facts.id);
    }
    for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
      arrivals.manifolds.push_back(takeManifold(message));
    }
    for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
      arrivals.touching.push_back(message.take<Touch>());
    }
    while (!message.isEmpty()) {
      const auto id = message.take<ObjectId>();
      arrivals.partners.push_back({id, message.take<std::int32_t>()});
    }
  }
  std::sort(own_.begin(), own_.end());
  std::sort(arrivals.partners.begin(), arrivals.partners.end());
  appendSorted(records, arrivals.bodies);
}

/// Contacts and touching pairs of own bodies, and of no others.
void Ranks::keepOwn(WorldState& w, const Arrivals& arrivals) const {
  const auto isOwn = [&](const ObjectPair& pair) {
    return isIn(own_, pair.first) || isIn(own_, pair.second);
  };
  std::vector<PersistentManifold> manifolds;
  for (const PersistentManifold& m : w.cache.getManifolds()) {
    if (isOwn(m.key.pair)) manifolds.push_back(m);
  }
  manifolds.insert(manifolds.end(), arrivals.manifolds.begin(), arrivals.manifolds.end());
  std::sort(manifolds.begin(), manifolds.end(),
            [](const auto& a, const auto& b) { return a.key < b.key; });
  // Both ranks of a pair have the same of it.
  manifolds.erase(std::unique(manifolds.begin(), manifolds.end(),
                              [](const auto& a, const auto& b) { return a.key == b.key; }),
                  manifolds.end());
  w.cache.restore(manifolds, w.cache.getFrame()).orThrow();
  std::erase_if(w.touching, [&](const Touch& t) { return !isOwn(t.pair); });
  w.touching.insert(w.touching.end(), arrivals.touching.begin(), arrivals.touching.end());
  std::sort(w.touching.begin(), w.touching.end(),
            [](const Touch& a, const Touch& b) { return a.pair < b.pair; });
  w.touching.erase(std::unique(w.touching.begin(), w.touching.end(),
                               [](const Touch& a, const Touch& b) { return a.pair == b.pair; }),
                   w.touching.end());
}

}  // namespace abut::inline v0_1
