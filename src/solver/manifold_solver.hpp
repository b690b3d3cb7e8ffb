// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/solver/contact_solver.hpp>

#include "solver/manifold_batch.hpp"
#include "solver/resisting_couple.hpp"
#include "solver/sweep_sum.hpp"

namespace abut {

/// Sweeps over manifolds in batches of four, accelerated by conjugate
/// directions: friction as one force and one couple for each manifold, normals
/// of a manifold solved together.
///
/// The relative change of the impulses in a sweep is the measure of
/// convergence. Rows of equal colour are independent, so four of them are
/// computed at once; neither which ones nor their order within the colour makes
/// a difference to any bit: lanes do not know of each other, and sums do not
/// depend on the order of their terms.
class ManifoldSolver {
public:
  static constexpr double kAnySpeed = 1e300;

  /// Takes the velocities of all bodies; one more that never moves is added.
  void setBodies(std::span<const BodyMobility> mobility, std::span<const BodyVelocity> velocities);
  [[nodiscard]] BodyVelocity velocityOf(std::uint32_t body) const {
    return toVelocity(bodies_[body]);
  }
  void setVelocity(std::uint32_t body, const BodyVelocity& v) { bodies_[body] = toBatchBody(v); }

  /// Prepares an island: rows by index, sorted by colour, then by number of
  /// points. Batches have at most so many lanes.
  void begin(std::span<const ManifoldRow> rows, std::span<const std::uint32_t> order,
             std::size_t mostLanes = 4);
  /// The island that was begun once more: impulses of the rows, and velocities
  /// of its bodies.
  void restart(std::span<const ManifoldRow> rows, std::span<const std::uint32_t> members,
               std::span<const BodyVelocity> velocities);
  /// Solves the island that was begun. `members` are its bodies that can move.
  /// With a `steadySpeed` [m/s] it is not solved as long as a sweep changes a
  /// velocity by more: impulses of a heavy body may hide what still happens to
  /// a light one.
  SolverReport solve(const SolverOptions& options, std::span<const std::uint32_t> members,
                     double steadySpeed = kAnySpeed);
  /// After store(): displacements that take `share` of the overlap beyond
  /// the rows' slop out, as it will be after dt, in `sweeps` sweeps. False, with
  /// nothing done, if there is none.
  bool project(double dt, double share, int sweeps, std::span<const std::uint32_t> members);
  /// Linear and angular displacement of a body after project() [m, rad].
  [[nodiscard]] BodyVelocity displacementOf(std::uint32_t body) const {
    return toVelocity(direction_[body]);
  }
  /// Fastest approach beyond the bounds that project() found left [m/s].
  [[nodiscard]] double approachLeft() const { return approachLeft_; }
  /// Impulses times relative velocities [J].
  [[nodiscard]] double work() const;
  void shrink(double keep);
  void store(std::span<ManifoldRow> rows) const;

private:
  template <class Action>
  void forAll(Action action);
  template <class Action>
  void forAll(Action action) const;
  template <int K>
  void addBatch(std::span<const ManifoldRow> rows, const std::uint32_t* first, int count);
  void addCouple(const ManifoldRow& row, std::uint32_t index, int lane);
  [[nodiscard]] double pressOn(std::uint32_t slot, int lane) const;
  void sweep(double beta, bool all);
  void sweepCouples(double beta);
  void accelerate(std::span<const std::uint32_t> members, double beta);
  [[nodiscard]] bool isSteady(std::span<const std::uint32_t> members, double speed) const;

  struct Slot {
    std::uint32_t points, index;
    std::uint32_t used = 0;      ///< Of each lane a byte: 0x80 if there is a row.
    std::uint32_t passOver = 0;  ///< Of each lane a byte: sweeps for which it is left out.
  };
  /// Rolling and spinning resistance of a row, one by one after the batches.
  struct Couple {
    PreparedCouple prepared;  ///< Its contact is the row.
    std::uint32_t slot;
    int lane;
    Vec3 value, change, direction;
    double alpha;
  };
  double approachLeft_ = 0.0;
  SweepSum change_, size_;  // Squares, four terms a slot, then one a couple.
  std::span<const BodyMobility> mobility_;
  std::vector<BatchBody> bodies_, previous_;
  std::vector<BatchBody> direction_;  // Of the acceleration; later displacements.
  std::vector<Slot> slots_;
  std::vector<Couple> couples_;
  std::vector<ManifoldBatch<1>> batches1_;
  std::vector<ManifoldBatch<2>> batches2_;
  std::vector<ManifoldBatch<3>> batches3_;
  std::vector<ManifoldBatch<4>> batches4_;
};

}  // namespace abut
