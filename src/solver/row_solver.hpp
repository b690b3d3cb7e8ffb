// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "dynamics/body_table.hpp"
#include "math/exact_sum.hpp"
#include "solver/island_solver.hpp"
#include "solver/link_order.hpp"

namespace abut {

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
  std::vector<BodyShift> shifts;                 ///< By island, then body.
};

/// Solves the rows of a step: island by island, small ones side by side, the rows of a large one
/// colour by colour, on the threads that there are. No bit depends on these.
class RowSolver {
public:
  void solve(const RowProblem& problem, TaskRunner* tasks, RowOutcome& outcome);

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
  };
  /// What came of an island.
  struct Solved {
    SolverReport report;
    bool converged = true;
    bool isDeep = false;
  };
  /// The row of a part that misses by most [m/s].
  struct Worst {
    std::uint32_t row = 0;
    double miss = 0.0;
  };
  struct Range {
    std::size_t begin, end;
  };

  void solveIsland(const RowProblem& problem, std::size_t island, Worker& worker, Crew& crew,
                   RowOutcome& outcome);
  static void limitEnergy(const RowProblem& problem, const LinkOrder::Island& island,
                          Worker& worker, Crew& crew, const RowOutcome& outcome);
  void findBundles(const LinkOrder& order);
  std::unique_ptr<Worker> take();
  void giveBack(std::unique_ptr<Worker> worker);
  void sumUp(const RowProblem& problem, TaskRunner* tasks, RowOutcome& outcome);
  void nameWorst(const RowProblem& problem, const LinkOrder::Island& island, TaskRunner* tasks,
                 RowOutcome& outcome);

  Worker main_;  // Has the bodies.
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> free_;
  std::vector<Solved> solved_;        // Of each island.
  std::vector<BodyVelocity> shifts_;  // Of each of the order's bodies, where the island is deep.
  std::vector<Worst> worst_;          // Of each part of an island's rows.
  std::vector<Range> bundles_;        // Small islands that go together.
};

}  // namespace abut
