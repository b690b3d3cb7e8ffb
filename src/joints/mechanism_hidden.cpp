// SPDX-License-Identifier: MIT
//
// Velocities that joints do not allow (see HiddenMotion), where nothing takes energy: steps that
// would leave much of them are made in halves, and what is left gives its energy back.
#include <cmath>

#include "joints/mechanism_stepper.hpp"

namespace abut::inline v0_1 {
namespace {

/// A step that leaves more than this part of the energy with them is not fine enough.
constexpr double kMostLeft = 1e-3;
/// More than this of the energy is given back, or as much as this part of what takes it.
constexpr double kWorthIt = 1e-2, kMostGivenBack = 0.1;
/// Halves of halves.
constexpr int kMaxFiner = 6;
/// A step in which no body's turning changes by more than this within the step [rad] leaves none
/// that count: about a fourth of the square.
constexpr double kSteady = 0.01;

bool isSteady(const Mechanism& from, const Mechanism& to, double dt) {
  for (std::size_t i = 0; i < from.bodies.size(); ++i) {
    const MechanismBody &a = from.bodies[i], &b = to.bodies[i];
    if (a.isMobile && norm(b.spin - a.spin) * dt > kSteady) return false;
  }
  return true;
}

}  // namespace

bool isUndriven(const Mechanism& m) {
  for (const MechanismBody& b : m.bodies) {
    if (b.locks != 0 || dot(b.carried, b.carried) > 0.0) return false;
    if (b.isMobile) continue;
    if (b.velocity != Vec3{} || b.spin != Vec3{}) return false;
    if (b.lastVelocity != Vec3{} || b.lastSpin != Vec3{}) return false;
    if (b.position != b.nextPosition) return false;
  }
  for (const MechanismJoint& j : m.joints) {
    for (int r = 0; r < j.model->numRows; ++r) {
      const JointRow& row = j.model->rows[static_cast<std::size_t>(r)];
      if (!isAxisKind(row.kind)) continue;
      const JointAxis& a = (*j.axes)[row.axis];
      const bool isOff = a.drive.mode == DriveMode::Off || a.drive.mode == DriveMode::Force;
      if (a.damping > 0.0 || a.friction > 0.0 || !isOff) return false;
    }
  }
  return true;
}

/// Energy of the velocities that joints do not allow; those that they do are in `still_`.
double MechanismStepper::findHidden(const Mechanism& m) {
  still_ = m;
  MotionSetting setting;
  setting.kind = MotionKind::Impact;
  setting.dt = options_.dt;
  setting.hasLimitsApart = true;
  if (!findAllowed(still_, setting, step_)) {
    still_ = m;
    return 0.0;
  }
  return maxOf(0.0, kineticEnergy(m) - kineticEnergy(still_));
}

/// Makes the velocities those that findHidden() found, with the energy of all.
void MechanismStepper::settleHidden(Mechanism& m) {
  if (!hidden_.giveBack(still_, in_hidden_, kMostGivenBack)) return;
  for (std::size_t i = 0; i < m.bodies.size(); ++i) {
    m.bodies[i].velocity = still_.bodies[i].velocity;
    m.bodies[i].spin = still_.bodies[i].spin;
  }
  for (std::size_t i = 0; i < m.joints.size(); ++i) {
    m.joints[i].memory.rotor = still_.joints[i].memory.rotor;
  }
  in_hidden_ = 0.0;
}

/// From one share of the step to another, in halves where one step would leave too much.
bool MechanismStepper::goFinely(Mechanism& m, double from, double to, int depth) {
  if (finer_.size() <= kMaxFiner) finer_.resize(kMaxFiner + 1);
  Mechanism& before = finer_[static_cast<std::size_t>(depth)];
  before = m;
  const auto goInHalves = [&] {
    m = before;
    ++report_.halvings;
    const double middle = from + 0.5 * (to - from);
    if (goFinely(m, from, middle, depth + 1)) return goFinely(m, middle, to, depth + 1);
    m = before;
    goOn(m, from, to);
    return false;
  };
  const bool isSolved = goOn(m, from, to);
  if (!isSolved && depth < kMaxFiner && isConservative(m)) return goInHalves();
  if (isSteady(before, m, (to - from) * options_.dt)) return isSolved;
  const double hidden = findHidden(m), energy = kineticEnergy(m) + reserveOf(m);
  const double left = std::sqrt(hidden) - std::sqrt(in_hidden_);
  const bool isTooMuch = left > 0.0 && left * left > kMostLeft * energy;
  if (isTooMuch && depth < kMaxFiner) return goInHalves();
  in_hidden_ = hidden;
  if (hidden > kWorthIt * energy) settleHidden(m);
  return isSolved;
}

}  // namespace abut::inline v0_1
