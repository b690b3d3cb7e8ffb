// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "solver/contact_space.hpp"

namespace abut::inline v0_1 {

/// Solves a contact problem by a proximal point method, with Newton's method in the space of states
/// inside: what sweeps cannot do in reasonable time (large mass ratios, tall stacks, bodies wedged
/// between contacts that hardly contradict each other).
///
/// With A(z) the nearest impulse that Coulomb's law allows, part by part (the normal part first,
/// then the tangential one with that normal impulse), and r_c the present impulses, it finds the
/// state s, for bodies their velocities, with
///   M (v - v0) = sum_c J_c^T A(r_c - rho_c u_c(v));
/// the A(...) are the new impulses. A fixed point solves the problem exactly, whatever rho is; the
/// larger rho, the fewer steps, and the more rounding: u is known to the last bit of the velocities
/// it is a difference of, and rho magnifies that.
///
/// One such iteration also is the problem of contacts with a compliance 1/rho_c whose springs are
/// at rest under the impulses r_c.
class ProximalNewton {
public:
  /// Newton steps in an outer iteration unless said otherwise.
  static constexpr int kMaxNewtonSteps = 20;

  struct Result {
    int newtonSteps = 0;
    bool solved = false;  ///< The equation holds to rounding.
  };

  /// One outer iteration: replaces the impulses (those of the contacts, then the couples') by the
  /// next ones; kappa scales rho_c = kappa / W_c. At most so many Newton steps, from the state that
  /// belongs to the impulses.
  Result advance(ContactSpace& space, double kappa, int maxSteps, std::span<Vec3> impulses);

  /// The same step by step: begins, with `center` as the present impulses and from the state that
  /// belongs to `start`.
  void begin(ContactSpace& space, double kappa, std::span<const Vec3> center,
             std::span<const Vec3> start);
  enum class Progress { Solved, Moving, Stuck };
  /// One Newton step, if the equation does not hold yet.
  Progress step();
  /// The impulses of the present state.
  void getImpulses(std::span<Vec3> impulses) const;
  [[nodiscard]] std::span<const double> getState() const { return state_; }

private:
  double evaluate(const std::vector<double>& s, std::vector<double>& defect, std::vector<Vec3>& z);
  double termsSquared();
  void setGains();
  void move(double length);

  ContactSpace* space_ = nullptr;
  std::vector<double> state_, trial_, defect_, trial_defect_, right_, step_, rho_, speeds_;
  std::vector<Vec3> center_, z_, trial_z_, allowed_;  // Of the contacts, then of the couples.
  std::vector<ContactGain> gains_;
  double square_ = 0.0;
  int forced_ = 0;
};

}  // namespace abut::inline v0_1
