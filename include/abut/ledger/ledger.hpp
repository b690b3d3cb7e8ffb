// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>

namespace abut::inline v0_1 {

/// Energy accounts of a step or of a whole run [J]. Changes are positive when energy enters the
/// bodies. The books close:
///   change of kinetic + change of potential + change of elastic energy
///     = drivers + forces + impact + friction + correction + integrator
///       + motors + dampers + limits + jointFriction + joints + compliance.
struct EnergyAccount {
  double kineticBefore = 0.0;  ///< Of bodies, and of the armatures of joints.
  double kineticAfter = 0.0;
  double potentialBefore = 0.0;  ///< In the world's gravity.
  double potentialAfter = 0.0;
  double drivers = 0.0;  ///< Work of kinematic bodies and moving surfaces, through contacts.
  /// Work of applied forces and torques; of a run, also what calls between steps added.
  double forces = 0.0;
  /// Work of normal impulses against approach, and what bodies that fall asleep still had; <= 0.
  double impact = 0.0;
  double friction = 0.0;       ///< Of tangential impulses and couples; > 0 only where slip turns.
  double correction = 0.0;     ///< Work of position correction against gravity.
  double integrator = 0.0;     ///< What the rotation of bodies under contact does not conserve.
  double elasticBefore = 0.0;  ///< In the springs of joints and of contacts that give way.
  double elasticAfter = 0.0;
  double motors = 0.0;         ///< Work of the drives of joints.
  double dampers = 0.0;        ///< <= 0.
  double limits = 0.0;         ///< Of the ends of joints' ways, against what meets them; <= 0.
  double jointFriction = 0.0;  ///< Of dry friction in joints.
  /// Of what joints lock: what impacts and velocities that they do not allow lose; <= 0.
  double joints = 0.0;
  /// Of contacts that give way a little (SolverReport::softness): < 0 what they take up, > 0 what
  /// they give back. Zero where all are rigid, and where those that are not rest.
  double compliance = 0.0;

  /// What the books do not explain; rounding only.
  [[nodiscard]] double residual() const;
  /// Greatest magnitude among the entries: what the residual is to be compared with.
  [[nodiscard]] double largestEntry() const;
  /// Appends a step to the account of a run.
  void append(const EnergyAccount& step);
};

}  // namespace abut::inline v0_1
