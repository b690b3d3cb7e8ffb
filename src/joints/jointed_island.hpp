// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/crew.hpp"
#include "joints/island_rows.hpp"
#include "joints/mechanism_stepper.hpp"
#include "joints/share_out.hpp"
#include "solver/anderson.hpp"

namespace abut::inline v0_1 {

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
/// eliminated exactly, contacts and limits are solved on the response of the mechanisms that they
/// push.
///
/// A step whose equations are not solved is made in a way that always can be: velocities that
/// joints and contacts allow where bodies are, then a move, then joints closed by displacement. And
/// whatever was solved, bodies end with no more energy than they had, forces, motors and drivers
/// apart: what is left over is taken from their velocities.
class JointedIsland {
public:
  std::vector<JointedContact> contacts;

  /// Room for so many mechanisms, which the caller fills.
  void begin(std::size_t mechanisms);
  [[nodiscard]] Mechanism& mechanism(std::size_t i) { return mechanisms_[i]; }
  [[nodiscard]] std::size_t numMechanisms() const { return count_; }

  /// Makes a step: bodies, joints and contacts hold what came out, overlap taken out.
  /// Threads of the crew share the work of large islands; no bit depends on it.
  IslandReport run(const IslandSetting& setting, ContactSolver& solver, Crew& crew);
  /// Bodies before the step, with joints closed; by mechanism and body.
  [[nodiscard]] const MechanismBody& startOf(std::size_t mechanism, std::size_t body) const {
    return starts_[mechanism][body];
  }
  /// Bodies after the step, before overlap was taken out.
  [[nodiscard]] const MechanismBody& endOf(std::size_t mechanism, std::size_t body) const {
    return ends_[mechanism][body];
  }
  /// Energy that springs gained by displacements [J].
  [[nodiscard]] double springCorrection() const { return spring_correction_; }
  /// Energy that was taken from velocities since the step had no right to it, >= 0 [J].
  [[nodiscard]] double taken() const { return taken_; }

private:
  /// Energy of an island [J].
  struct Balance {
    double kinetic = 0.0, springs = 0.0;
  };
  struct Gain {
    double energy = 0.0, small = 0.0;
    double kinetic = 0.0;  ///< After the step.
  };
  /// What a thread needs for a mechanism at a time, or for all together.
  struct Scratch {
    MechanismStepper stepper;
    TurningWork turning;
    Anderson anderson;
    std::vector<Vec3> before, after;  ///< Velocities of bodies, linear and angular.
    std::vector<double> weights;
  };
  /// How a mechanism came out of what is done for each.
  struct Each {
    double change = 0.0, springs = 0.0, lift = 0.0;
    int newtonSteps = 0, halvings = 0;
    bool isSolved = true;
  };

  /// Calls f(mechanism, outcome, scratch) for each, shared out.
  template <class F>
  void forMechanisms(F&& f) {
    each_.assign(count_, Each{});
    shareOut(*crew_, count_, scratch_, [&](std::size_t i, Scratch& scratch) {
      f(static_cast<std::uint32_t>(i), each_[i], scratch);
    });
  }

  void closeGaps();
  bool runAlone(const IslandSetting& setting);
  void runTouching(const IslandSetting& setting, ContactSolver& solver);
  // Impacts.
  [[nodiscard]] bool mustSettle(const IslandSetting& setting) const;
  [[nodiscard]] bool mustBounce(const IslandSetting& setting) const;
  void settleImpacts(const IslandSetting& setting, ContactSolver& solver);
  bool solveVelocities(const IslandSetting& setting, ContactSolver& solver, bool bounces);
  /// Calls visit(mechanism, joint, row, axis) for the axes whose limits are rows beside contacts.
  template <class Visit>
  void forLimitedAxes(Visit visit) const {
    for (std::uint32_t i = 0; i < count_; ++i) {
      for (std::uint32_t j = 0; j < mechanisms_[i].joints.size(); ++j) {
        const MechanismJoint& joint = mechanisms_[i].joints[j];
        for (int r = 0; r < joint.model->numRows; ++r) {
          const JointRow& row = joint.model->rows[static_cast<std::size_t>(r)];
          if (!isAxisKind(row.kind)) continue;
          const JointAxis& axis = (*joint.axes)[row.axis];
          if (areLimitsApart(axis)) visit(i, j, static_cast<std::uint8_t>(r), axis);
        }
      }
    }
  }
  bool addImpactLimits(const IslandSetting& setting, bool bounces);
  // Forces.
  bool solveForces(const IslandSetting& setting, ContactSolver& solver, double share);
  bool isAtRest(double dt, double share);
  bool holdStill(double dt, double share);
  bool iterate(const IslandSetting& setting, ContactSolver& solver, double share);
  bool sweepForces(const IslandSetting& setting, const MotionSetting& motion,
                   ContactSolver& solver);
  [[nodiscard]] bool isMoving(const IslandSetting& setting) const;
  bool settleAll(double dt);
  bool settle(std::uint32_t mechanism, Each& each, Scratch& scratch);
  bool settleInParts(std::uint32_t mechanism, double dt, Each& each, Scratch& scratch);
  [[nodiscard]] bool isSwept(const IslandSetting& setting, double share) const;
  void keepContacts();
  [[nodiscard]] SolverOptions innerOptions(const SolverOptions& given, double last) const;
  void readVelocities(std::size_t first, std::size_t end, std::vector<Vec3>& out) const;
  void startAcceleration(std::size_t first, std::size_t end, Scratch& scratch) const;
  void accelerate(std::size_t first, std::size_t end, Scratch& scratch);
  void followDrivers(double dt);
  void finishForces(double dt, double share);
  void beginSteps(const MotionSetting& setting);
  bool linearise();
  bool addLimits(double dt);
  void setBounds(double dt, double share);
  void predict();
  double advance();
  double predictAndAdvance(bool linearises);
  [[nodiscard]] bool areSolved() const;
  [[nodiscard]] double greatestChange() const;
  void finishSteps();
  [[nodiscard]] Vec3 startVelocity(const JointedContact& c) const;
  [[nodiscard]] Vec3 startTurning(const JointedContact& c) const;
  void startTurnings();
  void readCouples(std::span<const Vec3> velocities, double share);
  // What always can be made.
  void project(const IslandSetting& setting, ContactSolver& solver);
  void kick(double dt);
  void move(double dt);
  // After it.
  bool correct(const IslandSetting& setting, ContactSolver& solver);
  bool findWays(const IslandSetting& setting, ContactSolver& solver);
  bool findWaysBySweeps(const IslandSetting& setting, ContactSolver& solver);
  void displaceAll(double share, bool isSweeping);
  void close(std::uint32_t mechanism, bool isSweeping, Each& each, Scratch& scratch);
  void sumUpClosings();
  void closeSwept();
  void closeOpen(double enough);
  [[nodiscard]] Balance balance() const;
  [[nodiscard]] double workFromOutside() const;
  [[nodiscard]] Gain gainSince(const IslandSetting& setting, const Balance& before) const;
  [[nodiscard]] bool isDriven() const;
  void takeEnergy(double energy, double kinetic);
  // Momenta of what has no hold in the world.
  [[nodiscard]] bool isFree() const;
  void change(std::size_t mechanism, std::size_t body, const Vec3& dv, const Vec3& dw);
  void takeFromWithin(double energy);
  void keepMomenta(double dt);
  void hold();
  void limitGain(const IslandSetting& setting, const Balance& before);
  [[nodiscard]] double mostLift() const;
  void payForLift(double lift);
  void save();
  void goBack();

  std::vector<Mechanism> mechanisms_, saved_;
  std::vector<MeanStep> steps_;
  std::vector<std::vector<MechanismBody>> starts_, ends_;
  std::vector<std::vector<double>> start_armatures_;  ///< Energy of each joint's, before [J].
  std::vector<std::vector<Vec6>> pushes_, ways_;      ///< By mechanism and body.
  MechanismStepper stepper_;
  IslandRows rows_;
  std::size_t count_ = 0;
  double spring_correction_ = 0.0, taken_ = 0.0;
  double loss_left_ = 0.0;  ///< Energy that the step lost, for the correction to use [J].
  bool is_free_ = false;    ///< Nothing but gravity acts on the island from outside.
  IslandReport report_;
  std::vector<Vec3> start_at_, velocities_;
  std::vector<std::uint8_t> is_stepped_;  ///< By mechanism: it has gone through the step already.
  std::vector<std::uint8_t> settles_;     ///< By mechanism: it comes to rest by itself.
  Crew* crew_ = nullptr;
  std::vector<Scratch> scratch_;
  std::vector<Each> each_;  ///< Of the last forMechanisms().
};

}  // namespace abut::inline v0_1
