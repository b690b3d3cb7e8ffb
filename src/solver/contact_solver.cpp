// SPDX-License-Identifier: MIT
#include <algorithm>

#include <abut/core/float_environment.hpp>
#include <abut/solver/contact_solver.hpp>

#include "solver/anderson.hpp"
#include "solver/body_space.hpp"
#include "solver/delassus_space.hpp"
#include "solver/interior_point.hpp"
#include "solver/proximal_newton.hpp"

namespace abut {
namespace {

/// Sweeps between two looks at the progress; none in a window ends the stage.
constexpr int kWindow = 20, kShortWindow = 10;
/// From so many contacts on windows are short: what sweeps do not solve soon Newton's method does.
constexpr std::size_t kManyContacts = 300;
/// So many of them are cheaper than a heap's interior-point iterations.
constexpr int kMoreWindows = 15;
/// And so many than Newton's method for problems that are given by a matrix.
constexpr int kManyWindows = 25;
constexpr double kSlowProgress = 0.1;
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
constexpr double kEpsilon = 1.2e-16;  // Half a unit in the last place.
/// Sums and products in a relative velocity, each rounded.
constexpr double kRoundings = 8.0;
/// Errors below this are not worth another iteration.
constexpr double kBestError = 1e-17;

/// From this cost of a factorisation on (multiplications; a heap of about fifty boxes) what is
/// acceptable is enough, and no rigid answer is sought beyond it.
constexpr double kDear = 1e6;
/// So many multiplications at most, in all Newton steps, where what is acceptable will do after
/// them.
constexpr double kPatience = 5e7;
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
/// Newton steps from the last step's impulses, interior-point iterations, those after which the
/// next step may be harder, and attempts.
constexpr int kWarmSteps = 12, kTrialSteps = 4, kMaxIterations = 40, kFewIterations = 20,
              kMaxAttempts = 4;
/// Newton's method is tried where the last step's impulses are this near the answer already, and
/// goes on where its first steps take away at least half of that error.
constexpr double kNearby = 0.03, kPromising = 0.5;
/// Problems given by a matrix: with what compliances a central start is looked for, how exactly.
constexpr double kCentralSoftness[] = {1e-3, 1e-2};
constexpr double kCentralTolerance = 1e-8;
/// Part of what is acceptable that heaps at rest are brought to, up to this cost of a
/// factorisation.
constexpr double kStill = 1e-3, kCheap = 1e8;
/// Part of what is acceptable that compliant problems are solved to.
constexpr double kInside = 0.1;

}  // namespace

struct ContactSolver::Scratch {
  std::vector<PreparedContact> contacts;
  std::vector<PreparedCouple> couples;
  std::vector<double> floors;  // Impulses that the velocities' last bits amount to, by contact.
  // Impulses of the contacts, then the couples: a start, its image under a sweep, the best so far.
  std::vector<Vec3> x, g, best, start;
  std::vector<double> weights, alphas;
  std::vector<BodyVelocity> free, velocities;
  std::vector<Vec3> u;  // Velocities of the contacts, then the couples.
  Anderson anderson;
  BodySpace bodySpace;
  DelassusSpace delassusSpace;
  ContactSpace* space = &bodySpace;  // One of the two.
  std::vector<double> state;         // Of the second.
  ProximalNewton newton;
  InteriorPoint interior;
  double scale = 0.0;    // Impulse that stops the fastest contact alone.
  double largest = 0.0;  // Impulse in the last measurement, at least scale.
  double lastError = 0.0;
  double bestSpeed = 0.0;  // The best impulses' error as a velocity.
  std::vector<Vec3> rest;  // Impulses under which compliant contacts are at rest.
  bool hasBest = false;

  void prepare(const ContactProblem& problem, bool withCouples, const SolverOptions& options,
               std::span<const Vec3> impulses, std::span<const Vec3> starts);
  void setScales(double load);
  void runSweeps(const SolverOptions& options, double enough, SolverReport& report);
  void runRelaxation(const SolverOptions& options, SolverReport& report);
  void runDirect(const ContactProblem& problem, const SolverOptions& options,
                 const SolverSetting& setting, SolverReport& report);
  void runNewton(const SolverOptions& options, SolverReport& report);
  void iterate(const SolverOptions& options, int maxIdleSteps, int maxSteps, SolverReport& report);
  void runCompliant(const SolverOptions& options, const SolverSetting& setting,
                    SolverReport& report);
  bool willReach(double error, double enough, double rate, int windows) const;
  [[nodiscard]] bool isGiven() const { return space == &delassusSpace; }
  void runGiven(const SolverOptions& options, SolverReport& report);
  void settle(const SolverOptions& options, SolverReport& report);
  bool tryWarm(double softness, double tolerance, SolverReport& report);
  NaturalError measureAt(std::span<const Vec3> r, double softness);
  NaturalError measureError(std::span<const Vec3> r);
  double offer(std::span<const Vec3> r, SolverReport& report);
  void velocitiesFor(std::span<const Vec3> r);
  void sweep(std::span<Vec3> r);
  double quietKappa(double error) const;
  bool advance(double kappa, int maxSteps, SolverReport& report, int& steps);
};

ContactSolver::ContactSolver() : scratch_(std::make_unique<Scratch>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

/// The error of impulses r and the velocities they give; see SolverReport.
NaturalError ContactSolver::Scratch::measureAt(std::span<const Vec3> r, double softness) {
  if (isGiven()) {
    // Rounding grows with the impulses here: every term of W p counts.
    delassusSpace.velocitiesAt(state, u);
    delassusSpace.speedsAt(state, r, floors);
    for (std::size_t k = 0; k < floors.size(); ++k) {
      const double a = delassusSpace.contacts[k].response;
      floors[k] = a > 0.0 ? kRoundings * kEpsilon * floors[k] / a : 0.0;
    }
    return measure(*space, r, u, {floors, scale, softness, rest});
  }
  for (std::size_t k = 0; k < contacts.size(); ++k)
    u[k] = relativeVelocity(contacts[k], velocities);
  for (std::size_t i = 0; i < couples.size(); ++i) {
    u[contacts.size() + i] = relativeTurning(couples[i], velocities);
  }
  return measure(*space, r, u, {floors, scale, softness, rest});
}

NaturalError ContactSolver::Scratch::measureError(std::span<const Vec3> r) {
  const NaturalError error = measureAt(r, 0.0);
  largest = error.largest;
  return error;
}

/// Measures impulses whose velocities are at hand, keeps them if they are the best so far, and
/// returns their error.
double ContactSolver::Scratch::offer(std::span<const Vec3> r, SolverReport& report) {
  const NaturalError error = measureError(r);
  if (!hasBest || error.relative < report.error) {
    hasBest = true;
    std::copy(r.begin(), r.end(), best.begin());
    report.error = error.relative;
    report.approach = error.approach;
    report.worstContact = error.worst;
    bestSpeed = error.speed;
  }
  return error.relative;
}

/// Velocities with impulses r. Their changes are summed apart and added once: each sum with a large
/// velocity would cost the last bits of a small change.
void ContactSolver::Scratch::velocitiesFor(std::span<const Vec3> r) {
  if (isGiven()) return delassusSpace.stateOf(r, state);
  velocities.assign(free.size(), BodyVelocity{});
  for (std::size_t k = 0; k < contacts.size(); ++k) applyImpulse(contacts[k], r[k], velocities);
  for (std::size_t i = 0; i < couples.size(); ++i) {
    applyCouple(couples[i], r[contacts.size() + i], velocities);
  }
  for (std::size_t b = 0; b < free.size(); ++b) {
    velocities[b].linear += free[b].linear;
    velocities[b].angular += free[b].angular;
  }
}

void ContactSolver::Scratch::sweep(std::span<Vec3> r) {
  if (isGiven()) {
    for (std::size_t k = 0; k < r.size(); ++k) {
      const ContactBlock& block = delassusSpace.blockOf(k);
      const Vec3 q = delassusSpace.velocityOf(k, r) - times(block, r[k]);
      r[k] = solveOneContact(block, q, delassusSpace.contacts[k].friction, alphas[k]);
    }
    return;
  }
  std::size_t next = 0;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const PreparedContact& c = contacts[k];
    const Vec3 q = relativeVelocity(c, velocities) - times(c.block, r[k]);
    const Vec3 relaxed = solveOneContact(c.block, q, c.friction, alphas[k]);
    applyImpulse(c, relaxed - r[k], velocities);
    r[k] = relaxed;
    if (next == couples.size() || couples[next].contact != k) continue;
    const std::size_t at = contacts.size() + next;
    const Vec3 couple = relaxCouple(couples[next], relativeTurning(couples[next], velocities),
                                    r[at], r[k].x, alphas[at]);
    applyCouple(couples[next], couple - r[at], velocities);
    r[at] = couple;
    ++next;
  }
}

/// Sweeps with Anderson acceleration until the tolerance, the limit, or no more progress.
void ContactSolver::Scratch::runSweeps(const SolverOptions& options, double enough,
                                       SolverReport& report) {
  report.stage = SolverStage::Sweeps;
  anderson.reset(x.size());
  double windowStart = -1.0;
  const bool many = options.acceptable > 0.0 && contacts.size() >= kManyContacts;
  const int window = many && !isGiven() ? kShortWindow : kWindow;
  for (int i = 0; i < options.maxSweeps; ++i) {
    velocitiesFor(x);
    std::copy(x.begin(), x.end(), g.begin());
    sweep(g);
    velocitiesFor(g);  // Afresh, so that rounding does not add up over the sweeps.
    ++report.sweeps;
    offer(g, report);
    lastError = report.error;
    if (report.error <= options.tolerance || bestSpeed <= enough) return;
    if (i == 0 && window == kShortWindow) windowStart = report.error;
    if (i % window == window - 1) {
      // Not even a tenth in a window: the heavier stage is cheaper than what is left.
      const bool slow = windowStart >= 0.0 && report.error > kSlowProgress * windowStart;
      const double rate = windowStart > 0.0 ? report.error / windowStart : 1.0;
      const bool goesOn = isGiven() ? willReach(options.tolerance, 0.0, rate, kManyWindows)
                          : window == kShortWindow
                              ? willReach(options.acceptable, enough, rate, kMoreWindows)
                              : false;
      if (slow && !goesOn) return;
      windowStart = report.error;
    }
    anderson.advance(weights, g, x);
    allow(*space, x);
  }
}

/// Whether so many more windows of sweeps will reach an error that has not been reached yet, at
/// this rate a window.
bool ContactSolver::Scratch::willReach(double error, double enough, double rate,
                                       int windows) const {
  if (lastError <= error) return false;
  const double need = maxOf(error / lastError, enough / bestSpeed);
  double left = 1.0;
  for (int i = 0; i < windows && left > need; ++i) left *= rate;
  return left <= need;
}

/// Plain sweeps of a model that is not exact, until the impulses stand still.
void ContactSolver::Scratch::runRelaxation(const SolverOptions& options, SolverReport& report) {
  report.stage = SolverStage::Sweeps;
  velocitiesFor(x);
  for (int i = 0; i < options.maxSweeps; ++i) {
    double largestChange = 0.0, most = 0.0;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const PreparedContact& c = contacts[k];
      const Vec3 q = relativeVelocity(c, velocities) - times(c.block, x[k]);
      double alpha = 0.0;
      const Vec3 next = options.model == ContactModel::Frictionless
                            ? solveOneContact(c.block, q, 0.0, alpha)
                            : relaxDecoupled(c.block, q, x[k], c.friction);
      const double change = norm(next - x[k]);
      if (change > largestChange) {
        largestChange = change;
        report.worstContact = static_cast<std::uint32_t>(k);
      }
      most = maxOf(most, norm(next));
      applyImpulse(c, next - x[k], velocities);
      x[k] = next;
    }
    ++report.sweeps;
    report.error = most > 0.0 ? largestChange / most : largestChange;
    if (report.error <= options.tolerance) break;
  }
  best = x;
}

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
  if (options.acceptable > 0.0) {
    const double bearable = kPatience / maxOf(1.0, space->stepCost());
    if (bearable < left) left = std::max(kLeastIdleSteps, static_cast<int>(bearable));
  }
  const int before = report.newtonSteps;
  g = start;
  iterate(options, std::min(kFirstIdleSteps, most), left, report);
  left -= report.newtonSteps - before;
  if (report.error <= options.tolerance || left <= 0) return;
  g = best;
  iterate(options, most, left, report);
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

/// One proximal step from the impulses of rest, which is the compliant problem; whether it ends.
bool ContactSolver::Scratch::tryWarm(double softness, double tolerance, SolverReport& report) {
  velocitiesFor(rest);
  const double first = measureAt(rest, softness).relative;
  if (!(first <= kNearby)) return false;
  newton.begin(*space, 1.0 / softness, rest);
  for (int i = 0; i < kWarmSteps; ++i) {
    const ProximalNewton::Progress progress = newton.step();
    if (progress == ProximalNewton::Progress::Stuck) return false;
    if (progress == ProximalNewton::Progress::Moving) ++report.newtonSteps;
    newton.getImpulses(g);
    velocitiesFor(g);
    const double error = measureAt(g, softness).relative;
    if (error <= tolerance) return true;
    if (progress == ProximalNewton::Progress::Solved) return false;
    if (i + 1 >= kTrialSteps && !(error <= kPromising * first)) return false;
  }
  return false;
}

/// One proximal step of a heap that is accepted already, where it costs little: at rest each step
/// takes it nearer to the rigid answer, so that it does not creep.
void ContactSolver::Scratch::settle(const SolverOptions& options, SolverReport& report) {
  const double still = kStill * options.acceptable;
  if (report.error <= still || space->stepCost() > kCheap) return;
  if (!tryWarm(kFirstSoftness, still, report)) return;
  report.stage = SolverStage::Newton;
  offer(g, report);
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
  if (!rubs) softness = kHardly;
  bool solved = false;
  report.nextSoftness = softness;
  if (rubs && loaded) {
    report.stage = SolverStage::Newton;
    solved = tryWarm(softness, tolerance, report);
    if (solved) report.nextSoftness = maxOf(kLeastSoftness, kHarder * softness);
  }
  for (int attempt = 0; attempt < kMaxAttempts && !solved; ++attempt) {
    if (attempt > 0) softness = minOf(kMostSoftness, softness * kSofter);
    report.stage = SolverStage::InteriorPoint;
    const InteriorPoint::Result result = interior.solve(
        *space, {floors, scale, softness, rest}, tolerance, setting.enough, kMaxIterations, g);
    report.newtonSteps += result.iterations;
    solved = result.solved || result.error.relative <= options.acceptable;
    report.nextSoftness = softness;
    if (solved && attempt == 0 && result.iterations <= kFewIterations && result.eased) {
      report.nextSoftness = maxOf(kLeastSoftness, kHarder * softness);
    }
  }
  if (!rubs) report.nextSoftness = 0.0;
  velocitiesFor(g);
  const NaturalError soft = measureAt(g, softness), rigid = measureError(g);
  if (!solved && report.error <= soft.relative) return;
  best = g;
  report.error = soft.relative;
  report.rigidError = rigid.relative;
  report.softness = softness;
  report.approach = rigid.approach;
  report.worstContact = soft.worst;
  bestSpeed = soft.speed;
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

/// What impulses and errors are measured by.
void ContactSolver::Scratch::setScales(double load) {
  scale = load;
  floors.assign(contacts.size(), 0.0);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const PreparedContact& c = contacts[k];
    if (!(c.block.a > 0.0)) continue;
    const Vec3 v = relativeVelocity(c, free);
    if (v.x < 0.0) scale = maxOf(scale, -v.x / c.block.a);
    floors[k] = kRoundings * kEpsilon * speedAt(c, free) / c.block.a;
  }
}

void ContactSolver::Scratch::prepare(const ContactProblem& problem, bool withCouples,
                                     const SolverOptions& options, std::span<const Vec3> impulses,
                                     std::span<const Vec3> starts) {
  prepareContacts(problem, contacts);
  couples.clear();
  if (withCouples) prepareCouples(problem, couples);
  const std::size_t count = contacts.size(), size = count + couples.size();
  alphas.assign(size, 0.0);
  weights.resize(size);
  x.assign(size, Vec3{});
  g.resize(size);
  for (std::size_t k = 0; k < count; ++k) {
    const PreparedContact& c = contacts[k];
    weights[k] = (c.block.a + c.block.t11) + c.block.t22;
    const double friction = options.model == ContactModel::Frictionless ? 0.0 : c.friction;
    x[k] = c.block.a > 0.0 ? projectOnCone(impulses[k], friction) : Vec3{};
  }
  for (std::size_t i = 0; i < couples.size(); ++i) {
    const PreparedCouple& c = couples[i];
    weights[count + i] = (c.spinResponse + c.rollBlock.t11) + c.rollBlock.t22;
    if (c.response > 0.0) x[count + i] = limitCouple(c, starts[c.contact], x[c.contact].x);
  }
  best = x;
  start = x;
  u.assign(size, Vec3{});
  hasBest = false;
}

SolverReport ContactSolver::solve(const ContactProblem& problem, const SolverOptions& options,
                                  std::span<Vec3> impulses, std::span<BodyVelocity> velocities) {
  return solve(problem, options, impulses, {}, velocities);
}

SolverReport ContactSolver::solve(const ContactProblem& problem, const SolverOptions& options,
                                  std::span<Vec3> impulses, std::span<Vec3> couples,
                                  std::span<BodyVelocity> velocities) {
  return solve(problem, options, SolverSetting{}, impulses, couples, velocities);
}

SolverReport ContactSolver::solve(const ContactProblem& problem, const SolverOptions& options,
                                  const SolverSetting& setting, std::span<Vec3> impulses,
                                  std::span<Vec3> couples, std::span<BodyVelocity> velocities) {
  const FloatEnvironment environment;
  SolverReport report;
  Scratch& s = *scratch_;
  if (problem.contacts.empty()) return report;
  const bool exact = options.model == ContactModel::ExactCoulomb;
  s.prepare(problem, exact && !couples.empty(), options, impulses, couples);
  s.free.assign(velocities.begin(), velocities.end());
  s.space = &s.bodySpace;
  s.bodySpace.begin(problem.bodies, s.contacts, s.couples, s.free);
  s.setScales(setting.load);
  s.bestSpeed = 0.0;
  if (setting.softness > 0.0)
    report.nextSoftness = maxOf(kLeastSoftness, kHarder * setting.softness);
  bool sufficient = false;
  if (!exact) {
    s.runRelaxation(options, report);
  } else {
    const double enough = options.acceptable > 0.0 ? setting.enough : 0.0;
    s.rest.assign(s.start.size(), Vec3{});
    if (setting.remembers) s.rest = s.start;
    s.runSweeps(options, enough, report);
    sufficient = s.bestSpeed <= enough;
    if (report.error > options.tolerance && !sufficient && options.allowDirect) {
      s.runDirect(problem, options, setting, report);
      sufficient = s.bestSpeed <= enough || report.error <= options.acceptable;
    }
  }
  if (!(report.softness > 0.0)) report.rigidError = report.error;
  report.converged = report.error <= options.tolerance || sufficient;
  const std::size_t count = s.contacts.size();
  for (std::size_t k = 0; k < count; ++k) impulses[k] = s.best[k];
  for (Vec3& couple : couples) couple = {};
  for (std::size_t i = 0; i < s.couples.size(); ++i) {
    couples[s.couples[i].contact] = s.best[count + i];
  }
  s.velocitiesFor(s.best);
  std::copy(s.velocities.begin(), s.velocities.end(), velocities.begin());
  return report;
}

/// Newton's method for a problem given by its matrix: as for bodies; if that does not do, from the
/// middle of what compliant contacts allow.
void ContactSolver::Scratch::runGiven(const SolverOptions& options, SolverReport& report) {
  space->prepare();
  runNewton(options, report);
  for (const double softness : kCentralSoftness) {
    if (report.error <= options.tolerance) return;
    const InteriorPoint::Result result = interior.solve(*space, {floors, scale, softness, rest},
                                                        kCentralTolerance, 0.0, kMaxIterations, g);
    report.newtonSteps += result.iterations;
    report.stage = SolverStage::InteriorPoint;
    iterate(options, kMaxIdleSteps, kMaxNewtonSteps, report);
  }
}

SolverReport ContactSolver::solve(const DelassusProblem& problem, const SolverOptions& options,
                                  std::span<Vec3> impulses, std::span<Vec3> velocities) {
  const FloatEnvironment environment;
  SolverReport report;
  Scratch& s = *scratch_;
  const std::size_t count = problem.friction.size();
  if (count == 0) return report;
  s.space = &s.delassusSpace;
  s.delassusSpace.begin(problem);
  s.contacts.clear();
  s.couples.clear();
  s.alphas.assign(count, 0.0);
  s.weights.resize(count);
  s.floors.assign(count, 0.0);
  s.x.assign(impulses.begin(), impulses.end());
  allow(*s.space, s.x);
  s.g = s.best = s.start = s.x;
  s.rest.assign(count, Vec3{});
  s.u.assign(count, Vec3{});
  s.hasBest = false;
  s.scale = s.bestSpeed = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    const ContactTerms& c = s.space->contacts[k];
    s.weights[k] = 3.0 * c.mean;
    if (c.response > 0.0) s.scale = maxOf(s.scale, -problem.free[k].x / c.response);
  }
  s.runSweeps(options, 0.0, report);
  if (report.error > options.tolerance && options.allowDirect) s.runGiven(options, report);
  report.converged = report.error <= options.tolerance;
  report.rigidError = report.error;
  std::copy(s.best.begin(), s.best.end(), impulses.begin());
  s.velocitiesFor(s.best);
  s.delassusSpace.velocitiesAt(s.state, velocities);
  return report;
}

}  // namespace abut
