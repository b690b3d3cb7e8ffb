// SPDX-License-Identifier: MIT
#include <algorithm>

#include <abut/solver/contact_solver.hpp>

#include "solver/anderson.hpp"
#include "solver/prepared_contacts.hpp"

namespace abut {
namespace {

/// Sweeps between two looks at the progress; none in a window ends the stage.
constexpr int kWindow = 20;

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
    s.x[k] = c.block.a > 0.0 ? projectOnCone(impulses[k], c.friction) : Vec3{};
  }
  const double scale = s.impulseScale();
  s.anderson.reset(count);
  s.best = s.x;
  double bestError = -1.0, windowStart = -1.0;
  report.stage = SolverStage::Sweeps;
  report.converged = false;
  for (int i = 0; i < options.maxSweeps; ++i) {
    s.velocitiesFor(s.x);
    std::copy(s.x.begin(), s.x.end(), impulses.begin());
    s.sweep(impulses);
    s.velocitiesFor(impulses);  // Afresh, so that rounding does not add up over the sweeps.
    ++report.sweeps;
    const ErrorOfContacts error = measureError(s.contacts, impulses, s.velocities, scale);
    if (bestError < 0.0 || error.largest < bestError) {
      bestError = error.largest;
      std::copy(impulses.begin(), impulses.end(), s.best.begin());
      report.error = error.largest;
      report.worstContact = error.worst;
    }
    if (bestError <= options.tolerance) {
      report.converged = true;
      break;
    }
    if (i % kWindow == kWindow - 1) {
      if (windowStart >= 0.0 && !(bestError < windowStart)) break;
      windowStart = bestError;
    }
    s.anderson.advance(s.weights, impulses, s.x);
    for (std::size_t k = 0; k < count; ++k) {
      s.x[k] = s.contacts[k].block.a > 0.0 ? projectOnCone(s.x[k], s.contacts[k].friction) : Vec3{};
    }
  }
  std::copy(s.best.begin(), s.best.end(), impulses.begin());
  s.velocitiesFor(impulses);
  std::copy(s.velocities.begin(), s.velocities.end(), velocities.begin());
  return report;
}

}  // namespace abut
