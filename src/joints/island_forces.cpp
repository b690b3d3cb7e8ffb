// SPDX-License-Identifier: MIT
//
// Mean velocities of a step, with contacts and limits: Newton's method on joints and momenta, in
// each of whose iterations contacts are solved on the response of the mechanisms.
#include "joints/jointed_island.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kEpsilon = 2.2204460492503131e-16;
constexpr double kEnd = 1.0;
/// Iterations of joints and contacts together.
constexpr int kMaxSteps = 50;
/// After so many of them, and once changes are so small in units of rounding (a millionth),
/// contacts keep their impulses, and joints come to rest under these: sooner where contacts are
/// solved to a coarse tolerance.
constexpr int kContactSteps = 15, kCoarseContactSteps = 2;
constexpr double kCoarse = 1e-7, kNear = 4e9;
/// And there in any case after so many, or half of it and a thousandth.
constexpr int kLateSteps = 12;
constexpr double kNearly = 4e12;
/// Changes that are left after them may be so large, in units of rounding, where contacts are
/// solved to a tolerance only: a billionth.
constexpr double kAcceptable = 4e6;
/// And are so small where a coarse tolerance will do: the error of joints is the square of it.
constexpr double kEnough = 4e5;
/// Equations that miss so little, in units of rounding, need no iteration: no body's forces are off
/// by more than 1e-9 of its weight then (see MeanStep::missing()).
constexpr double kStillSettled = 2048.0;
/// The matrix of contacts is made anew where changes do not fall by this factor in an iteration.
constexpr double kGoodFall = 0.2;
/// Contacts are solved to this part of the last change, and no more coarsely than this.
constexpr double kInner = 1e-2, kCoarsest = 1e-4;
/// Many contacts: their first solve is a coarse one; they are solved to what is acceptable, and in
/// real time by sweeps alone.
constexpr std::size_t kMany = 40;
constexpr double kOfAcceptable = 1e-3;
/// So many contacts are swept over mechanisms as nodes (see TreeSweeps) where a coarse tolerance
/// will do: the matrix between contacts would grow with their square a mechanism.
constexpr std::size_t kSwept = 100;
/// So many iterations without a fall to this part end in vain.
constexpr int kMostIdle = 6;
constexpr double kIdleFall = 0.5;
/// Where changes fall by less than this in an iteration, the last ones are combined.
constexpr double kSlowFall = 0.1;
/// A limit is passed where an axis ends so far beyond it [m or rad].
constexpr double kPassed = 1e-10;

/// Whether nothing acts along an axis but its limits.
bool hasLimitsOnly(const JointAxis& a) {
  return a.stiffness == 0.0 && a.damping == 0.0 && a.armature == 0.0 && a.friction == 0.0 &&
         a.drive.mode == DriveMode::Off;
}

}  // namespace

/// Limits that axes would end beyond, by the last linearise(). True if there are new ones.
bool JointedIsland::addLimits(double dt) {
  bool any = false;
  forLimitedAxes([&](std::uint32_t i, std::uint32_t j, std::uint8_t row, const JointAxis& axis) {
    const MechanismJoint& joint = mechanisms_[i].joints[j];
    const std::size_t at = row;
    const double start = joint.memory.position[at], end = steps_[i].axisEnd(j, at);
    const double known = hasLimitsOnly(axis) ? joint.memory.force[at] * dt : 0.0;
    const bool isBelow = end < minOf(axis.limits.lower, start) - kPassed;
    const bool isAbove = end > maxOf(axis.limits.upper, start) + kPassed;
    if (isBelow || (isFinite(axis.limits.lower) && known > 0.0)) {
      any = rows_.addLimit({i, j, row, false, 0.0}, maxOf(0.0, known)) || any;
    }
    if (isAbove || (isFinite(axis.limits.upper) && known < 0.0)) {
      any = rows_.addLimit({i, j, row, true, 0.0}, maxOf(0.0, -known)) || any;
    }
  });
  return any;
}

/// Of limits, by the last linearise(): the end of the step is not beyond them, or not farther than
/// its beginning.
void JointedIsland::setBounds(double dt, double share) {
  for (std::size_t k = 0; k < rows_.limits.size(); ++k) {
    const LimitRow& l = rows_.limits[k];
    const MechanismJoint& joint = mechanisms_[l.mechanism].joints[l.joint];
    const JointLimits& limits = (*joint.axes)[joint.model->rows[l.row].axis].limits;
    const double start = joint.memory.position[l.row];
    const double end = l.isUpper ? maxOf(limits.upper, start) : minOf(limits.lower, start);
    const MeanStep& step = steps_[l.mechanism];
    const double rate = step.axisRate(l.joint, l.row) + (end - step.axisEnd(l.joint, l.row)) / dt;
    rows_.bounds[rows_.firstLimit() + k] = (l.isUpper ? -rate : rate) / share;
  }
}

bool JointedIsland::solveForces(const IslandSetting& setting, ContactSolver& solver, double share) {
  const std::size_t n = contacts.size();
  MotionSetting motion;
  motion.dt = setting.dt;
  motion.share = share;
  motion.hasLimitsApart = true;
  motion.isHeldUp = true;
  motion.isOfHeap = isSwept(setting, share);
  rows_.begin(contacts, {steps_.data(), count_}, *crew_);
  start_at_.resize(rows_.firstLimit());
  for (std::size_t k = 0; k < n; ++k) {
    const JointedContact& c = contacts[k];
    start_at_[k] = startVelocity(c);
    // The gap at the end, by the mean of the velocities, must not be negative.
    const double u = start_at_[k].x;
    rows_.bounds[k] = minOf(0.0, u + (-c.gap / setting.dt - u) / share);
    rows_.impulses[k] = c.impulse;
  }
  startTurnings();
  const bool isSweeping = isSwept(setting, share);
  if (!isSweeping) beginSteps(motion);
  const bool isSolved = isSweeping ? sweepForces(setting, motion, solver)
                                   : isAtRest(setting.dt, share) || iterate(setting, solver, share);
  if (!isSolved) return false;
  finishForces(setting.dt, share);
  return true;
}

/// Whether contacts are many and sweeps will do.
bool JointedIsland::isSwept(const IslandSetting& setting, double share) const {
  return share == kEnd && setting.solver.tolerance > kCoarse && contacts.size() > kSwept;
}

/// From here on contacts keep their impulses; limits become part of the axes' laws.
void JointedIsland::keepContacts() {
  for (std::size_t k = 0; k < rows_.limits.size(); ++k) {
    const LimitRow& l = rows_.limits[k];
    const double p = rows_.impulses[rows_.firstLimit() + k].x;
    steps_[l.mechanism].addImpulse(l.joint, l.row, l.isUpper ? -p : p);
  }
  rows_.dropLimits();
  for (std::size_t i = 0; i < count_; ++i) steps_[i].joinLimits();
}

/// How exactly contacts are solved after a change of velocities [units of rounding].
SolverOptions JointedIsland::innerOptions(const SolverOptions& given, double last) const {
  SolverOptions options = given;
  const bool isMany = rows_.size() > kMany;
  if (isMany) options.tolerance = maxOf(options.tolerance, kOfAcceptable * options.acceptable);
  if (isMany && given.tolerance > kCoarse) options.allowDirect = false;
  const double inner = last > 0.0 ? kInner * (last * kEpsilon) : (isMany ? kCoarsest : 0.0);
  options.tolerance = maxOf(options.tolerance, minOf(inner, kCoarsest));
  return options;
}

/// Of the mechanisms from one number to another.
void JointedIsland::readVelocities(std::size_t first, std::size_t end,
                                   std::vector<Vec3>& out) const {
  out.clear();
  for (std::size_t i = first; i < end; ++i) {
    for (std::uint32_t b = 0; b < steps_[i].numBodies(); ++b) {
      const Vec6 v = steps_[i].velocity(b);
      out.push_back(linearPart(v));
      out.push_back(angularPart(v));
    }
  }
}

/// Turning limbs change the directions of torques, which Newton's matrix leaves out: it is not
/// symmetric. What comes of it is a geometric series of changes, and is summed by Anderson's way.
void JointedIsland::startAcceleration(std::size_t first, std::size_t end, Scratch& s) const {
  s.weights.clear();
  for (std::size_t i = first; i < end; ++i) {
    for (const MechanismBody& b : mechanisms_[i].bodies) {
      const double inertia = (b.inertia.x.x + b.inertia.y.y + b.inertia.z.z) / 3.0;
      s.weights.push_back(b.isMobile ? b.mass : 0.0);
      s.weights.push_back(b.isMobile ? inertia : 0.0);
    }
  }
  s.anderson.reset(s.weights.size());
}

/// From the velocities before and after an iteration to the next to try.
void JointedIsland::accelerate(std::size_t first, std::size_t end, Scratch& s) {
  readVelocities(first, end, s.after);
  s.anderson.advance(s.weights, s.after, s.before);
  std::size_t at = 0;
  for (std::size_t i = first; i < end; ++i) {
    for (std::uint32_t b = 0; b < steps_[i].numBodies(); ++b, at += 2) {
      if (mechanisms_[i].bodies[b].isMobile) {
        steps_[i].setVelocity(b, toVec6(s.before[at], s.before[at + 1]));
      }
    }
  }
}

/// Whether bodies that rest go on resting under the impulses of the last step: then nothing is to
/// be solved.
bool JointedIsland::isAtRest(double dt, double share) {
  std::size_t tried = 0;
  double size = 0.0;
  rows_.pushes(true, pushes_);
  while (tried < count_ && size <= kStillSettled && steps_[tried].tryRest(kStillSettled)) {
    size = maxOf(size, steps_[tried].missing(pushes_[tried]));
    ++tried;
  }
  const bool rests = tried == count_ && size <= kStillSettled && holdStill(dt, share);
  if (rests) {
    report_.error = size * kEpsilon;
    return true;
  }
  rows_.dropLimits();
  for (std::size_t i = 0; i < tried; ++i) steps_[i].moveOn();
  return false;
}

/// Whether contacts that push neither give way nor slide, and nothing comes to another.
bool JointedIsland::holdStill(double dt, double share) {
  if (addLimits(dt)) return false;
  rows_.velocities(false, velocities_);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const JointedContact& c = contacts[k];
    const Vec3 u = start_at_[k] + (velocities_[k] - start_at_[k]) * (1.0 / share);
    const double above = u.x - rows_.bounds[k], slip = u.y * u.y + u.z * u.z;
    const double reach = norm(c.side1.arm) + norm(c.side2.arm);
    const double small = kStillSettled * kEpsilon * reach / dt;
    const bool isOpen = c.impulse == Vec3{} && above >= 0.0;
    if (!isOpen && !(absOf(above) <= small && slip <= small * small)) return false;
  }
  return true;
}

bool JointedIsland::iterate(const IslandSetting& setting, ContactSolver& solver, double share) {
  const std::size_t n = contacts.size();
  if (scratch_.empty()) scratch_.resize(kMostShares);
  Scratch& all = scratch_[0];
  double last = 0.0, before = 0.0, least = 0.0;
  bool isKept = false, isSlow = false;
  int idle = 0;
  const bool isCoarse = setting.solver.tolerance > kCoarse;
  // Impulses that are known to a tolerance only would keep the joints from settling.
  const int contactSteps = isCoarse ? kCoarseContactSteps : kContactSteps;
  bool grows = false;
  for (int i = 0; i < kMaxSteps; ++i) {
    const bool isLate = isCoarse && (i >= kLateSteps || (i >= kLateSteps / 2 && last < kNearly));
    if (!isKept && !grows && ((i >= contactSteps && last < kNear) || isLate)) {
      isKept = true;
      idle = 0;
      keepContacts();
      isSlow = false;
    }
    if (!linearise()) return false;
    grows = !isKept && addLimits(setting.dt);
    rows_.refresh();
    predict();
    if (!isKept) {
      if (i == 0 || grows || last > kGoodFall * before) rows_.buildMatrix(share, false);
      setBounds(setting.dt, share);
      rows_.velocities(true, velocities_);
      for (std::size_t k = 0; k < velocities_.size(); ++k) {
        const Vec3 start = k < start_at_.size() ? start_at_[k] : Vec3{};
        velocities_[k] = start + (velocities_[k] - start) * (1.0 / share);
      }
      const SolverReport r = rows_.solve(velocities_, innerOptions(setting.solver, last), solver);
      report_.sweeps += r.sweeps;
      report_.newtonSteps += r.newtonSteps;
      report_.error = r.error;
      // A limit is no contact: then the first one stands for it.
      report_.worstContact = r.worstContact < n ? r.worstContact : 0;
      predict();
    }
    if (isSlow) readVelocities(0, count_, all.before);
    const double change = advance();
    ++report_.newtonSteps;
    if (!isFinite(change)) return false;
    const bool stands = i > 0 && change >= 0.5 * last && change < MeanStep::kNearlySettled;
    const bool isEnough = isCoarse && change <= kEnough;
    if (!grows && (change <= MeanStep::kSettled || stands || isEnough)) return true;
    const bool falls = i == 0 || grows || change < kIdleFall * least;
    if (falls) least = change;
    idle = falls ? 0 : idle + 1;
    if (isSlow) accelerate(0, count_, all);
    if (isKept && !isSlow && change > kSlowFall * last) {
      isSlow = true;
      startAcceleration(0, count_, all);
    }
    if (grows) isSlow = false;
    before = last;
    last = change;
    if (idle > kMostIdle) break;
  }
  return last < kAcceptable;
}

/// Bodies that move as prescribed on a curve end a step with other velocities than twice its mean
/// less those at its beginning; what hangs at them would swing about them for ever.
void JointedIsland::followDrivers(double dt) {
  for (std::size_t i = 0; i < count_; ++i) {
    if (steps_[i].areDriversOff()) stepper_.followDrivers(mechanisms_[i], steps_[i], dt);
  }
}

void JointedIsland::finishForces(double dt, double share) {
  rows_.velocities(false, velocities_);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    contacts[k].impulse = rows_.impulses[k];
    contacts[k].meanVelocity = velocities_[k];
  }
  readCouples(velocities_, 1.0);
  finishSteps();
  if (share < kEnd) return followDrivers(dt);
  // Where bodies move by the new velocity, a contact's work is that on the mean of both; MeanStep
  // has booked half of the change as lost by the bodies.
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    JointedContact& c = contacts[k];
    const Vec3 half = (velocities_[k] - start_at_[k]) * 0.5;
    const JointedContact::Side& s = c.side1.mechanism != kWorldBody ? c.side1 : c.side2;
    mechanisms_[s.mechanism].bodies[s.body].excess += dot(c.impulse, half);
    c.meanVelocity -= half;
  }
  for (std::size_t k = 0; k < rows_.couples.size(); ++k) {
    JointedContact& c = contacts[rows_.couples[k].contact];
    const Vec3 start = rows_.coupleOf(k, start_at_), end = rows_.coupleOf(k, velocities_);
    const Vec3 half = (end - start) * 0.5;
    const JointedContact::Side& s = c.side1.mechanism != kWorldBody ? c.side1 : c.side2;
    mechanisms_[s.mechanism].bodies[s.body].excess += dot(rows_.coupleOf(k, rows_.impulses), half);
    c.meanTurning -= half;
  }
}

}  // namespace abut::inline v0_1
