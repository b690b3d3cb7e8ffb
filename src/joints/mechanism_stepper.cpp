// SPDX-License-Identifier: MIT
#include "joints/mechanism_stepper.hpp"

#include "joints/cayley.hpp"

namespace abut::inline v0_1 {
namespace {

/// Newton steps before a part is halved, and how often it may be.
constexpr int kMaxNewtonSteps = 16;
/// After so many of them the true matrix is asked (see MeanStep::predictTurning()).
constexpr int kPlainSteps = 8;
constexpr int kMaxHalvings = 6;
/// Most parts of a step, as a power of two.
constexpr int kMaxDivisions = 6;
/// Iterations that close gaps: each squares them.
constexpr int kMaxClosings = 12;
/// The same where a matrix is used again while gaps fall to this part.
constexpr int kMostByOne = 24;
constexpr double kWellClosed = 0.05;
/// Iterations of an impact; limits that are held or not settle in a few.
constexpr int kMaxImpactSteps = 12;
/// Velocities that joints do not allow are taken away where they are more than this part of the
/// energy: beneath it they are what the step leaves of second order, alternating, and harmless.
constexpr double kLossThatCounts = 1e-2;
/// A mechanism that has less than this part of what forces can do is at rest: all that it has is
/// rounding, and is taken away as such.
constexpr double kAtRest = 1e-14;
/// The same where dampers, motors or friction take the energy that such velocities would be small
/// against.
constexpr double kLossWhereLost = 1e-6;
/// Velocities that differ by this part are the same.
constexpr double kSameSpeed = 1e-5;
/// Part of a step that is none.
constexpr double kAtOnce = 1e-9;
/// Energy that is given back is no more than this part of that of the motion that takes it.
constexpr double kMostGivenBack = 0.1;
/// A swing of coupled rates has less than this part of the energy.
constexpr double kMostSwing = 1e-3;

double energyOf(const Mechanism& m) {
  double sum = 0.0;
  for (const MechanismBody& b : m.bodies) sum += kineticEnergy(b);
  return sum;
}

/// Makes the present velocities of bodies that move as prescribed their last ones, and back.
void exchangeDrivers(Mechanism& m) {
  for (MechanismBody& b : m.bodies) {
    if (b.isMobile) continue;
    std::swap(b.velocity, b.lastVelocity);
    std::swap(b.spin, b.lastSpin);
  }
}

/// Bodies that move as prescribed have moved as they do now all along.
void forgetLast(Mechanism& m) {
  for (MechanismBody& b : m.bodies) {
    if (b.isMobile) continue;
    b.lastVelocity = b.velocity;
    b.lastSpin = b.spin;
  }
}

/// Axes of a joint that motors drive which nothing limits.
int numMotors(const MechanismJoint& j) {
  int count = 0;
  for (int r = 0; r < j.model->numRows; ++r) {
    const JointRow& row = j.model->rows[static_cast<std::size_t>(r)];
    if (!isAxisKind(row.kind)) continue;
    const JointDrive& drive = (*j.axes)[row.axis].drive;
    if (drive.mode == DriveMode::Speed && !isFinite(drive.maxForce)) ++count;
  }
  return count;
}

/// Whether joints, couplings and such motors are enough to leave nothing free.
bool mayBeDriven(const Mechanism& m) {
  int freedom = 0;
  bool any = false;
  for (const MechanismBody& b : m.bodies) freedom += b.isMobile ? 6 : 0;
  for (const MechanismJoint& j : m.joints) {
    for (const JointRow& row : j.model->rows) {
      if (row.kind != RowKind::None && !isAxisKind(row.kind)) --freedom;
    }
    any = any || numMotors(j) > 0;
    freedom -= numMotors(j);
  }
  return any && freedom <= static_cast<int>(m.couplings.size());
}

/// Whether bodies have the same velocities.
bool areAlike(const Mechanism& a, const Mechanism& b) {
  double apart = 0.0, size = 0.0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const MechanismBody &p = a.bodies[i], &q = b.bodies[i];
    if (!p.isMobile) continue;
    MechanismBody d = p;
    d.velocity -= q.velocity;
    d.spin -= q.spin;
    apart += kineticEnergy(d);
    size += kineticEnergy(p);
  }
  return apart <= (kSameSpeed * kSameSpeed) * size;
}

bool isSound(const Mechanism& m) {
  for (const MechanismBody& b : m.bodies) {
    if (!isFinite(b.position) || !isFinite(b.velocity) || !isFinite(b.spin)) return false;
  }
  return true;
}

}  // namespace

double reserveOf(const Mechanism& m) {
  double arm = 0.0, forces = 0.0;
  for (const MechanismJoint& j : m.joints) {
    arm = maxOf(arm, maxOf(norm(j.model->arm1), norm(j.model->arm2)));
  }
  for (const MechanismBody& b : m.bodies) forces += b.isMobile ? norm(b.force) : 0.0;
  return arm * forces;
}

bool isConservative(const Mechanism& m) {
  for (const MechanismJoint& j : m.joints) {
    for (int r = 0; r < j.model->numRows; ++r) {
      const JointRow& row = j.model->rows[static_cast<std::size_t>(r)];
      if (!isAxisKind(row.kind)) continue;
      const JointAxis& a = (*j.axes)[row.axis];
      const bool isSteady = a.drive.mode == DriveMode::Off || a.drive.mode == DriveMode::Force;
      if (a.damping > 0.0 || a.friction > 0.0 || !isSteady) return false;
      if (isFinite(a.limits.lower) || isFinite(a.limits.upper)) return false;
    }
  }
  return true;
}

/// Where bodies that move as prescribed are after a share of the step.
void MechanismStepper::setTargets(Mechanism& m, double at) {
  for (std::size_t i = 0; i < m.bodies.size(); ++i) {
    MechanismBody& b = m.bodies[i];
    const MechanismBody& s = start_[i];
    if (b.isMobile) continue;
    b.nextPosition = s.nextPosition;
    b.nextOrientation = s.nextOrientation;
    if (at == 1.0) continue;
    b.nextPosition = s.position + (s.nextPosition - s.position) * at;
    const Vec3 turn = cayleyBetween(s.orientation, s.nextOrientation);
    b.nextOrientation = normalized(cayley(turn * at) * s.orientation);
  }
}

MechanismReport MechanismStepper::run(Mechanism& m, const MechanismOptions& options) {
  options_ = options;
  slides_on_ = is_pushed_ = false;
  report_ = {};
  for (MechanismJoint& j : m.joints) j.outcome = {};
  const double gap = greatestGap(m);
  if (gap > kSmallGap) {
    report_.closed = gap;
    report_.converged = closeGaps(m);
  }
  // What joints allow is told by how drivers moved until now: what they change is for the step.
  if (options.isFresh) forgetLast(m);
  exchangeDrivers(m);
  MechanismOptions first = options;
  // Limits that are met later are met then.
  if (options.isFourthOrder && isReversible(m)) first.dt = kAtOnce * options.dt;
  settleVelocities(m, first);
  exchangeDrivers(m);
  start_ = m.bodies;
  double turn = 0.0;
  for (const MechanismBody& b : m.bodies) {
    if (b.isMobile) turn = maxOf(turn, norm(b.spin) * options.dt);
  }
  int parts = 1;
  for (int k = 0; k < kMaxDivisions && turn > options.mostTurn * parts; ++k) parts *= 2;
  report_.parts = parts;
  const bool isFine = isUndriven(m);
  saved_.resize(kMaxHalvings + 1);
  const double n = parts;
  for (int k = 0; k < parts; ++k) {
    const double from = k / n, to = k + 1 == parts ? 1.0 : (k + 1) / n;
    const bool isSolved = isFine ? goFinely(m, from, to, 0) : goOn(m, from, to);
    report_.converged = isSolved && report_.converged;
  }
  settleCoupled(m);
  return report_;
}

bool MechanismStepper::runUnder(Mechanism& m, std::span<const Vec6> pushes, double dt) {
  options_ = {};
  options_.dt = dt;
  slides_on_ = false;
  report_ = {};
  loads_.clear();
  for (std::size_t i = 0; i < m.bodies.size(); ++i) {
    MechanismBody& b = m.bodies[i];
    loads_.push_back(toVec6(b.force, b.torque));
    if (!b.isMobile) continue;
    b.force += linearPart(pushes[i]) / dt;
    b.torque += angularPart(pushes[i]) / dt;
  }
  start_ = m.bodies;
  saved_.resize(kMaxHalvings + 1);
  begun_ = m;
  bool isSolved = false;
  // By the true matrix; what that does not lead to an end, the symmetric one may.
  for (const bool isTurning : {true, false}) {
    if (isSolved) break;
    if (!isTurning) m = begun_;
    is_pushed_ = isTurning;
    isSolved = part(m, 0.0, 1.0, 0) && isSound(m);
  }
  for (std::size_t i = 0; i < m.bodies.size(); ++i) {
    m.bodies[i].force = linearPart(loads_[i]);
    m.bodies[i].torque = angularPart(loads_[i]);
  }
  return isSolved;
}

/// From one share of the step to another, in two halves where Newton's method does not converge.
bool MechanismStepper::part(Mechanism& m, double from, double to, int depth) {
  Mechanism& saved = saved_[static_cast<std::size_t>(depth)];
  saved = m;
  constexpr double kMean = 0.5, kEnd = 1.0;
  if (solve(m, from, to, kMean) && isSound(m)) {
    settleDriven(m, (to - from) * options_.dt, saved);
    return true;
  }
  m = saved;
  if (depth == kMaxHalvings) {
    solve(m, from, to, kEnd);
    return false;
  }
  ++report_.halvings;
  const double middle = from + 0.5 * (to - from);
  const bool first = part(m, from, middle, depth + 1);
  return part(m, middle, to, depth + 1) && first;
}

/// Where joints and motors that nothing limits leave nothing free, bodies have the velocities that
/// these allow at the end of the step, by the motors' work: twice the mean less those at the
/// beginning swings about them.
void MechanismStepper::settleDriven(Mechanism& m, double dt, Mechanism& saved) {
  if (!mayBeDriven(m)) return;
  saved = m;
  MotionSetting setting;
  setting.kind = MotionKind::Impact;
  setting.dt = dt;
  setting.hasLimitsApart = true;
  setting.hasEndSpeeds = true;
  // What is driven has one velocity, wherever it is looked for from.
  still_ = m;
  for (MechanismBody& b : still_.bodies) {
    if (b.isMobile) b.velocity = b.spin = {};
  }
  for (MechanismJoint& j : still_.joints) j.memory.rotor.fill(0.0);
  const bool isFound = findAllowed(still_, setting, step_) && findAllowed(m, setting, step_);
  if (!isFound || !isSound(m) || !areAlike(m, still_)) {
    std::swap(m, saved);
    return;
  }
  double work = 0.0;
  JointOutcome* motor = nullptr;
  for (std::size_t i = 0; i < m.joints.size(); ++i) {
    JointOutcome& o = m.joints[i].outcome;
    const JointOutcome& before = saved.joints[i].outcome;
    work += (o.held - before.held) + (o.armature - before.armature);
    o.held = before.held;
    o.armature = before.armature;
    if (motor == nullptr && numMotors(m.joints[i]) > 0) motor = &o;
  }
  motor->work.motors += work;
}

bool MechanismStepper::solve(Mechanism& m, double from, double to, double share) {
  setTargets(m, to);
  MotionSetting setting;
  setting.dt = (to - from) * options_.dt;
  setting.share = share;
  setting.slidesOn = setting.hasLimitsApart = slides_on_;
  step_.begin(m, setting);
  double last = 0.0;
  bool converged = false;
  for (int i = 0; i < kMaxNewtonSteps && !converged; ++i) {
    if (!step_.linearise()) return false;
    if (is_pushed_ || i >= kPlainSteps) {
      step_.predictTurning({}, turning_);
    } else {
      step_.predict({});
    }
    const double change = step_.advance();
    ++report_.newtonSteps;
    if (!isFinite(change)) return false;
    const bool stands = i > 0 && change >= 0.5 * last && change < MeanStep::kNearlySettled;
    converged = change <= MeanStep::kSettled || stands;
    converged = converged || (is_pushed_ && change <= MeanStep::kSquaredIsNone);
    last = change;
  }
  if (!converged && share != 1.0) return false;
  step_.finish();
  if (step_.areDriversOff()) followDrivers(m, step_, setting.dt);
  forgetLast(m);
  return converged;
}

/// That is their work. What joints do not allow otherwise stays as it is.
void MechanismStepper::followDrivers(Mechanism& m, MeanStep& step, double dt) {
  MotionSetting setting;
  setting.kind = MotionKind::Impact;
  setting.dt = dt;
  setting.hasLimitsApart = true;
  setting.followsDrivers = true;
  outcomes_.clear();
  for (const MechanismJoint& j : m.joints) outcomes_.push_back(j.outcome);
  if (!findAllowed(m, setting, step)) return;
  double work = 0.0;
  JointOutcome* driven = nullptr;
  for (std::size_t i = 0; i < m.joints.size(); ++i) {
    JointOutcome& o = m.joints[i].outcome;
    const JointOutcome& before = outcomes_[i];
    work += (o.held - before.held) + (o.armature - before.armature);
    o.held = before.held;
    o.armature = before.armature;
    for (const std::uint32_t b : {m.joints[i].body1, m.joints[i].body2}) {
      if (b != kWorldBody && !m.bodies[b].isMobile) driven = &o;
    }
  }
  if (driven != nullptr) driven->drivers += work;
}

bool MechanismStepper::closeGaps(Mechanism& m, double enough) {
  MotionSetting setting;
  setting.kind = MotionKind::Gaps;
  double last = 0.0;
  for (int i = 0; i < kMaxClosings; ++i) {
    step_.begin(m, setting);
    if (!step_.linearise()) break;
    step_.predict({});
    for (std::uint32_t b = 0; b < m.bodies.size(); ++b) {
      if (m.bodies[b].isMobile) displace(m.bodies[b], step_.predicted(b));
    }
    const double gap = greatestGap(m);
    if (gap <= enough || (gap <= kSmallGap && gap > 0.5 * last && i > 0)) break;
    last = gap;
  }
  readPositions(m);
  return greatestGap(m) <= kSmallGap;
}

bool MechanismStepper::closeByOne(Mechanism& m, double enough) {
  if (!m.couplings.empty()) return closeGaps(m, enough);
  MotionSetting setting;
  setting.kind = MotionKind::Gaps;
  double last = 0.0, gap = 0.0;
  for (int i = 0; i < kMostByOne; ++i) {
    if (i == 0 || gap > kWellClosed * last) {
      step_.begin(m, setting);
      if (!step_.linearise()) break;
      gap = step_.mostGap();
    }
    last = gap;
    step_.predict({});
    for (std::uint32_t b = 0; b < m.bodies.size(); ++b) {
      if (m.bodies[b].isMobile) displace(m.bodies[b], step_.predicted(b));
    }
    gap = step_.lookAgain();
    if (gap <= enough || !isFinite(gap)) break;
  }
  readPositions(m);
  return gap <= kSmallGap;
}

void MechanismStepper::keepOutcomes(const Mechanism& m) {
  kept_ = m.bodies;
  outcomes_.clear();
  memories_.clear();
  for (const MechanismJoint& j : m.joints) {
    outcomes_.push_back(j.outcome);
    memories_.push_back(j.memory);
  }
}

/// Makes the velocities of a mechanism those that joints and couplings allow. False if there are
/// none.
bool MechanismStepper::findAllowed(Mechanism& m, const MotionSetting& setting, MeanStep& step) {
  step.begin(m, setting);
  double last = 0.0;
  for (int i = 0; i < kMaxImpactSteps; ++i) {
    if (!step.linearise()) return false;
    step.predict({});
    const double change = step.advance();
    if (change <= MeanStep::kSettled || (i > 1 && change >= 0.5 * last)) break;
    last = change;
  }
  step.finish();
  return true;
}

/// Coupled angles keep their ratio to rounding, mean rates do not: Cayley's turn by a mean rate w
/// is 2 atan(w dt / 2). So the rates at the end of steps swing about those that the coupling
/// allows. Those are taken, with the energy that the swing had: what has a hold in the world has no
/// momentum of its own to keep.
void MechanismStepper::settleCoupled(Mechanism& m) {
  bool isHeld = false;
  for (const MechanismJoint& j : m.joints) {
    for (const std::uint32_t b : {j.body1, j.body2}) {
      isHeld = isHeld || b == kWorldBody || !m.bodies[b].isMobile;
    }
  }
  if (m.couplings.empty() || !isHeld) return;
  const auto energy = [&m] {
    double sum = energyOf(m);
    for (const MechanismJoint& j : m.joints) sum += abut::energyOf(j).armatures;
    return sum;
  };
  keepOutcomes(m);
  const double before = energy();
  MotionSetting setting;
  setting.kind = MotionKind::Impact;
  setting.dt = options_.dt;
  setting.hasLimitsApart = true;
  const bool isFound = findAllowed(m, setting, step_);
  const double after = isFound ? energy() : 0.0;
  const bool isSwing = after > 0.0 && absOf(before - after) <= kMostSwing * before;
  const double factor = isSwing ? std::sqrt(before / after) : 1.0;
  for (std::size_t i = 0; i < m.bodies.size(); ++i) {
    const Vec3 velocity = m.bodies[i].velocity * factor, spin = m.bodies[i].spin * factor;
    m.bodies[i] = kept_[i];
    if (!isSwing || !m.bodies[i].isMobile) continue;
    m.bodies[i].velocity = velocity;
    m.bodies[i].spin = spin;
  }
  for (std::size_t i = 0; i < m.joints.size(); ++i) {
    MechanismJoint& j = m.joints[i];
    const std::array<double, kJointRows> rotor = j.memory.rotor;
    j.outcome = outcomes_[i];
    j.memory = memories_[i];
    for (std::size_t r = 0; isSwing && r < rotor.size(); ++r) j.memory.rotor[r] = rotor[r] * factor;
  }
}

void MechanismStepper::settleVelocities(Mechanism& m, const MechanismOptions& options) {
  const double before = energyOf(m), all = kineticEnergy(m);
  MotionSetting setting;
  setting.kind = MotionKind::Impact;
  setting.dt = options.dt;
  setting.slowestImpact = options.slowestImpact;
  keepOutcomes(m);
  const std::vector<JointOutcome>& outcomes = outcomes_;
  const std::vector<JointMemory>& memories = memories_;
  if (!findAllowed(m, setting, step_)) return;
  bool isHit = options.isFresh;
  for (std::size_t i = 0; i < m.joints.size(); ++i) {
    isHit = isHit || m.joints[i].outcome.work.limits != outcomes[i].work.limits ||
            (m.joints[i].outcome.isAtLimit && !outcomes[i].isAtLimit);
  }
  const bool isAtRest = !(before > kAtRest * reserveOf(m));
  const double reserve = isAtRest ? 0.0 : reserveOf(m);
  const double counts =
      isConservative(m) ? kLossThatCounts * (before + reserve) : kLossWhereLost * before;
  in_hidden_ = 0.0;
  if (isHit) return;
  const double lost = all - kineticEnergy(m);
  const bool mayKeep = !isAtRest && isUndriven(m);
  const bool isToSettle = before - energyOf(m) > counts;
  if (isToSettle && !mayKeep) return;
  const bool isKept = isToSettle && hidden_.giveBack(m, lost, kMostGivenBack);
  if (!isKept) m.bodies = kept_;
  for (std::size_t i = 0; i < m.joints.size(); ++i) {
    MechanismJoint& j = m.joints[i];
    const std::array<double, kJointRows> rotor = j.memory.rotor;
    j.outcome = outcomes[i];
    j.memory = memories[i];
    if (isKept) j.memory.rotor = rotor;
  }
  if (!isKept) in_hidden_ = maxOf(0.0, lost);
}

}  // namespace abut::inline v0_1
