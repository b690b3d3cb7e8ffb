// SPDX-License-Identifier: MIT
#include "solver/solver_scratch.hpp"

namespace abut::inline v0_1 {
namespace {

/// From this cost of a factorisation on (multiplications; a heap of about fifty boxes) what is
/// acceptable is enough, and no rigid answer is sought beyond it.
constexpr double kDear = 1e6;
/// Mobile bodies from which on contacts may be compliant where rigid ones give no answer: fewer
/// hold themselves up in one way, or in none.
constexpr std::size_t kHeap = 20;
/// Compliance in units of the contacts' own response: the first tried, how it goes on, and its
/// limits. 1e-2 removes the folds of every heap of boxes seen, 1e-4 is that of stone.
constexpr double kFirstSoftness = 1e-2, kLeastSoftness = 1e-4, kMostSoftness = 1.0;
constexpr double kHarder = 0.7, kSofter = 4.0;
/// Limit for springs at rest without load, as in impacts: their problems are the hardest.
constexpr double kLeastForgetful = 1e-3;
/// Frictionless problems are convex and need none; this keeps their matrices regular.
constexpr double kHardly = 1e-9;
/// Interior-point iterations, those after which the next step may be harder, and attempts.
constexpr int kMaxIterations = 40, kFewIterations = 20, kMaxAttempts = 4;
/// Compliance over error of the impulses from which Newton's method is tried. Of 200 tries in heaps
/// of 100 boxes all did with 30, one in ten did not with 10; with 100 rests come later.
constexpr double kReach = 30.0;
/// It is tried with contacts up to so soft if those of the last step were harder.
constexpr double kWarmSoftness = 1e-3;
/// From the impulses of sweeps it is tried where those are this near.
constexpr double kSwept = 3e-5;
/// Impacts: how near sweeps must have come, how soft the springs are that take the rest, and the
/// rigid error below which that will do.
constexpr double kSweptImpact = 2e-4, kStopped = 0.1, kStoppedError = 1e-4;
/// Part of what is acceptable that heaps at rest are brought to, up to this cost of a
/// factorisation.
constexpr double kStill = 1e-3, kCheap = 1e8;
/// Part of what is acceptable that compliant problems are solved to.
constexpr double kInside = 0.1;

}  // namespace

double hardened(double softness) {
  return maxOf(kLeastSoftness, kHarder * softness);
}

/// What sweeps did not solve: by Newton's method on rigid contacts where that is cheap, by
/// compliant contacts where it is not or does not do.
void ContactSolver::Scratch::runDirect(const ContactProblem& problem, const SolverOptions& options,
                                       const SolverSetting& setting, SolverReport& report) {
  space->prepare();
  const bool dear = options.acceptable > 0.0 && space->stepCost() > kDear;
  if (!dear) runNewton(options, report);
  const double wanted = dear ? maxOf(options.tolerance, options.acceptable) : options.tolerance;
  if (dear && report.error <= options.acceptable && setting.remembers) settle(options, report);
  if (report.error <= wanted || bestSpeed <= setting.enough) return;
  std::size_t mobile = 0;
  for (const BodyMobility& m : problem.bodies) mobile += m.inverseMass != Vec3{} ? 1 : 0;
  if (!(report.error > options.acceptable) || !(options.acceptable > 0.0)) return;
  if (dear || mobile >= kHeap) runCompliant(options, setting, report);
}

/// The least compliance with which Newton's method finds its way from impulses. Its first step
/// changes them by their error over the compliance, and their contacts hold, slip and part as they
/// do as long as that is a small part of the load.
double ContactSolver::Scratch::softnessFor(std::span<const Vec3> from) {
  velocitiesFor(from);
  return maxOf(kLeastSoftness, kReach * measureError(from).relative);
}

/// One proximal step of a heap that is accepted already, where it costs little: at rest each step
/// takes it nearer to the rigid answer, so that it does not creep. As hard as can be: a contact
/// that takes up a load closes by its compliance times the change of that load, and the others let
/// the body on it rock on.
void ContactSolver::Scratch::settle(const SolverOptions& options, SolverReport& report) {
  const double still = kStill * options.acceptable;
  if (report.error <= still || space->stepCost() > kCheap) return;
  if (!tryWarm(softnessFor(rest), rest, still, report)) return;
  report.stage = SolverStage::Newton;
  offer(g, report);
}

/// Newton's method where little moves. Springs that remember are at rest under the last step's
/// impulses, and it begins there; where factorisations are dear with softer contacts and from what
/// sweeps found, which leaves to it what concerns the whole heap. Springs of impacts have nothing
/// to remember: they are at rest under what sweeps found, and the rigid error says how much they
/// took of it. Returns the compliance, 0 if there is no answer.
double ContactSolver::Scratch::goOn(const SolverSetting& setting, double softness, double tolerance,
                                    SolverReport& report) {
  report.stage = SolverStage::Newton;
  if (setting.remembers && space->stepCost() <= kCheap) {
    const double warm = softnessFor(rest);
    if (!(warm <= maxOf(softness, kWarmSoftness))) return 0.0;
    return tryWarm(warm, rest, tolerance, report) ? warm : 0.0;
  }
  if (setting.remembers) {
    if (!(report.error <= kSwept)) return 0.0;
    const double warm = maxOf(softness, kWarmSoftness);
    return tryWarm(warm, best, tolerance, report) ? warm : 0.0;
  }
  if (!(report.error <= kSweptImpact)) return 0.0;
  x = rest;  // Of no more use to sweeps.
  rest = best;
  if (trySwept(kStopped, rest, tolerance, report) && measureError(g).relative <= kStoppedError) {
    return kStopped;
  }
  rest.swap(x);
  return 0.0;
}

/// The work of the springs, which the velocities of the answer do.
void ContactSolver::Scratch::noteYield(SolverReport& report) const {
  for (std::size_t k = 0; k < space->contacts.size(); ++k) {
    const Vec3 way = (best[k] - rest[k]) * (report.softness * space->contacts[k].response);
    report.yieldNormal += best[k].x * way.x;
    report.yieldFriction += best[k].y * way.y + best[k].z * way.z;
  }
  for (std::size_t i = 0; i < space->couples.size(); ++i) {
    const std::size_t at = space->contacts.size() + i;
    const double soft = report.softness * space->couples[i].response;
    report.yieldFriction += dot(best[at], best[at] - rest[at]) * soft;
  }
}

/// Contacts that give way a little: softer until it works, harder again in the next step.
void ContactSolver::Scratch::runCompliant(const SolverOptions& options,
                                          const SolverSetting& setting, SolverReport& report) {
  const double tolerance = maxOf(options.tolerance, kInside * options.acceptable);
  bool rubs = !couples.empty(), loaded = false;
  for (const PreparedContact& c : contacts) rubs = rubs || c.friction > 0.0;
  for (const Vec3& r : rest) loaded = loaded || r != Vec3{};
  double softness = setting.softness > 0.0 ? setting.softness : kFirstSoftness;
  if (!setting.remembers) softness = maxOf(softness, kLeastForgetful);
  if (space->stepCost() > kCheap) softness = maxOf(softness, kWarmSoftness);
  if (!rubs) softness = kHardly;
  bool solved = false;
  report.nextSoftness = softness;
  if (rubs && (loaded || !setting.remembers)) {
    const double used = goOn(setting, softness, tolerance, report);
    solved = used > 0.0;
    if (solved) report.nextSoftness = hardened(softness);
    if (solved) softness = used;
  }
  for (int attempt = 0; attempt < kMaxAttempts && !solved; ++attempt) {
    if (attempt > 0) softness = minOf(kMostSoftness, softness * kSofter);
    report.stage = SolverStage::InteriorPoint;
    space->rough = roughWillDo();
    const InteriorPoint::Result result = interior.solve(
        *space, {floors, scale, softness, rest}, tolerance, setting.enough, kMaxIterations, g);
    report.newtonSteps += result.iterations;
    solved = result.solved || result.error.relative <= options.acceptable;
    report.nextSoftness = softness;
    if (solved && attempt == 0 && result.iterations <= kFewIterations && result.eased) {
      report.nextSoftness = hardened(softness);
    }
  }
  if (!rubs) report.nextSoftness = 0.0;
  velocitiesFor(g);
  const NaturalError soft = measureAt(g, softness), rigid = measureError(g);
  if (!solved && report.error <= soft.relative) return;
  best = g;
  // What is acceptable as the answer of rigid contacts is theirs.
  const bool isRigid = rigid.relative <= options.acceptable;
  const NaturalError& error = isRigid ? rigid : soft;
  report.error = error.relative;
  report.rigidError = rigid.relative;
  report.approach = rigid.approach;
  report.worstContact = error.worst;
  bestSpeed = error.speed;
  if (isRigid) return;
  report.softness = softness;
  noteYield(report);
}

}  // namespace abut::inline v0_1
