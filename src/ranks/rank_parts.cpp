// SPDX-License-Identifier: MIT
//
// A world that comes in parts: no rank ever has the whole of it.
#include <algorithm>
#include <string>

#include "dynamics/marks.hpp"
#include "ranks/ranks.hpp"
#include "state/snapshot.hpp"
#include "step/world_state.hpp"

namespace abut::inline v0_1 {
namespace {

struct Origin {
  std::uint64_t origin;
  ObjectId id;
};

Status acceptsPart(const WorldState& w) {
  if (w.steps == 0 && !w.joints.isUsed() && w.cache.getManifolds().empty()) return {};
  return Status::failure(StatusCode::OutOfRange,
                         "a world that comes in parts has made no step and has no joints; build it "
                         "whole on all ranks instead");
}

/// A hash of all that is to be the same in all parts.
std::uint64_t hashOfCommon(const WorldState& w) {
  PersistentState common;
  common.options = w.options;
  common.materials = w.materials;
  std::vector<BodyRecord> records;
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    if (w.bodies.facts[i].type != BodyType::Dynamic) records.push_back(recordOf(w.bodies, i));
  }
  appendSorted(records, common.bodies);
  return hashOf(common);
}

}  // namespace

Ranks::Ranks(WorldState& w, const BodyTable& kinds, Communicator& communicator,
             std::size_t largestIsland)
    : RankStage(communicator), largest_island_(largestIsland) {
  Halo& halo = division.halo;
  hasAllLabels = false;
  halo.agree(acceptsPart(w)).orThrow();
  requireSame(hashOfCommon(w),
              "the parts of a world that is divided do not agree in options, materials and bodies "
              "that contacts do not move");
  has_islands_ = dividesIslands(w);
  layout_.sent.resize(static_cast<std::size_t>(communicator.getSize()));
  division.shapes.add(kinds);
  division.shapes.add(w.bodies);
  std::vector<Vec3> places;
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    if (w.bodies.facts[i].type != BodyType::Dynamic) continue;
    layout_.own.push_back(w.bodies.ids[i]);
    places.push_back(w.bodies.position[i]);
  }
  halo.agree(tellApart(w)).orThrow();
  std::vector<std::byte> mine;
  std::vector<std::vector<std::byte>> all;
  put(mine, w.nextId);
  communicator.gatherAll(mine, all);
  for (const std::vector<std::byte>& one : all) {
    w.nextId = std::max(w.nextId, MessageReader(one).take<ObjectId>());
  }
  layout_.cut.build(communicator, places);
  layout_.stepsToCut = kStepsToCut;
  countKinds(w);
  describe(w);
}

/// Every body says to the rank that its id leads to that it is there, and to the rank that its
/// origin leads to where it began: ids that two bodies have fail, and marks become those of the
/// whole world.
Status Ranks::tellApart(WorldState& w) const {
  Communicator& comm = division.halo.comm;
  const std::size_t ranks = layout_.sent.size();
  std::vector<std::vector<std::byte>> ids(ranks), origins(ranks), in, answers(ranks);
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    const BodyFacts& f = w.bodies.facts[i];
    const bool isOnAll = f.type != BodyType::Dynamic;
    if (!isOnAll && !isOwn(f.id)) continue;
    w.bodies.marks[i] = f.origin;
    if (!isOnAll || comm.getRank() == 0) put(ids[static_cast<std::size_t>(f.id % ranks)], f.id);
    put(origins[static_cast<std::size_t>(f.origin % ranks)], Origin{f.origin, f.id});
  }
  comm.exchange(ids, in);
  std::vector<ObjectId> there;
  for (const std::vector<std::byte>& part : in) {
    MessageReader message(part);
    while (!message.isEmpty()) there.push_back(message.take<ObjectId>());
  }
  std::sort(there.begin(), there.end());
  const auto twice = std::adjacent_find(there.begin(), there.end());
  Status status;
  if (twice != there.end()) {
    status = Status::failure(
        StatusCode::DuplicateObject,
        "two bodies of a world that comes in parts have the id " + std::to_string(*twice), *twice);
  }
  comm.exchange(origins, in);
  struct Asked {
    Origin what;
    std::size_t rank;
  };
  std::vector<Asked> asked;
  for (std::size_t r = 0; r < in.size(); ++r) {
    MessageReader message(in[r]);
    while (!message.isEmpty()) asked.push_back({message.take<Origin>(), r});
  }
  std::sort(asked.begin(), asked.end(), [](const Asked& a, const Asked& b) {
    return a.what.origin != b.what.origin ? a.what.origin < b.what.origin : a.what.id < b.what.id;
  });
  std::uint64_t before = 0;  // Other bodies of this origin with smaller ids.
  for (std::size_t k = 0; k < asked.size(); ++k) {
    const Origin& o = asked[k].what;
    if (k == 0 || asked[k - 1].what.origin != o.origin) {
      before = 0;
    } else if (asked[k - 1].what.id != o.id) {
      ++before;
    }
    if (before > 0) put(answers[asked[k].rank], Origin{markOf(o.origin, before), o.id});
  }
  comm.exchange(answers, in);
  for (const std::vector<std::byte>& part : in) {
    MessageReader message(part);
    while (!message.isEmpty()) {
      const auto told = message.take<Origin>();
      w.bodies.marks[w.bodies.indexOf(told.id)] = told.origin;
    }
  }
  return status;
}

}  // namespace abut::inline v0_1
