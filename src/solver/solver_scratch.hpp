// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/solver/contact_solver.hpp>

#include "solver/anderson.hpp"
#include "solver/body_space.hpp"
#include "solver/delassus_space.hpp"
#include "solver/equilibrium.hpp"
#include "solver/interior_point.hpp"
#include "solver/proximal_newton.hpp"

namespace abut::inline v0_1 {

/// Half a unit in the last place; sums and products in a relative velocity, each rounded.
inline constexpr double kEpsilon = 1.2e-16, kRoundings = 8.0;

/// A solve at hand: the problem, the stages (solver_sweeps.cpp, solver_newton.cpp,
/// solver_compliant.cpp, solver_warm.cpp), and the best impulses that one of them has found.
struct ContactSolver::Scratch {
  std::vector<PreparedContact> contacts;
  std::vector<PreparedCouple> couples;
  std::vector<double> floors;  // Impulses that the velocities' last bits amount to, by contact.
  // Impulses of the contacts, then the couples: a start, its image under a sweep, the best so far.
  std::vector<Vec3> x, g, best, start;
  std::vector<double> alphas;
  std::vector<BodyVelocity> free, velocities;
  std::vector<Vec3> u;  // Velocities of the contacts, then the couples.
  struct Acceleration {
    std::vector<double> weights;  // Of impulses, in what is made small.
    Anderson anderson;
  } acceleration;  // Of sweeps.
  BodySpace bodySpace;
  DelassusSpace delassusSpace;
  ContactSpace* space = &bodySpace;  // One of the two.
  std::vector<double> state;         // Of the second.
  ProximalNewton newton;
  InteriorPoint interior;
  Equilibrium equilibrium;
  double scale = 0.0;    // Impulse that stops the fastest contact alone.
  double largest = 0.0;  // Impulse in the last measurement, at least scale.
  double lastError = 0.0;
  double bestSpeed = 0.0;  // The best impulses' error as a velocity.
  std::vector<Vec3> rest;  // Impulses under which compliant contacts are at rest.
  bool hasBest = false;
  struct Mending {
    std::vector<ContactBlock> yielding;  // How contacts that give way respond.
    std::vector<double> errors;          // Theirs.
    std::vector<std::uint8_t> isWrong;   // By body, whether it is at a wrong one.
    std::vector<std::uint32_t> wrong;    // The contacts of those bodies.
  } mending;                             // By sweeps between Newton steps.

  void prepare(const ContactProblem& problem, bool withCouples, const SolverOptions& options,
               std::span<const Vec3> impulses, std::span<const Vec3> starts);
  void setScales(double load);
  void runSweeps(const SolverOptions& options, double enough, SolverReport& report);
  void runRelaxation(const SolverOptions& options, SolverReport& report);
  void runDirect(const ContactProblem& problem, const SolverOptions& options,
                 const SolverSetting& setting, SolverReport& report);
  void runNewton(const SolverOptions& options, SolverReport& report);
  bool startsAtRest(SolverReport& report);
  void iterate(const SolverOptions& options, int maxIdleSteps, int maxSteps, SolverReport& report);
  void runCompliant(const SolverOptions& options, const SolverSetting& setting,
                    SolverReport& report);
  bool willReach(double error, double enough, double rate, int windows) const;
  [[nodiscard]] bool isGiven() const { return space == &delassusSpace; }
  void runGiven(const SolverOptions& options, SolverReport& report);
  void settle(const SolverOptions& options, SolverReport& report);
  double softnessFor(std::span<const Vec3> from);
  [[nodiscard]] bool roughWillDo() const;
  bool tryWarm(double softness, std::span<const Vec3> from, double tolerance, SolverReport& report);
  bool trySwept(double softness, std::span<const Vec3> from, double tolerance,
                SolverReport& report);
  void beginYielding(double softness);
  void findWrong(double softness, double tolerance);
  double sweepWrong(double softness, double tolerance);
  double goOn(const SolverSetting& setting, double softness, double tolerance,
              SolverReport& report);
  void noteYield(SolverReport& report) const;
  NaturalError measureAt(std::span<const Vec3> r, double softness, std::span<double> each = {});
  NaturalError measureError(std::span<const Vec3> r);
  double offer(std::span<const Vec3> r, SolverReport& report);
  void velocitiesFor(std::span<const Vec3> r);
  void sweep(std::span<Vec3> r);
  double quietKappa(double error) const;
  bool advance(double kappa, int maxSteps, SolverReport& report, int& steps);
  bool polish(SolverReport& report);
};

/// The compliance to begin the next step with after one that was easily solved.
double hardened(double softness);

}  // namespace abut::inline v0_1
