// SPDX-License-Identifier: MIT
#pragma once

#include "solver/body_space.hpp"
#include "solver/equilibrium.hpp"

namespace abut::inline v0_1 {

/// Where hardly anything moves in the answer to a contact problem, looks for another one in which
/// nothing does (see Equilibrium). Both are Coulomb's: bodies slide on at the bound of friction, or
/// others hold them.
class RestSearch {
public:
  /// `free` are the velocities without impulses. Replaces impulses, velocities and what the report
  /// says of them, and returns true, if there is such an answer with an error of at most `error`
  /// and if it is found. Never where what is given moves: surfaces, drivers, bounds above zero.
  bool run(const ContactProblem& problem, std::span<const BodyVelocity> free, double error,
           TaskRunner* tasks, std::span<Vec3> impulses, std::span<BodyVelocity> velocities,
           SolverReport& report);

private:
  double allowedSpeed(const ContactProblem& problem, std::span<const BodyVelocity> free,
                      std::span<const BodyVelocity> velocities);

  BodySpace space_;
  Equilibrium equilibrium_;
  std::vector<PreparedContact> contacts_;
  std::vector<BodyVelocity> standing_, changes_;
  std::vector<Vec3> impulses_, speeds_;
};

}  // namespace abut::inline v0_1
