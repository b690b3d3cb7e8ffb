// SPDX-License-Identifier: MIT
//
// Islands as what is divided: bodies whose boxes meet in a step, and those that contacts or joints
// join, belong to the rank of the smallest of them, so that every island of the step is whole on
// one rank. No result depends on which rank that is.
#include <algorithm>
#include <map>
#include <string>

#include <abut/broad_phase/bvh_broad_phase.hpp>
#include <abut/math/convert.hpp>

#include "ranks/ranks.hpp"
#include "step/world_state.hpp"

namespace abut::inline v0_1 {
namespace {

/// A body that comes near others, on its way to their rank.
struct NearBody {
  ObjectId id;
  double low[3], high[3];
};

/// What bodies that hang together have in common: the smallest of them, and its rank.
struct Label {
  ObjectId id = kNoObject;
  std::int64_t home = -1;
};

struct Piece {
  ObjectId label;
  std::uint64_t bodies;
};

/// Calls join(a, b) for bodies that contacts, touching pairs and joints join.
template <class Join>
void forJoined(const WorldState& w, Join&& join) {
  for (const ContactManifoldCache* cache : {&w.cache, &w.asleep.cache}) {
    for (const PersistentManifold& m : cache->getManifolds())
      join(m.key.pair.first, m.key.pair.second);
  }
  for (const std::vector<Touch>* touching : {&w.touching, &w.asleep.touching}) {
    for (const Touch& t : *touching) join(t.pair.first, t.pair.second);
  }
  const JointTable& joints = w.joints;
  for (const JointRecord& j : joints.joints) join(j.description.body1, j.description.body2);
  for (const CouplingRecord& c : joints.couplings) {
    const JointDescription& a = joints.joints[joints.find(c.description.joint1)].description;
    const JointDescription& b = joints.joints[joints.find(c.description.joint2)].description;
    for (const ObjectId one : {a.body1, a.body2}) {
      for (const ObjectId other : {b.body1, b.body2}) join(one, other);
    }
  }
}

}  // namespace

/// Own bodies and those of other ranks near them, by id, and which of them hang together.
class Ranks::Nodes {
public:
  Nodes(Communicator& communicator, std::span<const ObjectId> own)
      : near(communicator), ids(own.begin(), own.end()) {}

  Halo near;  ///< Whom nodes are told to and by.
  std::vector<ObjectId> ids;
  std::vector<std::pair<ObjectId, Aabb>> boxes;
  std::vector<Label> labels;
  std::vector<std::uint8_t> isForeign;
  std::vector<std::uint32_t> common;  ///< Drivers with limits, which all ranks have.

  void begin() {
    std::sort(ids.begin(), ids.end());
    labels.resize(ids.size());
    isForeign.assign(ids.size(), 0);
    parent_.resize(ids.size());
    for (std::uint32_t i = 0; i < parent_.size(); ++i) parent_[i] = i;
  }
  [[nodiscard]] std::uint32_t find(ObjectId id) const {
    const auto at = std::lower_bound(ids.begin(), ids.end(), id);
    const auto i = static_cast<std::uint32_t>(at - ids.begin());
    return at != ids.end() && *at == id ? i : static_cast<std::uint32_t>(ids.size());
  }
  void join(ObjectId first, ObjectId second) {
    const std::uint32_t a = find(first), b = find(second);
    if (a == ids.size() || b == ids.size()) return;
    const std::uint32_t i = rootOf(a), j = rootOf(b);
    parent_[std::max(i, j)] = std::min(i, j);
  }
  [[nodiscard]] std::uint32_t rootOf(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// All that hangs together takes the smallest label, on all ranks.
  void spread() {
    std::vector<Label> before;
    bool changed = true;
    while (near.any(changed)) {
      for (std::uint32_t i = 0; i < ids.size(); ++i) lower(labels[rootOf(i)], labels[i]);
      for (std::uint32_t i = 0; i < ids.size(); ++i) labels[i] = labels[rootOf(i)];
      before = labels;
      near.share(labels);
      shareCommon();
      changed = false;
      for (std::uint32_t i = 0; i < ids.size(); ++i) {
        changed = changed || labels[i].id < before[i].id;
        lower(labels[i], before[i]);
      }
    }
  }

private:
  void shareCommon() {
    if (common.empty()) return;
    std::vector<std::byte> mine;
    for (const std::uint32_t i : common) put(mine, labels[i]);
    std::vector<std::vector<std::byte>> all;
    near.comm.gatherAll(mine, all);
    for (const std::vector<std::byte>& one : all) {
      MessageReader message(one);
      for (const std::uint32_t i : common) lower(labels[i], message.take<Label>());
    }
  }
  static void lower(Label& to, const Label& by) {
    if (to.home < 0 || (by.home >= 0 && by.id < to.id)) to = by;
  }
  std::vector<std::uint32_t> parent_;
};

/// Of a whole world: the rank of each dynamic body, in their order.
void Ranks::findFirstHomes(const WorldState& w) {
  std::vector<ObjectId> dynamic;
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    if (w.bodies.facts[i].type == BodyType::Dynamic) dynamic.push_back(w.bodies.ids[i]);
  }
  Nodes nodes(division.halo.comm, dynamic);
  nodes.begin();
  if (has_islands_) forJoined(w, [&](ObjectId a, ObjectId b) { nodes.join(a, b); });
  homes_.clear();
  for (std::uint32_t i = 0; i < nodes.ids.size(); ++i) {
    const ObjectId root = nodes.ids[nodes.rootOf(i)];
    homes_.push_back(layout_.cut.ownerOf(w.bodies.position[w.bodies.indexOf(root)]));
  }
}

/// Tells other ranks which own bodies come near theirs, and adds those that come near own ones.
void Ranks::exchangeNear(Nodes& nodes) const {
  Communicator& comm = division.halo.comm;
  const std::size_t ranks = layout_.sent.size();
  std::vector<std::vector<std::byte>> out(ranks), in;
  std::vector<std::vector<ObjectId>> told(ranks), heard(ranks);
  const std::vector<std::size_t> near = nearRanks();
  for (const auto& [id, box] : layout_.boxes) {
    const Vec3 low = toVec3(box.min_), high = toVec3(box.max_);
    for (const std::size_t r : near) {
      if (!layout_.regions[r].overlaps(box)) continue;
      put(out[r], NearBody{id, {low.x, low.y, low.z}, {high.x, high.y, high.z}});
      told[r].push_back(id);
    }
  }
  comm.exchange(out, in);
  for (std::size_t r = 0; r < ranks; ++r) {
    MessageReader message(in[r]);
    for (NearBody body{}; message.get(body);) {
      heard[r].push_back(body.id);
      nodes.ids.push_back(body.id);
      nodes.boxes.push_back({body.id, Aabb({body.low[0], body.low[1], body.low[2]},
                                           {body.high[0], body.high[1], body.high[2]})});
    }
  }
  for (const auto& [id, box] : layout_.driverBoxes) nodes.ids.push_back(id);
  nodes.boxes.insert(nodes.boxes.end(), layout_.driverBoxes.begin(), layout_.driverBoxes.end());
  nodes.begin();
  for (const auto& [id, box] : layout_.driverBoxes) nodes.common.push_back(nodes.find(id));
  for (const std::uint32_t i : nodes.common) nodes.isForeign[i] = 1;
  nodes.near.outgoing.assign(ranks, {});
  nodes.near.incoming.assign(ranks, {});
  for (std::size_t r = 0; r < ranks; ++r) {
    for (const ObjectId id : told[r]) nodes.near.outgoing[r].push_back(nodes.find(id));
    for (const ObjectId id : heard[r]) {
      nodes.near.incoming[r].push_back(nodes.find(id));
      nodes.isForeign[nodes.find(id)] = 1;
    }
  }
}

/// The ranks of own bodies in a step of dt. Fails, on all ranks, for an island that is too large.
Status Ranks::findHomes(const WorldState& w, double dt) {
  Halo& halo = division.halo;
  const int self = halo.comm.getRank();
  findRegion(w, {}, dt);
  Nodes nodes(halo.comm, layout_.own);
  nodes.boxes = layout_.boxes;
  exchangeNear(nodes);
  BvhBroadPhase tree;
  for (const auto& [id, box] : nodes.boxes) tree.add(id, box).orThrow();
  std::vector<ObjectPair> pairs;
  tree.computePotentialPairs(pairs, w.tasks);
  for (const ObjectPair& pair : pairs) nodes.join(pair.first, pair.second);
  forJoined(w, [&](ObjectId a, ObjectId b) { nodes.join(a, b); });
  for (std::uint32_t i = 0; i < nodes.ids.size(); ++i) {
    if (nodes.isForeign[i] != 0) continue;
    const Vec3& place = w.bodies.position[w.bodies.indexOf(nodes.ids[i])];
    nodes.labels[i] = {nodes.ids[i], layout_.cut.ownerOf(place)};
  }
  for (const std::uint32_t i : nodes.common) {
    const Vec3& place = w.bodies.position[w.bodies.indexOf(nodes.ids[i])];
    nodes.labels[i] = {nodes.ids[i], layout_.cut.ownerOf(place)};
  }
  nodes.spread();
  layout_.drivers.clear();
  for (const std::uint32_t i : nodes.common) {
    layout_.drivers.push_back({nodes.ids[i], static_cast<std::int32_t>(nodes.labels[i].home)});
  }
  homes_.clear();
  std::map<ObjectId, std::uint64_t> sizes;  // Of islands that are at home here.
  std::vector<std::vector<std::byte>> out(layout_.sent.size()), in;
  std::map<ObjectId, std::pair<std::int64_t, std::uint64_t>> parts;
  for (std::uint32_t i = 0; i < nodes.ids.size(); ++i) {
    if (nodes.isForeign[i] != 0) continue;
    const Label& label = nodes.labels[i];
    homes_.push_back(static_cast<std::int32_t>(label.home));
    auto& part = parts[label.id];
    part.first = label.home;
    ++part.second;
  }
  for (const auto& [label, part] : parts) {
    if (part.first == self) {
      sizes[label] += part.second;
    } else {
      put(out[static_cast<std::size_t>(part.first)], Piece{label, part.second});
    }
  }
  halo.comm.exchange(out, in);
  for (const std::vector<std::byte>& bytes : in) {
    MessageReader message(bytes);
    for (Piece piece{}; message.get(piece);) sizes[piece.label] += piece.bodies;
  }
  Status status;
  for (const auto& [label, size] : sizes) {
    if (size <= largest_island_ || !status) continue;
    status = Status::failure(
        StatusCode::LimitExceeded,
        "World::step: step " + std::to_string(w.steps + 1) + ": " + std::to_string(size) +
            " bodies near one another, body " + std::to_string(label) +
            " the first of them, may be one island. On several ranks one of them solves an island "
            "of the exact scheme, of joints or of a world with sleep alone, of at most " +
            std::to_string(largest_island_) + " bodies; the step was not made. Run it on one rank",
        label);
  }
  return halo.agree(status);
}

}  // namespace abut::inline v0_1
