// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <abut/dynamics/mobility.hpp>
#include <abut/solver/contact_solver.hpp>

#include "joints/mechanism_stepper.hpp"

namespace abut {

/// A contact of a body that joints hold, or of one that such a body touches.
struct JointedContact {
  /// Where a side is: a body of a mechanism, or something that moves as given.
  struct Side {
    std::uint32_t mechanism = kWorldBody, body = kWorldBody;
    Vec3 arm;            ///< From the centre of mass [m].
    BodyVelocity given;  ///< Of what is not in a mechanism.
  };
  Side side1, side2;
  Vec3 normal, tangent1, tangent2, offset;  ///< As in SolverContact.
  double friction = 0.0, restitution = 0.0;
  double gap = 0.0;  ///< Negative: overlap [m].
  /// Displacement that takes a share of the overlap out [m]; 0 if there is nothing to correct.
  double correction = 0.0;
  Vec3 impulse;  ///< Along normal and tangents [N s]: the last step's, then this one's.
  Vec3 impact;   ///< Of the impact at the beginning of the step.
  /// Relative velocities that the two do their work on, along normal and tangents [m/s].
  Vec3 meanVelocity, impactVelocity;
};

struct IslandSetting {
  double dt = 0.0;
  double share = 0.5;  ///< See MotionSetting; of islands with contacts.
  double mostTurn = 0.5;
  bool isFourthOrder = false;
  double slowestImpact = 0.0;
  bool isFresh = false;
  SolverOptions solver;
};

struct IslandReport {
  int newtonSteps = 0, sweeps = 0, halvings = 0;
  bool converged = true;
  double error = 0.0;  ///< Of the contacts; see SolverReport.
  std::uint32_t worstContact = 0;
};

/// Mechanisms and single bodies that touch each other or something that is given: joints are
/// eliminated exactly, contacts are solved on the response of the mechanisms that they push.
class JointedIsland {
public:
  std::vector<JointedContact> contacts;

  /// Room for so many mechanisms, which the caller fills.
  void begin(std::size_t mechanisms);
  [[nodiscard]] Mechanism& mechanism(std::size_t i) { return mechanisms_[i]; }
  [[nodiscard]] std::size_t numMechanisms() const { return count_; }

  /// Makes a step: bodies, joints and contacts hold what came out.
  IslandReport run(const IslandSetting& setting, ContactSolver& solver);
  /// Displacements of the bodies before the step, that closed joints; by mechanism and body.
  [[nodiscard]] const MechanismBody& startOf(std::size_t mechanism, std::size_t body) const {
    return starts_[mechanism][body];
  }
  /// Energy that springs gained by it [J].
  [[nodiscard]] double springCorrection() const { return springCorrection_; }
  /// Displacements that take overlap out, by mechanism and body, after the step; false if there
  /// are none.
  bool correct(const IslandSetting& setting, ContactSolver& solver);
  [[nodiscard]] const Vec6& displacement(std::size_t mechanism, std::size_t body) const {
    return displacements_[mechanism][body];
  }

private:
  void closeGaps();
  bool mustSettle(const IslandSetting& setting) const;
  void settleImpacts(const IslandSetting& setting, ContactSolver& solver);
  bool tryImpacts(const IslandSetting& setting, ContactSolver& solver, bool bounces);
  bool solveForces(const IslandSetting& setting, ContactSolver& solver, double share);
  void findPatterns();
  bool linearise();
  void buildMatrix(double share);
  [[nodiscard]] double freeResponse(const JointedContact& c) const;
  void addColumn(std::uint32_t contact, int direction, std::uint32_t mechanism);
  void solveContacts(const SolverOptions& options, ContactSolver& solver);
  double advance();
  [[nodiscard]] Vec3 relative(const JointedContact& c, bool isFree) const;
  [[nodiscard]] Vec3 startVelocity(const JointedContact& c) const;
  void save();
  void goBack();

  std::vector<Mechanism> mechanisms_, saved_;
  std::vector<MeanStep> steps_;
  std::vector<std::vector<MechanismBody>> starts_;
  std::vector<std::vector<Vec6>> pushes_, displacements_;
  MechanismStepper stepper_;
  std::size_t count_ = 0;
  double springCorrection_ = 0.0;
  IslandReport report_;

  // The contacts' problem.
  std::vector<std::vector<std::uint32_t>> contactsOf_;  ///< Of each mechanism.
  std::vector<std::uint32_t> rowStart_, column_;
  std::vector<std::array<double, 9>> block_;
  std::vector<Vec3> free_, impulses_, velocities_, startAt_;
  std::vector<double> friction_, bound_;
  std::vector<double> softness_;
  std::vector<Vec6> nodes_;
};

}  // namespace abut
