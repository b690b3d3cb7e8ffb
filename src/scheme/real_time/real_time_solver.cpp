// SPDX-License-Identifier: MIT
#include "scheme/real_time/real_time_solver.hpp"

#include <string>

#include "integration/paths.hpp"
#include "integration/rigid_rotation.hpp"
#include "math/rotation_vector.hpp"
#include "scheme/pair_search.hpp"

namespace abut::inline v0_1 {
namespace {

/// Bodies that a thread takes at once.
constexpr std::size_t kBodyGrain = 128;

}  // namespace

Status RealTimeSolver::accepts(const SchemeDemands& demands) const {
  const auto refuse = [](const std::string& what) {
    return Status::failure(StatusCode::OutOfRange,
                           "StepScheme::RealTime " + what + ", or choose StepScheme::Exact");
  };
  if (demands.solver.model != ContactModel::ExactCoulomb) {
    return refuse("knows no contact model but ContactModel::ExactCoulomb; set solver.model to it");
  }
  if (demands.baumgarte != 0.0) return refuse("knows no Baumgarte term; set baumgarte to 0");
  if (demands.hasStiffness) {
    return refuse("knows no contacts that give way; set the stiffness of all materials to 0");
  }
  if (demands.extrapolates) return refuse("does not extrapolate; set extrapolates to false");
  return {};
}

void RealTimeSolver::build(const StepProblem& problem, StepMotion& motion) {
  rows_.build(problem, motion);
  presses_.begin();
  motion.lateTime.clear();
  motion.softness.clear();
}

/// There is no stage of its own for them.
void RealTimeSolver::solveImpacts(const StepProblem&, StepMotion&, StepReport&) {}

/// Forces, then contacts that answer them.
void RealTimeSolver::solveForces(const StepProblem& problem, StepMotion& motion,
                                 StepReport& report) {
  const StepInput& in = problem.in;
  const BodyTable& bodies = in.bodies;
  const std::size_t n = bodies.size();
  motion.endVelocity.resize(n);
  motion.freeSpin.resize(n);
  motion.newPosition.resize(n);
  motion.newOrientation.resize(n);
  forChunks(in.tasks, n, kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const BodyFacts& f = bodies.facts[i];
      BodyVelocity& v = motion.endVelocity[i];
      v = motion.startVelocity[i];
      if (f.type != BodyType::Dynamic || bodies.rest[i].isAsleep()) continue;
      const Vec3 push = in.gravity * (f.mass * f.gravityScale) + bodies.force[i];
      v.linear += scaled(bodies.mobility[i].inverseMass, push) * in.dt;
      v.angular += (bodies.mobility[i].inverseInertia * bodies.torque[i]) * in.dt;
    }
  });
  blows_.run({bodies, rows_.all, rows_.linkOrder, motion.startVelocity, in.dt, slowestBounce(in)});
  yieldToPresses({bodies, rows_.all, rows_.linkOrder, motion.startVelocity, motion.endVelocity},
                 presses_, report);
  const RowProblem rows{rows_.all,          rows_.linkOrder,   bodies,     motion.startVelocity,
                        motion.endVelocity, problem.solver,    in.gravity, in.dt,
                        in.correctionShare, in.correctionSlop, in.division};
  if (in.division != nullptr) return solveOverRanks(problem, rows, motion, report);
  solver_.solve(rows, in.tasks, in.room, outcome_);
  report.converged = report.converged && outcome_.converged;
  report.sweeps += outcome_.sweeps;
  report.newtonSteps += outcome_.newtonSteps;
  report.worstError = maxOf(report.worstError, outcome_.worstError);
  if (!rows_.all.empty()) report.tolerance = maxOf(report.tolerance, problem.solver.tolerance);
  if (outcome_.worst1 == RowOutcome::kNone) return;
  report.worst1 = bodies.ids[outcome_.worst1];
  report.worst2 = bodies.ids[outcome_.worst2];
}

/// Bodies that contacts push move with their new velocity, all others by the mean of old and new,
/// which is exact in free flight. All turn freely with their new angular velocity.
void RealTimeSolver::move(const StepProblem& problem, StepMotion& motion, HoldBack&) {
  const StepInput& in = problem.in;
  const BodyTable& bodies = in.bodies;
  const double dt = in.dt;
  forChunks(in.tasks, bodies.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3 v = outcome_.touched[i] != 0
                         ? motion.endVelocity[i].linear
                         : (motion.startVelocity[i].linear + motion.endVelocity[i].linear) * 0.5;
      motion.newPosition[i] = bodies.position[i];
      motion.newOrientation[i] = bodies.orientation[i];
      motion.freeSpin[i] = motion.endVelocity[i].angular;
      const BodyFacts& f = bodies.facts[i];
      if (bodies.rest[i].isAsleep()) continue;
      motion.newPosition[i] += v * dt;
      if (f.type == BodyType::Static) continue;
      const bool free = f.type == BodyType::Dynamic && (f.locks & kLockRotation) == 0;
      const LocalInertia none;
      rotateFreely(free ? f.inertia : none, dt, motion.newOrientation[i],
                   motion.endVelocity[i].angular);
    }
  });
  arriveOnPaths(bodies, in.time + dt, motion.newPosition, motion.newOrientation);
}

/// Overlap is taken out as the islands' solves found it.
void RealTimeSolver::correct(const StepProblem& problem, const HoldBack&, StepMotion& motion,
                             StepBooks& books, StepReport&) {
  const std::span<const BodyShift> shifts = outcome_.shifts;
  books.inParts(
      problem.in.tasks, shifts.size(), kBodyGrain,
      [&](StepBooks& part, std::size_t begin, std::size_t end) {
        for (const BodyShift& s : shifts.subspan(begin, end - begin)) {
          const BodyFacts& f = problem.in.bodies.facts[s.body];
          if (problem.in.counts(s.body)) {
            part.correction -= f.mass * f.gravityScale * dot(problem.in.gravity, s.shift.linear);
          }
          motion.newPosition[s.body] += s.shift.linear;
          const Quat turn = quatFromRotationVector(s.shift.angular);
          motion.newOrientation[s.body] = normalized(turn * motion.newOrientation[s.body]);
          motion.endVelocity[s.body].angular = toMatrix(turn) * motion.endVelocity[s.body].angular;
        }
      });
}

bool RealTimeSolver::haveContact(std::size_t body1, std::size_t body2) const {
  return holdsPair<StepContact>(rows_.fast, body1, body2) ||
         holdsPair<ManifoldRow>(rows_.all.first(rows_.ordinary), body1, body2);
}

}  // namespace abut::inline v0_1
