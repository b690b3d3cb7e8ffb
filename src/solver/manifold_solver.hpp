// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <abut/solver/contact_solver.hpp>

#include "core/crew.hpp"
#include "core/stage_room.hpp"
#include "math/exact_sum.hpp"
#include "solver/lean_batch.hpp"
#include "solver/manifold_batch.hpp"
#include "solver/resisting_couple.hpp"
#include "solver/sweep_ranks.hpp"
#include "solver/sweep_sum.hpp"

namespace abut::inline v0_1 {

/// Sweeps over manifolds in batches of four, accelerated by momentum: friction as one force and one
/// couple for each manifold, normals of a manifold solved together.
///
/// The relative change of the impulses in a sweep is the measure of
/// convergence. Rows of equal colour are independent, so four of them are
/// computed at once; neither which ones nor their order within the colour makes
/// a difference to any bit: lanes do not know of each other, and sums do not
/// depend on the order of their terms.
///
/// Rows of a colour are shared out to a crew, if there is one.
class ManifoldSolver {
public:
  static constexpr double kAnySpeed = 1e300;

  /// What makes an island solved, beside the tolerance.
  struct Until {
    /// No sweep changes a velocity by more [m/s]: impulses of a heavy body may hide what still
    /// happens to a light one.
    double steadySpeed = kAnySpeed;
    int leastSweeps = 1;
    bool isHeap = false;  ///< Carried on as heaps are, see Momentum.
  };

  ManifoldSolver() = default;
  ManifoldSolver(const ManifoldSolver&) = delete;
  ManifoldSolver& operator=(const ManifoldSolver&) = delete;

  /// Who helps from now on; null for none.
  void setCrew(Crew* crew) { crew_ = crew != nullptr ? crew : &alone_; }
  /// Where the batches of islands are that begin from now on: each is a stage there. Null: in
  /// memory of its own.
  void setRoom(StageRoom* room) { batches_.room = room; }
  /// Takes the velocities of all bodies; one more that never moves is added.
  void setBodies(std::span<const BodyMobility> mobility, std::span<const BodyVelocity> velocities);
  /// Works on the bodies of another from now on: islands have none in common that moves, so each
  /// may be solved on a thread of its own.
  void shareBodies(ManifoldSolver& owner) { bodies_ = &owner.own_; }
  [[nodiscard]] BodyVelocity velocityOf(std::uint32_t body) const {
    return toVelocity(bodies_->now[body]);
  }
  void setVelocity(std::uint32_t body, const BodyVelocity& v) {
    bodies_->now[body] = toBatchBody(v);
  }

  /// The island that is begun next is one part of it, the others are on other ranks, which make the
  /// same calls; null: it is whole.
  void setRanks(SweepRanks* ranks) { spread_.ranks = ranks; }
  /// Prepares an island: rows by index, sorted by colour, then by number of
  /// points. Batches have at most so many lanes.
  void begin(std::span<const ManifoldRow> rows, std::span<const std::uint32_t> order,
             std::size_t mostLanes = 4);
  /// The island that was begun once more: impulses of the rows, and velocities
  /// of its bodies.
  void restart(std::span<const ManifoldRow> rows, std::span<const std::uint32_t> members,
               std::span<const BodyVelocity> velocities);
  /// Solves the island that was begun. `members` are its bodies that can move.
  SolverReport solve(const SolverOptions& options, std::span<const std::uint32_t> members) {
    return solve(options, members, Until{});
  }
  SolverReport solve(const SolverOptions& options, std::span<const std::uint32_t> members,
                     const Until& until);
  /// After store(): displacements that take `share` of the overlap beyond
  /// the rows' slop out, as it will be after dt, in `sweeps` sweeps. False, with
  /// nothing done, if there is none.
  bool project(double dt, double share, int sweeps, std::span<const std::uint32_t> members);
  /// Linear and angular displacement of a body after project() [m, rad].
  [[nodiscard]] BodyVelocity displacementOf(std::uint32_t body) const {
    return toVelocity(bodies_->direction[body]);
  }
  void setDisplacement(std::uint32_t body, const BodyVelocity& d) {
    bodies_->direction[body] = toBatchBody(d);
  }
  /// Fastest approach beyond the bounds that project() found left [m/s].
  [[nodiscard]] double approachLeft() const { return approach_left_; }
  /// The row whose normal velocities project() found farthest from what its impulses call for.
  [[nodiscard]] std::uint32_t worstRow() const { return worst_row_; }
  /// By how much [m/s].
  [[nodiscard]] double worstMiss() const { return worst_miss_; }
  /// Whether work() is certain to be below a limit [J]: in less time, and with the same answer on
  /// any number of threads wherever it says so.
  [[nodiscard]] bool isWorkBelow(double limit);
  /// Impulses times relative velocities [J].
  [[nodiscard]] double work();
  void shrink(double keep);
  void store(std::span<ManifoldRow> rows);

private:
  using Slot = BatchSlot;
  struct Couple;

  template <class Action>
  void visit(const Slot& slot, Action&& action);
  template <class Action>
  void forAll(Action&& action);
  template <class Action>
  void forColours(std::vector<BatchBody>& bodies, Action&& action);
  template <class Action>
  void forMembers(std::span<const std::uint32_t> members, Action&& action);
  void beginOverRanks(std::span<const ManifoldRow> rows, std::span<const std::uint32_t> order);
  [[nodiscard]] std::pair<double, double> changeAndSize();
  /// Whether another rank counts the row of a term.
  [[nodiscard]] bool isForeign(std::size_t term) const {
    return spread_.ranks != nullptr &&
           std::binary_search(spread_.foreign.begin(), spread_.foreign.end(), term);
  }
  void makeRoom(const std::uint32_t (&counts)[5]);
  void prepare(std::span<const ManifoldRow> rows, std::span<const std::uint32_t> order,
               std::size_t slot);
  void addCouples(std::span<const ManifoldRow> rows, std::span<const std::uint32_t> order);
  void addCouple(const ManifoldRow& row, std::uint32_t index, std::uint32_t slot, int lane);
  [[nodiscard]] double pressOn(std::uint32_t slot, int lane) const;
  void sweep(const Momentum& momentum, bool all);
  void sweepSlots(std::size_t begin, std::size_t end, const SlotSweep& how);
  void sweepCouples(const Momentum& momentum);
  void sweepCouple(Couple& couple, std::size_t term, const Momentum& momentum);
  void accelerate(std::span<const std::uint32_t> members, const Momentum& momentum);
  [[nodiscard]] bool isSteady(std::span<const std::uint32_t> members, double speed) const;

  /// Bodies as the batches find them; the last one never moves.
  struct Bodies {
    std::span<const BodyMobility> mobility;
    std::vector<BatchBody> now, previous;
    std::vector<BatchBody> direction;  ///< Their last way; later displacements.
  };
  struct RoughWork {
    double sum, size;  ///< Of terms, and of their magnitudes.
  };
  struct Works {
    std::vector<ExactSum> exact;   ///< Of each part of the slots, and of all.
    std::vector<RoughWork> rough;  ///< Of each part of the slots.
  };
  struct Kind {
    std::uint32_t colour, points;  ///< As in Colour and Slot.
  };
  /// Slots of one colour; those of the last colour come one after the other.
  struct Colour {
    std::uint32_t colour;
    std::size_t first, end;
  };
  /// Rolling and spinning resistance of a row, one by one after the batches.
  struct Couple {
    PreparedCouple prepared;  ///< Its contact is the row.
    std::uint32_t slot;
    int lane;
    Vec3 value, change, direction;
    double alpha;
  };
  /// Of an island of which other ranks have other rows.
  struct Spread {
    SweepRanks* ranks = nullptr;         ///< Null: it is whole.
    std::vector<std::uint32_t> foreign;  ///< Terms of rows that other ranks count, ascending.
    std::size_t numTerms = 0;            ///< Of all ranks.
    bool hasCouples = false;             ///< On any rank.
  };
  struct Batches {
    StageRoom* room = nullptr;
    RoomList<LeanBatch> lean;
    RoomList<ManifoldBatch<1>> of1;  ///< Of so many points.
    RoomList<ManifoldBatch<2>> of2;
    RoomList<ManifoldBatch<3>> of3;
    RoomList<ManifoldBatch<4>> of4;
  };
  double approach_left_ = 0.0, worst_miss_ = 0.0;
  std::uint32_t worst_row_ = 0;
  SweepSum change_, size_;  // Squares, four terms a slot, then one a couple.
  Crew alone_;
  Crew* crew_ = &alone_;
  Bodies own_;
  Bodies* bodies_ = &own_;
  std::vector<Slot> slots_;
  std::vector<Kind> kinds_;  // Of each row in the order.
  Works works_;
  std::vector<std::uint32_t> first_of_;   // Of each slot: its first row in the order.
  std::vector<std::uint8_t> has_couple_;  // Of each slot: whether a row of it resists.
  std::vector<Colour> colours_;
  std::vector<NormalMiss> misses_;  // Of each part of the slots.
  std::vector<std::uint8_t> deep_;  // Of each part of the slots.
  std::vector<Couple> couples_;
  Spread spread_;
  Batches batches_;
};

}  // namespace abut::inline v0_1
