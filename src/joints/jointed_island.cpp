// SPDX-License-Identifier: MIT
#include "joints/jointed_island.hpp"

#include "joints/cayley.hpp"

namespace abut {
namespace {

/// Positions by the new velocity: see MotionSetting::share.
constexpr double kEnd = 1.0;
/// No body needs to go farther than all contacts ask for together, up to this factor.
constexpr double kMostDisplaced = 2.0;
/// Gaps that the correction leaves in joints where contacts are many [m].
constexpr double kClosed = 1e-11;

}  // namespace

void JointedIsland::begin(std::size_t mechanisms) {
  count_ = mechanisms;
  if (mechanisms_.size() < count_) {
    mechanisms_.resize(count_);
    saved_.resize(count_);
    steps_.resize(count_);
    starts_.resize(count_);
    ends_.resize(count_);
    start_armatures_.resize(count_);
    pushes_.resize(count_);
  }
  is_stepped_.assign(count_, 0);
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
  for (std::size_t i = 0; i < count_; ++i) {
    Mechanism& m = mechanisms_[i];
    for (MechanismJoint& j : m.joints) j.outcome = {};
    if (greatestGap(m) > kSmallGap) {
      for (const MechanismJoint& j : m.joints) spring_correction_ -= energyOf(j).springs;
      report_.converged = stepper_.closeGaps(m) && report_.converged;
      for (const MechanismJoint& j : m.joints) spring_correction_ += energyOf(j).springs;
    }
    starts_[i] = m.bodies;
    start_armatures_[i].clear();
    for (const MechanismJoint& j : m.joints) start_armatures_[i].push_back(energyOf(j).armatures);
  }
}

IslandReport JointedIsland::run(const IslandSetting& setting, ContactSolver& solver) {
  report_ = {};
  spring_correction_ = taken_ = 0.0;
  closeGaps();
  const Balance before = balance();
  if (contacts.empty()) {
    runAlone(setting);
  } else {
    runTouching(setting, solver);
  }
  for (std::size_t i = 0; i < count_; ++i) ends_[i] = mechanisms_[i].bodies;
  // What nothing touches keeps its energy by the equations of its step, if these were solved.
  if (!contacts.empty() || !report_.converged) limitGain(setting, before);
  if (!contacts.empty()) correct(setting, solver);
  return report_;
}

void JointedIsland::runAlone(const IslandSetting& setting) {
  for (std::size_t i = 0; i < count_; ++i) {
    const MechanismReport r =
        stepper_.run(mechanisms_[i], {setting.dt, setting.mostTurn, setting.isFourthOrder,
                                      setting.slowestImpact, setting.isFresh});
    report_.newtonSteps += r.newtonSteps;
    report_.halvings += r.halvings;
    report_.converged = report_.converged && r.converged;
  }
}

void JointedIsland::runTouching(const IslandSetting& setting, ContactSolver& solver) {
  // By the new velocity impacts are part of the step: only what is thrown back comes before it.
  const bool isApart = setting.share < kEnd ? mustSettle(setting) : mustBounce(setting);
  if (isApart) settleImpacts(setting, solver);
  save();
  if (solveForces(setting, solver, setting.share)) return;
  goBack();
  if (setting.share < kEnd) {
    if (solveForces(setting, solver, kEnd)) return;
    goBack();
  }
  report_.converged = false;
  project(setting, solver);
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

/// Velocities that the present impulses lead to.
void JointedIsland::predict() {
  rows_.pushes(true, pushes_);
  for (std::size_t i = 0; i < count_; ++i) steps_[i].predict(pushes_[i]);
}

double JointedIsland::advance() {
  double change = 0.0;
  for (std::size_t i = 0; i < count_; ++i) change = maxOf(change, steps_[i].advance());
  return change;
}

/// Makes the velocities found those of the mechanisms.
void JointedIsland::finishSteps() {
  rows_.pushes(false, pushes_);
  for (std::size_t i = 0; i < count_; ++i) steps_[i].setPushes(pushes_[i]);
  for (std::size_t k = 0; k < rows_.limits.size(); ++k) {
    const LimitRow& l = rows_.limits[k];
    const double p = rows_.impulses[contacts.size() + k].x;
    if (p != 0.0) steps_[l.mechanism].setLimit(l.joint, l.row, l.isUpper ? -p : p);
  }
  for (std::size_t i = 0; i < count_; ++i) {
    if (is_stepped_[i] == 0) steps_[i].finish();
  }
}

/// Displacements that take overlap out, and leave joints closed.
void JointedIsland::correct(const IslandSetting& setting, ContactSolver& solver) {
  double sum = 0.0;
  for (const JointedContact& c : contacts) sum += c.correction;
  if (!(sum > 0.0)) return;
  const bool isSweeping = isSwept(setting, kEnd);
  MotionSetting motion;
  motion.kind = MotionKind::Gaps;
  for (std::size_t i = 0; i < count_; ++i) steps_[i].begin(mechanisms_[i], motion);
  if (!linearise()) return;
  rows_.begin(contacts, {steps_.data(), count_});
  rows_.isFrictionless = true;
  rows_.refresh();
  rows_.buildMatrix(1.0, isSweeping);
  predict();
  rows_.velocities(true, velocities_);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const JointedContact& c = contacts[k];
    // What is not in a mechanism is not displaced.
    velocities_[k] -= rows_.givenOf(k);
    rows_.bounds[k] = c.correction > 0.0 ? c.correction : -maxOf(0.0, c.gap);
  }
  rows_.solve(velocities_, innerOptions(setting.solver, 1.0), solver);
  predict();
  double longest = 0.0, lift = 0.0;
  bool isCrushed = false;
  for (const JointedContact& c : contacts) isCrushed = isCrushed || c.isCrushed;
  for (std::uint32_t i = 0; i < count_; ++i) {
    for (std::uint32_t b = 0; b < mechanisms_[i].bodies.size(); ++b) {
      const Vec3 way = linearPart(steps_[i].predicted(b));
      longest = maxOf(longest, norm(way));
      if (mechanisms_[i].bodies[b].isMobile) lift -= dot(mechanisms_[i].bodies[b].force, way);
    }
  }
  if (!(longest <= kMostDisplaced * sum)) return;
  const double most = mostLift();
  displaceAll(lift > most && !isCrushed ? most / lift : 1.0, isSweeping ? kClosed : kNoGap);
}

/// A share of the displacements that the steps predict.
void JointedIsland::displaceAll(double share, double enough) {
  if (!(share > 0.0)) return;
  double lift = 0.0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    Mechanism& m = mechanisms_[i];
    bool isPushed = false;
    for (const Vec6& p : pushes_[i]) isPushed = isPushed || dot(p, p) > 0.0;
    if (!isPushed) continue;
    double springs = 0.0;
    for (const MechanismJoint& j : m.joints) springs -= energyOf(j).springs;
    for (std::uint32_t b = 0; b < m.bodies.size(); ++b) {
      if (m.bodies[b].isMobile) displace(m.bodies[b], steps_[i].predicted(b) * share);
    }
    readPositions(m);
    report_.converged = stepper_.closeGaps(m, enough) && report_.converged;
    for (const MechanismJoint& j : m.joints) springs += energyOf(j).springs;
    spring_correction_ += springs;
    lift += springs;
    for (std::size_t b = 0; b < m.bodies.size(); ++b) {
      if (!m.bodies[b].isMobile) continue;
      lift -= dot(m.bodies[b].force, m.bodies[b].position - ends_[i][b].position);
    }
  }
  payForLift(lift);
}

}  // namespace abut
