// SPDX-License-Identifier: MIT
#include "joints/jointed_island.hpp"

#include <algorithm>

#include "joints/cayley.hpp"

namespace abut {
namespace {

/// Positions by the new velocity: see MotionSetting::share.
constexpr double kEnd = 1.0;
/// Iterations of joints and contacts together.
constexpr int kMaxSteps = 60;
constexpr int kMaxImpactSteps = 8;
/// After so many of them, and once changes are so small in units of rounding (a millionth),
/// contacts keep their impulses, and joints come to rest under these: sooner where contacts are
/// solved to a coarse tolerance.
constexpr int kContactSteps = 40, kCoarseContactSteps = 12;
constexpr double kCoarse = 1e-7, kNear = 4e9;
/// Changes that are left after them may be so large, in units of rounding, where contacts are
/// solved to a tolerance only: a billionth.
constexpr double kAcceptable = 4e6;

/// What rounding leaves of a mechanism's response to its contacts: impulses are not to be had more
/// precisely.
constexpr double kRoundingOfResponse = 1e-11;

/// Where joints let a contact hardly move, as along a hinge, its impulse is not determined: in each
/// iteration contacts give way to changes of their impulses by this part of what they would without
/// joints. Nothing of it is left when impulses have settled.
constexpr double kProximal = 1e-5;
/// Velocities that joints do not allow are taken away where they have this share of the energy, and
/// more than this part of what bodies have that fell for a step.
constexpr double kForbiddenShare = 1e-6, kRoundingOfFall = 1e-20;
/// Approach slower than this part of one that would not bounce is left to the forces of the step.
constexpr double kSlowApproach = 1e-6;

const Vec3& axisOf(const JointedContact& c, int direction) {
  return direction == 0 ? c.normal : (direction == 1 ? c.tangent1 : c.tangent2);
}

Vec6 wrench(const Vec3& arm, const Vec3& force) {
  return toVec6(force, cross(arm, force));
}

Vec3 pointVelocity(const Vec6& v, const Vec3& arm) {
  return linearPart(v) + cross(angularPart(v), arm);
}

Vec3 inFrame(const JointedContact& c, const Vec3& v) {
  return {dot(c.normal, v), dot(c.tangent1, v), dot(c.tangent2, v)};
}

double kineticOf(const Mechanism& m) {
  double sum = 0.0;
  for (const MechanismBody& b : m.bodies) sum += kineticEnergy(b);
  for (const MechanismJoint& j : m.joints) sum += energyOf(j).armatures;
  return sum;
}

/// Whether a limit is passed within the step at the present rates.
bool meetsLimit(const Mechanism& m, double dt) {
  for (const MechanismJoint& j : m.joints) {
    for (int r = 0; r < j.model->numRows; ++r) {
      const auto at = static_cast<std::size_t>(r);
      const JointRow& row = j.model->rows[at];
      if (!isAxisKind(row.kind)) continue;
      const JointLimits& limits = (*j.axes)[row.axis].limits;
      if (!isFinite(limits.lower) && !isFinite(limits.upper)) continue;
      JointRates rates;
      const auto place = [&](std::uint32_t b) {
        return b == kWorldBody ? Placement{} : placementOf(m.bodies[b]);
      };
      rowRates(*j.model, place(j.body1), place(j.body2), 2.0 * j.memory.position[at], rates);
      const auto rate = [&](const Vec6& row6, std::uint32_t b) {
        return b == kWorldBody ? 0.0 : dot(row6, toVec6(m.bodies[b].velocity, m.bodies[b].spin));
      };
      const double u = rate(rates.j1.row[r], j.body1) + rate(rates.j2.row[r], j.body2);
      const double s = j.memory.position[at];
      if (u < 0.0 && s + u * dt < limits.lower) return true;
      if (u > 0.0 && s + u * dt > limits.upper) return true;
    }
  }
  return false;
}

/// Kinetic energy of what joints do not allow, if each of their rows had it alone.
double forbiddenEnergy(const Mechanism& m) {
  double sum = 0.0;
  const auto place = [&](std::uint32_t b) {
    return b == kWorldBody ? Placement{} : placementOf(m.bodies[b]);
  };
  for (const MechanismJoint& j : m.joints) {
    JointRates rates;
    rowRates(*j.model, place(j.body1), place(j.body2), 0.0, rates);
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

void JointedIsland::begin(std::size_t mechanisms) {
  count_ = mechanisms;
  if (mechanisms_.size() < count_) mechanisms_.resize(count_);
  if (steps_.size() < count_) steps_.resize(count_);
  if (starts_.size() < count_) {
    starts_.resize(count_);
    pushes_.resize(count_);
    displacements_.resize(count_);
    contactsOf_.resize(count_);
    saved_.resize(count_);
  }
  for (std::size_t i = 0; i < count_; ++i) mechanisms_[i].clear();
  contacts.clear();
}

void JointedIsland::save() {
  for (std::size_t i = 0; i < count_; ++i) saved_[i] = mechanisms_[i];
}

void JointedIsland::goBack() {
  for (std::size_t i = 0; i < count_; ++i) mechanisms_[i] = saved_[i];
}

void JointedIsland::closeGaps() {
  springCorrection_ = 0.0;
  for (std::size_t i = 0; i < count_; ++i) {
    Mechanism& m = mechanisms_[i];
    for (MechanismJoint& j : m.joints) j.outcome = {};
    if (greatestGap(m) > kSmallGap) {
      for (const MechanismJoint& j : m.joints) springCorrection_ -= energyOf(j).springs;
      report_.converged = stepper_.closeGaps(m) && report_.converged;
      for (const MechanismJoint& j : m.joints) springCorrection_ += energyOf(j).springs;
    }
    starts_[i] = m.bodies;
  }
}

IslandReport JointedIsland::run(const IslandSetting& setting, ContactSolver& solver) {
  report_ = {};
  closeGaps();
  if (contacts.empty()) {
    for (std::size_t i = 0; i < count_; ++i) {
      const MechanismReport r =
          stepper_.run(mechanisms_[i], {setting.dt, setting.mostTurn, setting.isFourthOrder,
                                        setting.slowestImpact, setting.isFresh});
      report_.newtonSteps += r.newtonSteps;
      report_.halvings += r.halvings;
      report_.converged = report_.converged && r.converged;
    }
    return report_;
  }
  findPatterns();
  if (mustSettle(setting)) settleImpacts(setting, solver);
  save();
  if (solveForces(setting, solver, setting.share)) return report_;
  if (setting.share < kEnd) {
    goBack();
    if (solveForces(setting, solver, kEnd)) return report_;
  }
  report_.converged = false;
  return report_;
}

/// Which contacts share a mechanism: the pattern of their matrix.
void JointedIsland::findPatterns() {
  for (std::size_t i = 0; i < count_; ++i) contactsOf_[i].clear();
  for (std::uint32_t k = 0; k < contacts.size(); ++k) {
    const JointedContact& c = contacts[k];
    if (c.side1.mechanism != kWorldBody) contactsOf_[c.side1.mechanism].push_back(k);
    if (c.side2.mechanism != kWorldBody && c.side2.mechanism != c.side1.mechanism) {
      contactsOf_[c.side2.mechanism].push_back(k);
    }
  }
  rowStart_.assign(1, 0);
  column_.clear();
  for (const JointedContact& c : contacts) {
    const std::size_t first = column_.size();
    const auto begin = [&] { return column_.begin() + static_cast<std::ptrdiff_t>(first); };
    for (const std::uint32_t m : {c.side1.mechanism, c.side2.mechanism}) {
      if (m == kWorldBody) continue;
      column_.insert(column_.end(), contactsOf_[m].begin(), contactsOf_[m].end());
    }
    std::sort(begin(), column_.end());
    column_.erase(std::unique(begin(), column_.end()), column_.end());
    rowStart_.push_back(static_cast<std::uint32_t>(column_.size()));
  }
  block_.resize(column_.size());
}

/// Relative velocity of a contact by the present mean velocities, or by those without contacts.
Vec3 JointedIsland::relative(const JointedContact& c, bool isFree) const {
  const auto at = [&](const JointedContact::Side& s) {
    if (s.mechanism == kWorldBody) return s.given.linear + cross(s.given.angular, s.arm);
    const MeanStep& step = steps_[s.mechanism];
    return pointVelocity(isFree ? step.freeVelocity(s.body) : step.velocity(s.body), s.arm);
  };
  return inFrame(c, (at(c.side1) - at(c.side2)) + c.offset);
}

Vec3 JointedIsland::startVelocity(const JointedContact& c) const {
  const auto at = [&](const JointedContact::Side& s) {
    if (s.mechanism == kWorldBody) return s.given.linear + cross(s.given.angular, s.arm);
    const MechanismBody& b = mechanisms_[s.mechanism].bodies[s.body];
    return b.velocity + cross(b.spin, s.arm);
  };
  return inFrame(c, (at(c.side1) - at(c.side2)) + c.offset);
}

bool JointedIsland::linearise() {
  for (std::size_t i = 0; i < count_; ++i) {
    if (!steps_[i].linearise()) return false;
  }
  return true;
}

/// Velocities at all contacts of a mechanism that answer a unit impulse at one of them.
void JointedIsland::addColumn(std::uint32_t k, int direction, std::uint32_t m) {
  const JointedContact& c = contacts[k];
  const MeanStep& step = steps_[m];
  nodes_.assign(step.numNodes(), Vec6{});
  const Vec3& axis = axisOf(c, direction);
  const auto push = [&](const JointedContact::Side& s, double sign) {
    if (s.mechanism != m) return;
    nodes_[s.body] = nodes_[s.body] + step.free(s.body, wrench(s.arm, axis) * sign);
  };
  push(c.side1, 1.0);
  push(c.side2, -1.0);
  step.respond(nodes_);
  for (const std::uint32_t i : contactsOf_[m]) {
    const JointedContact& other = contacts[i];
    Vec3 u;
    if (other.side1.mechanism == m) {
      u += pointVelocity(nodes_[other.side1.body], other.side1.arm);
    }
    if (other.side2.mechanism == m) {
      u -= pointVelocity(nodes_[other.side2.body], other.side2.arm);
    }
    const Vec3 answer = inFrame(other, u);
    const auto begin = column_.begin() + rowStart_[i], end = column_.begin() + rowStart_[i + 1];
    const auto at = static_cast<std::size_t>(std::lower_bound(begin, end, k) - column_.begin());
    const auto d = static_cast<std::size_t>(direction);
    block_[at][d] += answer.x;
    block_[at][3 + d] += answer.y;
    block_[at][6 + d] += answer.z;
  }
}

void JointedIsland::buildMatrix(double share) {
  std::fill(block_.begin(), block_.end(), std::array<double, 9>{});
  for (std::uint32_t m = 0; m < count_; ++m) {
    for (const std::uint32_t k : contactsOf_[m]) {
      for (int direction = 0; direction < 3; ++direction) addColumn(k, direction, m);
    }
  }
  for (std::array<double, 9>& b : block_) {
    for (double& entry : b) entry /= share;
  }
  softness_.resize(contacts.size());
  for (std::uint32_t k = 0; k < contacts.size(); ++k) {
    const auto begin = column_.begin() + rowStart_[k], end = column_.begin() + rowStart_[k + 1];
    const auto at = static_cast<std::size_t>(std::lower_bound(begin, end, k) - column_.begin());
    softness_[k] = kProximal * freeResponse(contacts[k]) / share;
    // A contact that nothing can answer takes no part.
    if (!(softness_[k] > 0.0)) block_[at][0] = block_[at][4] = block_[at][8] = 1.0;
    for (const std::size_t d : {0, 4, 8}) block_[at][d] += softness_[k];
  }
}

/// Greatest response of a contact's velocity to its impulse if no joint held its bodies.
double JointedIsland::freeResponse(const JointedContact& c) const {
  double most = 0.0;
  for (int direction = 0; direction < 3; ++direction) {
    double sum = 0.0;
    for (const JointedContact::Side& s : {c.side1, c.side2}) {
      if (s.mechanism == kWorldBody) continue;
      sum += steps_[s.mechanism].responseOf(wrench(s.arm, axisOf(c, direction)), s.body);
    }
    most = maxOf(most, sum);
  }
  return most;
}

/// Impulses of all contacts for the velocities of the last linearise().
void JointedIsland::solveContacts(const SolverOptions& options, ContactSolver& solver) {
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    free_[k] -= impulses_[k] * softness_[k];
    if (!(softness_[k] > 0.0)) free_[k] = {1.0, 0.0, 0.0};
  }
  const DelassusProblem problem{rowStart_, column_, block_, free_, friction_};
  velocities_.resize(contacts.size());
  SolverOptions wanted = options;
  wanted.tolerance = maxOf(wanted.tolerance, kRoundingOfResponse);
  const SolverReport r = solver.solve(problem, wanted, impulses_, velocities_);
  report_.sweeps += r.sweeps;
  report_.newtonSteps += r.newtonSteps;
  report_.error = r.error;
  report_.worstContact = r.worstContact;
}

double JointedIsland::advance() {
  for (std::size_t i = 0; i < count_; ++i) {
    pushes_[i].assign(mechanisms_[i].bodies.size(), Vec6{});
  }
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const JointedContact& c = contacts[k];
    const Vec3& p = impulses_[k];
    const Vec3 push = (c.normal * p.x + c.tangent1 * p.y) + c.tangent2 * p.z;
    const auto add = [&](const JointedContact::Side& s, double sign) {
      if (s.mechanism == kWorldBody) return;
      Vec6& sum = pushes_[s.mechanism][s.body];
      sum = sum + wrench(s.arm, push) * sign;
    };
    add(c.side1, 1.0);
    add(c.side2, -1.0);
  }
  double change = 0.0;
  for (std::size_t i = 0; i < count_; ++i) {
    change = maxOf(change, steps_[i].advance(pushes_[i]));
  }
  return change;
}

/// Whether something approaches that is to be stopped before forces act.
bool JointedIsland::mustSettle(const IslandSetting& setting) const {
  if (setting.isFresh) return true;
  for (std::size_t i = 0; i < count_; ++i) {
    if (meetsLimit(mechanisms_[i], setting.dt)) return true;
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
  if (!tryImpacts(setting, solver, true)) {
    goBack();
    return;
  }
  for (std::size_t i = 0; i < count_; ++i) after += kineticOf(mechanisms_[i]);
  // Where impacts act on each other through joints and friction, throwing each back by its own
  // approach may make energy: then nothing is thrown back.
  if (!bounces || given || after <= before) return;
  goBack();
  tryImpacts(setting, solver, false);
}

/// Velocities that joints, limits and contacts allow, at the beginning of the step.
bool JointedIsland::tryImpacts(const IslandSetting& setting, ContactSolver& solver, bool bounces) {
  const std::size_t n = contacts.size();
  MotionSetting motion;
  motion.kind = MotionKind::Impact;
  motion.dt = setting.dt;
  motion.slowestImpact = setting.slowestImpact;
  startAt_.resize(n);
  bound_.resize(n);
  friction_.resize(n);
  free_.resize(n);
  impulses_.assign(n, Vec3{});
  for (std::size_t k = 0; k < n; ++k) {
    const JointedContact& c = contacts[k];
    startAt_[k] = startVelocity(c);
    const double u = startAt_[k].x;
    bound_[k] = -maxOf(0.0, c.gap) / setting.dt;
    const bool isThrown = bounces && c.restitution > 0.0 && u < -setting.slowestImpact;
    if (isThrown && u < bound_[k]) bound_[k] = -c.restitution * u;
    friction_[k] = c.friction;
  }
  for (std::size_t i = 0; i < count_; ++i) steps_[i].begin(mechanisms_[i], motion);
  double last = 0.0;
  for (int i = 0; i < kMaxImpactSteps; ++i) {
    if (!linearise()) return false;
    buildMatrix(1.0);
    for (std::size_t k = 0; k < n; ++k) {
      free_[k] = relative(contacts[k], true);
      free_[k].x -= bound_[k];
    }
    solveContacts(setting.solver, solver);
    const double change = advance();
    ++report_.newtonSteps;
    if (!isFinite(change)) return false;
    if (change <= MeanStep::kSettled || (i > 1 && change >= 0.5 * last)) break;
    last = change;
  }
  for (std::size_t i = 0; i < count_; ++i) steps_[i].finish();
  for (std::size_t k = 0; k < n; ++k) {
    contacts[k].impact = impulses_[k];
    contacts[k].impactVelocity = (startAt_[k] + startVelocity(contacts[k])) * 0.5;
  }
  return true;
}

/// Mean velocities of the step, with contacts.
bool JointedIsland::solveForces(const IslandSetting& setting, ContactSolver& solver, double share) {
  const std::size_t n = contacts.size();
  MotionSetting motion;
  motion.dt = setting.dt;
  motion.share = share;
  startAt_.resize(n);
  bound_.resize(n);
  friction_.resize(n);
  free_.resize(n);
  impulses_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    const JointedContact& c = contacts[k];
    startAt_[k] = startVelocity(c);
    // The gap at the end, by the mean of the velocities, must not be negative.
    const double u = startAt_[k].x;
    bound_[k] = minOf(0.0, u + (-c.gap / setting.dt - u) / share);
    friction_[k] = c.friction;
    impulses_[k] = c.impulse;
  }
  for (std::size_t i = 0; i < count_; ++i) steps_[i].begin(mechanisms_[i], motion);
  double last = 0.0, change = 0.0;
  bool converged = false;
  bool isKept = false;
  // Impulses that are known to a tolerance only would keep the joints from settling.
  const int contactSteps = setting.solver.tolerance > kCoarse ? kCoarseContactSteps : kContactSteps;
  for (int i = 0; i < kMaxSteps && !converged; ++i) {
    if (!linearise()) return false;
    isKept = isKept || (i >= contactSteps && last < kNear);
    if (!isKept) {
      buildMatrix(share);
      for (std::size_t k = 0; k < n; ++k) {
        const Vec3 mean = relative(contacts[k], true);
        free_[k] = startAt_[k] + (mean - startAt_[k]) * (1.0 / share);
        free_[k].x -= bound_[k];
      }
      solveContacts(setting.solver, solver);
    }
    change = advance();
    ++report_.newtonSteps;
    if (!isFinite(change)) return false;
    const bool stands = i > 0 && change >= 0.5 * last && change < MeanStep::kNearlySettled;
    converged = change <= MeanStep::kSettled || stands;
    last = change;
  }
  converged = converged || change < kAcceptable;
  if (!converged && share < kEnd) return false;
  for (std::size_t k = 0; k < n; ++k) {
    contacts[k].impulse = impulses_[k];
    contacts[k].meanVelocity = relative(contacts[k], false);
  }
  for (std::size_t i = 0; i < count_; ++i) steps_[i].finish();
  return converged;
}

bool JointedIsland::correct(const IslandSetting& setting, ContactSolver& solver) {
  bool isDeep = false;
  for (const JointedContact& c : contacts) isDeep = isDeep || c.correction > 0.0;
  if (!isDeep) return false;
  const std::size_t n = contacts.size();
  MotionSetting motion;
  motion.kind = MotionKind::Gaps;
  for (std::size_t i = 0; i < count_; ++i) steps_[i].begin(mechanisms_[i], motion);
  if (!linearise()) return false;
  buildMatrix(1.0);
  free_.resize(n);
  impulses_.assign(n, Vec3{});
  friction_.assign(n, 0.0);
  double sum = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    const JointedContact& c = contacts[k];
    const double wanted = c.correction > 0.0 ? c.correction : -maxOf(0.0, c.gap);
    sum += c.correction;
    // Displacements of what is not in a mechanism are none.
    const auto shift = [&](const JointedContact::Side& s) {
      if (s.mechanism == kWorldBody) return Vec3{};
      return pointVelocity(steps_[s.mechanism].freeVelocity(s.body), s.arm);
    };
    free_[k] = inFrame(c, shift(c.side1) - shift(c.side2));
    free_[k].x -= wanted;
  }
  solveContacts(setting.solver, solver);
  advance();
  double longest = 0.0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    displacements_[i].resize(mechanisms_[i].bodies.size());
    for (std::uint32_t b = 0; b < mechanisms_[i].bodies.size(); ++b) {
      displacements_[i][b] = mechanisms_[i].bodies[b].isMobile ? steps_[i].velocity(b) : Vec6{};
      longest = maxOf(longest, norm(linearPart(displacements_[i][b])));
    }
  }
  // No body needs to go farther than all contacts ask for together.
  return longest <= 2.0 * sum;
}

}  // namespace abut
