// SPDX-License-Identifier: MIT
//
// Islands of many contacts in real time: a few rounds of joints and contacts together, in which
// contacts are swept; then each mechanism comes to rest by itself, under the impulses found.
#include "joints/jointed_island.hpp"

namespace abut {
namespace {

constexpr double kEnd = 1.0;
/// Rounds of joints and contacts; fewer where velocities change by less than this part of
/// themselves, in units of rounding (a millionth).
constexpr int kMostRounds = 2;
constexpr double kNear = 4e9;
/// In all but the last of them contacts are solved no more precisely than what the round changes,
/// with this part of the sweeps; the last one has what they leave.
constexpr double kFirstTolerance = 1e-2;
constexpr int kFirstPart = 4;
/// Iterations of a mechanism under given impulses, until changes are so small in units of rounding:
/// the gap that is left in joints is of the square of them.
constexpr int kMostSteps = 20;
constexpr double kEnough = 4e5;
/// Where changes fall by less than this in an iteration, the last ones are combined.
constexpr double kSlowFall = 0.1;

}  // namespace

/// True if all equations are solved; else the mechanisms are to be set back.
bool JointedIsland::sweepForces(const IslandSetting& setting, ContactSolver& solver) {
  const std::size_t n = contacts.size();
  int sweeps = 0;
  for (int i = 0; i < kMostRounds; ++i) {
    if (!linearise()) return false;
    const bool grows = addLimits(setting.dt);
    rows_.refresh();
    predict();
    rows_.buildMatrix(kEnd, true);
    setBounds(setting.dt, kEnd);
    rows_.velocities(true, velocities_);
    SolverOptions options = setting.solver;
    if (i + 1 < kMostRounds) {
      options.tolerance = maxOf(options.tolerance, kFirstTolerance);
      options.maxSweeps = 1 + options.maxSweeps / kFirstPart;
    } else {
      options.maxSweeps = kMostRounds * options.maxSweeps - sweeps;
    }
    const SolverReport r = rows_.solve(velocities_, options, solver);
    sweeps += r.sweeps;
    report_.sweeps += r.sweeps;
    report_.error = r.error;
    report_.worstContact = r.worstContact < n ? r.worstContact : 0;
    predict();
    const double change = advance();
    ++report_.newtonSteps;
    if (!isFinite(change)) return false;
    if (!grows && change < kNear && r.error <= setting.solver.tolerance) break;
  }
  report_.converged = report_.converged && report_.error <= setting.solver.tolerance;
  keepContacts();
  rows_.pushes(true, pushes_);
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (!settle(i) && !settleInParts(i, setting.dt)) return false;
  }
  return true;
}

/// Newton's method on one mechanism, under its pushes; where changes fall slowly, the last ones are
/// combined (see startAcceleration).
bool JointedIsland::settle(std::uint32_t i) {
  MeanStep& step = steps_[i];
  double last = 0.0;
  bool isSlow = false;
  for (int k = 0; k < kMostSteps; ++k) {
    if (!step.linearise()) return false;
    step.predict(pushes_[i]);
    if (isSlow) readVelocities(i, i + 1, before_);
    const double change = step.advance();
    ++report_.newtonSteps;
    if (!isFinite(change)) return false;
    if (change <= kEnough) return true;
    if (isSlow) accelerate(i, i + 1);
    if (!isSlow && k > 0 && change > kSlowFall * last) {
      isSlow = true;
      startAcceleration(i, i + 1);
    }
    last = change;
  }
  return false;
}

/// A mechanism that is too fast for that: from the beginning of the step, in parts, under the same
/// pushes.
bool JointedIsland::settleInParts(std::uint32_t i, double dt) {
  Mechanism& m = mechanisms_[i];
  m = saved_[i];
  if (!stepper_.runUnder(m, pushes_[i], dt)) return false;
  ++report_.halvings;
  is_stepped_[i] = 1;
  for (std::uint32_t b = 0; b < m.bodies.size(); ++b) {
    const MechanismBody &end = m.bodies[b], &start = saved_[i].bodies[b];
    if (!end.isMobile) continue;
    steps_[i].setVelocity(
        b, toVec6((end.position - start.position) / dt, (end.turn - start.turn) / dt));
  }
  return true;
}

}  // namespace abut
