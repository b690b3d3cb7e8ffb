// SPDX-License-Identifier: MIT
#include "solver/proximal_newton.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr int kMaxHalvings = 12;
/// Least share of the defect that a step must take away, for a step of full length.
constexpr double kArmijo = 1e-4;
/// Steps that do not lessen the defect are taken this far, and this often, to leave a kink.
constexpr double kForcedLength = 0.3;
constexpr int kMaxForced = 2;
/// The squared defect counts as zero below this part of the squares of the terms it is made of, and
/// as near enough below the second where no step lessens it any more.
constexpr double kZero = 1e-32, kNearlyZero = 1e-28;

DiskDerivative scaledBy(const DiskDerivative& d, double rho, double rhoNormal) {
  return {d.d11 * rho, d.d12 * rho, d.d22 * rho, d.byNormal1 * rhoNormal, d.byNormal2 * rhoNormal};
}

}  // namespace

/// The defect of the equation at a state, and its square.
double ProximalNewton::evaluate(const std::vector<double>& s, std::vector<double>& defect,
                                std::vector<Vec3>& z) {
  const ContactSpace& space = *space_;
  const std::size_t count = space.contacts.size();
  space.velocitiesAt(s, z);
  for (std::size_t k = 0; k < z.size(); ++k) z[k] = center_[k] - z[k] * rho_[k];
  for (std::size_t k = 0; k < count; ++k) {
    const ContactTerms& c = space.contacts[k];
    allowed_[k] = c.response > 0.0 ? allowedImpulse(z[k], c.friction) : Vec3{};
  }
  for (std::size_t i = 0; i < space.couples.size(); ++i) {
    const CoupleTerms& c = space.couples[i];
    allowed_[count + i] =
        c.response > 0.0 ? limitCouple(c, z[count + i], allowed_[c.contact].x) : Vec3{};
  }
  space.defectOf(s, allowed_, defect);
  return space.squareOf(defect);
}

/// What the defect is a difference of, in the same norm.
double ProximalNewton::termsSquared() {
  const ContactSpace& space = *space_;
  space.speedsAt(state_, allowed_, speeds_);
  double sum = 0.0;
  for (std::size_t k = 0; k < space.contacts.size(); ++k) {
    const double a = space.contacts[k].response;
    if (!(a > 0.0)) continue;
    const double term = (norm(z_[k]) + norm(center_[k])) + rho_[k] * speeds_[k];
    sum += a * (term * term);
  }
  return sum;
}

/// How the impulses answer velocities: the derivative of what is allowed, times rho.
void ProximalNewton::setGains() {
  const ContactSpace& space = *space_;
  const std::size_t count = space.contacts.size();
  gains_.assign(count, {});
  for (std::size_t k = 0; k < count; ++k) {
    const ContactTerms& c = space.contacts[k];
    if (!(c.response > 0.0) || !(z_[k].x > 0.0)) continue;
    ContactGain& gain = gains_[k];
    gain.normal = rho_[k];
    gain.slide = scaledBy(diskDerivative(z_[k].y, z_[k].z, c.friction, z_[k].x), rho_[k], rho_[k]);
    if (space.coupleOf[k] == ContactSpace::kNoCouple) continue;
    const CoupleTerms& couple = space.couples[space.coupleOf[k]];
    const std::size_t at = count + space.coupleOf[k];
    const Vec3& m = z_[at];
    gain.roll = scaledBy(diskDerivative(m.y, m.z, couple.rolling, z_[k].x), rho_[at], rho_[k]);
    if (absOf(m.x) <= couple.spinning * z_[k].x) {
      gain.spin = rho_[at];
    } else {
      gain.spinByNormal = m.x > 0.0 ? couple.spinning * rho_[k] : -couple.spinning * rho_[k];
    }
  }
}

void ProximalNewton::begin(ContactSpace& space, double kappa, std::span<const Vec3> center,
                           std::span<const Vec3> start) {
  space_ = &space;
  const std::size_t count = space.contacts.size(), size = space.numVectors();
  center_.assign(center.begin(), center.end());
  z_.assign(size, Vec3{});
  trial_z_.assign(size, Vec3{});
  allowed_.assign(size, Vec3{});
  speeds_.assign(count, 0.0);
  rho_.assign(size, 0.0);
  for (std::size_t k = 0; k < count; ++k) {
    if (space.contacts[k].response > 0.0) rho_[k] = kappa / space.contacts[k].response;
  }
  for (std::size_t i = 0; i < space.couples.size(); ++i) {
    if (space.couples[i].response > 0.0) rho_[count + i] = kappa / space.couples[i].response;
  }
  forced_ = 0;
  space.stateOf(start, state_);
  square_ = evaluate(state_, defect_, z_);
}

ProximalNewton::Progress ProximalNewton::step() {
  const double terms = termsSquared();
  if (!isFinite(square_)) return Progress::Stuck;
  if (square_ <= kZero * terms) return Progress::Solved;
  setGains();
  if (!space_->factorise(gains_)) return Progress::Stuck;
  right_ = defect_;
  if (!space_->solveRefined(gains_, right_, space_->rough ? 1 : 0, step_)) return Progress::Stuck;
  double length = 1.0, trialSquare = 0.0;
  bool accepted = false;
  for (int halving = 0; halving < kMaxHalvings && !accepted; ++halving) {
    move(length);
    trialSquare = evaluate(trial_, trial_defect_, trial_z_);
    const double least = 1.0 - kArmijo * length;
    accepted = trialSquare < least * least * square_;
    if (!accepted) length *= 0.5;
  }
  if (!accepted) {
    if (square_ <= kNearlyZero * terms) return Progress::Solved;
    if (++forced_ > kMaxForced) return Progress::Stuck;
    move(kForcedLength);
    trialSquare = evaluate(trial_, trial_defect_, trial_z_);
  }
  state_.swap(trial_);
  defect_.swap(trial_defect_);
  z_.swap(trial_z_);
  square_ = trialSquare;
  return Progress::Moving;
}

/// Sets the trial state a part of the step ahead.
void ProximalNewton::move(double length) {
  trial_ = state_;
  for (std::size_t i = 0; i < step_.size(); ++i) trial_[i] += step_[i] * length;
}

void ProximalNewton::getImpulses(std::span<Vec3> impulses) const {
  const ContactSpace& space = *space_;
  const std::size_t count = space.contacts.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (space.contacts[k].response > 0.0) {
      impulses[k] = allowedImpulse(z_[k], space.contacts[k].friction);
    }
  }
  for (std::size_t i = 0; i < space.couples.size(); ++i) {
    const CoupleTerms& c = space.couples[i];
    impulses[count + i] = limitCouple(c, z_[count + i], impulses[c.contact].x);
  }
}

ProximalNewton::Result ProximalNewton::advance(ContactSpace& space, double kappa, int maxSteps,
                                               std::span<Vec3> impulses) {
  Result result;
  begin(space, kappa, impulses, impulses);
  for (;;) {
    if (result.newtonSteps == maxSteps) {
      result.solved = isFinite(square_) && square_ <= kZero * termsSquared();
      break;
    }
    const Progress progress = step();
    result.solved = progress == Progress::Solved;
    if (progress != Progress::Moving) break;
    ++result.newtonSteps;
  }
  if (result.solved) getImpulses(impulses);
  return result;
}

}  // namespace abut::inline v0_1
