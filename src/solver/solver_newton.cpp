// SPDX-License-Identifier: MIT
#include <algorithm>

#include "solver/solver_scratch.hpp"

namespace abut::inline v0_1 {
namespace {

/// The proximal method: rho in units of a contact's own inverse response. It grows while Newton's
/// method needs few steps, shrinks where it needs many, and more where it fails.
constexpr double kFirstKappa = 1e2, kLeastKappa = 1e-3, kMostKappa = 1e10;
constexpr double kGrowth = 4.0, kCaution = 1.5;
constexpr int kFewSteps = 4, kManySteps = 8;
/// kappa magnifies the rounding of the velocities. So each iteration with a large one is followed
/// by one with a kappa at which that stays below this part of the tolerance.
constexpr double kQuiet = 0.1;
constexpr double kDescent = 100.0, kSlowDescent = 0.5;
/// Newton steps without the error being halved, before giving up.
constexpr int kFirstIdleSteps = 200, kMaxIdleSteps = 400, kMaxNewtonSteps = 1000000;
/// So many multiplications at most in those steps (seconds), but a few steps always: a
/// dense heap of thousands is to end, and to say that it did not converge.
constexpr double kMaxIdleWork = 2e9;
constexpr int kLeastIdleSteps = 8;
/// Errors below this are not worth another iteration.
constexpr double kBestError = 1e-17;
/// So many multiplications at most, in all Newton steps, where what is acceptable will do after
/// them.
constexpr double kPatience = 5e7;
/// Problems given by a matrix: with what compliances a central start is looked for, how exactly.
constexpr double kCentralSoftness[] = {1e-3, 1e-2};
constexpr double kCentralTolerance = 1e-8;
constexpr int kCentralIterations = 40;

}  // namespace

/// The largest kappa whose rounding stays well below an error.
double ContactSolver::Scratch::quietKappa(double error) const {
  double noise = 0.0;
  for (const double floor : floors) noise = maxOf(noise, floor / kRoundings);
  if (!(noise > 0.0)) return kFirstKappa;
  return minOf(maxOf(1.0, kQuiet * error * largest / noise), kFirstKappa);
}

/// One outer iteration from g, if Newton's method can; false if it cannot.
bool ContactSolver::Scratch::advance(double kappa, int maxSteps, SolverReport& report, int& steps) {
  const ProximalNewton::Result step = newton.advance(
      *space, kappa, std::max(1, std::min(maxSteps, ProximalNewton::kMaxNewtonSteps)), g);
  steps = step.newtonSteps;
  report.newtonSteps += steps;
  if (!step.solved) return false;
  velocitiesFor(g);
  lastError = offer(g, report);
  return true;
}

/// The proximal method, from where sweeps began: they visit contacts one after the other, and where
/// friction allows several answers their way leads off the symmetric one. If that does not do, from
/// the best impulses so far.
void ContactSolver::Scratch::runNewton(const SolverOptions& options, SolverReport& report) {
  report.stage = SolverStage::Newton;
  const double affordable = kMaxIdleWork / maxOf(1.0, space->stepCost());
  const int most = affordable < kMaxIdleSteps
                       ? std::max(kLeastIdleSteps, static_cast<int>(affordable))
                       : kMaxIdleSteps;
  int left = kMaxNewtonSteps;
  if (options.acceptable > 0.0 && !isGiven()) {
    const double bearable = kPatience / maxOf(1.0, space->stepCost());
    if (bearable < left) left = std::max(kLeastIdleSteps, static_cast<int>(bearable));
  }
  const int before = report.newtonSteps;
  g = start;
  iterate(options, std::min(kFirstIdleSteps, most), left, report);
  left -= report.newtonSteps - before;
  if (report.error <= options.tolerance || left <= 0) return;
  if (startsAtRest(report)) {
    const int between = report.newtonSteps;
    iterate(options, most, left, report);
    left -= report.newtonSteps - between;
    if (report.error <= options.tolerance || left <= 0) return;
  }
  g = best;
  iterate(options, most, left, report);
}

/// Sets g to impulses that hold everything as well as friction can; whether these are nearer to an
/// answer than the best so far. A stack that nothing has held before carries its load once all of
/// it is known, and what no friction has held yet slides apart while Newton's method looks for it.
bool ContactSolver::Scratch::startsAtRest(SolverReport& report) {
  if (isGiven() || !couples.empty()) return false;
  g = start;
  report.newtonSteps += equilibrium.approach(*space, g);
  velocitiesFor(g);
  return measureError(g).relative < report.error;
}

/// Proximal iterations from g, up to a number of Newton steps without the error being halved.
void ContactSolver::Scratch::iterate(const SolverOptions& options, int maxIdleSteps, int maxSteps,
                                     SolverReport& report) {
  const int before = report.newtonSteps;
  const double quiet = quietKappa(options.tolerance);
  double kappa = kFirstKappa, reached = -1.0;  // Least error here; < 0: none yet.
  int idleSteps = 0;
  while (idleSteps < maxIdleSteps && report.newtonSteps - before < maxSteps) {
    int steps = 0;
    if (!advance(kappa, maxIdleSteps - idleSteps, report, steps)) {
      kappa /= kGrowth;
      idleSteps += 1 + steps;
      if (kappa < kLeastKappa) return;
      continue;
    }
    idleSteps += 1 + steps;
    double least = lastError;
    for (double next = kappa; next > quiet && least > kBestError;) {
      next = maxOf(quiet, next / kDescent);
      const double last = lastError;
      int polishing = 0;
      const bool solved = advance(next, maxIdleSteps - idleSteps, report, polishing);
      idleSteps += polishing;
      least = minOf(least, lastError);
      if (!solved || lastError > kSlowDescent * last) break;
    }
    const bool halves = reached < 0.0 || least <= 0.5 * reached;
    if (halves) idleSteps = 0;
    reached = reached < 0.0 ? least : minOf(reached, least);
    // Once inside the tolerance, go on while it is nearly free: convergence is quadratic here.
    if (reached <= options.tolerance && (!halves || reached <= kBestError)) return;
    if (steps <= kFewSteps) kappa = minOf(kappa * kGrowth, kMostKappa);
    if (steps > kManySteps) kappa /= kCaution;
  }
}

/// Heavy bodies that rest on light ones: velocities that are summed from the impulses lose what
/// rounding leaves in these, which is little for the heavy body and far too much for the light one.
/// It would part them by as much, and the heavy one would fall after it in the next step. The
/// equation that the method solves has velocities as unknowns, next to zero where bodies rest, and
/// what rounding leaves in it is divided by rho before it moves anything. So impulses and
/// velocities of a last iteration are taken if they belong together up to the rounding of impulses.
bool ContactSolver::Scratch::polish(SolverReport& report) {
  constexpr double kTold = 4.0 * kRoundings * kEpsilon;
  constexpr int kIterations = 2;
  // What an iteration leaves of the heaviest body's error is its mass over rho.
  constexpr double kLargeKappa = 1e8;
  if (!(report.error <= kTold)) return false;
  space->prepare();
  g = best;
  for (int i = 0; i < kIterations; ++i) {
    const ProximalNewton::Result step =
        newton.advance(*space, kLargeKappa, ProximalNewton::kMaxNewtonSteps, g);
    report.newtonSteps += step.newtonSteps;
    if (!step.solved) return false;
  }
  velocitiesFor(g);
  x.resize(velocities.size());
  for (std::size_t b = 0; b < velocities.size(); ++b) x[b] = velocities[b].linear;
  velocities.assign(free.begin(), free.end());
  bodySpace.velocitiesOf(newton.getState(), velocities);
  const NaturalError error = measureError(g);
  if (!(error.relative <= kTold)) return false;
  for (std::size_t b = 0; b < velocities.size(); ++b) {
    const Vec3 off = velocities[b].linear - x[b];
    if (!(norm(off) <= kTold * largest * bodySpace.largestInverseMass(b))) return false;
  }
  best = g;
  report.error = error.relative;
  report.approach = error.approach;
  report.worstContact = error.worst;
  bestSpeed = error.speed;
  return true;
}

/// Newton's method for a problem given by its matrix: as for bodies; if that does not do, from the
/// middle of what compliant contacts allow.
void ContactSolver::Scratch::runGiven(const SolverOptions& options, SolverReport& report) {
  space->prepare();
  runNewton(options, report);
  for (const double softness : kCentralSoftness) {
    if (report.error <= options.tolerance) return;
    const InteriorPoint::Result result = interior.solve(
        *space, {floors, scale, softness, rest}, kCentralTolerance, 0.0, kCentralIterations, g);
    report.newtonSteps += result.iterations;
    report.stage = SolverStage::InteriorPoint;
    iterate(options, kMaxIdleSteps, kMaxNewtonSteps, report);
  }
}

}  // namespace abut::inline v0_1
