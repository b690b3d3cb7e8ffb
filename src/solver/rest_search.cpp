// SPDX-License-Identifier: MIT
#include "solver/rest_search.hpp"

#include <algorithm>

#include "solver/natural_error.hpp"

namespace abut::inline v0_1 {
namespace {

/// Speeds at the contacts, as parts of what forces would give them in the step: below the first a
/// heap hardly moves, and impulses that hold it are worth looking for; below the second it is still
/// (1e-10 m/s in steps of a sixtieth of a second), and below the third it is held.
constexpr double kHardly = 1e-3, kStill = 1e-9, kHeld = 1e-12;

bool canMove(const BodyMobility& m) {
  return m.inverseMass != Vec3{} || m.inverseInertia.x != Vec3{} || m.inverseInertia.y != Vec3{} ||
         m.inverseInertia.z != Vec3{};
}

}  // namespace

/// The speed at contacts up to which they are held [m/s]; 0 if there is nothing to look for.
double RestSearch::allowedSpeed(const ContactProblem& problem, std::span<const BodyVelocity> free,
                                std::span<const BodyVelocity> velocities) {
  standing_.assign(free.begin(), free.end());
  for (std::size_t b = 0; b < standing_.size(); ++b) {
    if (canMove(problem.bodies[b])) standing_[b] = {};
  }
  double fall = 0.0, speed = 0.0;
  for (const PreparedContact& c : contacts_) {
    if (!(c.block.a > 0.0)) continue;
    const Vec3 given = relativeVelocity(c, standing_);
    if (given.x < 0.0 || given.y != 0.0 || given.z != 0.0) return 0.0;
    fall = maxOf(fall, norm(relativeVelocity(c, free) - given));
    speed = maxOf(speed, norm(relativeVelocity(c, velocities) - given));
  }
  return speed <= kHardly * fall && speed > kStill * fall ? kHeld * fall : 0.0;
}

bool RestSearch::run(const ContactProblem& problem, std::span<const BodyVelocity> free,
                     double error, TaskRunner* tasks, std::span<Vec3> impulses,
                     std::span<BodyVelocity> velocities, SolverReport& report) {
  prepareContacts(problem, contacts_);
  const double slowest = allowedSpeed(problem, free, velocities);
  if (!(slowest > 0.0)) return false;
  space_.tasks = tasks;
  space_.begin(problem.bodies, contacts_, {}, free);
  space_.prepare();
  impulses_.assign(impulses.begin(), impulses.end());
  const Equilibrium::Result result = equilibrium_.seek(space_, slowest, impulses_);
  report.newtonSteps += result.newtonSteps;
  if (!result.holds) return false;
  // Velocities by these impulses, and the law by these velocities.
  changes_.assign(free.size(), BodyVelocity{});
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    applyImpulse(contacts_[k], impulses_[k], changes_);
  }
  for (std::size_t b = 0; b < free.size(); ++b) {
    changes_[b] = {free[b].linear + changes_[b].linear, free[b].angular + changes_[b].angular};
  }
  speeds_.resize(contacts_.size());
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    speeds_[k] = relativeVelocity(contacts_[k], changes_);
  }
  const NaturalError left = measure(space_, impulses_, speeds_, {});
  if (!(left.relative <= error)) return false;
  std::copy(impulses_.begin(), impulses_.end(), impulses.begin());
  std::copy(changes_.begin(), changes_.end(), velocities.begin());
  report.error = report.rigidError = left.relative;
  report.approach = left.approach;
  report.worstContact = left.worst;
  report.softness = report.yieldNormal = report.yieldFriction = 0.0;
  report.stage = SolverStage::Newton;
  report.converged = true;
  return true;
}

}  // namespace abut::inline v0_1
