// SPDX-License-Identifier: MIT
//
// Springs about the twist of joints that swing. What one stores is f(swing) k (twist - rest)^2 / 2,
// with a share f that vanishes where the twist has no meaning. Between the ends of a step it
// changes by the mean of f times the change of the rest, and the mean of the rest times the change
// of f: the first is the work of a moment about the twist, the second of one about the swing.
#include "joints/mean_step.hpp"

namespace abut::inline v0_1 {
namespace {

/// A swing that changes by less has the slope of the share at its middle [rad].
constexpr double kShortSwing = 1e-6;
/// Turning slower than this does no work that counts [rad/s].
constexpr double kNoTurning = 1e-9;

}  // namespace

void MeanStep::fadeTwist(const MechanismJoint& joint, const TwistRows& at, double dt,
                         JointWorkspace& work) {
  RowWork &twist = work.rows[at.twist], &swing = work.rows[at.swing];
  const JointAxis& axis = (*joint.axes)[joint.model->rows[at.twist].axis];
  const double from = joint.memory.position[at.swing], to = swing.next;
  const double f0 = twistShare(from), f1 = twistShare(to);
  twist.share = 0.5 * (f0 + f1);
  swing.pull = 0.0;
  if (f0 == 1.0 && f1 == 1.0) return;
  const double a = joint.memory.position[at.twist] - axis.rest, b = twist.next - axis.rest;
  const double stored = 0.25 * axis.stiffness * (a * a + b * b);
  const double middle = 0.5 * (from + to);
  const bool isShort = absOf(to - from) < kShortSwing;
  const double slope = isShort
                           ? (twistShare(middle + kShortSwing) - twistShare(middle - kShortSwing)) /
                                 (2.0 * kShortSwing)
                           : (f1 - f0) / (to - from);
  swing.pull = -dt * stored * slope * swing.arc;
}

/// Where the rates of twist and swing do not tell how far they go, what is missing of the work is
/// that of a moment along the turning itself.
void MeanStep::balanceTwist(const MechanismJoint& joint, const TwistRows& at,
                            JointWorkspace& work) const {
  work.moment = {};
  work.work = 0.0;
  const RowWork &twist = work.rows[at.twist], &swing = work.rows[at.swing];
  const JointAxis& axis = (*joint.axes)[joint.model->rows[at.twist].axis];
  const double a = joint.memory.position[at.twist] - axis.rest, b = twist.next - axis.rest;
  const double f0 = twistShare(joint.memory.position[at.swing]), f1 = twistShare(swing.next);
  const double gained = 0.5 * axis.stiffness * (f1 * b * b - f0 * a * a);
  const double given =
      -setting_.dt * axis.stiffness * twist.arc * twist.share * (0.5 * (a + b)) * twist.rate +
      swing.pull * swing.rate;
  const auto spin = [this](std::uint32_t body) {
    return body == kWorldBody ? Vec3{} : angularPart(of_[body].mean);
  };
  const Vec3 turning = spin(joint.body2) - spin(joint.body1);
  const double square = squaredNorm(turning);
  if (!(square > kNoTurning * kNoTurning)) return;
  work.work = -gained - given;
  work.moment = turning * (work.work / square);
}

}  // namespace abut::inline v0_1
