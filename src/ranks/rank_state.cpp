// SPDX-License-Identifier: MIT
//
// Hash and snapshot of a divided world: visitState() walks through it as through a whole one, and
// where it comes to what all ranks have some of, that streams to rank 0.
#include <algorithm>

#include "ranks/ranks.hpp"
#include "ranks/sorted_share.hpp"
#include "ranks/stream.hpp"
#include "state/snapshot.hpp"
#include "state/visit_state.hpp"
#include "step/world_state.hpp"

namespace abut::inline v0_1 {
namespace {

/// What ranks write to that only help.
class NoArchive : public Archive<NoArchive> {
public:
  static constexpr bool kReads = false;
  [[nodiscard]] static bool ok() { return true; }
  void word(std::uint64_t /*bits*/) {}
  template <typename T>
  void size(const std::vector<T>& /*items*/) {}
};

/// Items that another rank's archive wrote.
template <typename A>
void pour(A& archive, std::span<const std::byte> bytes) {
  ReadArchive words(bytes);
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    words(word);
    archive.word(word);
  }
}

/// A snapshot in pieces, one after the other: of those with even numbers rank 0 has all, of others
/// each rank a share, in their order.
class PieceArchive : public Archive<PieceArchive> {
public:
  static constexpr bool kReads = false;
  [[nodiscard]] static bool ok() { return true; }
  explicit PieceArchive(bool isFirst) : pieces(1), is_first_(isFirst) {}
  std::vector<std::vector<std::byte>> pieces;

  void word(std::uint64_t bits) {
    if (is_first_) WriteArchive(pieces.back()).word(bits);
  }
  template <typename T>
  void size(const std::vector<T>& items) {
    word(items.size());
  }
  void add(std::vector<std::byte> share) {
    pieces.push_back(std::move(share));
    pieces.emplace_back();
  }

private:
  bool is_first_;
};

template <typename Key, typename A>
void stream(A& archive, Communicator& comm, const typename Stream<Key>::Items& items) {
  Stream<Key> all(comm, items);
  const std::uint64_t count = all.count();
  archive(count);
  if constexpr (std::is_same_v<A, PieceArchive>) {
    archive.add(sortedShare<Key>(comm, items));
  } else {
    all.run([&](std::span<const std::byte> bytes) { pour(archive, bytes); });
  }
}

struct StreamedBodies {
  const BodyTable& bodies;
  const Division& division;

  /// Of all ranks, or one for those that are dynamic.
  [[nodiscard]] std::size_t numSensors() const {
    return bodies.numSensors() + (division.hasSensors ? 1 : 0);
  }
};

struct StreamedContacts {
  const ContactManifoldCache& cache;
  const Division& division;
  std::function<bool(const ObjectPair&)> isCounted;

  [[nodiscard]] std::uint32_t getFrame() const { return cache.getFrame(); }
};

struct StreamedTouches {
  const std::vector<Touch>& touching;
  const Division& division;
  std::function<bool(const ObjectPair&)> isCounted;
};

template <typename A>
void visitBodies(A& archive, StreamedBodies& s, bool sleeping) {
  const auto write = [&](std::size_t i, std::vector<std::byte>& bytes) {
    BodyRecord record = recordOf(s.bodies, i);
    WriteArchive one(bytes);
    visitBody(one, record, sleeping);
  };
  stream<ObjectId>(archive, s.division.halo.comm,
                   {s.bodies.size(), [&](std::size_t i) { return s.bodies.ids[i]; },
                    [&](std::size_t i) { return s.division.isMine(i); }, write});
}

template <typename A>
void visitManifolds(A& archive, const ContactParts& parts, std::uint32_t /*frame*/,
                    StreamedContacts& s) {
  const std::span<const PersistentManifold> all = s.cache.getManifolds();
  const auto write = [&](std::size_t i, std::vector<std::byte>& bytes) {
    WriteArchive one(bytes);
    visitManifold(one, all[i], parts);
  };
  stream<ManifoldKey>(archive, s.division.halo.comm,
                      {all.size(), [&](std::size_t i) { return all[i].key; },
                       [&](std::size_t i) { return s.isCounted(all[i].key.pair); }, write});
}

template <typename A>
void visitTouching(A& archive, StreamedTouches& s) {
  const auto write = [&](std::size_t i, std::vector<std::byte>& bytes) {
    const Touch& t = s.touching[i];
    WriteArchive one(bytes);
    one(t.pair.first, t.pair.second, t.since);
  };
  stream<ObjectPair>(archive, s.division.halo.comm,
                     {s.touching.size(), [&](std::size_t i) { return s.touching[i].pair; },
                      [&](std::size_t i) { return s.isCounted(s.touching[i].pair); }, write});
}

/// A PersistentState of which each rank has a part; joints and what sensors see are whole on rank
/// 0.
struct StreamedState {
  struct Asleep {
    const OwnMaterials& materials;
    StreamedContacts cache;
    StreamedTouches touching;
  };
  const WorldOptions& options;
  const OwnMaterials& materials;
  StreamedBodies bodies;
  JointTable joints;
  ObjectId nextId;
  double time;
  std::uint64_t steps;
  double lastStep;
  StreamedContacts cache;
  StreamedTouches touching;
  std::vector<Sensed> sensed;
  const EnergyAccount& total;
  Asleep asleep;
};

}  // namespace

template <typename A>
void Ranks::writeState(const WorldState& w, A& archive) const {
  const auto isHere = [&](const ObjectPair& pair) { return isCounted(w, pair.first, pair.second); };
  StreamedState s{w.options,
                  w.materials,
                  {w.bodies, division},
                  w.joints,
                  w.nextId,
                  w.time,
                  w.steps,
                  w.lastStep,
                  {w.cache, division, isHere},
                  {w.touching, division, isHere},
                  {},
                  w.total,
                  {w.asleep.materials,
                   {w.asleep.cache, division, isHere},
                   {w.asleep.touching, division, isHere}}};
  std::vector<std::vector<std::byte>> out(layout_.sent.size()), in;
  putJoints(w.joints, out[0]);
  for (const Sensed& one : w.sensed) put(out[0], one);
  division.halo.comm.exchange(out, in);
  if (division.halo.comm.getRank() == 0) {
    s.joints.joints.clear();
    s.joints.couplings.clear();
    for (const std::vector<std::byte>& part : in) {
      MessageReader message(part);
      takeJoints(message, s.joints);
      while (!message.isEmpty()) s.sensed.push_back(message.take<Sensed>());
    }
    sortJoints(s.joints);
    std::sort(s.sensed.begin(), s.sensed.end());
  }
  visitState(archive, s);
}

std::uint64_t Ranks::hash(const WorldState& w) const {
  std::uint64_t value = 0;
  if (division.halo.comm.getRank() == 0) {
    HashArchive archive;
    writeState(w, archive);
    value = archive.value();
  } else {
    NoArchive archive;
    writeState(w, archive);
  }
  division.halo.comm.add({&value, 1});
  return value;
}

/// Labels stay where bodies were put into the world; those that are on all ranks are of rank 0.
template <typename A>
void Ranks::writeLabels(const WorldState& w, A& archive) const {
  const bool isFirst = division.halo.comm.getRank() == 0;
  std::vector<const std::pair<const ObjectId, BodyLabel>*> labels;
  for (const auto& label : w.labels.getAll()) {
    const std::size_t i = w.bodies.find(label.first);
    const bool isOnAll = i < w.bodies.size() && division.isDynamic[i] == 0;
    if (isFirst || (!hasAllLabels && !isOnAll)) labels.push_back(&label);
  }
  const auto write = [&](std::size_t i, std::vector<std::byte>& to) {
    writeLabel(labels[i]->first, labels[i]->second, to);
  };
  const Stream<ObjectId>::Items items{labels.size(),
                                      [&](std::size_t i) { return labels[i]->first; },
                                      [](std::size_t) { return true; }, write};
  if (Stream<ObjectId>(division.halo.comm, items).count() == 0) return;
  stream<ObjectId>(archive, division.halo.comm, items);
}

std::vector<std::byte> Ranks::snapshot(const WorldState& w) const {
  std::vector<std::byte> bytes;
  if (division.halo.comm.getRank() != 0) {
    NoArchive none;
    writeState(w, none);
    writeLabels(w, none);
    return bytes;
  }
  WriteArchive archive(bytes);
  beginSnapshot(bytes);
  writeState(w, archive);
  writeLabels(w, archive);
  endSnapshot(bytes);
  return bytes;
}

SnapshotRange Ranks::snapshotRange(const WorldState& w, std::size_t unit) const {
  const bool isFirst = division.halo.comm.getRank() == 0;
  PieceArchive archive(isFirst);
  if (isFirst) beginSnapshot(archive.pieces[0]);
  writeState(w, archive);
  archive.add({});  // Labels are no part of the state.
  const std::size_t ofState = archive.pieces.size() - 1;
  writeLabels(w, archive);
  return joinPieces(division.halo.comm, archive.pieces, ofState, unit);
}

}  // namespace abut::inline v0_1
