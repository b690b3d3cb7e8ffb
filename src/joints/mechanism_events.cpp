// SPDX-License-Identifier: MIT
//
// Steps of fourth order, and what ends them: a slide that stops, a limit that is met. Until then
// the motion is one that could be run backwards, as the composition does; it is stepped to the
// moment, and goes on from there.
#include <cmath>

#include "joints/mechanism_stepper.hpp"

namespace abut::inline v0_1 {
namespace {

/// Suzuki's composition of five symmetric steps: 1 / (4 - 4^(1/3)).
constexpr double kSuzuki = 0.41449077179437573714;
/// An axis slides if it is faster than this [rad/s, m/s], and than this part of its first rate.
constexpr double kSlowest = 1e-9, kStopped = 1e-6;
/// A limit is passed by more than this, and touched up to this [m or rad].
constexpr double kPassed = 1e-12, kTouching = 1e-9;
/// Moments of a step that are located, tries for each, and parts of a step that are none.
constexpr int kMostEvents = 4, kMostTries = 4;
constexpr double kNoPart = 1e-9, kAtOnce = 1e-6;

const JointAxis& axisOf(const MechanismJoint& j, std::size_t row) {
  return (*j.axes)[j.model->rows[row].axis];
}

/// Calls visit(joint, row, motion) for axes whose friction or limits may end something, as long as
/// that is true.
template <class M, class Visit>
bool forEndingAxes(M& m, Visit visit) {
  const auto placement = [&](std::uint32_t b) {
    return b == kWorldBody ? Placement{} : placementOf(m.bodies[b]);
  };
  for (auto& j : m.joints) {
    for (std::size_t r = 0; r < static_cast<std::size_t>(j.model->numRows); ++r) {
      const JointRow& row = j.model->rows[r];
      if (!isAxisKind(row.kind)) continue;
      const JointAxis& axis = (*j.axes)[row.axis];
      const bool isLimited = isFinite(axis.limits.lower) || isFinite(axis.limits.upper);
      if (!(axis.friction > 0.0) && !isLimited) continue;
      JointRates rates;
      rowRates(*j.model, placement(j.body1), placement(j.body2), 2.0 * j.memory.position[r], rates);
      AxisMotion motion;
      motion.position = j.memory.position[r];
      for (const bool isFirst : {true, false}) {
        const std::uint32_t b = isFirst ? j.body1 : j.body2;
        if (b == kWorldBody) continue;
        const Vec6& rate = isFirst ? rates.j1.row[r] : rates.j2.row[r];
        motion.rate += dot(rate, toVec6(m.bodies[b].velocity, m.bodies[b].spin));
      }
      if (!visit(j, r, motion)) return false;
    }
  }
  return true;
}

/// Share of an interval at which a cubic through two positions with their rates (times the
/// interval) reaches a position.
double reachOf(double to, const AxisMotion& a, const AxisMotion& b, double dt) {
  double low = 0.0, high = 1.0;
  const bool isAbove = a.position > to;
  for (int i = 0; i < 50; ++i) {
    const double f = 0.5 * (low + high), g = 1.0 - f;
    const double value = (a.position * (1.0 + 2.0 * f) + dt * a.rate * f) * (g * g) +
                         (b.position * (1.0 + 2.0 * g) - dt * b.rate * g) * (f * f);
    ((value > to) == isAbove ? low : high) = f;
  }
  return 0.5 * (low + high);
}

/// The same at which its rate is zero.
double stopOf(const AxisMotion& a, const AxisMotion& b, double dt) {
  double low = 0.0, high = 1.0;
  const double way = b.position - a.position;
  for (int i = 0; i < 50; ++i) {
    const double f = 0.5 * (low + high);
    const double rate = (dt * a.rate * (1.0 - f) * (1.0 - 3.0 * f) + 6.0 * way * f * (1.0 - f)) +
                        dt * b.rate * f * (3.0 * f - 2.0);
    ((rate > 0.0) == (a.rate > 0.0) ? low : high) = f;
  }
  return 0.5 * (low + high);
}

/// Whether an end of its way holds an axis, or is about to.
bool isHeld(double end, double force, const AxisMotion& at, bool isUpper) {
  if (!isFinite(end)) return false;
  const double beyond = isUpper ? at.position - end : end - at.position;
  const double away = isUpper ? -at.rate : at.rate, push = isUpper ? -force : force;
  return (beyond > -kPassed && !(away > kSlowest)) || (beyond > -kTouching && push > 0.0);
}

}  // namespace

bool isReversible(const Mechanism& m) {
  for (const MechanismJoint& j : m.joints) {
    for (int r = 0; r < j.model->numRows; ++r) {
      const JointRow& row = j.model->rows[static_cast<std::size_t>(r)];
      if (!isAxisKind(row.kind)) continue;
      const JointAxis& a = (*j.axes)[row.axis];
      const bool isSteady = a.drive.mode == DriveMode::Off || a.drive.mode == DriveMode::Force;
      if (a.damping > 0.0 || !isSteady) return false;
    }
  }
  return forEndingAxes(m, [](const MechanismJoint& j, std::size_t r, const AxisMotion& at) {
    const JointAxis& a = axisOf(j, r);
    // A swing has no sign: its rate turns round where it passes zero.
    const bool mayTurn = j.model->rows[r].kind == RowKind::Swing;
    if (a.friction > 0.0 && (mayTurn || !(absOf(at.rate) > kSlowest))) return false;
    return !isHeld(a.limits.lower, j.memory.force[r], at, false) &&
           !isHeld(a.limits.upper, j.memory.force[r], at, true);
  });
}

/// From one share of the step to another, to fourth order where it may be.
bool MechanismStepper::goOn(Mechanism& m, double from, double to) {
  bool isSolved = true;
  for (int k = 0; options_.isFourthOrder && k <= kMostEvents && isReversible(m); ++k) {
    firsts_.clear();
    forEndingAxes(m, [&](MechanismJoint& j, std::size_t r, const AxisMotion& at) {
      firsts_.push_back(at);
      j.isForward[r] = at.rate > 0.0;
      return true;
    });
    if (!firsts_.empty()) begun_ = m;
    isSolved = compose(m, from, to) && isSolved;
    if (goesOn(m)) return isSolved;
    double at = to;
    if (k == kMostEvents || !goToEnd(m, from, at)) {
      m = begun_;
      break;
    }
    from = at;
    meetLimits(m, kAtOnce * (to - at) * options_.dt);
    if (!(to - from > kNoPart)) return isSolved;
  }
  // What is not located is met at the beginning.
  if (options_.isFourthOrder) meetLimits(m, (to - from) * options_.dt);
  return part(m, from, to, 0) && isSolved;
}

bool MechanismStepper::compose(Mechanism& m, double from, double to) {
  const double a = kSuzuki * (to - from);
  const double knots[6] = {from, from + a, from + 2.0 * a, to - 2.0 * a, to - a, to};
  bool isSolved = true;
  slides_on_ = true;
  for (int i = 0; i < 5; ++i) isSolved = part(m, knots[i], knots[i + 1], 0) && isSolved;
  slides_on_ = false;
  return isSolved;
}

/// Whether no slide has ended and no limit was passed since begun_.
bool MechanismStepper::goesOn(const Mechanism& m) const {
  std::size_t next = 0;
  return forEndingAxes(m, [&](const MechanismJoint& j, std::size_t r, const AxisMotion& at) {
    const JointAxis& axis = axisOf(j, r);
    const double start = firsts_[next++].rate;
    const double forward = start > 0.0 ? at.rate : -at.rate;
    if (axis.friction > 0.0 && !(forward > kStopped * absOf(start))) return false;
    return at.position >= axis.limits.lower - kPassed && at.position <= axis.limits.upper + kPassed;
  });
}

/// From begun_ to the moment at which the first thing ends, before `at`, from where compose() led
/// the mechanism. False if there is none.
bool MechanismStepper::goToEnd(Mechanism& m, double from, double& at) {
  for (int k = 0; k < kMostTries; ++k) {
    const double dt = (at - from) * options_.dt;
    double share = 1.0;
    std::size_t next = 0;
    forEndingAxes(m, [&](const MechanismJoint& j, std::size_t r, const AxisMotion& b) {
      const JointAxis& axis = axisOf(j, r);
      const AxisMotion& a = firsts_[next++];
      if (axis.friction > 0.0 && !(b.rate * a.rate > 0.0)) share = minOf(share, stopOf(a, b, dt));
      for (const double end : {axis.limits.lower, axis.limits.upper}) {
        if (!isFinite(end) || (b.position > end) == (a.position > end)) continue;
        share = minOf(share, reachOf(end, a, b, dt));
      }
      return true;
    });
    if (!(share < 1.0)) return k > 0;
    at = from + share * (at - from);
    if (!(at - from > kNoPart)) return false;
    m = begun_;
    if (!compose(m, from, at)) return false;
    if (goesOn(m)) return true;
  }
  return true;
}

/// What moves against limits and is there within some time is stopped, or thrown back.
void MechanismStepper::meetLimits(Mechanism& m, double within) {
  bool isMet = false;
  forEndingAxes(m, [&](const MechanismJoint& j, std::size_t r, const AxisMotion& at) {
    const JointAxis& axis = axisOf(j, r);
    const double end = at.position + at.rate * within;
    isMet = isMet || end < axis.limits.lower || end > axis.limits.upper;
    return true;
  });
  if (!isMet) return;
  MechanismOptions options = options_;
  options.dt = within;
  options.isFresh = false;
  settleVelocities(m, options);
}

}  // namespace abut::inline v0_1
