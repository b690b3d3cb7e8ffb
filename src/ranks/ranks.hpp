// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <abut/dynamics/step_report.hpp>
#include <abut/state/snapshot_source.hpp>

#include "ranks/rank_cut.hpp"
#include "state/persistent_state.hpp"
#include "step/rank_stage.hpp"

namespace abut::inline v0_1 {

/// A world that is divided among ranks, as one of them keeps it: its own bodies, bodies that
/// contacts do not move, and contacts and touching pairs of its own bodies, each with its history.
///
/// In the real-time scheme bodies belong to ranks by where they are, and a rank has ghosts of those
/// near its own: stages of the step ask StepInput::division where they need others. In the exact
/// scheme, with joints and with sleep, islands are divided: bodies that may come to touch in a
/// step, and those that joints join, are brought to one rank at its beginning, which needs no
/// ghosts.
class Ranks final : public RankStage {
public:
  /// Of a whole world, the same on all ranks, leaves in `w` what belongs to this one. Where islands
  /// are divided, steps fail in which one has more bodies than `largestIsland`.
  Ranks(WorldState& w, Communicator& communicator, std::size_t largestIsland);

  /// Of a world that comes in parts: `w` has the dynamic bodies that this rank begins with and all
  /// others; `kinds` has the shapes of all ranks' bodies.
  Ranks(WorldState& w, const BodyTable& kinds, Communicator& communicator,
        std::size_t largestIsland);

  /// Of a snapshot, which every rank reads twice: `w` becomes what belongs to this one. Shapes are
  /// those of `w` and of `kinds`.
  Ranks(WorldState& w, const BodyTable& kinds, SnapshotSource& snapshot, Communicator& communicator,
        std::size_t largestIsland);

  Status beginStep(WorldState& w, double dt) override;
  Status guard(WorldState& w, const StepInput& in) override;
  void report(const WorldState& w, StepShown& shown) override;
  void count(const WorldState& w, StepShown& shown) override;
  void save(WorldState& w) override;
  void goBack(const WorldState& w) override;
  Status changeBody(WorldState& w, const char* call, ObjectId id,
                    const std::function<Status(std::size_t)>& change) override;
  Status changeWhole(WorldState& w, const std::function<Status()>& change) override;
  void refresh(WorldState& w) override;
  /// The same, and what is known of bodies of all ranks. All ranks call it.
  void refreshAll(WorldState& w);
  bool isKnown(const WorldState& w, ObjectId id) override;
  bool takeNew(const WorldState& w, std::size_t body) override;
  /// The whole world, on rank 0; on others `whole` stays as it is.
  void assemble(const WorldState& w, PersistentState& whole) const;
  /// Of the whole world, which no rank has at once: on all ranks; on rank 0, empty on others.
  [[nodiscard]] std::uint64_t hash(const WorldState& w) const;
  [[nodiscard]] std::vector<std::byte> snapshot(const WorldState& w) const;
  /// Of the same bytes a range on each rank that begins at a multiple of `unit`.
  [[nodiscard]] SnapshotRange snapshotRange(const WorldState& w, std::size_t unit) const;
  /// Contacts of the last step that this rank counts, and the islands that it does, as bytes; the
  /// way back, of those of all ranks.
  [[nodiscard]] std::vector<std::byte> packContacts(const WorldState& w) const;
  static void joinContacts(std::span<const std::vector<std::byte>> parts,
                           std::vector<WorldContact>& whole);
  /// Whether this rank counts what is between two bodies.
  [[nodiscard]] bool isCounted(const WorldState& w, ObjectId object1, ObjectId object2) const;
  /// What the last step shows but its report, whole, on rank 0.
  void assembleShown(const WorldState& w, StepShown& whole) const;

private:
  /// Steps after which space is cut anew, so that every rank has its share of the bodies.
  static constexpr std::uint64_t kStepsToCut = 32;

  /// Contacts and touching pairs on their way.
  struct Contacts {
    std::vector<PersistentManifold> manifolds;
    std::vector<Touch> touching;
  };
  struct Arrivals {
    BodyTable bodies;
    Contacts awake, asleep;
    JointTable joints;
    std::vector<Sensed> sensed;
    /// Where bodies are that those touch, and bodies that left.
    std::vector<std::pair<ObjectId, std::int32_t>> partners;
  };
  /// A body that was taken out. Until the second step after it there may be events of it.
  struct Removed {
    ObjectId id = kNoObject;
    std::int32_t owner = 0;
    bool isDynamic = false, isShown = false;  ///< Shown: a step was made since.
  };
  /// Who has what.
  struct Layout {
    RankCut cut;
    std::uint64_t stepsToCut = 0;
    std::vector<ObjectId> own;                // Dynamic bodies of this rank, sorted.
    std::vector<std::vector<ObjectId>> sent;  // By rank: own bodies that are ghosts there, sorted.
    std::vector<std::pair<ObjectId, std::int32_t>> ghosts;  // And their ranks, sorted.
    std::vector<std::pair<ObjectId, Aabb>>
        boxes;                  // Of own bodies, as far as they reach in the step.
    std::vector<Aabb> regions;  // By rank: around all of those.
    std::vector<std::pair<ObjectId, std::int32_t>> drivers;  // With limits: see Division::Driver.
    std::vector<std::pair<ObjectId, Aabb>> driverBoxes;
    std::vector<Removed> removed;  // Sorted.
  };
  class Nodes;

  [[nodiscard]] bool isOwn(ObjectId id) const;
  [[nodiscard]] bool keeps(const BodyTable& bodies, const ObjectPair& pair) const;
  [[nodiscard]] bool isLeftHere(const ObjectPair& pair) const;
  [[nodiscard]] const Removed* findRemoved(ObjectId id) const;
  void requireSame(std::uint64_t hash, const char* what);
  void divide(WorldState& w);
  void prepare(WorldState& w);
  void noteRemoved(const WorldState& w, std::span<const ObjectId> dynamic);
  void countKinds(const WorldState& w);
  void gatherWhole(const WorldState& w, PersistentState& whole) const;
  [[nodiscard]] std::vector<std::byte> packState(const WorldState& w) const;
  [[nodiscard]] bool isKept(const WorldState& w, const JointDescription& joint) const;
  [[nodiscard]] int homeOf(const WorldState& w, ObjectId id) const;
  void findFirstHomes(const WorldState& w);
  Status findHomes(const WorldState& w, double dt);
  void exchangeNear(Nodes& nodes) const;
  void recut(const WorldState& w);
  void migrate(WorldState& w, Arrivals& arrivals);
  void pack(const WorldState& w, std::span<const ObjectId> going,
            std::vector<std::byte>& bytes) const;
  void unpack(WorldState& w, std::span<const std::byte> bytes, Arrivals& arrivals,
              std::vector<BodyRecord>& records);
  /// What earlier substeps show: what of it goes with some bodies, comes, is no longer here.
  [[nodiscard]] static bool carriesPair(const WorldState& w, std::span<const ObjectId> going,
                                        ObjectId object1, ObjectId object2);
  void packShown(const WorldState& w, std::span<const ObjectId> going, const JointTable& joints,
                 std::vector<std::byte>& bytes) const;
  static void unpackShown(WorldState& w, MessageReader& message);
  static void dropShown(WorldState& w, std::span<const ObjectId> gone);
  static void sortShown(WorldState& w);
  void keepOwn(WorldState& w, const Arrivals& arrivals) const;
  void keepContacts(const BodyTable& bodies, const Contacts& arrived, ContactManifoldCache& cache,
                    std::vector<Touch>& touching) const;
  void findRegion(const WorldState& w, const Arrivals& arrivals, double dt);
  [[nodiscard]] std::vector<std::size_t> nearRanks() const;
  void choose(const WorldState& w, const Arrivals& arrivals);
  void sendGhosts(const WorldState& w, const Arrivals& arrivals, BodyTable& ghosts);
  void rebuild(WorldState& w, Arrivals& arrivals, BodyTable& ghosts) const;
  void describe(const WorldState& w);
  Status guardIslands(WorldState& w, const StepInput& in);
  Status guardWhole(WorldState& w, const StepInput& in);
  void listIslands(const WorldState& w, StepShown& shown) const;
  void shareDrivers(const WorldState& w, StepShown& shown) const;
  void join(const WorldState& w, std::vector<std::vector<std::byte>>& parts,
            PersistentState& whole) const;
  template <typename A>
  void writeState(const WorldState& w, A& archive) const;
  template <typename A>
  void writeLabels(const WorldState& w, A& archive) const;
  Status tellApart(WorldState& w) const;

  Layout layout_, saved_;
  bool has_islands_ = false;  // Islands are divided, not bodies.
  std::size_t largest_island_;
  // Bodies that came to this rank, and those that went, since refresh().
  std::set<ObjectId> came_, went_;
  bool is_stale_ = false;  // refresh() has something to do.
  bool has_new_marks_ = false, has_new_kinds_ = false, has_new_drives_ = false;
  std::vector<std::int32_t> homes_;  // Of own bodies in this step, where islands are divided.
};

/// Whether islands of such a world are divided, not bodies.
[[nodiscard]] bool dividesIslands(const PersistentState& state);

/// Adds a manifold to a message, takes one from it.
void putManifold(const PersistentManifold& manifold, std::vector<std::byte>& bytes);
[[nodiscard]] PersistentManifold takeManifold(MessageReader& message);
/// Adds joints and couplings to a message; takes those of one and adds them, in any order.
void putJoints(const JointTable& joints, std::vector<std::byte>& bytes);
void takeJoints(MessageReader& message, JointTable& joints);
/// Sorts joints and couplings by id, and leaves each once.
void sortJoints(JointTable& joints);

}  // namespace abut::inline v0_1
