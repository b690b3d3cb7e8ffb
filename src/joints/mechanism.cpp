// SPDX-License-Identifier: MIT
#include "joints/mechanism.hpp"

#include "joints/cayley.hpp"
#include "math/trigonometry.hpp"
#include "math/vec3.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr Placement kWorldPlacement{};

/// 1 + cos of the swing from which a spring about a twist fades.
constexpr double kFadingOpening = 0.1;

Placement placementIn(const Mechanism& m, std::uint32_t body) {
  return body == kWorldBody ? kWorldPlacement : placementOf(m.bodies[body]);
}

}  // namespace

void JointOutcome::append(const JointOutcome& later) {
  impulse += later.impulse;
  moment += later.moment;
  for (std::size_t i = 0; i < drive.size(); ++i) drive[i] += later.drive[i];
  work.motors += later.work.motors;
  work.dampers += later.work.dampers;
  work.springs += later.work.springs;
  work.limits += later.work.limits;
  work.friction += later.work.friction;
  armature += later.armature;
  held += later.held;
  drivers += later.drivers;
  isAtLimit = isAtLimit || later.isAtLimit;
}

void Mechanism::clear() {
  bodies.clear();
  joints.clear();
  couplings.clear();
}

double kineticEnergy(const MechanismBody& b) {
  if (!b.isMobile) return 0.0;
  const Vec3 w = transposeTimes(toMatrix(b.orientation), b.spin);
  return 0.5 * (b.mass * squaredNorm(b.velocity) + dot(w, b.inertia * w));
}

Placement placementOf(const MechanismBody& b) {
  return {b.position, toMatrix(b.orientation)};
}

double twistShare(double swing) {
  const double x = (1.0 + sinCos(swing).cos) / kFadingOpening;
  return x < 1.0 ? x * x * (3.0 - 2.0 * x) : 1.0;
}

TwistRows sprungTwistOf(const MechanismJoint& joint) {
  bool isSprung = false, swings = false;
  TwistRows rows;
  for (int r = 0; r < joint.model->numRows; ++r) {
    const auto at = static_cast<std::size_t>(r);
    const JointRow& row = joint.model->rows[at];
    if (row.kind == RowKind::Twist && (*joint.axes)[row.axis].stiffness > 0.0) {
      isSprung = true;
      rows.twist = at;
    }
    if (row.kind != RowKind::Swing) continue;
    swings = true;
    rows.swing = at;
  }
  rows.isThere = isSprung && swings;
  return rows;
}

JointEnergy energyOf(const MechanismJoint& joint) {
  JointEnergy e;
  const TwistRows twist = sprungTwistOf(joint);
  for (int r = 0; r < joint.model->numRows; ++r) {
    const auto at = static_cast<std::size_t>(r);
    const JointRow& row = joint.model->rows[at];
    if (!isAxisKind(row.kind)) continue;
    const JointAxis& axis = (*joint.axes)[row.axis];
    const double stretch = joint.memory.position[at] - axis.rest;
    const bool fades = twist.isThere && at == twist.twist;
    const double share = fades ? twistShare(joint.memory.position[twist.swing]) : 1.0;
    e.springs += 0.5 * axis.stiffness * stretch * stretch * share;
    e.armatures += 0.5 * axis.armature * joint.memory.rotor[at] * joint.memory.rotor[at];
  }
  return e;
}

double greatestGap(const Mechanism& m) {
  double most = 0.0;
  RowPositions g;
  for (const MechanismJoint& j : m.joints) {
    rowGaps(*j.model, placementIn(m, j.body1), placementIn(m, j.body2), g);
    for (const double gap : g) most = maxOf(most, absOf(gap));
  }
  return most;
}

void displace(MechanismBody& b, const Vec6& shift) {
  b.position += linearPart(shift);
  const Quat turn = cayley(angularPart(shift));
  b.orientation = normalized(turn * b.orientation);
  b.spin = toMatrix(turn) * b.spin;
}

bool areLimitsApart(const JointAxis& axis) {
  if (!isFinite(axis.limits.lower) && !isFinite(axis.limits.upper)) return false;
  return axis.drive.mode != DriveMode::Speed || isFinite(axis.drive.maxForce);
}

void readPositions(Mechanism& m) {
  for (MechanismJoint& j : m.joints) {
    RowPositions s;
    rowPositions(*j.model, placementIn(m, j.body1), placementIn(m, j.body2), s);
    for (std::size_t r = 0; r < s.size(); ++r) {
      const bool turns = isTurnKind(j.model->rows[r].kind);
      j.memory.position[r] = turns ? unwound(s[r], j.memory.position[r]) : s[r];
    }
  }
}

}  // namespace abut::inline v0_1
