// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "joints/hidden_motion.hpp"
#include "joints/mean_step.hpp"

namespace abut::inline v0_1 {

/// How a mechanism that nothing touches is stepped.
struct MechanismOptions {
  double dt = 0.0;  ///< [s]
  /// The step is divided so that no body turns by more than this in a part [rad]: a part turns by
  /// 2 atan(w dt / 2), which lacks (w dt)^2 / 12 of the angle.
  double mostTurn = 0.5;
  /// Parts are composed to fourth order where nothing dissipates but friction of axes that slide;
  /// what slides until it stops and what meets a limit does so when it does, within the step.
  bool isFourthOrder = false;
  double slowestImpact = 0.0;  ///< Of limits [rad/s or m/s].
  /// Velocities are brought to what the joints allow, whatever it costs: they were set by a call.
  bool isFresh = false;
};

struct MechanismReport {
  int newtonSteps = 0, parts = 0, halvings = 0;
  bool converged = true;
  double closed = 0.0;  ///< Greatest gap that was closed by displacement [m, or rad].
};

/// Gaps beyond this are closed by displacement before the step [m, or rad]: below it they are what
/// rounding of positions leaves.
inline constexpr double kSmallGap = 1e-9;
/// Closing ends here, or where it makes no progress any more.
inline constexpr double kNoGap = 1e-15;

/// Where an axis of a joint is, and how fast.
struct AxisMotion {
  double position = 0.0, rate = 0.0;
};

/// Moves mechanisms; keeps its buffers.
class MechanismStepper {
public:
  /// Over a step. Outcomes of the joints are those of this step.
  MechanismReport run(Mechanism& mechanism, const MechanismOptions& options);

  /// Closes the joints by displacements, which turn velocities with the bodies, until gaps are no
  /// more than `enough` or do not become smaller.
  bool closeGaps(Mechanism& mechanism, double enough = kNoGap);
  /// The same with few matrices: one goes on being used while gaps fall well by it. For mechanisms
  /// of heaps, whose gaps may be centimetres at first.
  bool closeByOne(Mechanism& mechanism, double enough);
  /// Over a step under impulses on the bodies that act evenly all the while, in halves where it
  /// takes them. Outcomes are added to those that joints have.
  bool runUnder(Mechanism& mechanism, std::span<const Vec6> pushes, double dt);
  /// Brings velocities to what joints and limits allow, where limits are met, where that costs more
  /// than a part of the energy that counts, or where it is asked for.
  void settleVelocities(Mechanism& mechanism, const MechanismOptions& options);
  /// What hangs at bodies that move as prescribed takes over by how much these ended the step that
  /// `step` finished last with other velocities than it took them for.
  void followDrivers(Mechanism& mechanism, MeanStep& step, double dt);

private:
  bool part(Mechanism& mechanism, double from, double to, int depth);
  bool solve(Mechanism& mechanism, double from, double to, double share);
  void setTargets(Mechanism& mechanism, double at);
  void settleCoupled(Mechanism& mechanism);
  void settleDriven(Mechanism& mechanism, double dt, Mechanism& saved);
  // What ends within a step (mechanism_events.cpp).
  bool goOn(Mechanism& mechanism, double from, double to);
  // What joints do not allow (mechanism_hidden.cpp).
  bool goFinely(Mechanism& mechanism, double from, double to, int depth);
  double findHidden(const Mechanism& mechanism);
  void settleHidden(Mechanism& mechanism);
  bool compose(Mechanism& mechanism, double from, double to);
  [[nodiscard]] bool goesOn(const Mechanism& mechanism) const;
  bool goToEnd(Mechanism& mechanism, double from, double& at);
  void meetLimits(Mechanism& mechanism, double within);
  static bool findAllowed(Mechanism& mechanism, const MotionSetting& setting, MeanStep& step);
  void keepOutcomes(const Mechanism& mechanism);

  MeanStep step_;
  TurningWork turning_;
  MechanismOptions options_;
  MechanismReport report_;
  bool slides_on_ = false;  ///< See MotionSetting::slidesOn.
  bool is_pushed_ = false;  ///< In runUnder(), by the true matrix.
  std::vector<MechanismBody> start_, kept_;
  /// Before something that may end, and how axes moved then that may end it.
  Mechanism begun_;
  std::vector<AxisMotion> firsts_;
  std::vector<Mechanism> saved_;  ///< By depth of halving.
  std::vector<JointOutcome> outcomes_;
  std::vector<JointMemory> memories_;
  std::vector<Vec6> loads_;  ///< Forces and torques without the pushes.
  HiddenMotion hidden_;
  double in_hidden_ = 0.0;        ///< Energy of what joints do not allow [J].
  std::vector<Mechanism> finer_;  ///< By depth of what is stepped more finely.
  Mechanism still_;
};

/// Whether nothing in a mechanism dissipates, keeps a speed or stops: springs, armatures and steady
/// forces may be.
[[nodiscard]] bool isConservative(const Mechanism& mechanism);
/// The same until a slide ends or a limit is met: none is held by friction or a limit now.
[[nodiscard]] bool isReversible(const Mechanism& mechanism);
/// Whether nothing takes energy or gives it but steady forces, as long as no limit is met.
[[nodiscard]] bool isUndriven(const Mechanism& mechanism);
/// What forces can do on the size of a mechanism's parts [J]: what a swing at rest at its end still
/// has.
[[nodiscard]] double reserveOf(const Mechanism& mechanism);

}  // namespace abut::inline v0_1
