// SPDX-License-Identifier: MIT
//
// A world from a snapshot, of which each rank keeps what belongs to it: no rank has the whole.
#include <algorithm>

#include "ranks/ranks.hpp"
#include "state/snapshot.hpp"
#include "step/world_state.hpp"
#include "world/world_access.hpp"

namespace abut::inline v0_1 {
namespace {

/// Reads no dynamic body, and notes where they are and which hang together.
class Survey final : public SnapshotFilter {
public:
  explicit Survey(const PersistentState& state) : state_(state) {}

  std::vector<ObjectId> ids;
  std::vector<Vec3> places;

  [[nodiscard]] bool takesBody(const BodyRecord& body) override {
    ids.push_back(body.facts.id);
    places.push_back(body.position);
    parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
    return false;
  }
  /// Joints come after contacts, so whether islands are divided is not known yet.
  [[nodiscard]] bool takesPair(const ObjectPair& pair) override {
    join(pair.first, pair.second);
    return false;
  }
  [[nodiscard]] bool knows(ObjectId body) const override {
    return std::binary_search(ids.begin(), ids.end(), body);
  }
  void join(ObjectId first, ObjectId second) {
    if (!knows(first) || !knows(second)) return;
    const std::uint32_t i = rootOf(indexOf(first)), j = rootOf(indexOf(second));
    parent_[std::max(i, j)] = std::min(i, j);
  }
  /// By what was read of all bodies.
  void joinRest() {
    for (const std::vector<Touch>* touching : {&state_.touching, &state_.asleep.touching}) {
      for (const Touch& t : *touching) join(t.pair.first, t.pair.second);
    }
    const JointTable& joints = state_.joints;
    for (const JointRecord& j : joints.joints) join(j.description.body1, j.description.body2);
    for (const CouplingRecord& c : joints.couplings) {
      const std::size_t a = joints.find(c.description.joint1);
      const std::size_t b = joints.find(c.description.joint2);
      if (a == joints.joints.size() || b == joints.joints.size()) continue;  // Refused later.
      const JointDescription& one = joints.joints[a].description;
      const JointDescription& other = joints.joints[b].description;
      for (const ObjectId first : {one.body1, one.body2}) {
        for (const ObjectId second : {other.body1, other.body2}) join(first, second);
      }
    }
  }
  [[nodiscard]] std::uint32_t rootOf(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  [[nodiscard]] std::uint32_t indexOf(ObjectId id) const {
    return static_cast<std::uint32_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
  }

private:
  const PersistentState& state_;
  std::vector<std::uint32_t> parent_;
};

/// Reads own bodies and their contacts.
class Share final : public SnapshotFilter {
public:
  Share(const std::vector<ObjectId>& own, const std::vector<ObjectId>& all)
      : own_(own), all_(all) {}

  [[nodiscard]] bool takesBody(const BodyRecord& body) override { return isOwn(body.facts.id); }
  [[nodiscard]] bool takesPair(const ObjectPair& pair) override {
    return isOwn(pair.first) || isOwn(pair.second);
  }
  [[nodiscard]] bool knows(ObjectId body) const override {
    return std::binary_search(all_.begin(), all_.end(), body);
  }

private:
  [[nodiscard]] bool isOwn(ObjectId id) const {
    return std::binary_search(own_.begin(), own_.end(), id);
  }
  const std::vector<ObjectId>&own_, &all_;
};

}  // namespace

Ranks::Ranks(WorldState& w, const BodyTable& kinds, SnapshotSource& snapshot,
             Communicator& communicator, std::size_t largestIsland)
    : RankStage(communicator), largest_island_(largestIsland) {
  Halo& halo = division.halo;
  hasAllLabels = false;
  const auto ranks = static_cast<std::size_t>(communicator.getSize());
  const auto rank = static_cast<std::size_t>(communicator.getRank());
  division.shapes.add(kinds);
  division.shapes.add(w.bodies);
  const std::vector<std::shared_ptr<const Shape>> shapes = division.shapes.getAll();
  std::vector<ObjectId> all;
  {
    PersistentState common;
    BodyLabels labels;
    Survey survey(common);
    halo.agree(readSnapshotPart(snapshot, {}, shapes, survey, common, labels)).orThrow();
    has_islands_ = dividesIslands(common);
    if (has_islands_) survey.joinRest();
    std::vector<Vec3> places;
    for (std::size_t i = rank; i < survey.places.size(); i += ranks) {
      places.push_back(survey.places[i]);
    }
    layout_.cut.build(communicator, places);
    for (std::uint32_t i = 0; i < survey.ids.size(); ++i) {
      const std::uint32_t root = has_islands_ ? survey.rootOf(i) : i;
      homes_.push_back(layout_.cut.ownerOf(survey.places[root]));
      if (homes_.back() == communicator.getRank()) layout_.own.push_back(survey.ids[i]);
    }
    all.swap(survey.ids);
  }
  layout_.stepsToCut = kStepsToCut;
  layout_.sent.resize(ranks);
  World made;  // With contacts as a world keeps them.
  WorldState& fresh = WorldAccess::state(made);
  Share share(layout_.own, all);
  halo.agree(readSnapshotPart(snapshot, {}, shapes, share, fresh, fresh.labels)).orThrow();
  const auto meet = [&](const ObjectPair& pair) {
    for (const ObjectId id : {pair.first, pair.second}) {
      if (isOwn(id) || !share.knows(id) || !share.takesPair(pair)) continue;
      const auto at = std::lower_bound(all.begin(), all.end(), id) - all.begin();
      layout_.ghosts.push_back({id, homes_[static_cast<std::size_t>(at)]});
    }
  };
  if (!has_islands_) {
    for (const PersistentManifold& m : fresh.cache.getManifolds()) meet(m.key.pair);
    for (const Touch& t : fresh.touching) meet(t.pair);
    std::sort(layout_.ghosts.begin(), layout_.ghosts.end());
    layout_.ghosts.erase(std::unique(layout_.ghosts.begin(), layout_.ghosts.end()),
                         layout_.ghosts.end());
  }
  noteRemoved(fresh, all);
  Arrivals none;
  keepOwn(fresh, none);
  halo.agree(checkRestored(fresh.bodies, fresh.joints)).orThrow();
  fresh.joints.deriveAll(fresh.bodies);
  requireSound(fresh.options);
  w.takeOver(fresh);
  halo.agree(tellApart(w)).orThrow();
  countKinds(w);
  BodyTable noGhosts;
  rebuild(w, none, noGhosts);
  describe(w);
}

}  // namespace abut::inline v0_1
