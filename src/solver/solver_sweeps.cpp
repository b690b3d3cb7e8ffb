// SPDX-License-Identifier: MIT
#include <algorithm>

#include "solver/solver_scratch.hpp"

namespace abut::inline v0_1 {
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

}  // namespace

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
  acceleration.anderson.reset(x.size());
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
    acceleration.anderson.advance(acceleration.weights, g, x);
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

}  // namespace abut::inline v0_1
