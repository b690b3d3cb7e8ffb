// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
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

  /// Refuses worlds that cannot be divided, with the reason.
  [[nodiscard]] static Status accepts(const WorldState& w);

  Status beginStep(WorldState& w, double dt) override;
  Status guard(WorldState& w, const StepInput& in) override;
  void report(const WorldState& w, StepShown& shown) override;
  void count(const WorldState& w, StepShown& shown) override;
  void save() override { saved_ = layout_; }
  void goBack(const WorldState& w) override;
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
  };
  class Nodes;

  [[nodiscard]] bool isOwn(ObjectId id) const;
  [[nodiscard]] bool isOwn(const ObjectPair& pair) const {
    return isOwn(pair.first) || isOwn(pair.second);
  }
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
  void keepContacts(const Contacts& arrived, ContactManifoldCache& cache,
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
  bool comes_in_parts_ = false;
  std::vector<std::int32_t> homes_;  // Of own bodies in this step, where islands are divided.
};

/// Adds a manifold to a message, takes one from it.
void putManifold(const PersistentManifold& manifold, std::vector<std::byte>& bytes);
[[nodiscard]] PersistentManifold takeManifold(MessageReader& message);
/// Adds joints and couplings to a message; takes those of one and adds them, in any order.
void putJoints(const JointTable& joints, std::vector<std::byte>& bytes);
void takeJoints(MessageReader& message, JointTable& joints);
/// Sorts joints and couplings by id, and leaves each once.
void sortJoints(JointTable& joints);

}  // namespace abut::inline v0_1
