// SPDX-License-Identifier: MIT
//
// Velocities that joints, limits and contacts allow, at the beginning of a step.
#include "joints/jointed_island.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr int kMaxImpactSteps = 8;
/// Velocities that joints do not allow are taken away where they have this share of the energy, and
/// more than this part of what bodies have that fell for a step.
constexpr double kForbiddenShare = 1e-6, kRoundingOfFall = 1e-20;
/// Approach slower than this part of one that would not bounce is left to the forces of the step.
constexpr double kSlowApproach = 1e-6;

double kineticOf(const Mechanism& m) {
  double sum = 0.0;
  for (const MechanismBody& b : m.bodies) sum += kineticEnergy(b);
  for (const MechanismJoint& j : m.joints) sum += energyOf(j).armatures;
  return sum;
}

Placement placementIn(const Mechanism& m, std::uint32_t b) {
  return b == kWorldBody ? Placement{} : placementOf(m.bodies[b]);
}

/// Whether a limit is passed within the step at the present rates; of those that throw back, if
/// only these are asked for.
bool meetsLimit(const Mechanism& m, double dt, bool bouncing, double slowest) {
  for (const MechanismJoint& j : m.joints) {
    for (int r = 0; r < j.model->numRows; ++r) {
      const auto at = static_cast<std::size_t>(r);
      const JointRow& row = j.model->rows[at];
      if (!isAxisKind(row.kind)) continue;
      const JointLimits& limits = (*j.axes)[row.axis].limits;
      if (!isFinite(limits.lower) && !isFinite(limits.upper)) continue;
      if (bouncing && !(limits.restitution > 0.0)) continue;
      JointRates rates;
      rowRates(*j.model, placementIn(m, j.body1), placementIn(m, j.body2),
               2.0 * j.memory.position[at], rates);
      const auto rate = [&](const Vec6& row6, std::uint32_t b) {
        return b == kWorldBody ? 0.0 : dot(row6, toVec6(m.bodies[b].velocity, m.bodies[b].spin));
      };
      const double u = rate(rates.j1.row[r], j.body1) + rate(rates.j2.row[r], j.body2);
      const double s = j.memory.position[at];
      if (bouncing && !(absOf(u) > slowest)) continue;
      if (u < 0.0 && s + u * dt < limits.lower) return true;
      if (u > 0.0 && s + u * dt > limits.upper) return true;
    }
  }
  return false;
}

/// Kinetic energy of what joints do not allow, if each of their rows had it alone.
double forbiddenEnergy(const Mechanism& m) {
  double sum = 0.0;
  for (const MechanismJoint& j : m.joints) {
    JointRates rates;
    rowRates(*j.model, placementIn(m, j.body1), placementIn(m, j.body2), 0.0, rates);
    for (int r = 0; r < j.model->numRows; ++r) {
      if (isAxisKind(j.model->rows[static_cast<std::size_t>(r)].kind)) continue;
      double rate = 0.0, response = 0.0;
      for (const bool isFirst : {true, false}) {
        const std::uint32_t b = isFirst ? j.body1 : j.body2;
        if (b == kWorldBody) continue;
        const MechanismBody& body = m.bodies[b];
        const Vec6& row = isFirst ? rates.j1.row[r] : rates.j2.row[r];
        rate += dot(row, toVec6(body.velocity, body.spin));
        if (!body.isMobile) continue;
        const Vec3 a = transposeTimes(toMatrix(body.orientation), angularPart(row));
        response += squaredNorm(linearPart(row)) / body.mass + dot(a, inverse(body.inertia) * a);
      }
      if (response > 0.0) sum += 0.5 * rate * rate / response;
    }
  }
  return sum;
}

}  // namespace

/// Whether something approaches that is to be stopped before forces act.
bool JointedIsland::mustSettle(const IslandSetting& setting) const {
  if (setting.isFresh) return true;
  for (std::size_t i = 0; i < count_; ++i) {
    if (meetsLimit(mechanisms_[i], setting.dt, false, 0.0)) return true;
  }
  double forbidden = 0.0, kinetic = 0.0, mass = 0.0;
  for (std::size_t i = 0; i < count_; ++i) {
    forbidden += forbiddenEnergy(mechanisms_[i]);
    kinetic += kineticOf(mechanisms_[i]);
    for (const MechanismBody& b : mechanisms_[i].bodies) mass += b.isMobile ? b.mass : 0.0;
  }
  if (forbidden > kForbiddenShare * kinetic +
                      kRoundingOfFall * setting.slowestImpact * setting.slowestImpact * mass) {
    return true;
  }
  for (const JointedContact& c : contacts) {
    const double allowed = maxOf(0.0, c.gap) / setting.dt + kSlowApproach * setting.slowestImpact;
    if (startVelocity(c).x < -allowed) return true;
  }
  return false;
}

/// Whether something is thrown back.
bool JointedIsland::mustBounce(const IslandSetting& setting) const {
  if (setting.isFresh) return true;
  for (std::size_t i = 0; i < count_; ++i) {
    if (meetsLimit(mechanisms_[i], setting.dt, true, setting.slowestImpact)) return true;
  }
  for (const JointedContact& c : contacts) {
    if (!(c.restitution > 0.0)) continue;
    const double u = startVelocity(c).x;
    if (u < -setting.slowestImpact && u < -maxOf(0.0, c.gap) / setting.dt) return true;
  }
  return false;
}

void JointedIsland::settleImpacts(const IslandSetting& setting, ContactSolver& solver) {
  save();
  double before = 0.0, after = 0.0;
  for (std::size_t i = 0; i < count_; ++i) before += kineticOf(mechanisms_[i]);
  bool bounces = false, given = false;
  for (const JointedContact& c : contacts) {
    bounces = bounces || c.restitution > 0.0;
    for (const JointedContact::Side& s : {c.side1, c.side2}) {
      given = given || s.given.linear != Vec3{} || s.given.angular != Vec3{};
    }
    given = given || c.offset != Vec3{};
  }
  const auto keep = [this] {
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      contacts[k].impact = rows_.impulses[k];
      contacts[k].impactVelocity = (start_at_[k] + startVelocity(contacts[k])) * 0.5;
    }
    for (const CoupleRow& row : rows_.couples) {
      contacts[row.contact].impactCouple = contacts[row.contact].impactTurning = {};
    }
    for (std::size_t k = 0; k < rows_.couples.size(); ++k) {
      JointedContact& c = contacts[rows_.couples[k].contact];
      const Vec3 now = startTurning(c);
      const Vec3 end = rows_.couples[k].isSpin ? Vec3{now.x, 0.0, 0.0} : Vec3{0.0, now.y, now.z};
      c.impactCouple += rows_.coupleOf(k, rows_.impulses);
      c.impactTurning += (rows_.coupleOf(k, start_at_) + end) * 0.5;
    }
  };
  if (!solveVelocities(setting, solver, true)) {
    goBack();
    return;
  }
  for (std::size_t i = 0; i < count_; ++i) after += kineticOf(mechanisms_[i]);
  // Where impacts act on each other through joints and friction, throwing each back by its own
  // approach may make energy: then nothing is thrown back.
  if (!bounces || given || after <= before) {
    keep();
    return;
  }
  goBack();
  if (solveVelocities(setting, solver, false)) {
    keep();
  } else {
    goBack();
  }
}

/// Limits that would be passed within the step at the rates of the last linearise(), each with the
/// rate that it asks for. True if there are new ones.
bool JointedIsland::addImpactLimits(const IslandSetting& setting, bool bounces) {
  bool any = false;
  forLimitedAxes([&](std::uint32_t i, std::uint32_t j, std::uint8_t row, const JointAxis& axis) {
    const MechanismJoint& joint = mechanisms_[i].joints[j];
    const std::size_t at = row;
    const double s = joint.memory.position[at], u = steps_[i].axisRate(j, at);
    const double start = steps_[i].axisStartRate(j, at);
    const auto add = [&](bool isUpper, double gap, double approach, double first) {
      if (!(approach > 0.0) || !(gap - approach * setting.dt < 0.0)) return;
      const double e = bounces && first > setting.slowestImpact ? axis.limits.restitution : 0.0;
      const double bound = e > 0.0 ? e * first : -maxOf(0.0, gap) / setting.dt;
      const LimitRow limit{i, j, row, isUpper, bound};
      any = rows_.addLimit(limit, 0.0) || any;
    };
    if (isFinite(axis.limits.lower)) add(false, s - axis.limits.lower, -u, -start);
    if (isFinite(axis.limits.upper)) add(true, axis.limits.upper - s, u, start);
  });
  return any;
}

/// False if there are none; impulses are then in the rows, velocities in the mechanisms.
bool JointedIsland::solveVelocities(const IslandSetting& setting, ContactSolver& solver,
                                    bool bounces) {
  const std::size_t n = contacts.size();
  MotionSetting motion;
  motion.kind = MotionKind::Impact;
  motion.dt = setting.dt;
  motion.slowestImpact = setting.slowestImpact;
  motion.hasLimitsApart = true;
  beginSteps(motion);
  rows_.begin(contacts, {steps_.data(), count_}, *crew_);
  startTurnings();
  for (std::size_t k = 0; k < n; ++k) {
    const JointedContact& c = contacts[k];
    start_at_[k] = startVelocity(c);
    const double u = start_at_[k].x;
    double& bound = rows_.bounds[k];
    bound = -maxOf(0.0, c.gap) / setting.dt;
    const bool isThrown = bounces && c.restitution > 0.0 && u < -setting.slowestImpact;
    if (isThrown && u < bound) bound = -c.restitution * u;
  }
  double last = 0.0;
  for (int i = 0; i < kMaxImpactSteps; ++i) {
    if (!linearise()) return false;
    const bool grows = addImpactLimits(setting, bounces);
    rows_.refresh();
    // Places do not change: nor does the response.
    if (i == 0 || grows) rows_.buildMatrix(1.0, isSwept(setting, 1.0));
    predict();
    rows_.velocities(true, velocities_);
    const SolverReport r = rows_.solve(velocities_, innerOptions(setting.solver, 1.0), solver);
    report_.sweeps += r.sweeps;
    report_.newtonSteps += r.newtonSteps + 1;
    predict();
    const double change = advance();
    if (!isFinite(change)) return false;
    if (!grows && (change <= MeanStep::kSettled || (i > 1 && change >= 0.5 * last))) break;
    last = change;
  }
  finishSteps();
  return true;
}

}  // namespace abut::inline v0_1
