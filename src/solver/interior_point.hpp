// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "solver/natural_error.hpp"

namespace abut::inline v0_1 {

/// Solves contact problems with a little compliance from a central start: what has too many
/// possible answers, or none, for Newton's method from the last step's impulses, such as heaps in
/// motion.
///
/// For each contact r_n, y_n > 0 are impulse and separation speed, and for each disc |x| <= x0 = mu
/// r_n (friction; rolling and spinning likewise with their arms) s, t > 0 the slip speed and the
/// slack:
///   u_n + e (r_n - rest_n) = y_n,   u_x + e (x - rest_x) + (s / x0) x = 0,   x0 - |x|^2 / x0 = t,
///   r_n y_n = tau,   s t = tau,
/// with e the compliance and tau -> 0: Coulomb's law exactly, without the terms of a cone that lose
/// their digits where a contact slides. Predictor and corrector after Mehrotra, one length of the
/// step for all; contacts that block it are held back by damping of their own in the matrix.
class InteriorPoint {
public:
  struct Result {
    int iterations = 0;
    NaturalError error;  ///< Of the compliant problem, at the best impulses.
    bool solved = false;
    bool eased = true;  ///< No step was short: contacts may be harder.
  };

  /// Overwrites the impulses with the best found. `by` gives compliance and rest, and what the
  /// error is measured by; `enough` [m/s] is an error in velocities that will do, 0 for none.
  Result solve(ContactSpace& space, const ErrorMeasure& by, double tolerance, double enough,
               int maxIterations, std::span<Vec3> impulses);

private:
  struct Contact {
    std::uint32_t index;
    std::uint32_t firstDisc, endDisc;
    double soft;                  // Compliance.
    double rn, yn, drn, dyn;      // Unknowns and their steps.
    double rest, missing, aimed;  // Right sides: of the first equation, and of r_n y_n.
    double damping;               // In units of the response.
  };
  /// Friction, rolling (two numbers), or spinning (one).
  struct Disc {
    std::uint32_t contact;     // Among contacts_.
    std::uint32_t vector;      // Of the impulses.
    std::uint8_t first, dims;  // Its numbers in that vector.
    double coefficient, soft, response;
    double s, t, ds, dt;
    double x[2], dx[2], rest[2];
    double missing[2], slack, aimed;  // Right sides.
    double rim;                       // d(x0 - |x|^2/x0) / d r_n.
  };

  void gather(const ErrorMeasure& by);
  void start();
  double gap() const;
  void getImpulses(std::span<Vec3> r) const;
  void linearise();
  void setGain(const Contact& c, ContactGain& gain);
  void aim(double target, bool corrected);
  bool findDirection(int refinements);
  double longest(const Contact& c) const;
  double reduced(double length) const;
  void advance(double length);
  Vec3 answer(const Contact& c, const Vec3& change, Vec3& couple, const Vec3& turning) const;

  ContactSpace* space_ = nullptr;
  std::vector<Contact> contacts_;
  std::vector<Disc> discs_;
  std::vector<double> state_, step_, right_;
  std::vector<Vec3> u_, du_, r_, pushes_;
  std::vector<ContactGain> gains_;
  double num_products_ = 0.0;
  double speed_ = 0.0, impulse_ = 0.0;  // Scales of the problem.
};

}  // namespace abut::inline v0_1
