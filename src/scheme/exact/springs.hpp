// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "scheme/exact/exact_step.hpp"

namespace abut::inline v0_1 {

/// Whether a contact gives way. Fast bodies meet rigid surfaces: a spring could not tell when.
[[nodiscard]] inline bool isSpring(const StepContact& c) {
  return c.material.stiffness > 0.0 && c.cacheIndex != kNoCacheIndex;
}
[[nodiscard]] bool hasSprings(const ExactStep& s, const Island& island);

/// Energy of a spring that is compressed by x [J]; none where x < 0.
[[nodiscard]] inline double springEnergy(double stiffness, double x) {
  return x > 0.0 ? 0.5 * stiffness * (x * x) : 0.0;
}

/// Contacts that give way, under the forces of a step.
///
/// Overlap x is the compression of a spring of energy V = k x^2 / 2 for x > 0. From x0 to x1 = x0 -
/// dt (u0 + u1) / 2 it pushes with (V(x1) - V(x0)) / (x1 - x0): its work is then the change of its
/// energy exactly, also in steps in which it begins or ceases to touch. To that comes k dissipation
/// times the closing speed, for the share of the step in which it touches; together they push or do
/// nothing. As a law for u1 this is u1 + R p >= b, with p >= 0 and one of the two zero, by Newton's
/// method on x1: the contact problem with R added to the diagonal of its Delassus matrix. Springs
/// that no step can follow push by the overlap at the end.
class SpringStage {
public:
  /// Solves the problem in `s.local`, of that island: velocities are on entry those without
  /// contacts.
  SolverReport solve(ExactStep& s, const Island& island);

private:
  bool pass(const ExactStep& s, const Island& island);
  void applyAll(const LocalProblem& local, std::span<BodyVelocity> velocities) const;

  DelassusMatrix matrix_;
  std::vector<std::array<double, 9>> block_;
  std::vector<std::uint32_t> kept_;
  std::vector<Vec3> rigid_, free_, impulses_, velocities_;  // By contact that is kept.
  std::vector<double> friction_;
  std::vector<double> depth_, speed_;  // By local contact: x1; speed at the start.
  std::vector<double> give_, bound_;   // R and b.
  std::vector<double> unresolved_;     // How far no step can follow it, 0 to 1.
  std::vector<BodyVelocity> start_;
};

}  // namespace abut::inline v0_1
