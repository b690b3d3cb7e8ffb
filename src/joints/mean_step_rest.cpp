// SPDX-License-Identifier: MIT
//
// How far a mechanism is from the answer: whether it goes on resting under the impulses that it
// has, and whether its joints are closed.
#include "joints/mean_step.hpp"

namespace abut::inline v0_1 {
namespace {

/// Speeds that rounding is taken of are this many times what forces add in the step at most, where
/// it is to be told whether bodies rest.
constexpr double kOfFall = 2e3;

}  // namespace

/// However far from the origin, forces are to be right to the ninth digit.
double MeanStep::mostSpeed() const {
  double mass = 0.0;
  Vec3 force;
  for (const MechanismBody& b : m_->bodies) {
    if (!b.isMobile) continue;
    mass += b.mass;
    force += b.force;
  }
  return mass > 0.0 ? kOfFall * norm(force) * setting_.dt / mass : 0.0;
}

bool MeanStep::tryRest(double small) {
  const double most = mostSpeed();
  for (std::uint32_t i = 0; i < of_.size(); ++i) {
    // Of a body that is prescribed to move, nothing rests.
    const MechanismBody& b = m_->bodies[i];
    if (!b.isMobile && dot(of_[i].mean, of_[i].mean) > 0.0) return false;
    if (dot(b.carried, b.carried) > 0.0) return false;
    if (!(sizeOf(i, of_[i].start, most) <= small)) return false;
  }
  for (std::size_t i = 0; i < of_.size(); ++i) {
    if (m_->bodies[i].isMobile) of_[i].mean = Vec6{};
  }
  evaluate();
  return true;
}

void MeanStep::moveOn() {
  for (std::uint32_t i = 0; i < of_.size(); ++i) {
    if (m_->bodies[i].isMobile) of_[i].mean = withCarried(i, of_[i].start);
  }
  is_evaluated_ = false;
}

double MeanStep::missing(std::span<const Vec6> pushes) const {
  double size = 0.0;
  const double most = mostSpeed();
  for (std::uint32_t i = 0; i < of_.size(); ++i) {
    const MechanismBody& b = m_->bodies[i];
    if (!b.isMobile) continue;
    const Vec6 missed = i < pushes.size() ? right_[i] + unlocked(i, pushes[i]) : right_[i];
    const Vec6 alone = toVec6(linearPart(missed) / (b.mass * inverse_share_),
                              of_[i].inverseInertia * (angularPart(missed) / inverse_share_));
    size = maxOf(size, sizeOf(i, alone, most));
  }
  const std::size_t n = of_.size();
  for (std::size_t i = n; i < right_.size(); ++i) {
    // A row's rate, as if a body had it.
    const bool isJoint = i - n < joints_.size();
    std::uint32_t body =
        isJoint ? m_->joints[i - n].body2 : couplings_[i - n - joints_.size()].body[0];
    if (isJoint && (body == kWorldBody || !m_->bodies[body].isMobile)) {
      body = m_->joints[i - n].body1;
    }
    const double rate = std::sqrt(dot(right_[i], right_[i]));
    size = maxOf(size, sizeOf(body, toVec6(Vec3{}, {rate, 0.0, 0.0}), most));
  }
  return size;
}

double MeanStep::mostGap() const {
  double most = 0.0;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    for (std::size_t r = 0; r < kJointRows; ++r) {
      const RowKind kind = m_->joints[i].model->rows[r].kind;
      if (kind != RowKind::None && !isAxisKind(kind)) most = maxOf(most, absOf(joints_[i].gaps[r]));
    }
  }
  for (const CouplingWork& c : couplings_) {
    most = maxOf(most, absOf(c.row.right) * setting_.dt);
  }
  return most;
}

}  // namespace abut::inline v0_1
