// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ranks/rank_cut.hpp"
#include "state/persistent_state.hpp"
#include "step/rank_stage.hpp"

namespace abut::inline v0_1 {

/// A world that is divided among ranks, as one of them keeps it: its own bodies, ghosts of those
/// near, bodies that contacts do not move, and contacts and touching pairs of its own bodies, each
/// with its history.
///
/// At the beginning of a step bodies go where their places belong, with all of that; then every
/// rank tells the others which of its bodies come near theirs. Stages of the step ask
/// StepInput::division where they need others.
class Ranks final : public RankStage {
public:
  /// Of a whole world, the same on all ranks, leaves in `w` what belongs to this one.
  Ranks(WorldState& w, Communicator& communicator);

  /// Refuses worlds that cannot be divided, with the reason.
  [[nodiscard]] static Status accepts(const WorldState& w);

  void beginStep(WorldState& w, double dt) override;
  Status guard(WorldState& w, const StepInput& in) override;
  void report(const WorldState& w, StepShown& shown) override;
  /// The whole world, on rank 0; on others `whole` stays as it is.
  void assemble(const WorldState& w, PersistentState& whole) const;
  /// What the last step shows of contacts and events, whole, on rank 0.
  void assembleShown(const WorldState& w, StepShown& whole) const;

private:
  struct Arrivals {
    BodyTable bodies;
    std::vector<PersistentManifold> manifolds;
    std::vector<Touch> touching;
    /// Where bodies are that those touch, and bodies that left.
    std::vector<std::pair<ObjectId, std::int32_t>> partners;
  };
  void recut(const WorldState& w);
  void migrate(WorldState& w, Arrivals& arrivals);
  void keepOwn(WorldState& w, const Arrivals& arrivals) const;
  void findRegion(const WorldState& w, const Arrivals& arrivals, double dt);
  void choose(const WorldState& w, const Arrivals& arrivals);
  void sendGhosts(const WorldState& w, const Arrivals& arrivals, BodyTable& ghosts);
  void rebuild(WorldState& w, Arrivals& arrivals, BodyTable& ghosts) const;
  void describe(const WorldState& w);
  Status guardWhole(WorldState& w, const StepInput& in);

  RankCut cut_;
  std::uint64_t steps_to_cut_ = 0;
  std::vector<ObjectId> own_;                // Dynamic bodies of this rank, sorted.
  std::vector<std::vector<ObjectId>> sent_;  // By rank: own bodies that are ghosts there, sorted.
  std::vector<std::pair<ObjectId, std::int32_t>> ghosts_;  // And their ranks, sorted.
  std::vector<std::pair<ObjectId, Aabb>>
      boxes_;                  // Of own bodies, as far as they reach in the step.
  std::vector<Aabb> regions_;  // By rank: around all of those.
};

/// Adds a manifold to a message, takes one from it.
void putManifold(const PersistentManifold& manifold, std::vector<std::byte>& bytes);
[[nodiscard]] PersistentManifold takeManifold(MessageReader& message);

}  // namespace abut::inline v0_1
