// SPDX-License-Identifier: MIT
#include "solver/island_solver.hpp"

namespace abut::inline v0_1 {
namespace {

/// Islands of up to so many bodies, and links a body, go to Newton's method.
constexpr std::size_t kMostBodies = 200, kMostLinks = 4;
/// Most work of a factorisation, in products of blocks for each body: a tower needs 2, a wall as
/// many as the square of its height.
constexpr double kMostWork = 100.0;
/// What moves gets half the sweeps, and if it is large no more, after an eighth of them, than make
/// impulses change by this many times the tolerance: heaps of spheres, boxes and mixed shapes come
/// to rest no deeper than with all of that half, which they need only while much of it hits.
constexpr double kMovingTolerance = 20.0;
/// What rests is solved if so many sweeps change impulses by less than this part of them, and no
/// velocity by more than this part of what gravity adds in a step. Ten times that halves the
/// factorisations, but what is left adds up: a million kilograms on one sink by 3 mm in 20 s.
constexpr int kRestSweeps = 3;
constexpr double kRestTolerance = 1e-5, kRestSpeed = 1e-6;
/// Compliance of contacts in Newton's method, in parts of one over the island's mass. A step that
/// changes the impulses by the island's weight lets contacts give way by this part of what gravity
/// adds to a velocity.
constexpr double kCompliance = 1e-2;
/// Steps from the impulses of the last step.
constexpr int kWarmSteps = 4;
/// Where those are no start: sweeps make one, then contacts are softer at first, and stiffen from
/// solution to solution. The first way is short; the second finds its way from nothing.
constexpr int kColdSweeps = 8;
struct Softening {
  double first, stiffen;
  int mostSteps;  ///< For each compliance.
};
constexpr Softening kCold[] = {{30.0, 30.0, 8}, {1e6, 10.0, 40}};
constexpr double kNewtonTolerance = 1e-8;
/// Solutions from the last one as reference, each closer by two digits, until contacts give way by
/// no more than this many times the tolerance of what gravity adds to a velocity.
constexpr int kMostRepeats = 8;
constexpr double kGiveOfTolerance = 10.0;

/// Of the bodies that move [kg]. A body's mass counts by the direction in which it is lightest.
double massOf(const RowIsland& island) {
  double mass = 0.0;
  for (const std::uint32_t b : island.members) {
    const Vec3& m = island.mobility[b].inverseMass;
    const double most = maxOf(maxOf(m.x, m.y), m.z);
    if (most > 0.0) mass += 1.0 / most;
  }
  return mass;
}

}  // namespace

SolverReport IslandSolver::solve(const RowIsland& island, const IslandEffort& effort,
                                 ManifoldSolver& sweeps) {
  SolverOptions usual = effort.options;
  const std::size_t n = island.numBodies;
  if (effort.moves) usual.maxSweeps = (usual.maxSweeps + 1) / 2;
  if (effort.moves && n > kMostBodies) {
    const int least = (effort.options.maxSweeps + 7) / 8;
    usual.tolerance *= kMovingTolerance;
    SolverReport report =
        sweeps.solve(usual, island.members, {ManifoldSolver::kAnySpeed, least, true});
    report.converged = report.converged && report.error <= effort.options.tolerance;
    return report;
  }
  if (effort.moves || !usual.allowDirect || n > kMostBodies ||
      island.order.size() > kMostLinks * n) {
    return sweeps.solve(usual, island.members, {ManifoldSolver::kAnySpeed, 1, n > kMostBodies});
  }
  SolverOptions quick = usual;
  quick.maxSweeps = kRestSweeps < usual.maxSweeps ? kRestSweeps : usual.maxSweeps;
  quick.tolerance = minOf(kRestTolerance, usual.tolerance);
  SolverReport report = sweeps.solve(quick, island.members, {kRestSpeed * effort.fall, 1, false});
  if (report.converged) return report;
  if (solveDirectly(island, effort, sweeps, report)) {
    // Velocities follow the impulses; nothing else.
    sweeps.restart(island.rows, island.members, island.velocities);
    usual.maxSweeps = 0;
    sweeps.solve(usual, island.members);
    return report;
  }
  sweeps.restart(island.rows, island.members, island.velocities);
  const SolverReport last = sweeps.solve(usual, island.members);
  report.sweeps += last.sweeps;
  report.converged = last.converged;
  report.error = last.error;
  return report;
}

/// From what the last step left; if that is too far away, from what sweeps make of it, with
/// contacts that are soft at first.
bool IslandSolver::solveDirectly(const RowIsland& island, const IslandEffort& effort,
                                 ManifoldSolver& sweeps, SolverReport& report) {
  if (!newton_.prepare(island.rows, island.order, island.members, island.mobility, kMostWork)) {
    return false;
  }
  const double compliance = kCompliance / massOf(island);
  const auto newton = [&](double soft, int mostSteps, bool holds) {
    bool solved = false;
    for (int repeat = 0; repeat < kMostRepeats; ++repeat) {
      const bool again = newton_.solve(island.rows, island.order, island.velocities,
                                       soft * compliance, kNewtonTolerance, mostSteps, holds);
      report.newtonSteps += newton_.getSteps();
      if (!again) break;  // The rows keep the last solution, if there was one.
      solved = true;
      report.error = newton_.getError();
      const double give = newton_.computeChange() * compliance;
      if (soft > 1.0 || give <= kGiveOfTolerance * effort.options.tolerance * effort.fall) break;
    }
    report.converged = solved && !(soft > 1.0);
    return solved;
  };
  if (newton(1.0, kWarmSteps, false)) return true;
  sweeps.restart(island.rows, island.members, island.velocities);
  SolverOptions start = effort.options;
  start.maxSweeps = kColdSweeps;
  report.sweeps += sweeps.solve(start, island.members).sweeps;
  for (const Softening& cold : kCold) {
    sweeps.store(island.rows);
    double soft = cold.first;
    while (newton(soft, cold.mostSteps, true)) {
      if (!(soft > 1.0)) return true;
      soft = maxOf(1.0, soft / cold.stiffen);
    }
  }
  return false;
}

}  // namespace abut::inline v0_1
