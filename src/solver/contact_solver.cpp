// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <abut/core/float_environment.hpp>
#include <abut/core/status.hpp>

#include "solver/solver_scratch.hpp"

namespace abut::inline v0_1 {
namespace {

/// Who asks for less error than this [of the largest impulse] asks for more than it can tell.
constexpr double kPolishes = 1e-15;

}  // namespace

ContactSolver::ContactSolver() : scratch_(std::make_unique<Scratch>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

/// The error of impulses r and the velocities they give; see SolverReport.
NaturalError ContactSolver::Scratch::measureAt(std::span<const Vec3> r, double softness,
                                               std::span<double> each) {
  if (isGiven()) {
    // Rounding grows with the impulses here: every term of W p counts.
    delassusSpace.velocitiesAt(state, u);
    delassusSpace.speedsAt(state, r, floors);
    for (std::size_t k = 0; k < floors.size(); ++k) {
      const double a = delassusSpace.contacts[k].response;
      floors[k] = a > 0.0 ? kRoundings * kEpsilon * floors[k] / a : 0.0;
    }
    return measure(*space, r, u, {floors, scale, softness, rest, each});
  }
  for (std::size_t k = 0; k < contacts.size(); ++k)
    u[k] = relativeVelocity(contacts[k], velocities);
  for (std::size_t i = 0; i < couples.size(); ++i) {
    u[contacts.size() + i] = relativeTurning(couples[i], velocities);
  }
  return measure(*space, r, u, {floors, scale, softness, rest, each});
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

/// What impulses and errors are measured by.
void ContactSolver::Scratch::setScales(double load) {
  scale = load;
  floors.assign(contacts.size(), 0.0);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const PreparedContact& c = contacts[k];
    if (!(c.block.a > 0.0)) continue;
    const Vec3 v = relativeVelocity(c, free);
    if (v.x < 0.0) scale = maxOf(scale, -v.x / c.block.a);
    // The law shifts the normal velocity by friction times slip.
    const double often = maxOf(1.0, c.friction);
    floors[k] = kRoundings * kEpsilon * often * speedAt(c, free) / c.block.a;
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
  acceleration.weights.resize(size);
  x.assign(size, Vec3{});
  g.resize(size);
  for (std::size_t k = 0; k < count; ++k) {
    const PreparedContact& c = contacts[k];
    acceleration.weights[k] = (c.block.a + c.block.t11) + c.block.t22;
    const double friction = options.model == ContactModel::Frictionless ? 0.0 : c.friction;
    x[k] = c.block.a > 0.0 ? projectOnCone(impulses[k], friction) : Vec3{};
  }
  for (std::size_t i = 0; i < couples.size(); ++i) {
    const PreparedCouple& c = couples[i];
    acceleration.weights[count + i] = (c.spinResponse + c.rollBlock.t11) + c.rollBlock.t22;
    if (c.response > 0.0) x[count + i] = limitCouple(c, starts[c.contact], x[c.contact].x);
  }
  best = x;
  start = x;
  u.assign(size, Vec3{});
  hasBest = false;
}

namespace {

void require(bool holds, const char* what) {
  if (!holds) throw Error(StatusCode::OutOfRange, std::string("ContactSolver::solve: ") + what);
}

/// Everything that is an index or a length: what numbers say is the caller's.
void checkSizes(const ContactProblem& problem, std::span<const Vec3> impulses,
                std::span<const Vec3> couples, std::span<const BodyVelocity> velocities) {
  const std::size_t contacts = problem.contacts.size(), bodies = problem.bodies.size();
  require(impulses.size() >= contacts, "expected an impulse for each contact");
  require(couples.empty() || couples.size() >= contacts,
          "expected a couple for each contact, or none");
  require(velocities.size() >= bodies, "expected a velocity for each body");
  for (const SolverContact& c : problem.contacts) {
    require(c.body1 < bodies && c.body2 < bodies, "a contact is of a body that is not there");
  }
}

void checkSizes(const DelassusProblem& problem, std::span<const Vec3> impulses,
                std::span<const Vec3> velocities) {
  const std::size_t contacts = problem.friction.size(), blocks = problem.block.size();
  require(impulses.size() >= contacts && velocities.size() >= contacts &&
              problem.free.size() >= contacts,
          "expected an impulse, a velocity and a free velocity for each contact");
  require(problem.rowStart.size() > contacts && problem.rowStart[contacts] <= blocks &&
              problem.rowStart[contacts] <= problem.column.size(),
          "the rows of the matrix are not the contacts");
  for (std::size_t i = 0; i < contacts; ++i) {
    const std::size_t end = problem.rowStart[i + 1];
    require(problem.rowStart[i] <= end && end <= problem.rowStart[contacts],
            "rows of the matrix overlap");
    bool hasOwn = false;
    for (std::size_t k = problem.rowStart[i]; k < end; ++k) {
      const std::uint32_t column = problem.column[k];
      const bool ascends = k == problem.rowStart[i] || problem.column[k - 1] < column;
      require(column < contacts && ascends, "columns of a row are not contacts in ascending order");
      hasOwn = hasOwn || column == i;
    }
    require(hasOwn, "a contact has no block of its own");
  }
}

}  // namespace

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
  checkSizes(problem, impulses, couples, velocities);
  const bool exact = options.model == ContactModel::ExactCoulomb;
  s.prepare(problem, exact && !couples.empty(), options, impulses, couples);
  s.free.assign(velocities.begin(), velocities.end());
  s.space = &s.bodySpace;
  s.bodySpace.tasks = setting.tasks;
  s.bodySpace.begin(problem.bodies, s.contacts, s.couples, s.free);
  s.setScales(setting.load);
  s.bestSpeed = 0.0;
  if (setting.softness > 0.0) report.nextSoftness = hardened(setting.softness);
  bool sufficient = false, polished = false;
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
    if (options.tolerance < kPolishes && options.allowDirect && !(report.softness > 0.0))
      polished = s.polish(report);
  }
  if (!(report.softness > 0.0)) report.rigidError = report.error;
  report.converged = report.error <= options.tolerance || sufficient;
  const std::size_t count = s.contacts.size();
  for (std::size_t k = 0; k < count; ++k) impulses[k] = s.best[k];
  for (Vec3& couple : couples) couple = {};
  for (std::size_t i = 0; i < s.couples.size(); ++i) {
    couples[s.couples[i].contact] = s.best[count + i];
  }
  if (!polished) s.velocitiesFor(s.best);
  std::copy(s.velocities.begin(), s.velocities.end(), velocities.begin());
  return report;
}

SolverReport ContactSolver::solve(const DelassusProblem& problem, const SolverOptions& options,
                                  std::span<Vec3> impulses, std::span<Vec3> velocities) {
  const FloatEnvironment environment;
  SolverReport report;
  Scratch& s = *scratch_;
  const std::size_t count = problem.friction.size();
  if (count == 0) return report;
  checkSizes(problem, impulses, velocities);
  s.space = &s.delassusSpace;
  s.delassusSpace.begin(problem);
  s.contacts.clear();
  s.couples.clear();
  s.alphas.assign(count, 0.0);
  s.acceleration.weights.resize(count);
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
    s.acceleration.weights[k] = 3.0 * c.mean;
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

}  // namespace abut::inline v0_1
