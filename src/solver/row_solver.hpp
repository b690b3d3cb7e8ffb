// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "dynamics/body_table.hpp"
#include "dynamics/division.hpp"
#include "math/exact_sum.hpp"
#include "solver/island_solver.hpp"
#include "solver/link_order.hpp"

namespace abut::inline v0_1 {

/// The rows of a step in real time, and the bodies between them.
struct RowProblem {
  std::span<ManifoldRow> rows;  ///< In: the warm start. Out: the answer.
  const LinkOrder& order;
  const BodyTable& bodies;
  std::span<const BodyVelocity> start;  ///< Of all bodies, at the beginning of the step.
  std::span<BodyVelocity> end;          ///< In: as forces leave them. Out: as contacts do.
  SolverOptions options;
  Vec3 gravity;                  ///< [m/s^2]
  double dt = 0.0;               ///< [s]
  double correctionShare = 0.0;  ///< Part of the overlap that is taken out.
  double correctionSlop = 0.0;   ///< Overlap that is left alone [m].
  /// Of a part of a world: islands that are on other ranks too are solved together with these, but
  /// those that are gathered (LinkOrder::Spread) are left alone. All ranks call solve() then.
  Division* division = nullptr;
};

/// A displacement that takes overlap out.
struct BodyShift {
  std::uint32_t body = 0;
  BodyVelocity shift;  ///< [m, rad]
};

/// What came of a step's rows.
struct RowOutcome {
  static constexpr std::uint32_t kNone = 0xffffffffu;

  bool converged = true;
  int sweeps = 0, newtonSteps = 0;
  double worstError = 0.0;
  std::uint32_t worst1 = kNone, worst2 = kNone;  ///< Where it is not converged: the worst pair.
  std::vector<std::uint8_t> touched;             ///< Of each body: whether a row pushes it.
  std::vector<BodyShift> shifts;  ///< Of islands that are deep: by island, then body.

  /// How an island went; in a part of a world, where that has to be told to other ranks.
  struct Verdict {
    ObjectId label;  ///< Its smallest body.
    double error;
    bool converged;  ///< As its solve says.
  };
  std::vector<Verdict> verdicts;  ///< Of islands that are counted here.
};

/// The row of an island that misses by most, and where it comes in the order of all its rows.
struct WorstRow {
  double miss = -1.0;  ///< [m/s]; negative: there is none.
  std::uint32_t colour = 0, kind = 0;
  std::uint64_t order = 0;
  ObjectPair pair;

  /// Whether it is to be named rather than another.
  [[nodiscard]] bool precedes(const WorstRow& other) const;
};

/// What some bodies of an island have: mass [kg], and mass times squared speed.
struct MassInMotion {
  double mass = 0.0, energy = 0.0;
};
/// How the sizes of some bodies of an island bound its displacements.
struct SizeLimit {
  double share = 1.0;                    ///< Of the displacements.
  double thinnest = kMaxBodyCoordinate;  ///< Least half width [m].
};

/// Solves the rows of a step: island by island, small ones side by side, the rows of a large one
/// colour by colour, on the threads that there are. No bit depends on these.
class RowSolver {
public:
  /// With a room its stages are those of large islands.
  void solve(const RowProblem& problem, TaskRunner* tasks, StageRoom* room, RowOutcome& outcome);
  /// After solve() of a part of a world: the worst row of an island, as far as it was solved here.
  [[nodiscard]] WorstRow findWorst(const RowProblem& problem, std::span<const Link> links,
                                   ObjectId label) const;

private:
  /// Sums over the bodies of an island, for limitEnergy().
  struct EnergySums {
    ExactSum changed, answered, both;  ///< |v' - v|^2, |d|^2, (v' - v) d.
  };
  /// What one thread needs for an island.
  struct Worker {
    ManifoldSolver sweeps;
    IslandSolver islands;
    std::vector<EnergySums> sums;
    std::vector<double> changes;       ///< |v' - v|^2 of parts of the bodies.
    std::vector<MassInMotion> motion;  ///< Of parts of the bodies,
    std::vector<SizeLimit> limits;     ///< and these.
  };
  /// What came of an island.
  struct Solved {
    SolverReport report;
    bool converged = true;
    bool isDeep = false;
    std::uint32_t worstRow = 0;  ///< Of the rows that are here.
    double worstMiss = 0.0;      ///< [m/s]
  };
  struct Range {
    std::size_t begin, end;
  };

  /// An island, or what of it is on this rank.
  struct Part {
    LinkOrder::Island island;
    std::uint64_t numBodies;  ///< On all ranks.
    Halo* halo;               ///< Null if it is whole.
  };
  void solveIsland(const RowProblem& problem, std::size_t island, Worker& worker, Crew& crew,
                   RowOutcome& outcome) {
    const LinkOrder::Island& whole = problem.order.getIslands()[island];
    solvePart(problem, {whole, whole.numBodies, nullptr}, solved_[island], worker, crew, outcome);
  }
  void solvePart(const RowProblem& problem, const Part& part, Solved& solved, Worker& worker,
                 Crew& crew, RowOutcome& outcome);
  void solveSpread(const RowProblem& problem, RowOutcome& outcome);
  void sumUpPart(const RowProblem& problem, RowOutcome& outcome) const;
  static bool makesNoEnergy(const RowProblem& problem, const Part& part, Worker& worker, Crew& crew,
                            const RowOutcome& outcome);
  static void limitEnergy(const RowProblem& problem, const Part& part, Worker& worker, Crew& crew,
                          const RowOutcome& outcome);
  void findBundles(const LinkOrder& order);
  std::unique_ptr<Worker> take();
  void giveBack(std::unique_ptr<Worker> worker);
  void sumUp(const RowProblem& problem, RowOutcome& outcome) const;

  Worker main_;  // Has the bodies.
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> free_;
  std::vector<Solved> solved_;  // Of each island.
  std::vector<Range> bundles_;  // Small islands that go together.
  SweepRanks ranks_;            // Of the island on several ranks that is being solved.
  std::vector<Solved> spread_;  // Of each island on several ranks.
};

}  // namespace abut::inline v0_1
