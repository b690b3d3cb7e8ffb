// SPDX-License-Identifier: MIT
//
// Newton's method on contacts that give way, from impulses that are near the answer.
#include "solver/solver_scratch.hpp"

namespace abut::inline v0_1 {
namespace {

/// Contacts that give way keep matrices so regular that rough factors do (that they do is seen by
/// what they leave, ContactSpace::solveRefined), and from this cost of a factorisation on they pay:
/// they take two thirds of the time of exact ones for 1000 boxes (25 -> 17 ms), and the product and
/// the second solve that refine an answer outweigh that below some 150 bodies.
constexpr double kRoughCost = 3e6;

/// Newton steps at most. It goes on where after so many of them the error is below the last: errors
/// rise at first.
constexpr int kWarmSteps = 12, kHopefulSteps = 7;
constexpr double kHopeful = 1e-2;
/// With sweeps in between errors fall from the first step on, to this part of the last one each.
constexpr double kFalling = 0.7;
/// Sweeps over what Newton's method left wrong, and how often that is looked for: what has at least
/// this part of the greatest error.
constexpr int kSweeps = 20, kRounds = 3;
constexpr double kWrong = 0.03;

}  // namespace

bool ContactSolver::Scratch::roughWillDo() const {
  return space->stepCost() >= kRoughCost;
}

/// One proximal step from the impulses of rest, which is the compliant problem: by Newton's method
/// from the state that belongs to `from`. Whether it ends; the answer is in g.
bool ContactSolver::Scratch::tryWarm(double softness, std::span<const Vec3> from, double tolerance,
                                     SolverReport& report) {
  space->rough = roughWillDo();
  newton.begin(*space, 1.0 / softness, rest, from);
  for (int i = 0; i < kWarmSteps; ++i) {
    const ProximalNewton::Progress progress = newton.step();
    if (progress == ProximalNewton::Progress::Stuck) return false;
    if (progress == ProximalNewton::Progress::Moving) ++report.newtonSteps;
    newton.getImpulses(g);
    velocitiesFor(g);
    const double error = measureAt(g, softness).relative;
    if (error <= tolerance) return true;
    if (progress == ProximalNewton::Progress::Solved) return false;
    if (i + 1 >= kHopefulSteps && !(error <= kHopeful)) return false;
  }
  return false;
}

/// The response of contacts with what they give way.
void ContactSolver::Scratch::beginYielding(double softness) {
  mending.yielding.resize(contacts.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    ContactBlock& block = mending.yielding[k];
    block = contacts[k].block;
    const double soft = softness * block.a;
    block.a += soft;
    block.t11 += soft;
    block.t22 += soft;
    finishBlock(block);
  }
}

/// All contacts of the bodies at which errors are large.
void ContactSolver::Scratch::findWrong(double softness, double tolerance) {
  mending.errors.resize(contacts.size());
  const NaturalError error = measureAt(g, softness, mending.errors);
  const double limit = maxOf(kWrong * error.relative, 0.5 * tolerance) * error.largest;
  mending.isWrong.assign(free.size(), 0);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (!(mending.errors[k] > limit)) continue;
    for (const std::uint32_t body : {contacts[k].side1.body, contacts[k].side2.body}) {
      mending.isWrong[body] = bodySpace.largestInverseMass(body) > 0.0 ? 1 : 0;
    }
  }
  mending.wrong.clear();
  for (std::uint32_t k = 0; k < contacts.size(); ++k) {
    const PreparedContact& c = contacts[k];
    const bool any = mending.isWrong[c.side1.body] != 0 || mending.isWrong[c.side2.body] != 0;
    if (any && c.block.a > 0.0) mending.wrong.push_back(k);
  }
}

/// Sweeps over what is wrong in g, whose velocities are at hand; returns the error that is left.
double ContactSolver::Scratch::sweepWrong(double softness, double tolerance) {
  double error = measureAt(g, softness).relative;
  for (int round = 0; round < kRounds && error > tolerance; ++round) {
    findWrong(softness, tolerance);
    for (int i = 0; i < kSweeps; ++i) {
      for (const std::uint32_t k : mending.wrong) {
        const PreparedContact& c = contacts[k];
        const Vec3 q = relativeVelocity(c, velocities) - times(c.block, g[k]) -
                       rest[k] * (softness * c.block.a);
        const Vec3 relaxed = solveOneContact(mending.yielding[k], q, c.friction, alphas[k]);
        applyImpulse(c, relaxed - g[k], velocities);
        g[k] = relaxed;
      }
    }
    velocitiesFor(g);  // Afresh, so that rounding does not add up over the sweeps.
    error = measureAt(g, softness).relative;
  }
  return error;
}

/// The same as tryWarm() for contacts that are not hard: what a Newton step leaves is wrong at few
/// bodies, whose contacts slip or part otherwise than it took them to; sweeps mend that there
/// before the next step. Hard contacts hand on to the whole heap what sweeps leave.
bool ContactSolver::Scratch::trySwept(double softness, std::span<const Vec3> from, double tolerance,
                                      SolverReport& report) {
  if (!couples.empty() || isGiven()) return tryWarm(softness, from, tolerance, report);
  space->rough = roughWillDo();
  beginYielding(softness);
  double least = 0.0;
  newton.begin(*space, 1.0 / softness, rest, from);
  for (int i = 0; i < kWarmSteps; ++i) {
    const ProximalNewton::Progress progress = newton.step();
    if (progress == ProximalNewton::Progress::Stuck) return false;
    if (progress == ProximalNewton::Progress::Moving) ++report.newtonSteps;
    newton.getImpulses(g);
    velocitiesFor(g);
    const double error = sweepWrong(softness, tolerance);
    if (error <= tolerance) return true;
    if (progress == ProximalNewton::Progress::Solved) return false;
    if (i > 0 && !(error <= kFalling * least)) return false;
    least = i > 0 ? minOf(least, error) : error;
    newton.begin(*space, 1.0 / softness, rest, g);
  }
  return false;
}

}  // namespace abut::inline v0_1
