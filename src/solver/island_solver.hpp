// SPDX-License-Identifier: MIT
#pragma once

#include "solver/manifold_solver.hpp"
#include "solver/rest_newton.hpp"

namespace abut::inline v0_1 {

/// Rows between bodies that hang together.
struct RowIsland {
  std::span<ManifoldRow> rows;               ///< Of all islands.
  std::span<const std::uint32_t> order;      ///< Of this one, as ManifoldSolver::begin() takes it.
  std::span<const std::uint32_t> members;    ///< Its bodies that can move.
  std::span<const BodyMobility> mobility;    ///< Of all bodies.
  std::span<const BodyVelocity> velocities;  ///< Of all bodies, without impulses.
  std::size_t numBodies = 0;                 ///< Members, with those on other ranks.
};

/// How well an island is to be solved.
struct IslandEffort {
  SolverOptions options;
  bool moves = false;  ///< Half the sweeps will do, or fewer.
  double fall = 0.0;   ///< What gravity adds to a velocity in the step [m/s].
};

/// Solves an island by sweeps; what they leave unsolved of a small one at rest by Newton's method.
///
/// In a tower of n bodies the slowest motion needs some n^2 sweeps, so that a change of 1e-4 in a
/// sweep says little: the tower sways on until it falls. Islands at rest of up to 200 bodies are
/// therefore solved to 1e-6, which sweeps show to hold if it holds, and a factorisation reaches
/// from the last step's impulses if it does not.
class IslandSolver {
public:
  /// `sweeps` has begun the island and knows its velocities; it is left with the answer, the rows
  /// are not written except as scratch.
  SolverReport solve(const RowIsland& island, const IslandEffort& effort, ManifoldSolver& sweeps);

private:
  bool solveDirectly(const RowIsland& island, const IslandEffort& effort, ManifoldSolver& sweeps,
                     SolverReport& report);

  RestNewton newton_;
};

}  // namespace abut::inline v0_1
