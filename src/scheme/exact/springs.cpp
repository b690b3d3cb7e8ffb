// SPDX-License-Identifier: MIT
#include "scheme/exact/springs.hpp"

#include "scheme/exact/contact_speed.hpp"

namespace abut::inline v0_1 {
namespace {

/// A bound beyond every speed [m/s]: the contact does not count.
constexpr double kNoBound = 1e30;
/// Newton steps on the overlaps at the end; they settle in a few, since the force is convex.
constexpr int kMostPasses = 16;
/// Overlaps are known to this share of themselves and of what gravity moves in the step.
constexpr double kSettled = 1e-14;

/// Force of a spring over a step, and how it grows with the overlap at the end.
struct SpringForce {
  double force = 0.0, slope = 0.0;  ///< [N, N/m]
};

/// Springs that swing faster than a step can follow, (k dt^2) / mass beyond kResolved, are damped
/// by the step: from kUnresolved on their force is that of the overlap at the end. What geometry
/// makes of the overlap of such a spring, stiffness times a square that no step can follow, would
/// else be given back as motion.
constexpr double kResolved = 1.0, kUnresolved = 4.0;

double shareUnresolved(double stiffness, double inverseMass, double dt) {
  const double turn = stiffness * (dt * dt) * inverseMass;
  return clampTo((turn - kResolved) / (kUnresolved - kResolved), 0.0, 1.0);
}

SpringForce forceOf(const PairMaterial& m, double dissipation, double x0, double x1, double dt) {
  const double k = m.stiffness, c = k * dissipation / dt;
  if (x0 >= 0.0 && x1 >= 0.0) return {0.5 * k * (x0 + x1) + c * (x1 - x0), 0.5 * k + c};
  if (x0 > 0.0) {  // It leaves.
    const double way = x0 - x1;
    return {0.5 * k * x0 * (x0 / way) - c * x0, 0.5 * k * (x0 / way) * (x0 / way)};
  }
  if (!(x1 > 0.0)) return {};
  const double way = x1 - x0;
  return {0.5 * k * x1 * (x1 / way) + c * x1, 0.5 * k * (x1 / way) * ((x1 - 2.0 * x0) / way) + c};
}

bool isLinear(double x0, double x1) {
  return x0 >= 0.0 && x1 >= 0.0;
}

}  // namespace

bool hasSprings(const ExactStep& s, const Island& island) {
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    if (isSpring(s.contacts.at(island, k))) return true;
  }
  return false;
}

/// What impulses add to velocities.
void SpringStage::applyAll(const LocalProblem& local, std::span<BodyVelocity> velocities) const {
  for (std::size_t k = 0; k < local.contacts.size(); ++k) {
    const SolverContact& c = local.contacts[k];
    const Vec3& p = local.impulses[k];
    const Vec3 impulse = (c.normal * p.x + c.tangent1 * p.y) + c.tangent2 * p.z;
    const BodyMobility &m1 = local.mobility[c.body1], &m2 = local.mobility[c.body2];
    velocities[c.body1].linear += scaled(m1.inverseMass, impulse);
    velocities[c.body1].angular += m1.inverseInertia * cross(c.arm1, impulse);
    velocities[c.body2].linear -= scaled(m2.inverseMass, impulse);
    velocities[c.body2].angular -= m2.inverseInertia * cross(c.arm2, impulse);
  }
}

/// Laws at the overlaps at hand, as matrix and velocities. True if all of them are exact wherever
/// the answer stays on their side.
bool SpringStage::pass(const ExactStep& s, const Island& island) {
  const double dt = s.in.dt;
  bool linear = true;
  block_ = matrix_.block;
  free_ = rigid_;
  for (std::uint32_t i = 0; i < kept_.size(); ++i) {
    const std::uint32_t k = kept_[i];
    const StepContact& c = s.contacts.at(island, k);
    give_[k] = 0.0;
    if (!isSpring(c)) {
      free_[i].x -= bound_[k];
      continue;
    }
    const double dissipation = maxOf(c.material.dissipation, 0.5 * dt * unresolved_[k]);
    const SpringForce f = forceOf(c.material, dissipation, c.depth, depth_[k], dt);
    if (f.slope > 0.0) {
      // p = dt (force + slope (x1 - x1 at hand)).
      give_[k] = 2.0 / (dt * dt * f.slope);
      bound_[k] = give_[k] * dt * (f.force + f.slope * (c.depth - depth_[k])) - speed_[k];
    } else {
      bound_[k] = -kNoBound;
    }
    free_[i].x -= bound_[k];
    linear = linear && isLinear(c.depth, depth_[k]);
    for (std::uint32_t e = matrix_.rowStart[i]; e < matrix_.rowStart[i + 1]; ++e) {
      if (matrix_.column[e] == i) block_[e][0] += give_[k];
    }
  }
  return linear;
}

SolverReport SpringStage::solve(ExactStep& s, const Island& island) {
  LocalProblem& local = s.local;
  const double dt = s.in.dt;
  start_.assign(local.velocities.begin(), local.velocities.end());
  const std::size_t count = local.contacts.size();
  bound_.resize(count);
  depth_.assign(count, 0.0);
  speed_.assign(count, 0.0);
  give_.assign(count, 0.0);
  for (std::uint32_t k = 0; k < count; ++k) {
    const StepContact& c = s.contacts.at(island, k);
    bound_[k] = local.contacts[k].bound;
    local.contacts[k].bound = 0.0;
    speed_[k] = normalVelocity(c.row, s.motion.impactedVelocity);
  }
  assembleDelassus({local.mobility, local.contacts}, start_, matrix_, rigid_, kept_);
  unresolved_.assign(count, 0.0);
  for (std::uint32_t i = 0; i < kept_.size(); ++i) {
    const double stiffness = s.contacts.at(island, kept_[i]).material.stiffness;
    for (std::uint32_t e = matrix_.rowStart[i]; e < matrix_.rowStart[i + 1]; ++e) {
      if (matrix_.column[e] == i)
        unresolved_[kept_[i]] = shareUnresolved(stiffness, matrix_.block[e][0], dt);
    }
  }
  const auto depthAtEnd = [&](std::uint32_t k, std::span<const BodyVelocity> velocities) {
    const double end = normalVelocity(local.contacts[k], velocities);
    return s.contacts.at(island, k).depth - 0.5 * dt * (speed_[k] + end);
  };
  for (std::uint32_t k = 0; k < count; ++k) depth_[k] = depthAtEnd(k, start_);
  friction_.clear();
  impulses_.clear();
  for (const std::uint32_t k : kept_) {
    friction_.push_back(local.contacts[k].friction);
    impulses_.push_back(local.impulses[k]);
  }
  velocities_.resize(kept_.size());
  SolverOptions options = tightened(s.options, local.mobility);
  options.acceptable = 0.0;
  const double fall = 0.5 * s.in.fall() * dt;
  SolverReport sum;
  bool settled = false;
  for (int i = 0; i < kMostPasses && !settled; ++i) {
    const bool linear = pass(s, island);
    const SolverReport r =
        s.solver.solve({matrix_.rowStart, matrix_.column, block_, free_, friction_}, options,
                       impulses_, velocities_);
    const int sweeps = sum.sweeps + r.sweeps, steps = sum.newtonSteps + r.newtonSteps;
    sum = r;
    sum.sweeps = sweeps;
    sum.newtonSteps = steps;
    if (!kept_.empty()) sum.worstContact = kept_[r.worstContact];
    for (Vec3& p : local.impulses) p = {};
    for (std::size_t m = 0; m < kept_.size(); ++m) local.impulses[kept_[m]] = impulses_[m];
    local.velocities.assign(start_.begin(), start_.end());
    applyAll(local, local.velocities);
    settled = true;
    bool stays = linear;
    for (std::uint32_t k = 0; k < count; ++k) {
      const StepContact& c = s.contacts.at(island, k);
      if (!isSpring(c)) continue;
      const double x1 = depthAtEnd(k, local.velocities);
      settled = settled && absOf(x1 - depth_[k]) <= kSettled * (absOf(x1) + absOf(c.depth) + fall);
      stays = stays && isLinear(c.depth, x1);
      depth_[k] = x1;
    }
    settled = settled || stays;
    if (!r.converged) break;
  }
  sum.converged = sum.converged && settled;
  for (std::uint32_t k = 0; k < count; ++k) {
    // What a spring allows is in its law, not in its bound.
    local.contacts[k].bound = isSpring(s.contacts.at(island, k)) ? -kNoBound : bound_[k];
  }
  return sum;
}

}  // namespace abut::inline v0_1
