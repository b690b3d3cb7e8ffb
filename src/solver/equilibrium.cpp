// SPDX-License-Identifier: MIT
#include "solver/equilibrium.hpp"

#include <algorithm>

#include "solver/one_contact.hpp"

namespace abut::inline v0_1 {
namespace {

/// Its first value hardly changes the impulses of a heap that creeps, the last is as much as
/// rounding allows.
constexpr double kFirstKappa = 1e5, kMostKappa = 1e9, kGrowth = 10.0;
/// From the second proximal step on speeds fall to at most this part in each if they are to vanish.
constexpr double kHopeful = 0.5;
constexpr int kMaxProximalSteps = 6, kMaxNewtonSteps = 60, kMaxTrials = 10;
/// From nothing: where kappa begins, Newton steps (a tower of fifty bodies whose masses alternate
/// by ten thousand takes fifty), and what counts as zero.
constexpr double kSoftKappa = 1.0;
constexpr int kMaxColdSteps = 150;
constexpr double kRoughlyZero = 1e-16;
/// The squared defect counts as zero below this part of what the impulses amount to, and as near
/// enough below the second where no step lessens it any more.
constexpr double kZero = 1e-28, kNearlyZero = 1e-24;

}  // namespace

/// Sets the defect of the equation at a state, which is the descent of the convex function, and
/// returns its square.
double Equilibrium::evaluate(const std::vector<double>& state) {
  ContactSpace& space = *space_;
  space.velocitiesAt(state, z_);
  for (std::size_t k = 0; k < space.contacts.size(); ++k) {
    const ContactTerms& c = space.contacts[k];
    if (!(c.response > 0.0)) continue;
    z_[k] = center_[k] - z_[k] * (kappa_ / c.response);
    allowed_[k] = projectOnCone(z_[k], c.friction);
  }
  space.defectOf(state, allowed_, defect_);
  return space.squareOf(defect_);
}

/// Derivatives of the nearest impulses in the cones, times rho.
void Equilibrium::setGains() {
  const ContactSpace& space = *space_;
  gains_.assign(space.contacts.size(), {});
  for (std::size_t k = 0; k < space.contacts.size(); ++k) {
    const ContactTerms& c = space.contacts[k];
    if (!(c.response > 0.0) || !(allowed_[k].x > 0.0)) continue;
    const double rho = kappa_ / c.response;
    ContactGain& gain = gains_[k];
    gain.isSymmetric = true;
    const Vec3& z = z_[k];
    const double length = std::sqrt(z.y * z.y + z.z * z.z);
    if (z.x >= 0.0 && length <= c.friction * z.x) {
      gain.normal = rho;
      gain.slide = {rho, 0.0, rho, 0.0, 0.0};
      continue;
    }
    // On the mantle: along its line as it is, around it in proportion.
    const double share = rho / (1.0 + c.friction * c.friction);
    gain.normal = share;
    if (!(length > 0.0)) continue;
    const double e1 = z.y / length, e2 = z.z / length;
    const double along = share * c.friction * c.friction;
    const double around = rho * c.friction * allowed_[k].x / length;
    gain.slide = {along * e1 * e1 + around * e2 * e2, (along - around) * e1 * e2,
                  along * e2 * e2 + around * e1 * e1, share * c.friction * e1,
                  share * c.friction * e2};
  }
}

/// Of the convex function along the step.
double Equilibrium::slope() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < step_.size(); ++i) sum -= defect_[i] * step_[i];
  return sum;
}

/// Goes along the step to where the function hardly falls or rises any more; as far as the step
/// goes if it still falls there.
void Equilibrium::search() {
  constexpr double kNearly = 0.1, kWithin = 0.1;
  const double atStart = slope();
  double low = 0.0, high = 1.0, slopeLow = atStart, slopeHigh = 0.0, way = 1.0;
  for (int trial = 0; trial < kMaxTrials; ++trial) {
    trial_ = state_;
    for (std::size_t i = 0; i < step_.size(); ++i) trial_[i] += step_[i] * way;
    evaluate(trial_);
    const double now = slope();
    if ((now <= 0.0 && trial == 0) || absOf(now) <= kNearly * absOf(atStart)) break;
    (now > 0.0 ? high : low) = way;
    (now > 0.0 ? slopeHigh : slopeLow) = now;
    const double share = -slopeLow / (slopeHigh - slopeLow);
    way = low + (high - low) * minOf(maxOf(share, kWithin), 1.0 - kWithin);
  }
  state_.swap(trial_);
}

/// Of what impulses give, as squares of defects are measured.
double Equilibrium::squareOf(const std::vector<Vec3>& impulses) {
  right_.assign(state_.size(), 0.0);
  space_->addImpulses(impulses, right_);
  return space_->squareOf(right_);
}

/// Of a proximal step.
struct Equilibrium::Effort {
  int mostSteps = kMaxNewtonSteps;  ///< In all of them.
  double zero = kZero;
  bool fromNothing = false;  ///< Defects are measured by the impulses at hand.
};

/// One proximal step; false if it does not end.
bool Equilibrium::minimise(const Effort& effort, int& steps) {
  double square = evaluate(state_);
  double all = squareOf(center_);
  while (isFinite(square)) {
    if (effort.fromNothing) all = squareOf(allowed_);
    if (square <= effort.zero * all) return true;
    if (steps == effort.mostSteps) return false;
    setGains();
    if (!space_->factorise(gains_)) return false;
    ++steps;
    right_ = defect_;
    if (!space_->solveRefined(gains_, right_, space_->rough ? 1 : 0, step_)) return false;
    search();
    const double last = square;
    square = space_->squareOf(defect_);
    if (!(square < last) && square <= kNearlyZero * all) return true;
  }
  return false;
}

void Equilibrium::begin(ContactSpace& space, double kappa, std::span<const Vec3> impulses) {
  space_ = &space;
  center_.assign(impulses.begin(), impulses.end());
  z_.assign(center_.size(), Vec3{});
  allowed_ = center_;
  kappa_ = kappa;
  space.stateOf(center_, state_);
}

/// Greatest velocity at a contact in the present state [m/s].
double Equilibrium::fastest() {
  space_->changesAt(state_, z_);
  double speed = 0.0;
  for (const Vec3& u : z_) speed = maxOf(speed, norm(u));
  return speed;
}

Equilibrium::Result Equilibrium::seek(ContactSpace& space, double slowest,
                                      std::span<Vec3> impulses) {
  Result result;
  begin(space, kFirstKappa, impulses);
  double last = 0.0;
  for (int i = 0; i < kMaxProximalSteps && minimise({}, result.newtonSteps); ++i) {
    center_ = allowed_;
    const double speed = fastest();
    result.holds = speed <= slowest;
    if (result.holds || (i > 0 && !(speed <= kHopeful * last))) break;
    last = speed;
    kappa_ = minOf(kappa_ * kGrowth, kMostKappa);
  }
  std::copy(center_.begin(), center_.end(), impulses.begin());
  return result;
}

int Equilibrium::approach(ContactSpace& space, std::span<Vec3> impulses) {
  int steps = 0;
  begin(space, kSoftKappa, impulses);
  while (kappa_ <= kFirstKappa && minimise({kMaxColdSteps, kRoughlyZero, true}, steps)) {
    center_ = allowed_;
    kappa_ *= kGrowth;
  }
  std::copy(center_.begin(), center_.end(), impulses.begin());
  return steps;
}

}  // namespace abut::inline v0_1
