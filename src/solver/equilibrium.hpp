// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "solver/contact_space.hpp"

namespace abut::inline v0_1 {

/// Looks for impulses under which nothing moves.
///
/// Where a body slides slowly at the bound of friction, Coulomb's law often has two answers: it
/// goes on, or others press it so much that it stays. Which impulses keep everything in place is a
/// convex question, and its answers are Coulomb's too: without slip his law only asks that impulses
/// are inside their cones. So the law is replaced by its convex neighbour, in which slip also parts
/// bodies. With P(z) the nearest impulse in the cone and r_c the present impulses, the velocities v
/// with
///   M (v - v0) = sum_c J_c^T P(r_c - rho_c u_c(v))
/// are the minimum of a convex function, which Newton's method with a search along the line finds
/// from everywhere. The P(...) are the next impulses, with a larger rho: a proximal point method.
/// If there are impulses that hold everything v tends to 0, else to the least motion.
///
/// Couples are not part of it.
class Equilibrium {
public:
  struct Result {
    int newtonSteps = 0;
    bool holds = false;
  };

  /// From impulses, which it replaces by those that it comes to: until no contact moves faster than
  /// `slowest` [m/s], or there is little hope of that.
  Result seek(ContactSpace& space, double slowest, std::span<Vec3> impulses);
  /// From impulses that hold nothing yet, which it replaces by those that hold everything as well
  /// as they can. Contacts are soft at first and stiffen: stiff ones at once would be closed one
  /// after the other, from the ground up. Returns the Newton steps it took.
  int approach(ContactSpace& space, std::span<Vec3> impulses);

private:
  void begin(ContactSpace& space, double kappa, std::span<const Vec3> impulses);
  double squareOf(const std::vector<Vec3>& impulses);
  double evaluate(const std::vector<double>& state);
  void setGains();
  struct Effort;
  bool minimise(const Effort& effort, int& steps);
  double slope() const;
  void search();
  double fastest();

  ContactSpace* space_ = nullptr;
  double kappa_ = 0.0;  // rho_c in units of a contact's inverse response.
  std::vector<double> state_, trial_, defect_, step_, right_;
  std::vector<Vec3> center_, z_, allowed_;
  std::vector<ContactGain> gains_;
};

}  // namespace abut::inline v0_1
