// SPDX-License-Identifier: MIT
#include "joints/jointed_island.hpp"

#include "joints/cayley.hpp"

namespace abut::inline v0_1 {
namespace {

/// Positions by the new velocity: see MotionSetting::share.
constexpr double kMean = 0.5, kEnd = 1.0;
/// No body needs to go farther than all contacts ask for together, up to this factor.
constexpr double kMostDisplaced = 2.0;
/// Gaps that are closed after a step of the exact scheme [m or rad], if it took more than a few
/// Newton steps.
constexpr double kLeftOpen = 1e-13;
constexpr int kFewSteps = 6;
/// The same in real time: three rows of a point together stay below 1e-9 m.
constexpr double kLeftOpenInRealTime = 3e-10;
/// Gaps that the correction leaves in joints where contacts are many [m].
constexpr double kClosed = 1e-11;
/// Displacements by sweeps are as exact as this, or what this part of the sweeps makes them.
constexpr double kDisplacementTolerance = 1e-2;
constexpr int kDisplacementPart = 4;

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
    ways_.resize(count_);
  }
  is_stepped_.assign(count_, 0);
  settles_.assign(count_, 0);
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

IslandReport JointedIsland::run(const IslandSetting& setting, ContactSolver& solver, Crew& crew) {
  crew_ = &crew;
  report_ = {};
  spring_correction_ = taken_ = 0.0;
  closeGaps();
  const Balance before = balance();
  const bool isAlone = contacts.empty() && runAlone(setting);
  is_free_ = !isAlone && isFree();
  if (!isAlone) runTouching(setting, solver);
  for (std::size_t i = 0; i < count_; ++i) ends_[i] = mechanisms_[i].bodies;
  limitGain(setting, before);
  const bool isClosed = !contacts.empty() && correct(setting, solver);
  // Newton's method that came to its end slowly, or was not carried to it, may leave joints open.
  const bool isSweeping = isSwept(setting, setting.share);
  const bool isSlow = !report_.converged || report_.newtonSteps > kFewSteps;
  if (isSweeping && !isClosed) {
    closeSwept();
  } else if (isSlow && !isSweeping) {
    closeOpen(setting.share < kEnd ? kLeftOpen : kLeftOpenInRealTime);
  }
  if (is_free_) keepMomenta(setting.dt);
  return report_;
}

/// By the equations of its step alone, laws of axes included. False if they are not solved, as
/// where limits hold and let go in turn: then all is as before, and limits are to be rows beside
/// contacts.
bool JointedIsland::runAlone(const IslandSetting& setting) {
  save();
  bool isSolved = true;
  for (std::size_t i = 0; i < count_ && isSolved; ++i) {
    const MechanismReport r =
        stepper_.run(mechanisms_[i], {setting.dt, setting.mostTurn, setting.isFourthOrder,
                                      setting.slowestImpact, setting.isFresh});
    report_.newtonSteps += r.newtonSteps;
    report_.halvings += r.halvings;
    isSolved = r.converged;
  }
  if (!isSolved) goBack();
  return isSolved;
}

void JointedIsland::runTouching(const IslandSetting& setting, ContactSolver& solver) {
  const double share = contacts.empty() ? kMean : setting.share;
  // By the new velocity impacts are part of the step: only what is thrown back comes before it.
  const bool isApart = share < kEnd ? mustSettle(setting) : mustBounce(setting);
  if (isApart) settleImpacts(setting, solver);
  save();
  if (solveForces(setting, solver, share)) return;
  goBack();
  if (share < kEnd) {
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

Vec3 JointedIsland::startTurning(const JointedContact& c) const {
  const auto at = [&](const JointedContact::Side& s) {
    return s.mechanism == kWorldBody ? s.given.angular
                                     : mechanisms_[s.mechanism].bodies[s.body].spin;
  };
  return inFrame(c, at(c.side1) - at(c.side2));
}

/// Relative turning where contacts resist it, at the present velocities of the bodies.
void JointedIsland::startTurnings() {
  start_at_.resize(rows_.firstLimit());
  for (std::size_t k = 0; k < rows_.couples.size(); ++k) {
    const Vec3 w = startTurning(contacts[rows_.couples[k].contact]);
    start_at_[rows_.firstCouple() + k] =
        rows_.couples[k].isSpin ? Vec3{0.0, w.x, 0.0} : Vec3{0.0, w.y, w.z};
  }
}

/// Couples of the contacts, and a share of the turning that goes with them.
void JointedIsland::readCouples(std::span<const Vec3> velocities, double share) {
  for (const CoupleRow& row : rows_.couples) {
    contacts[row.contact].couple = contacts[row.contact].meanTurning = Vec3{};
  }
  for (std::size_t k = 0; k < rows_.couples.size(); ++k) {
    JointedContact& c = contacts[rows_.couples[k].contact];
    c.couple += rows_.coupleOf(k, rows_.impulses);
    c.meanTurning += rows_.coupleOf(k, velocities) * share;
  }
}

void JointedIsland::beginSteps(const MotionSetting& setting) {
  forMechanisms(
      [&](std::uint32_t i, Each&, Scratch&) { steps_[i].begin(mechanisms_[i], setting); });
}

bool JointedIsland::linearise() {
  forMechanisms(
      [&](std::uint32_t i, Each& each, Scratch&) { each.isSolved = steps_[i].linearise(); });
  return areSolved();
}

bool JointedIsland::areSolved() const {
  for (const Each& each : each_) {
    if (!each.isSolved) return false;
  }
  return true;
}

/// Velocities that the present impulses lead to.
void JointedIsland::predict() {
  rows_.pushes(true, pushes_);
  forMechanisms([&](std::uint32_t i, Each&, Scratch&) { steps_[i].predict(pushes_[i]); });
}

double JointedIsland::advance() {
  forMechanisms([&](std::uint32_t i, Each& each, Scratch&) { each.change = steps_[i].advance(); });
  return greatestChange();
}

/// Both, and linearise() if that is to follow, mechanism by mechanism: what one takes is read once.
double JointedIsland::predictAndAdvance(bool linearises) {
  rows_.pushes(true, pushes_);
  forMechanisms([&](std::uint32_t i, Each& each, Scratch&) {
    steps_[i].predict(pushes_[i]);
    each.change = steps_[i].advance();
    if (linearises) each.isSolved = steps_[i].linearise();
  });
  return greatestChange();
}

double JointedIsland::greatestChange() const {
  double change = 0.0;
  for (const Each& each : each_) change = maxOf(change, each.change);
  return change;
}

/// Makes the velocities found those of the mechanisms.
void JointedIsland::finishSteps() {
  rows_.pushes(false, pushes_);
  for (std::size_t i = 0; i < count_; ++i) steps_[i].setPushes(pushes_[i]);
  for (std::size_t k = 0; k < rows_.limits.size(); ++k) {
    const LimitRow& l = rows_.limits[k];
    const double p = rows_.impulses[rows_.firstLimit() + k].x;
    if (p != 0.0) steps_[l.mechanism].setLimit(l.joint, l.row, l.isUpper ? -p : p);
  }
  forMechanisms([&](std::uint32_t i, Each&, Scratch&) {
    if (is_stepped_[i] == 0) steps_[i].finish();
  });
}

/// Displacements that take overlap out, and leave joints closed. False if they do nothing; where
/// contacts are swept, true means that all joints are closed.
bool JointedIsland::correct(const IslandSetting& setting, ContactSolver& solver) {
  double sum = 0.0;
  for (const JointedContact& c : contacts) sum += c.correction;
  if (!(sum > 0.0)) return false;
  const bool isSweeping = isSwept(setting, setting.share);
  if (!(isSweeping && findWaysBySweeps(setting, solver)) && !findWays(setting, solver)) {
    return false;
  }
  double longest = 0.0, lift = 0.0;
  bool isCrushed = false;
  for (const JointedContact& c : contacts) isCrushed = isCrushed || c.isCrushed;
  for (std::uint32_t i = 0; i < count_; ++i) {
    for (std::uint32_t b = 0; b < mechanisms_[i].bodies.size(); ++b) {
      const Vec3 way = linearPart(ways_[i][b]);
      longest = maxOf(longest, norm(way));
      if (mechanisms_[i].bodies[b].isMobile) lift -= dot(mechanisms_[i].bodies[b].force, way);
    }
  }
  if (!(longest <= kMostDisplaced * sum)) return false;
  const double most = mostLift();
  const double share = lift > most && !isCrushed ? most / lift : 1.0;
  if (!(share > 0.0)) return false;
  displaceAll(share, isSweeping);
  return isSweeping;
}

/// Displacements of all bodies by which contacts leave their overlap.
bool JointedIsland::findWays(const IslandSetting& setting, ContactSolver& solver) {
  MotionSetting motion;
  motion.kind = MotionKind::Gaps;
  beginSteps(motion);
  if (!linearise()) return false;
  rows_.begin(contacts, {steps_.data(), count_}, *crew_);
  rows_.isFrictionless = true;
  rows_.refresh();
  rows_.buildMatrix(1.0, isSwept(setting, kEnd));
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
  for (std::uint32_t i = 0; i < count_; ++i) {
    ways_[i].clear();
    for (std::uint32_t b = 0; b < mechanisms_[i].bodies.size(); ++b) {
      ways_[i].push_back(steps_[i].predicted(b));
    }
  }
  return true;
}

/// The same by the response that the forces of the step were solved with: joints are closed after
/// it in any case. False if that is not known.
bool JointedIsland::findWaysBySweeps(const IslandSetting& setting, ContactSolver& solver) {
  if (!rows_.isForSweeps()) return false;
  rows_.restrictToDisplacements();
  velocities_.assign(rows_.size(), Vec3{});
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const JointedContact& c = contacts[k];
    rows_.bounds[k] = c.correction > 0.0 ? c.correction : -maxOf(0.0, c.gap);
  }
  SolverOptions options = setting.solver;
  options.tolerance = maxOf(options.tolerance, kDisplacementTolerance);
  options.maxSweeps = 1 + options.maxSweeps / kDisplacementPart;
  rows_.solve(velocities_, options, solver);
  rows_.pushes(true, pushes_);
  forMechanisms([&](std::uint32_t i, Each&, Scratch&) { steps_[i].answer(pushes_[i], ways_[i]); });
  return true;
}

/// A share of the displacements found, of mechanisms that contacts push; and joints closed, of all
/// of them where contacts are swept.
void JointedIsland::displaceAll(double share, bool isSweeping) {
  forMechanisms([&](std::uint32_t i, Each& each, Scratch& scratch) {
    Mechanism& m = mechanisms_[i];
    bool isPushed = false;
    for (const Vec6& p : pushes_[i]) isPushed = isPushed || dot(p, p) > 0.0;
    if (!isPushed && !(isSweeping && greatestGap(m) > kLeftOpenInRealTime)) return;
    for (const MechanismJoint& j : m.joints) each.springs -= energyOf(j).springs;
    for (std::uint32_t b = 0; b < m.bodies.size() && isPushed; ++b) {
      if (m.bodies[b].isMobile) displace(m.bodies[b], ways_[i][b] * share);
    }
    readPositions(m);
    close(i, isSweeping, each, scratch);
  });
  sumUpClosings();
}

/// Closes the joints of a mechanism that may have been displaced since the step; what springs had
/// before is taken off already.
void JointedIsland::close(std::uint32_t i, bool isSweeping, Each& each, Scratch& scratch) {
  Mechanism& m = mechanisms_[i];
  each.isSolved =
      isSweeping ? scratch.stepper.closeByOne(m, kClosed) : scratch.stepper.closeGaps(m);
  for (const MechanismJoint& j : m.joints) each.springs += energyOf(j).springs;
  each.lift = each.springs;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    if (!m.bodies[b].isMobile) continue;
    each.lift -= dot(m.bodies[b].force, m.bodies[b].position - ends_[i][b].position);
  }
}

void JointedIsland::sumUpClosings() {
  double lift = 0.0;
  for (const Each& each : each_) {
    report_.converged = report_.converged && each.isSolved;
    spring_correction_ += each.springs;
    lift += each.lift;
  }
  payForLift(lift);
}

/// What two rounds leave open of joints, of mechanisms that go nowhere else.
void JointedIsland::closeSwept() {
  forMechanisms([&](std::uint32_t i, Each& each, Scratch& scratch) {
    if (!(greatestGap(mechanisms_[i]) > kLeftOpenInRealTime)) return;
    for (const MechanismJoint& j : mechanisms_[i].joints) each.springs -= energyOf(j).springs;
    close(i, true, each, scratch);
  });
  sumUpClosings();
}

/// Joints that Newton's method left open.
void JointedIsland::closeOpen(double enough) {
  for (std::size_t i = 0; i < count_; ++i) {
    Mechanism& m = mechanisms_[i];
    if (!(greatestGap(m) > enough)) continue;
    for (const MechanismJoint& j : m.joints) spring_correction_ -= energyOf(j).springs;
    stepper_.closeGaps(m);
    for (const MechanismJoint& j : m.joints) spring_correction_ += energyOf(j).springs;
  }
}

}  // namespace abut::inline v0_1
