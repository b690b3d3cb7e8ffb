// SPDX-License-Identifier: MIT
#include <algorithm>

#include <abut/core/float_environment.hpp>
#include <abut/solver/contact_solver.hpp>

#include "solver/anderson.hpp"
#include "solver/proximal_newton.hpp"

namespace abut {
namespace {

/// Sweeps between two looks at the progress; none in a window ends the stage.
constexpr int kWindow = 20;
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
constexpr int kFirstIdleSteps = 200, kMaxIdleSteps = 400;
/// So many multiplications at most in those steps (seconds), but a few steps always: a
/// dense heap of thousands is to end, and to say that it did not converge.
constexpr double kMaxIdleWork = 2e9;
constexpr int kLeastIdleSteps = 8;
constexpr double kEpsilon = 1.2e-16;  // Half a unit in the last place.
/// Sums and products in a relative velocity, each rounded.
constexpr double kRoundings = 8.0;
/// Errors below this are not worth another iteration.
constexpr double kBestError = 1e-17;

struct ErrorOfContacts {
  double largest = 0.0;
  std::uint32_t worst = 0;
};

}  // namespace

struct ContactSolver::Scratch {
  std::vector<PreparedContact> contacts;
  std::vector<PreparedCouple> couples;
  std::vector<double> floors;  // Impulses that the velocities' last bits amount to, by contact.
  // Impulses of the contacts, then the couples: a start, its image under a sweep, the best so far.
  std::vector<Vec3> x, g, best, start;
  std::vector<double> weights, alphas;
  std::vector<BodyVelocity> free, velocities;
  Anderson anderson;
  ProximalNewton newton;
  double scale = 0.0;    // Impulse that stops the fastest contact alone.
  double largest = 0.0;  // Impulse in the last measurement, at least scale.
  double lastError = 0.0;
  bool hasBest = false;

  void prepare(const ContactProblem& problem, bool withCouples, const SolverOptions& options,
               std::span<const Vec3> impulses, std::span<const Vec3> starts);
  void setScales();
  void runSweeps(const SolverOptions& options, SolverReport& report);
  void runRelaxation(const SolverOptions& options, SolverReport& report);
  void runNewton(const ContactProblem& problem, const SolverOptions& options, SolverReport& report);
  void iterate(const SolverOptions& options, int maxIdleSteps, SolverReport& report);
  ErrorOfContacts measureError(std::span<const Vec3> r);
  double offer(std::span<const Vec3> r, SolverReport& report);
  void velocitiesFor(std::span<const Vec3> r);
  void sweep(std::span<Vec3> r);
  void allow(std::span<Vec3> r) const;
  double quietKappa(double error) const;
  bool advance(double kappa, SolverReport& report, int& steps);
};

ContactSolver::ContactSolver() : scratch_(std::make_unique<Scratch>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

/// The natural map of each contact at impulses r and the velocities they give; see SolverReport.
ErrorOfContacts ContactSolver::Scratch::measureError(std::span<const Vec3> r) {
  ErrorOfContacts error;
  largest = scale;
  const auto count = [&error](double e, std::size_t k) {
    if (e <= error.largest) return;
    error.largest = e;
    error.worst = static_cast<std::uint32_t>(k);
  };
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const PreparedContact& c = contacts[k];
    if (!(c.block.a > 0.0)) continue;
    const Vec3 u = relativeVelocity(c, velocities);
    const double slip = std::sqrt(u.y * u.y + u.z * u.z);
    const double rho = 1.0 / c.block.a;
    const Vec3 shifted = r[k] - Vec3{u.x + c.friction * slip, u.y, u.z} * rho;
    largest = maxOf(largest, norm(r[k]));
    count(norm(r[k] - projectOnCone(shifted, c.friction)) - floors[k], k);
  }
  for (std::size_t i = 0; i < couples.size(); ++i) {
    const PreparedCouple& c = couples[i];
    if (!(c.response > 0.0)) continue;
    const Vec3& m = r[contacts.size() + i];
    const Vec3 w = relativeTurning(c, velocities);
    const Vec3 missing = m - limitCouple(c, m - w * (1.0 / c.response), r[c.contact].x);
    count(norm(missing) / maxOf(c.spinning, c.rolling) - floors[c.contact], c.contact);
  }
  if (largest > 0.0) error.largest /= largest;
  return error;
}

/// Measures impulses whose velocities are at hand, keeps them if they are the best so far, and
/// returns their error.
double ContactSolver::Scratch::offer(std::span<const Vec3> r, SolverReport& report) {
  const ErrorOfContacts error = measureError(r);
  if (!hasBest || error.largest < report.error) {
    hasBest = true;
    std::copy(r.begin(), r.end(), best.begin());
    report.error = error.largest;
    report.worstContact = error.worst;
  }
  return error.largest;
}

/// Velocities with impulses r. Their changes are summed apart and added once: each sum with a large
/// velocity would cost the last bits of a small change.
void ContactSolver::Scratch::velocitiesFor(std::span<const Vec3> r) {
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

/// The nearest impulses inside the cones, and couples inside their limits.
void ContactSolver::Scratch::allow(std::span<Vec3> r) const {
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    r[k] = contacts[k].block.a > 0.0 ? projectOnCone(r[k], contacts[k].friction) : Vec3{};
  }
  for (std::size_t i = 0; i < couples.size(); ++i) {
    Vec3& m = r[contacts.size() + i];
    m = couples[i].response > 0.0 ? limitCouple(couples[i], m, r[couples[i].contact].x) : Vec3{};
  }
}

/// Sweeps with Anderson acceleration until the tolerance, the limit, or no more progress.
void ContactSolver::Scratch::runSweeps(const SolverOptions& options, SolverReport& report) {
  report.stage = SolverStage::Sweeps;
  anderson.reset(x.size());
  double windowStart = -1.0;
  for (int i = 0; i < options.maxSweeps; ++i) {
    velocitiesFor(x);
    std::copy(x.begin(), x.end(), g.begin());
    sweep(g);
    velocitiesFor(g);  // Afresh, so that rounding does not add up over the sweeps.
    ++report.sweeps;
    offer(g, report);
    if (report.error <= options.tolerance) return;
    if (i % kWindow == kWindow - 1) {
      // Not even a tenth in a window: the heavier stage is cheaper than what is left.
      if (windowStart >= 0.0 && report.error > kSlowProgress * windowStart) return;
      windowStart = report.error;
    }
    anderson.advance(weights, g, x);
    allow(x);
  }
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
bool ContactSolver::Scratch::advance(double kappa, SolverReport& report, int& steps) {
  velocitiesFor(g);
  const ProximalNewton::Result step = newton.advance(contacts, couples, free, velocities, kappa, g);
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
void ContactSolver::Scratch::runNewton(const ContactProblem& problem, const SolverOptions& options,
                                       SolverReport& report) {
  report.stage = SolverStage::Newton;
  newton.begin(problem.bodies, contacts);
  const double affordable = kMaxIdleWork / maxOf(1.0, newton.stepCost());
  const int most = affordable < kMaxIdleSteps
                       ? std::max(kLeastIdleSteps, static_cast<int>(affordable))
                       : kMaxIdleSteps;
  g = start;
  iterate(options, std::min(kFirstIdleSteps, most), report);
  if (report.error <= options.tolerance) return;
  g = best;
  iterate(options, most, report);
}

/// Proximal iterations from g, up to a number of Newton steps without the error being halved.
void ContactSolver::Scratch::iterate(const SolverOptions& options, int maxIdleSteps,
                                     SolverReport& report) {
  const double quiet = quietKappa(options.tolerance);
  double kappa = kFirstKappa, reached = -1.0;  // Least error here; < 0: none yet.
  int idleSteps = 0;
  while (idleSteps < maxIdleSteps) {
    int steps = 0;
    if (!advance(kappa, report, steps)) {
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
      const bool solved = advance(next, report, polishing);
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
void ContactSolver::Scratch::setScales() {
  scale = 0.0;
  floors.assign(contacts.size(), 0.0);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const PreparedContact& c = contacts[k];
    if (!(c.block.a > 0.0)) continue;
    const Vec3 u = relativeVelocity(c, free);
    if (u.x < 0.0) scale = maxOf(scale, -u.x / c.block.a);
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
  hasBest = false;
}

SolverReport ContactSolver::solve(const ContactProblem& problem, const SolverOptions& options,
                                  std::span<Vec3> impulses, std::span<BodyVelocity> velocities) {
  return solve(problem, options, impulses, {}, velocities);
}

SolverReport ContactSolver::solve(const ContactProblem& problem, const SolverOptions& options,
                                  std::span<Vec3> impulses, std::span<Vec3> couples,
                                  std::span<BodyVelocity> velocities) {
  const FloatEnvironment environment;
  SolverReport report;
  Scratch& s = *scratch_;
  if (problem.contacts.empty()) return report;
  const bool exact = options.model == ContactModel::ExactCoulomb;
  s.prepare(problem, exact && !couples.empty(), options, impulses, couples);
  s.free.assign(velocities.begin(), velocities.end());
  s.setScales();
  if (!exact) {
    s.runRelaxation(options, report);
  } else {
    s.runSweeps(options, report);
    if (report.error > options.tolerance && options.allowDirect) {
      s.runNewton(problem, options, report);
    }
  }
  report.converged = report.error <= options.tolerance;
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

}  // namespace abut
