// SPDX-License-Identifier: MIT
#include <algorithm>

#include <abut/solver/contact_solver.hpp>

#include "solver/anderson.hpp"
#include "solver/multiplier_newton.hpp"
#include "solver/prepared_contacts.hpp"

namespace abut {
namespace {

/// Sweeps between two looks at the progress; none in a window ends the stage.
constexpr int kWindow = 20;
constexpr double kSlowProgress = 0.1;
/// The method of multipliers: its penalty in units of a contact's own response, and when it grows.
constexpr double kFirstKappa = 1e2, kLastKappa = 1e10, kKappaGrowth = 10.0, kGoodProgress = 0.1;
constexpr int kMaxOuter = 60, kMaxStalls = 10;
constexpr double kRounding = 1e-15;

struct ErrorOfContacts {
  double largest = 0.0;
  std::uint32_t worst = 0;
};

/// The natural map of each contact at impulses r and the velocities they give; see SolverReport.
ErrorOfContacts measureError(std::span<const PreparedContact> contacts, std::span<const Vec3> r,
                             std::span<const BodyVelocity> velocities, double scale) {
  ErrorOfContacts error;
  double largestImpulse = scale;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const PreparedContact& c = contacts[k];
    if (!(c.block.a > 0.0)) continue;
    const Vec3 u = relativeVelocity(c, velocities);
    const double slip = std::sqrt(u.y * u.y + u.z * u.z);
    const double rho = 1.0 / c.block.a;
    const Vec3 shifted = r[k] - Vec3{u.x + c.friction * slip, u.y, u.z} * rho;
    const double e = norm(r[k] - projectOnCone(shifted, c.friction));
    largestImpulse = maxOf(largestImpulse, norm(r[k]));
    if (e <= error.largest) continue;
    error.largest = e;
    error.worst = static_cast<std::uint32_t>(k);
  }
  if (largestImpulse > 0.0) error.largest /= largestImpulse;
  return error;
}

}  // namespace

struct ContactSolver::Scratch {
  std::vector<PreparedContact> contacts;
  std::vector<Vec3> x, best;
  std::vector<double> weights, alphas;
  std::vector<BodyVelocity> free, velocities;
  Anderson anderson;
  MultiplierNewton newton;
  bool hasBest = false;

  void runSweeps(const SolverOptions& options, double scale, std::span<Vec3> impulses,
                 SolverReport& report);
  void runRelaxation(const SolverOptions& options, std::span<Vec3> impulses, SolverReport& report);
  void runNewton(const ContactProblem& problem, const SolverOptions& options, double scale,
                 std::span<Vec3> impulses, SolverReport& report);

  /// Measures impulses whose velocities are at hand, keeps them if they are the best so far, and
  /// returns their error.
  double offer(std::span<const Vec3> impulses, double scale, SolverReport& report) {
    const ErrorOfContacts error = measureError(contacts, impulses, velocities, scale);
    if (!hasBest || error.largest < report.error) {
      hasBest = true;
      std::copy(impulses.begin(), impulses.end(), best.begin());
      report.error = error.largest;
      report.worstContact = error.worst;
    }
    return error.largest;
  }
  void velocitiesFor(std::span<const Vec3> r) {
    velocities.assign(free.begin(), free.end());
    for (std::size_t k = 0; k < contacts.size(); ++k) applyImpulse(contacts[k], r[k], velocities);
  }
  void sweep(std::span<Vec3> r) {
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const PreparedContact& c = contacts[k];
      const Vec3 q = relativeVelocity(c, velocities) - times(c.block, r[k]);
      const Vec3 next = solveOneContact(c.block, q, c.friction, alphas[k]);
      applyImpulse(c, next - r[k], velocities);
      r[k] = next;
    }
  }
  double impulseScale() const {
    double scale = 0.0;
    for (const PreparedContact& c : contacts) {
      if (!(c.block.a > 0.0)) continue;
      const Vec3 u = relativeVelocity(c, free);
      if (u.x < 0.0) scale = maxOf(scale, -u.x / c.block.a);
    }
    return scale;
  }
};

ContactSolver::ContactSolver() : scratch_(std::make_unique<Scratch>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

/// Sweeps with Anderson acceleration until the tolerance, the limit, or no more progress.
void ContactSolver::Scratch::runSweeps(const SolverOptions& options, double scale,
                                       std::span<Vec3> impulses, SolverReport& report) {
  report.stage = SolverStage::Sweeps;
  anderson.reset(contacts.size());
  double windowStart = -1.0;
  for (int i = 0; i < options.maxSweeps; ++i) {
    velocitiesFor(x);
    std::copy(x.begin(), x.end(), impulses.begin());
    sweep(impulses);
    velocitiesFor(impulses);  // Afresh, so that rounding does not add up over the sweeps.
    ++report.sweeps;
    offer(impulses, scale, report);
    if (report.error <= options.tolerance) return;
    if (i % kWindow == kWindow - 1) {
      // Not even a tenth in a window: the heavier stage is cheaper than what is left.
      if (windowStart >= 0.0 && report.error > kSlowProgress * windowStart) return;
      windowStart = report.error;
    }
    anderson.advance(weights, impulses, x);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      x[k] = contacts[k].block.a > 0.0 ? projectOnCone(x[k], contacts[k].friction) : Vec3{};
    }
  }
}

/// Plain sweeps of a model that is not exact, until the impulses stand still.
void ContactSolver::Scratch::runRelaxation(const SolverOptions& options, std::span<Vec3> impulses,
                                           SolverReport& report) {
  report.stage = SolverStage::Sweeps;
  velocitiesFor(x);
  for (int i = 0; i < options.maxSweeps; ++i) {
    double largestChange = 0.0, largest = 0.0;
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
      largest = maxOf(largest, norm(next));
      applyImpulse(c, next - x[k], velocities);
      x[k] = next;
    }
    ++report.sweeps;
    report.error = largest > 0.0 ? largestChange / largest : largestChange;
    if (report.error <= options.tolerance) break;
  }
  std::copy(x.begin(), x.end(), best.begin());
  std::copy(x.begin(), x.end(), impulses.begin());
}

/// The method of multipliers from the best impulses so far.
void ContactSolver::Scratch::runNewton(const ContactProblem& problem, const SolverOptions& options,
                                       double scale, std::span<Vec3> impulses,
                                       SolverReport& report) {
  report.stage = SolverStage::Newton;
  newton.begin(problem.bodies, contacts);
  std::copy(best.begin(), best.end(), impulses.begin());
  double kappa = kFirstKappa, last = report.error;
  int stalls = 0;
  for (int i = 0; i < kMaxOuter; ++i) {
    velocitiesFor(impulses);
    const MultiplierNewton::Result step =
        newton.advance(contacts, free, velocities, kappa, impulses);
    report.newtonSteps += step.newtonSteps;
    if (!step.finite) return;
    velocitiesFor(impulses);
    const double error = offer(impulses, scale, report);
    // Once inside the tolerance, go on while it is nearly free: convergence is quadratic here.
    const bool gains = error < 0.5 * last && error > kRounding;
    if (report.error <= options.tolerance && !gains) return;
    stalls = error > 0.5 * last ? stalls + 1 : 0;
    if (stalls == kMaxStalls) return;
    if (error > kGoodProgress * last && kappa < kLastKappa) kappa *= kKappaGrowth;
    last = error;
  }
}

SolverReport ContactSolver::solve(const ContactProblem& problem, const SolverOptions& options,
                                  std::span<Vec3> impulses, std::span<BodyVelocity> velocities) {
  SolverReport report;
  Scratch& s = *scratch_;
  if (problem.contacts.empty()) return report;
  prepareContacts(problem, s.contacts);
  const std::size_t count = s.contacts.size();
  s.free.assign(velocities.begin(), velocities.end());
  s.alphas.assign(count, 0.0);
  s.weights.resize(count);
  s.x.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    const PreparedContact& c = s.contacts[k];
    s.weights[k] = (c.block.a + c.block.t11) + c.block.t22;
    const double friction = options.model == ContactModel::Frictionless ? 0.0 : c.friction;
    s.x[k] = c.block.a > 0.0 ? projectOnCone(impulses[k], friction) : Vec3{};
  }
  const double scale = s.impulseScale();
  s.best = s.x;
  s.hasBest = false;
  if (options.model != ContactModel::ExactCoulomb) {
    s.runRelaxation(options, impulses, report);
  } else {
    s.runSweeps(options, scale, impulses, report);
    if (report.error > options.tolerance && options.allowDirect) {
      s.runNewton(problem, options, scale, impulses, report);
    }
  }
  report.converged = report.error <= options.tolerance;
  std::copy(s.best.begin(), s.best.end(), impulses.begin());
  s.velocitiesFor(impulses);
  std::copy(s.velocities.begin(), s.velocities.end(), velocities.begin());
  return report;
}

}  // namespace abut
