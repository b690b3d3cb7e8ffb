// SPDX-License-Identifier: MIT
#include "joints/mean_step.hpp"
#include "math/trigonometry.hpp"

namespace abut::inline v0_1 {
namespace {

/// A motor whose rate is off by less than this part, or than this [rad/s, m/s], is at its speed.
constexpr double kNearSpeed = 1e-6, kSlowest = 1e-9;

/// Mean rate of a step that turns by rate dt: Cayley's turn is 2 atan(rate dt / 2).
double steadyRate(double rate, double dt, RowKind kind) {
  const double half = 0.5 * rate * dt;
  constexpr double kMostHalfTurn = 1.5;
  if (!isTurnKind(kind) || !(absOf(half) < kMostHalfTurn)) return rate;
  const SinCos s = sinCos(half);
  return 2.0 * s.sin / (s.cos * dt);
}

double limited(double force, double dt) {
  return force * dt < kUnlimitedImpulse ? force * dt : kUnlimitedImpulse;
}

}  // namespace

/// Impulse of the friction of an axis that slides on.
double MeanStep::slideOf(const MechanismJoint& joint, std::size_t r) const {
  const double most = setting_.dt * (*joint.axes)[joint.model->rows[r].axis].friction;
  return joint.isForward[r] ? -most : most;
}

/// The law of an axis near the present rate. Positions at the end follow the rate: s1 + dt (u -
/// rate).
AxisLaw MeanStep::lawOf(const MechanismJoint& joint, const JointWorkspace& work,
                        std::size_t r) const {
  const RowWork& row = work.rows[r];
  const JointAxis& axis = (*joint.axes)[joint.model->rows[r].axis];
  const double dt = setting_.dt, start = joint.memory.position[r];
  const auto startRate = [&](const Vec6& j, std::uint32_t body) {
    return body == kWorldBody ? 0.0 : dot(j, of_[body].start);
  };
  // Rate at the beginning along the middle of the axis; at the end it is u0 + (u - u0) / share.
  const double u0 =
      startRate(work.rates.j1.row[r], joint.body1) + startRate(work.rates.j2.row[r], joint.body2);
  AxisLaw law;
  // Armature: -a (r1 - r0).
  law.slope += axis.armature * inverse_share_;
  law.free += axis.armature * inverse_share_ * joint.memory.rotor[r];
  law.slope += dt * axis.damping;
  // Spring: -k (sm - rest) times the way over the rate, so that its work is what it stores.
  if (axis.stiffness > 0.0) {
    const double k = dt * axis.stiffness * row.arc * row.share;
    law.free -= k * ((0.5 * (start + row.next) - axis.rest) - 0.5 * dt * row.rate);
    law.slope += 0.5 * k * dt;
  }
  if (row.pull != 0.0) law.free += row.pull;
  const JointDrive& drive = axis.drive;
  const double most = limited(drive.maxForce, dt);
  if (drive.mode == DriveMode::Force) law.free += dt * drive.target;
  if (drive.mode == DriveMode::Position) {
    const double toTarget = (drive.target - row.next) + dt * row.rate;
    const double known = u0 - u0 * inverse_share_;
    law.servo = dt * (drive.stiffness * toTarget + drive.damping * (drive.targetRate - known));
    law.servoSlope = dt * (drive.stiffness * dt + drive.damping * inverse_share_);
    law.servoLimit = most;
  }
  if (axis.friction > 0.0 && setting_.slidesOn) law.free += slideOf(joint, r);
  if (axis.friction > 0.0 && !setting_.slidesOn) addFriction(dt * axis.friction, u0, law);
  if (!setting_.hasLimitsApart || !areLimitsApart(axis)) addLimits(axis, row, start, law);
  if (drive.mode == DriveMode::Speed && most > 0.0) {
    // At its speed it keeps the angle; until then, the rate at the end of the step.
    const double wanted = steadyRate(drive.target, dt, joint.model->rows[r].kind);
    const auto isNear = [u0](double u) {
      return absOf(u0 - u) <= kNearSpeed * absOf(u) + kSlowest;
    };
    const bool isThere = isNear(wanted) || isNear(drive.target);
    double at = isThere ? row.rate + ((start - row.next) / dt + drive.target)
                        : u0 + (wanted - u0) / inverse_share_;
    for (int i = 0; i < law.numJumps && most >= kUnlimitedImpulse; ++i) {
      const AxisLaw::Jump& j = law.jumps[static_cast<std::size_t>(i)];
      // It stops where a limit does.
      if (j.kind != JumpKind::Limit) continue;
      at = j.high > 0.0 ? maxOf(at, j.at) : minOf(at, j.at);
    }
    law.add({at, -most, most, JumpKind::Motor});
  }
  return law;
}

/// Dry friction brings the rate at the end to zero, and never does work: where other forces would
/// turn an axis round within the step, it does not help them to stop it. What came to rest turns
/// only if the mean of its rates would, too.
void MeanStep::addFriction(double most, double startRate, AxisLaw& law) const {
  const double stops = startRate - startRate / inverse_share_;
  if (absOf(startRate) <= kSlowest) return law.add({stops, -most, most, JumpKind::Friction});
  const bool isForward = startRate > 0.0;
  law.add({stops, isForward ? -most : 0.0, isForward ? 0.0 : most, JumpKind::Friction});
  law.add({0.0, isForward ? 0.0 : -most, isForward ? most : 0.0, JumpKind::Friction});
}

/// The end of the step is not beyond a limit, or not farther beyond it than the beginning.
void MeanStep::addLimits(const JointAxis& axis, const RowWork& row, double start,
                         AxisLaw& law) const {
  const double dt = setting_.dt;
  if (isFinite(axis.limits.lower)) {
    const double end = minOf(axis.limits.lower, start);
    law.add({row.rate + (end - row.next) / dt, 0.0, kUnlimitedImpulse, JumpKind::Limit});
  }
  if (isFinite(axis.limits.upper)) {
    const double end = maxOf(axis.limits.upper, start);
    law.add({row.rate + (end - row.next) / dt, -kUnlimitedImpulse, 0.0, JumpKind::Limit});
  }
}

/// In an impact: armatures, and limits that would be passed within the step.
AxisLaw MeanStep::impactLawOf(const MechanismJoint& joint, const JointWorkspace& work,
                              std::size_t r) const {
  const RowWork& row = work.rows[r];
  // Where drivers are followed, the rate that the axis has by what they were taken for.
  const double known = setting_.followsDrivers ? row.startRate - shiftOf(joint, work, r) : 0.0;
  const JointAxis& axis = (*joint.axes)[joint.model->rows[r].axis];
  const double s = joint.memory.position[r], u = row.startRate;
  AxisLaw law;
  law.slope = axis.armature;
  law.free = axis.armature * (setting_.followsDrivers ? known : joint.memory.rotor[r]);
  const auto bound = [&](double gap, double approach) {
    const bool bounces = axis.limits.restitution > 0.0 && approach > setting_.slowestImpact;
    return bounces ? axis.limits.restitution * approach : -maxOf(0.0, gap) / setting_.dt;
  };
  const JointDrive& drive = axis.drive;
  if (drive.mode == DriveMode::Speed &&
      !(limited(drive.maxForce, setting_.dt) < kUnlimitedImpulse)) {
    double wanted = drive.target;
    if (setting_.followsDrivers) wanted = known;
    if (!setting_.followsDrivers && !setting_.hasEndSpeeds) {
      wanted = steadyRate(drive.target, setting_.dt, joint.model->rows[r].kind);
    }
    law.add({wanted, -kUnlimitedImpulse, kUnlimitedImpulse, JumpKind::Motor});
    return law;
  }
  if (setting_.hasLimitsApart) return law;
  if (isFinite(axis.limits.lower) && s + u * setting_.dt < axis.limits.lower && u < 0.0) {
    law.add({bound(s - axis.limits.lower, -u), 0.0, kUnlimitedImpulse, JumpKind::Limit});
  }
  if (isFinite(axis.limits.upper) && s + u * setting_.dt > axis.limits.upper && u > 0.0) {
    law.add({-bound(axis.limits.upper - s, u), -kUnlimitedImpulse, 0.0, JumpKind::Limit});
  }
  return law;
}

void MeanStep::finish() {
  const bool isGaps = setting_.kind == MotionKind::Gaps;
  if (!is_evaluated_ && !isGaps) evaluate();
  for (std::size_t c = 0; c < couplings_.size() && setting_.kind == MotionKind::Mean; ++c) {
    m_->couplings[c].force = couplings_[c].row.impulse / setting_.dt;
  }
  if (setting_.kind == MotionKind::Mean) measureDrivers();
  sumCoupled();
  for (std::size_t i = 0; i < joints_.size() && !isGaps; ++i) finishJoint(i);
  for (std::size_t i = 0; i < of_.size(); ++i) finishBody(i);
}

void MeanStep::finishBody(std::size_t i) {
  MechanismBody& b = m_->bodies[i];
  const BodyWork& w = of_[i];
  if (setting_.kind == MotionKind::Gaps) return;
  if (setting_.kind == MotionKind::Mean) {
    b.position = w.nextPosition;
    b.orientation = w.nextOrientation;
  }
  if (!b.isMobile) return;
  const Vec3 dv = (linearPart(w.mean) - linearPart(w.start)) * inverse_share_;
  const Vec3 local = transposeTimes(w.rotation, angularPart(w.mean));
  const Vec3 dw = (local - w.spin) * inverse_share_;
  b.velocity = linearPart(w.start) + dv;
  b.spin = w.next * (w.spin + dw);
  // What the momentum still misses; rounding where Newton's method came to its end.
  Vec6 missing = right_[i];
  if (!pushed_.empty()) missing = missing + unlocked(static_cast<std::uint32_t>(i), pushed_[i]);
  if (dot(b.carried, b.carried) > 0.0) {
    // A drive bears what it holds, and does its work.
    Vec6 borne = w.onLocks;
    if (!pushed_.empty()) borne = borne + lockedPart(b.locks, pushed_[i]);
    missing = missing + borne;
    b.held -= dot(borne, b.carried);
  }
  if (setting_.kind != MotionKind::Mean) {
    b.excess -= dot(missing, (w.start + w.mean) * 0.5);
    return;
  }
  b.excess -= dot(missing, w.mean);
  b.turn += angularPart(w.mean) * setting_.dt;
  // Impulses do their work on v0 + share (v1 - v0), the energy changes by that on the middle.
  b.excess += (0.5 - setting_.share) * (b.mass * squaredNorm(dv) + dot(dw, b.inertia * dw));
}

/// Work and forces of a joint's rows at the velocities found.
void MeanStep::finishJoint(std::size_t i) {
  MechanismJoint& joint = m_->joints[i];
  const JointWorkspace& work = joints_[i];
  JointOutcome o;
  Vec3 moment;
  for (std::size_t r = 0; r < kJointRows; ++r) {
    const RowWork& row = work.rows[r];
    const double coupled = coupled_.empty() ? 0.0 : coupled_[i][r];
    const double impulse = (row.impulse + row.limit) + coupled;
    const double mean =
        setting_.kind == MotionKind::Mean ? row.rate : 0.5 * (row.rate + row.startRate);
    o.impulse += linearPart(work.rates.j2.row[r]) * impulse;
    moment += angularPart(work.rates.j2.row[r]) * impulse;
    for (const std::uint32_t b : {joint.body1, joint.body2}) {
      if (b == kWorldBody || m_->bodies[b].isMobile) continue;
      const Mat6& j = b == joint.body1 ? work.rates.j1 : work.rates.j2;
      o.drivers -= impulse * dot(j.row[r], of_[b].mean);
    }
    if (isAxisKind(joint.model->rows[r].kind)) {
      bookAxis(joint, work, r, o);
      o.held += coupled * mean;
    } else {
      o.held += impulse * mean;
    }
    if (setting_.kind == MotionKind::Mean) {
      joint.memory.force[r] = (row.impulse + row.limit) / setting_.dt;
      joint.memory.position[r] = row.next;
    }
    if (isAxisKind(joint.model->rows[r].kind) &&
        (*joint.axes)[joint.model->rows[r].axis].armature > 0.0) {
      const double from =
          setting_.followsDrivers ? row.startRate - shiftOf(joint, work, r) : joint.memory.rotor[r];
      joint.memory.rotor[r] += (row.rate - from) * inverse_share_;
    }
  }
  moment += work.moment;
  o.work.springs += work.work;
  const Vec3 arm = joint.body2 == kWorldBody ? joint.model->arm2
                                             : of_[joint.body2].middle.rotation * joint.model->arm2;
  o.moment = moment - cross(arm, o.impulse);
  joint.outcome.append(o);
}

void MeanStep::bookAxis(const MechanismJoint& joint, const JointWorkspace& work, std::size_t r,
                        JointOutcome& o) const {
  const RowWork& row = work.rows[r];
  const JointAxis& axis = (*joint.axes)[joint.model->rows[r].axis];
  const bool isMean = setting_.kind == MotionKind::Mean;
  const double u = isMean ? row.rate : 0.5 * (row.rate + row.startRate);
  const double dt = isMean ? setting_.dt : 0.0;
  AxisPoint point = row.point;
  if (point.isHeld) point.impulse = row.impulse;
  const AxisParts parts = partsOf(work.laws[r], point);
  const double rotor = joint.memory.rotor[r];
  const double from = setting_.followsDrivers ? row.startRate - shiftOf(joint, work, r) : rotor;
  const double armature = -axis.armature * inverse_share_ * (row.rate - from);
  const double damper = -dt * axis.damping * row.rate;
  const double way = 0.5 * (joint.memory.position[r] + row.next) - axis.rest;
  const double spring = -dt * axis.stiffness * row.arc * row.share * way + row.pull;
  const double force = axis.drive.mode == DriveMode::Force ? dt * axis.drive.target : 0.0;
  // What an armature gains: a (r1^2 - r0^2) / 2.
  const double rotorEnd = rotor + (row.rate - from) * inverse_share_;
  const double kept = 0.5 * axis.armature * (rotorEnd - rotor) * (rotorEnd + rotor);
  o.drive[r] = (parts.servo + parts.motor) + force;
  // A motor that nothing stops has its speed at once: what that takes beyond its own work is lost.
  const double driven = isMean ? u : row.rate;
  o.work.motors += o.drive[r] * driven;
  o.held += o.drive[r] * (u - driven);
  o.work.dampers += damper * u;
  o.work.springs += spring * u;
  const double slide = setting_.slidesOn && axis.friction > 0.0 ? slideOf(joint, r) : 0.0;
  const double friction = parts.friction + slide;
  const double limit = parts.limit + row.limit;
  o.work.limits += limit * u;
  o.work.friction += friction * u;
  o.armature += armature * u + kept;
  const double rest =
      row.impulse - ((((o.drive[r] + damper) + spring) + parts.limit) + (friction + armature));
  o.held += rest * u;
  o.isAtLimit = o.isAtLimit || limit != 0.0;
}

}  // namespace abut::inline v0_1
