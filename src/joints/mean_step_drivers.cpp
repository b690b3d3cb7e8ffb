// SPDX-License-Identifier: MIT
//
// Bodies that move as prescribed, and what hangs at them. A step makes v0 + (v - v0) / share of the
// velocities at its beginning and of its mean; a body that is prescribed to move on a curve, or to
// begin or end to move, has others at the end, and what hangs at it would swing about them from one
// step to the next for ever.
#include "joints/mean_step.hpp"

namespace abut::inline v0_1 {
namespace {

/// Velocities that are off by less than this many units of rounding are not.
constexpr double kRounding = 32.0 * 2.2204460492503131e-16;

}  // namespace

/// Whether joints leave nothing free: then bodies have the velocities of what drives them, whatever
/// the step made of theirs.
bool MeanStep::isRigid() const {
  for (const MechanismJoint& joint : m_->joints) {
    for (const JointRow& row : joint.model->rows) {
      if (row.kind == RowKind::None || isAxisKind(row.kind)) return false;
    }
  }
  return true;
}

/// By how much drivers are off in the rate of a row. Of one velocity a driver for all its rows, so
/// that rows that hold the same thing twice ask for the same.
double MeanStep::shiftOf(const MechanismJoint& joint, const JointWorkspace& work,
                         std::size_t row) const {
  double shift = 0.0;
  if (joint.body1 != kWorldBody) shift += dot(work.rates.j1.row[row], off_[joint.body1]);
  if (joint.body2 != kWorldBody) shift += dot(work.rates.j2.row[row], off_[joint.body2]);
  return shift;
}

/// By how much velocities of drivers at the end differ from what the step would make of them.
void MeanStep::measureDrivers() {
  off_.assign(of_.size(), Vec6{});
  are_drivers_off_ = false;
  for (std::size_t i = 0; i < of_.size(); ++i) {
    const MechanismBody& b = m_->bodies[i];
    if (b.isMobile) continue;
    const BodyWork& w = of_[i];
    const Vec3 mean = linearPart(w.mean), turning = angularPart(w.mean);
    const Vec3 linear = b.lastVelocity + (mean - b.lastVelocity) * inverse_share_;
    const Vec3 before = transposeTimes(w.rotation, b.lastSpin);
    const Vec3 local = transposeTimes(w.rotation, turning);
    const Vec3 angular = w.next * (before + (local - before) * inverse_share_);
    const double perStep = 1.0 / absOf(setting_.dt);
    const double speed = (norm(linear) + norm(mean)) + norm(w.nextPosition) * perStep;
    const double spin = (norm(angular) + norm(turning)) + perStep;
    const Vec3 dv = b.velocity - linear, dw = b.spin - angular;
    const bool isOff = norm(dv) > kRounding * speed || norm(dw) > kRounding * spin;
    if (isOff) off_[i] = toVec6(dv, dw);
    are_drivers_off_ = are_drivers_off_ || isOff;
  }
}

/// Impulses of couplings along the axes of each joint.
void MeanStep::sumCoupled() {
  coupled_.clear();
  if (couplings_.empty()) return;
  coupled_.assign(joints_.size(), RowPositions{});
  for (std::size_t c = 0; c < couplings_.size(); ++c) {
    const MechanismCoupling& k = m_->couplings[c];
    const double p = couplings_[c].row.impulse;
    coupled_[k.joint1][static_cast<std::size_t>(k.row1)] -= k.ratio * p;
    coupled_[k.joint2][static_cast<std::size_t>(k.row2)] += p;
  }
}

}  // namespace abut::inline v0_1
