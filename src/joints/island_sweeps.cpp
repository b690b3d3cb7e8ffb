// SPDX-License-Identifier: MIT
//
// Islands of many contacts in real time: two rounds of joints and contacts together, in which
// contacts are swept. What these leave of the joints' gaps, the square of what limbs turn within
// the step, is closed by displacement, and what they leave of the momenta is booked. Newton's
// method is not carried to its end under the impulses found: where these are large beside the
// inertia of a limb its equations have no answer near, while those of a round always have one. Only
// mechanisms whose axes have laws that jump or bend come to rest by themselves.
#include <algorithm>

#include "joints/jointed_island.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kEnd = 1.0;
/// Rounds of joints and contacts; fewer where velocities change by less than this part of
/// themselves, in units of rounding (a millionth).
constexpr int kMostRounds = 2;
constexpr double kNear = 4e9;
/// In all but the last of them contacts are solved no more precisely than what the round changes,
/// with this part of the sweeps; the last one has what they leave.
constexpr double kFirstTolerance = 1e-2;
constexpr int kFirstPart = 8;
/// A round that turned a body of a mechanism more by so much [rad].
constexpr double kTurned = 0.02;
/// What moves faster, in the mean, than half a step of gravity makes it gets half the sweeps, and
/// no more than make impulses change by this many times the tolerance; as heaps without joints do.
constexpr double kOfSlowestImpact = 0.25, kMovingTolerance = 20.0;
/// Iterations of a mechanism under given impulses, until the square of changes is none, or they are
/// smaller than this in units of rounding and joints closed so far [m or rad]: the gap that an
/// iteration leaves is of the square of its change, and what momentum misses then is booked.
constexpr int kMostSteps = 20;
constexpr double kNearlyEnough = 4e9, kClosedEnough = 1e-10;
/// Gaps of more than so many times the longest arm of a joint are no matter of turning limbs.
constexpr double kOfArm = 4.0;

double longestArm(const Mechanism& m) {
  double most = 0.0;
  for (const MechanismJoint& j : m.joints) {
    most = maxOf(most, maxOf(norm(j.model->arm1), norm(j.model->arm2)));
  }
  return most;
}

/// Whether forces along the axes of a mechanism, limits apart, are straight lines over their rates:
/// then a round has them right up to what bodies turn.
bool isStraight(const Mechanism& m) {
  if (!m.couplings.empty()) return false;
  for (const MechanismJoint& j : m.joints) {
    for (const JointRow& row : j.model->rows) {
      if (!isAxisKind(row.kind)) continue;
      const JointAxis& a = (*j.axes)[row.axis];
      const bool isSteady = a.drive.mode == DriveMode::Off || a.drive.mode == DriveMode::Force;
      if (a.stiffness != 0.0 || a.friction != 0.0 || !isSteady) return false;
    }
  }
  return true;
}

}  // namespace

/// True if all equations are solved; else the mechanisms are to be set back.
bool JointedIsland::sweepForces(const IslandSetting& setting, const MotionSetting& motion,
                                ContactSolver& solver) {
  const std::size_t n = contacts.size();
  SolverOptions usual = setting.solver;
  if (isMoving(setting)) {
    usual.tolerance *= kMovingTolerance;
    usual.maxSweeps = (usual.maxSweeps + 1) / 2;
  }
  int sweeps = 0;
  // What a mechanism takes is read once for all that can be done with it: heaps are far larger than
  // what is near the processor.
  forMechanisms([&](std::uint32_t i, Each& each, Scratch&) {
    steps_[i].begin(mechanisms_[i], motion);
    each.isSolved = steps_[i].linearise();
  });
  for (int i = 0; i < kMostRounds; ++i) {
    if (!areSolved()) return false;
    const bool grows = addLimits(setting.dt);
    rows_.refresh();
    predict();
    // What impulses make of velocities is known well enough from the first round, but for
    // mechanisms that it turned much or that have new limits: sweeps that count on other answers
    // than they get may make energy.
    if (i == 0 || grows || rows_.isResponseForgotten()) rows_.buildMatrix(kEnd, true, i > 0);
    setBounds(setting.dt, kEnd);
    rows_.velocities(true, velocities_);
    SolverOptions options = usual;
    if (i + 1 < kMostRounds) {
      options.tolerance = maxOf(options.tolerance, kFirstTolerance);
      options.maxSweeps = 1 + options.maxSweeps / kFirstPart;
    } else {
      options.maxSweeps -= sweeps;
    }
    const SolverReport r = rows_.solve(velocities_, options, solver);
    sweeps += r.sweeps;
    report_.sweeps += r.sweeps;
    report_.error = r.error;
    report_.worstContact = r.worstContact < n ? r.worstContact : 0;
    const double change = predictAndAdvance(i + 1 < kMostRounds);
    ++report_.newtonSteps;
    if (!isFinite(change)) return false;
    for (std::uint32_t m = 0; m < count_; ++m) {
      if (steps_[m].turnOfChange() > kTurned) rows_.forgetResponse(m);
    }
    if (!grows && change < kNear && r.error <= usual.tolerance) break;
  }
  report_.converged = report_.converged && report_.error <= setting.solver.tolerance;
  return settleAll(setting.dt);
}

/// Mechanisms that a round does not have right come to rest under the impulses of contacts, limits
/// being part of the laws of their axes. False if one does not.
bool JointedIsland::settleAll(double dt) {
  forMechanisms([&](std::uint32_t i, Each&, Scratch&) {
    steps_[i].update();
    const bool isNear = steps_[i].mostGap() <= kOfArm * longestArm(mechanisms_[i]);
    settles_[i] = isNear && isStraight(mechanisms_[i]) ? 0 : 1;
    if (settles_[i] != 0) steps_[i].joinLimits();
  });
  if (std::find(settles_.begin(), settles_.end(), 1) == settles_.end()) return true;
  for (std::size_t k = 0; k < rows_.limits.size(); ++k) {
    const LimitRow& l = rows_.limits[k];
    if (settles_[l.mechanism] == 0) continue;
    double& p = rows_.impulses[rows_.firstLimit() + k].x;
    steps_[l.mechanism].addImpulse(l.joint, l.row, l.isUpper ? -p : p);
    p = 0.0;
  }
  rows_.pushes(false, pushes_);
  forMechanisms([&](std::uint32_t i, Each& each, Scratch& scratch) {
    if (settles_[i] == 0) return;
    each.isSolved = settle(i, each, scratch) || settleInParts(i, dt, each, scratch);
  });
  for (const Each& each : each_) {
    report_.newtonSteps += each.newtonSteps;
    report_.halvings += each.halvings;
  }
  return areSolved();
}

/// Whether the bodies move faster than what rests.
bool JointedIsland::isMoving(const IslandSetting& setting) const {
  double mass = 0.0, energy = 0.0;
  for (std::size_t i = 0; i < count_; ++i) {
    for (const MechanismBody& b : mechanisms_[i].bodies) {
      if (!b.isMobile) continue;
      mass += b.mass;
      energy += b.mass * squaredNorm(b.velocity);
    }
  }
  const double slow = kOfSlowestImpact * setting.slowestImpact;
  return energy > slow * slow * mass;
}

/// Newton's method on one mechanism, under its pushes, with its true matrix.
bool JointedIsland::settle(std::uint32_t i, Each& each, Scratch& scratch) {
  MeanStep& step = steps_[i];
  double last = 0.0;
  for (int k = 0; k < kMostSteps; ++k) {
    step.update();
    if (k > 0 && last <= kNearlyEnough && step.mostGap() <= kClosedEnough) return true;
    if (!step.factorise()) return false;
    step.predictTurning(pushes_[i], scratch.turning);
    const double change = step.advance();
    ++each.newtonSteps;
    if (!isFinite(change)) return false;
    if (change <= MeanStep::kSquaredIsNone) return true;
    last = change;
  }
  return false;
}

/// A mechanism that is too fast for that: from the beginning of the step, in parts, under the same
/// pushes.
bool JointedIsland::settleInParts(std::uint32_t i, double dt, Each& each, Scratch& scratch) {
  Mechanism& m = mechanisms_[i];
  m = saved_[i];
  if (!scratch.stepper.runUnder(m, pushes_[i], dt)) return false;
  ++each.halvings;
  is_stepped_[i] = 1;
  for (std::uint32_t b = 0; b < m.bodies.size(); ++b) {
    const MechanismBody &end = m.bodies[b], &start = saved_[i].bodies[b];
    if (!end.isMobile) continue;
    steps_[i].setVelocity(
        b, toVec6((end.position - start.position) / dt, (end.turn - start.turn) / dt));
  }
  return true;
}

}  // namespace abut::inline v0_1
