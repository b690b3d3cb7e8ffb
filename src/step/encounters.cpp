// SPDX-License-Identifier: MIT
#include "step/encounters.hpp"

#include <cmath>

#include "dynamics/point_velocity.hpp"
#include "step/shared_motion.hpp"

namespace abut::inline v0_1 {

Status strike(WorldState& w, const StepProblem& problem, StepReport& report) {
  constexpr int kRounds = 64;  // Blows that follow one from the other.
  const StepInput& in = problem.in;
  StepSolver& solver = *w.solver;
  solver.build(problem, w.motion);
  if (solver.hasImpactStage()) w.enter(StepStage::Impacts);
  solver.solveImpacts(problem, w.motion, report);
  Status status;
  bool found = solver.hasImpactStage();
  for (int round = 0; round < kRounds && found; ++round) {
    status = w.expected.find(in, w.motion, solver.getBlows(), solver, w.detector, found);
    found = found && status;
    if (!found) break;
    report = {};
    solver.findOver(w.overHits);
    w.detector.dropHits(w.overHits);
    solver.build(problem, w.motion);
    solver.solveImpacts(problem, w.motion, report);
  }
  if (in.division == nullptr || !solver.hasImpactStage()) return status;
  status = agree(in, status);
  return status ? w.expected.refuseForeign(in, w.motion, w.detector) : status;
}

void payForHeight(WorldState& w, const StepInput& in) {
  for (const HoldBack::Lift& lift : w.guard.getLifts()) {
    const BodyFacts& f = w.bodies.facts[lift.body];
    const double gained = -f.mass * f.gravityScale * dot(in.gravity, lift.by);
    BodyVelocity& v = w.motion.endVelocity[lift.body];
    const double spin = spinEnergy(f.inertia, w.motion.newOrientation[lift.body], v.angular);
    const double kinetic = 0.5 * f.mass * squaredNorm(v.linear) + spin;
    if (!(gained > 0.0) || !(kinetic > 0.0)) continue;
    const double factor = std::sqrt(maxOf(0.0, 1.0 - gained / kinetic));
    v = {v.linear * factor, v.angular * factor};
    if (!in.counts(lift.body)) continue;
    const double lost = 1.0 - factor * factor;
    w.books.impact -= lost * kinetic;
    w.books.integrator += lost * spin;
  }
}

}  // namespace abut::inline v0_1
