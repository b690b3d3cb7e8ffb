// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "joints/mean_step_work.hpp"
#include "joints/mechanism.hpp"
#include "joints/motion_setting.hpp"

namespace abut::inline v0_1 {

/// One step of a mechanism that keeps energy, momenta and joints to rounding, at any length.
///
/// Unknown are the mean velocities (v, w) and the impulses l of the rows:
///   x1 = x0 + dt v,  R1 = C(dt w) R0 (cayley.hpp),  v1 = 2 v - v0,  W1 = 2 R0^T w - W0,
///   m (v1 - v0) = dt f + J^T l,  R1 I W1 - R0 I W0 = dt t + J^T l,  g(x1, R1) = 0,
/// with the rates J of the rows at the means of both ends. Any impulse p along any row does the
/// work p J (v, w) exactly, since (L1 - L0) w = (W0 + W1)/2 I (W1 - W0), and what joints lock does
/// none, since dt J (v, w) = g1 - g0.
///
/// Newton's method with the stiffness that joint forces have because bodies turn under them. Axes
/// are rows whose law (AxisLaw) is linear near the present point, held, or of a given impulse.
class MeanStep {
public:
  /// Starts from the state of a mechanism, which must live until finish().
  void begin(Mechanism& mechanism, const MotionSetting& setting);
  /// What the equations miss at the present velocities and impulses.
  void evaluate();
  /// Their matrix there, after evaluate(). False if they have no answer.
  bool factorise();
  /// evaluate(), unless velocities and impulses are those of the last one.
  void update() {
    if (!is_evaluated_) evaluate();
  }
  /// Both.
  bool linearise() {
    update();
    return factorise();
  }
  /// Takes bodies to stay where they are, if their velocities are so small in units of rounding,
  /// and evaluates that. False, and nothing is changed, if they are not.
  bool tryRest(double small);
  /// Back to the velocities at the beginning.
  void moveOn();
  /// How far the present velocities are from the answer by the last evaluate(), with impulses of
  /// contacts on each body: what each body and each row misses, as the velocity that it would give
  /// them alone, in units of rounding.
  [[nodiscard]] double missing(std::span<const Vec6> pushes) const;
  /// The change that the last linearise() asks for, with impulses of contacts on each body (or none
  /// at all).
  void predict(std::span<const Vec6> pushes);
  /// The same by the true matrix of the equations, for bodies that turn fast in the step.
  void predictTurning(std::span<const Vec6> pushes, TurningWork& work);
  /// What impulses on bodies make of their velocities by the last factorise(), if it was one.
  void answer(std::span<const Vec6> pushes, std::vector<Vec6>& velocities) const;
  /// Greatest gap of the joints at the end of the step, by the last evaluate() [m or rad].
  [[nodiscard]] double mostGap() const;
  /// Of MotionKind::Gaps, without couplings: where bodies are by now, for predict() by the matrix
  /// of the last factorise(). Returns the greatest gap [m or rad].
  double lookAgain();
  /// Velocity of a body that predict() leads to.
  [[nodiscard]] Vec6 predicted(std::uint32_t body) const { return of_[body].mean + change_[body]; }
  [[nodiscard]] Vec6 velocity(std::uint32_t body) const { return of_[body].mean; }
  void setVelocity(std::uint32_t body, const Vec6& mean) {
    of_[body].mean = mean;
    is_evaluated_ = false;
  }
  /// See BlockElimination::reach(); impulses and moments on bodies.
  void reach(std::span<const std::uint32_t> bodies, std::span<const std::array<Vec6, 3>> sides,
             int directions, BlockElimination::Reach& out) const {
    elimination_.reach(bodies, sides, directions, out);
  }
  /// See BlockElimination::invert(): what impulses on bodies make of each other's velocities.
  void respond(std::vector<Mat6>& between);
  /// The same in single precision, of a tree whose bodies all move freely. False if it is none.
  bool respondSingly(SingleInverse& between);
  /// An impulse and its moment without what locks of the body take away; zero for one that moves as
  /// prescribed.
  [[nodiscard]] Vec6 free(std::uint32_t body, const Vec6& push) const {
    return m_->bodies[body].isMobile ? unlocked(body, push) : Vec6{};
  }
  /// Answer of a rate to an impulse along it, on a body that nothing else holds.
  [[nodiscard]] double responseOf(const Vec6& rate, std::uint32_t body) const;
  [[nodiscard]] std::size_t numBodies() const { return of_.size(); }
  /// By how much the last predict() turns bodies more, or less, over the step: the greatest angle
  /// [rad].
  [[nodiscard]] double turnOfChange() const;
  /// Goes on to what predict() found. Returns the size of the change in units of rounding.
  double advance();

  /// Rates of a joint's rows by the last linearise(), and between which bodies.
  [[nodiscard]] const JointRates& ratesOf(std::uint32_t joint) const {
    return joints_[joint].rates;
  }
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> bodiesOf(std::uint32_t joint) const {
    return {m_->joints[joint].body1, m_->joints[joint].body2};
  }
  /// Of an axis by the last linearise(): its rate, and where it is at the end.
  [[nodiscard]] double axisRate(std::uint32_t joint, std::size_t row) const {
    return joints_[joint].rows[row].rate;
  }
  [[nodiscard]] double axisEnd(std::uint32_t joint, std::size_t row) const {
    return joints_[joint].rows[row].next;
  }
  /// Rate of an axis at the beginning of an impact.
  [[nodiscard]] double axisStartRate(std::uint32_t joint, std::size_t row) const {
    return joints_[joint].rows[row].startRate;
  }
  /// Impulse of a limit along an axis, for what finish() books.
  void setLimit(std::uint32_t joint, std::size_t row, double impulse) {
    joints_[joint].rows[row].limit = impulse;
    is_evaluated_ = false;
  }
  /// Makes limits that were apart part of the axes' laws, and what they gave of their impulses.
  void joinLimits() {
    setting_.hasLimitsApart = false;
    is_evaluated_ = false;
  }
  void addImpulse(std::uint32_t joint, std::size_t row, double impulse) {
    joints_[joint].rows[row].impulse += impulse;
    is_evaluated_ = false;
  }
  /// Impulses that finish() takes to have acted, without those of setLimit().
  void setPushes(std::span<const Vec6> pushes) { pushed_.assign(pushes.begin(), pushes.end()); }
  /// Writes the new state, memories and outcomes into the mechanism.
  void finish();
  /// Whether, in the step that was finished last, bodies that move as prescribed end with other
  /// velocities than v0 + (v - v0) / share makes of those at its beginning and of its mean. What
  /// hangs at them has the latter; left alone it would go on to swing about the former.
  [[nodiscard]] bool areDriversOff() const { return are_drivers_off_; }

  /// In units of rounding: a change that is none.
  static constexpr double kSettled = 4.0;
  /// Below this, a change that does not become smaller is rounding of what is summed.
  static constexpr double kNearlySettled = 4e3;
  /// The square of such a change is none.
  static constexpr double kSquaredIsNone = 4e5;

private:
  using BodyWork = MeanStepWork::Body;
  using RowWork = MeanStepWork::Row;
  using JointWorkspace = MeanStepWork::Joint;
  using CouplingWork = MeanStepWork::Coupling;

  // What the matrix that is eliminated leaves out of the true one (mean_step_turning.cpp).
  [[nodiscard]] Vec3 turnBy(std::uint32_t body, const Vec3& spin) const;
  void findMissing(TurningWork& missing) const;
  void findMissing(std::uint32_t joint, TurningWork& missing) const;
  void turnArm(std::uint32_t body, const Vec3& arm, const Vec3& l, Mat3& by) const;
  [[nodiscard]] Vec6 endRate(std::uint32_t body, const Vec6& rate) const;
  [[nodiscard]] Vec3 momentByTurns(std::uint32_t joint, const TurningWork::OfJoint& at,
                                   const Vec3& turn1, const Vec3& turn2) const;
  void multiplyMissing(std::span<const Vec6> x, TurningWork& missing) const;

  void makeGraph();
  static void stopAtLocks(MechanismBody& body);
  void startBody(std::size_t i);
  void startRows();
  void placeBody(std::size_t i);
  void evaluate(std::size_t joint);
  void evaluateGaps(std::size_t joint);
  void evaluate(MechanismCoupling& coupling, CouplingWork& work);
  [[nodiscard]] double rateOf(const Vec6& rate, std::uint32_t body) const;
  AxisLaw lawOf(const MechanismJoint& joint, const JointWorkspace& work, std::size_t row) const;
  [[nodiscard]] double slideOf(const MechanismJoint& joint, std::size_t row) const;
  void addFriction(double most, double startRate, AxisLaw& law) const;
  void addLimits(const JointAxis& axis, const RowWork& row, double start, AxisLaw& law) const;
  AxisLaw impactLawOf(const MechanismJoint& joint, const JointWorkspace& work,
                      std::size_t at) const;
  // Springs about twists (mean_step_twist.cpp).
  static void fadeTwist(const MechanismJoint& joint, const TwistRows& at, double dt,
                        JointWorkspace& work);
  void balanceTwist(const MechanismJoint& joint, const TwistRows& at, JointWorkspace& work) const;
  void settleRow(const MechanismJoint& joint, JointWorkspace& work, std::size_t row);
  void addStiffness(const MechanismJoint& joint, const JointWorkspace& work);
  void assembleBodies();
  void assembleRows();
  void setRight();
  // Rows that hold the same thing twice (mean_step_shared.cpp).
  struct Held;
  template <class Visit>
  void forHeldRows(Visit visit);
  [[nodiscard]] double regularOf(double response, bool isAxis) const;
  [[nodiscard]] bool mayShareRows() const;
  [[nodiscard]] bool hasSharedRows();
  bool factoriseShared();
  void shareRows();
  void solveShared();
  void dropTension();
  void dropConflict(bool ofAxes);
  void addMoment(std::uint32_t body, const Vec3& moment);
  void addImpulses(std::uint32_t body, const Mat6& rates, const JointWorkspace& work);
  [[nodiscard]] Vec6 unlocked(std::uint32_t body, const Vec6& v) const;
  [[nodiscard]] Vec6 withCarried(std::uint32_t body, const Vec6& v) const;
  [[nodiscard]] double mostSpeed() const;
  [[nodiscard]] double sizeOf(std::size_t body, const Vec6& change, double most) const;
  [[nodiscard]] bool isRigid() const;
  [[nodiscard]] double shiftOf(const MechanismJoint& joint, const JointWorkspace& work,
                               std::size_t row) const;
  void measureDrivers();
  void sumCoupled();
  void finishBody(std::size_t i);
  void finishJoint(std::size_t i);
  void bookAxis(const MechanismJoint& joint, const JointWorkspace& work, std::size_t at,
                JointOutcome& outcome) const;

  Mechanism* m_ = nullptr;
  MotionSetting setting_;
  double inverse_share_ = 2.0;
  bool is_start_ = false;
  bool is_evaluated_ = false;  ///< At the present velocities and impulses.
  bool is_factorised_ = false;
  bool are_drivers_off_ = false;
  bool is_rigid_ = false;   ///< Where drivers are followed: joints leave nothing free.
  bool is_shared_ = false;  ///< Some rows hold the same thing twice.
  MechanismGraph graph_;
  BlockElimination elimination_;
  std::vector<BodyWork> of_;
  std::vector<JointWorkspace> joints_;
  std::vector<CouplingWork> couplings_;
  std::vector<std::array<std::uint32_t, 2>> edges_of_;  ///< Of each joint.
  std::vector<Vec6> change_, right_, pushed_;
  std::vector<Vec6> shared_;  ///< By node: of rows that hold the same thing twice.
  std::vector<Vec6> off_;     ///< By body: by how much a driver is.
  std::vector<RowPositions>
      coupled_;  ///< By joint: impulses of couplings; empty if there are none.
};

}  // namespace abut::inline v0_1
