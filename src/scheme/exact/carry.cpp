// SPDX-License-Identifier: MIT
#include "scheme/exact/carry.hpp"

#include "scheme/exact/contact_speed.hpp"
#include "scheme/exact/stages.hpp"
#include "solver/solver_contact.hpp"

namespace abut::inline v0_1 {
namespace {

/// Changes of a driver's velocity below these [m/s], as a share of what gravity adds in a step or
/// of what the last bits of its place amount to, are none.
constexpr double kSlowest = 1e-12, kOfFall = 1e-9, kOfPlace = 1e-15;
/// A push beyond this many times what the contacts of an island carry is no change of their force
/// but a blow, as that of a corner in a path.
constexpr double kSmooth = 10.0;
/// What is pressed and approaches by less than this many times what gravity adds in a step did so
/// because its driver moved as it did; it is stopped before it is carried.
constexpr double kStopped = 2.0;
/// A bound beyond every speed [m/s]: the contact does not count.
constexpr double kNoBound = 1e30;
/// Contacts that stay closed do so to this share of the speeds at hand.
constexpr double kClosed = 1e-9;

/// How a driver moved in the last step.
const BodyVelocity& lastVelocity(const BodyTable& bodies, std::uint32_t body) {
  const Drive& drive = *bodies.facts[body].drive;
  return drive.wasSet ? drive.before : bodies.velocity[body];
}

bool isPressed(const StepContact& c) {
  return c.impulse.x > 0.0 && gapOf(c.depth) <= kTouchingGap && !(c.late > 0.0);
}

}  // namespace

void CarryStage::begin(StepMotion& motion) {
  if (!motion.foundVelocity.empty()) {  // The step is made again.
    for (const Carried& c : bodies_) motion.startVelocity[c.body] = c.before;
  }
  bodies_.clear();
  pushes_.clear();
  motion.foundVelocity.clear();
}

/// Bodies that accelerate by a motion of their own.
void CarryStage::findDrivers(const ExactStep& s) {
  drivers_.clear();
  for (std::uint32_t b = 0; b < s.in.bodies.size(); ++b) {
    if (s.in.bodies.facts[b].type != BodyType::Kinematic) continue;
    const BodyVelocity &now = s.motion.startVelocity[b], &last = lastVelocity(s.in.bodies, b);
    if (now.linear != last.linear || now.angular != last.angular) drivers_.push_back(b);
  }
}

/// Whether a driver that accelerates presses on a body of the island.
bool CarryStage::isCarried(const ExactStep& s, const Island& island) const {
  bool carried = false;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = s.contacts.at(island, k);
    if (c.late > 0.0) return false;
    if (carried || !isPressed(c)) continue;
    for (const std::uint32_t b : {c.body1, c.body2}) {
      if (s.in.bodies.facts[b].type != BodyType::Kinematic) continue;
      const BodyVelocity &now = s.motion.startVelocity[b], &last = lastVelocity(s.in.bodies, b);
      const Vec3& arm = b == c.body1 ? c.row.arm1 : c.row.arm2;
      const Vec3 change = (now.linear - last.linear) + cross(now.angular - last.angular, arm);
      const double rounding = kOfPlace * norm(s.in.bodies.position[b]) / s.in.dt;
      const double least = maxOf(kSlowest, maxOf(kOfFall * s.in.fall(), rounding));
      carried = carried || norm(change) > least;
    }
  }
  return carried;
}

/// Stops what is pressed and approaches drivers as they were. False if it is a blow.
bool CarryStage::stop(ExactStep& s, const Island& island) {
  LocalProblem& local = s.local;
  s.gather(island);
  free_.resize(local.bodies.size());
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    const std::uint32_t b = local.bodies[i];
    free_[i] = s.in.bodies.facts[b].type == BodyType::Kinematic ? lastVelocity(s.in.bodies, b)
                                                                : s.motion.startVelocity[b];
  }
  const double slowest = maxOf(kSlowest, kOfFall * s.in.fall());
  bool approaches = false;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const bool pressed = isPressed(s.contacts.at(island, k));
    local.contacts[k].bound = pressed ? 0.0 : -kNoBound;
    const double u = normalVelocity(local.contacts[k], free_);
    if (!pressed || !(u < -slowest)) continue;
    if (u < -kStopped * s.in.fall()) return false;
    approaches = true;
  }
  stops_.assign(local.contacts.size(), Vec3{});
  stop_couples_.assign(local.couples.size(), Vec3{});
  if (!approaches) return true;
  const bool solved = solve(s, island, free_);
  stops_ = local.impulses;
  stop_couples_ = local.couples;
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    if (s.in.bodies.facts[local.bodies[i]].type == BodyType::Dynamic)
      free_[i] = local.velocities[i];
  }
  return solved;
}

/// Bounds for the velocities at the end, and the velocities without contacts.
void CarryStage::pose(ExactStep& s, const Island& island) {
  LocalProblem& local = s.local;
  turned_ = free_;
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    const std::uint32_t b = local.bodies[i];
    if (s.in.bodies.facts[b].type == BodyType::Kinematic) turned_[i] = s.motion.startVelocity[b];
  }
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = s.contacts.at(island, k);
    const double u = normalVelocity(local.contacts[k], free_);
    local.contacts[k].bound = minOf(0.0, -(2.0 * gapOf(c.depth) / s.in.dt + u));
    local.impulses[k] = c.impulse;
  }
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    const std::uint32_t b = local.bodies[i];
    if (s.in.bodies.facts[b].type != BodyType::Dynamic) continue;
    free_[i].linear += s.in.freeAcceleration(b) * s.in.dt;
    free_[i].angular += (s.in.bodies.mobility[b].inverseInertia * s.in.bodies.torque[b]) * s.in.dt;
    turned_[i] = free_[i];
  }
}

bool CarryStage::solve(ExactStep& s, const Island& island, const std::vector<BodyVelocity>& from) {
  LocalProblem& local = s.local;
  local.velocities = from;
  const SolverReport r =
      s.solver.solve({local.mobility, local.contacts}, s.optionsOf(island), s.settingOf(island),
                     local.impulses, local.couples, local.velocities);
  s.report.sweeps += r.sweeps;
  s.report.newtonSteps += r.newtonSteps;
  return r.converged && !(r.softness > 0.0);
}

/// The push that a change of the drivers' velocities adds to what the contacts carry without it.
/// False if it is a blow, or if contacts would open, close, begin or cease to slide by it.
bool CarryStage::findPush(ExactStep& s, const Island& island) {
  LocalProblem& local = s.local;
  if (!stop(s, island)) return false;
  pose(s, island);
  if (!solve(s, island, free_)) return false;
  impulses_ = local.impulses;
  couples_ = local.couples;
  const double speed = local.fastest() + s.in.fall();
  const auto isOpen = [&](std::size_t k) {
    const SolverContact& c = local.contacts[k];
    return normalVelocity(c, local.velocities) > c.bound + kClosed * speed;
  };
  const auto slides = [&](std::size_t k) {
    const SolverContact& c = local.contacts[k];
    const Vec3 u = relativeVelocity(local.velocities[c.body1], c.arm1, local.velocities[c.body2],
                                    c.arm2, c.offset);
    return local.impulses[k].x > 0.0 && norm(u - c.normal * dot(c.normal, u)) > kClosed * speed;
  };
  open_.resize(local.contacts.size());
  sliding_.resize(local.contacts.size());
  for (std::size_t k = 0; k < open_.size(); ++k) {
    open_[k] = isOpen(k) ? 1 : 0;
    sliding_[k] = slides(k) ? 1 : 0;
  }
  if (!solve(s, island, turned_)) return false;
  double carried = 0.0, push = 0.0;
  for (std::size_t k = 0; k < open_.size(); ++k) {
    const bool opens = impulses_[k].x > 0.0 && isOpen(k);
    if (opens || (local.impulses[k].x > 0.0 && open_[k] != 0)) return false;
    const bool both = impulses_[k].x > 0.0 && local.impulses[k].x > 0.0;
    if (both && slides(k) != (sliding_[k] != 0)) return false;
    carried += impulses_[k].x;
    local.impulses[k] -= impulses_[k];
    if (!couples_.empty()) local.couples[k] -= couples_[k];
    push += absOf(local.impulses[k].x);
  }
  return push <= kSmooth * carried;
}

/// Adds impulses to velocities, from what they were to what they are then, and notes them.
void CarryStage::add(ExactStep& s, const Island& island, std::span<const Vec3> impulses,
                     std::span<const Vec3> couples, bool stops) {
  const std::vector<BodyVelocity>& before = stops ? s.motion.foundVelocity : stopped_;
  std::vector<BodyVelocity>& after = stops ? stopped_ : s.motion.startVelocity;
  const auto change = [&](std::uint32_t body, const Vec3& impulse, const Vec3& moment) {
    if (s.in.bodies.facts[body].type != BodyType::Dynamic) return;
    const BodyMobility& m = s.in.bodies.mobility[body];
    after[body].linear += scaled(m.inverseMass, impulse);
    after[body].angular += m.inverseInertia * moment;
  };
  const std::size_t first = pushes_.size();
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    StepContact& c = s.contacts.at(island, k);
    c.carry += impulses[k];
    const Vec3 impulse = inWorld(c.row, impulses[k]);
    const Vec3 couple = couples.empty() ? Vec3{} : inWorld(c.row, couples[k]);
    if (!couples.empty()) c.carryCouple += couples[k];
    const Exchange e{c.body1, c.body2, impulse, cross(c.row.arm1, impulse) + couple,
                     cross(c.row.arm2, impulse) + couple};
    change(c.body1, e.impulse, e.moment1);
    change(c.body2, -e.impulse, -e.moment2);
    pushes_.push_back({s.contacts.indexOf(island, k), stops, e});
  }
  // Works, by the mean of the velocities before and after.
  for (std::size_t i = first; i < pushes_.size(); ++i) {
    const SolverContact& row = s.contacts.all[pushes_[i].contact].row;
    Exchange& e = pushes_[i].exchange;
    const BodyVelocity v1 = meanOf(before[row.body1], after[row.body1]);
    const BodyVelocity v2 = meanOf(before[row.body2], after[row.body2]);
    const Vec3 u = relativeVelocity(v1, row.arm1, v2, row.arm2, row.offset);
    e.normalWork = dot(row.normal, e.impulse) * dot(row.normal, u);
    e.frictionWork = (dot(e.impulse, u) - e.normalWork) +
                     dot(e.moment1 - cross(row.arm1, e.impulse), v1.angular - v2.angular);
  }
}

void CarryStage::push(ExactStep& s, const Island& island) {
  if (s.motion.foundVelocity.empty()) {
    s.motion.foundVelocity = s.motion.startVelocity;
    for (const std::uint32_t b : drivers_) s.motion.foundVelocity[b] = lastVelocity(s.in.bodies, b);
    stopped_ = s.motion.foundVelocity;
  }
  for (const std::uint32_t b : s.local.bodies) {
    const BodyFacts& f = s.in.bodies.facts[b];
    if (f.type == BodyType::Dynamic && !f.drive->isLimited)
      bodies_.push_back({b, s.motion.startVelocity[b]});
  }
  bool stops = false;
  for (const Vec3& p : stops_) stops = stops || p != Vec3{};
  if (stops) {
    add(s, island, stops_, stop_couples_, true);
    for (const std::uint32_t b : s.local.bodies) {
      if (s.in.bodies.facts[b].type == BodyType::Dynamic) s.motion.startVelocity[b] = stopped_[b];
    }
  }
  add(s, island, s.local.impulses, s.local.couples, false);
}

void CarryStage::run(ExactStep& s) {
  begin(s.motion);
  findDrivers(s);
  if (drivers_.empty()) return;
  for (const Island& island : s.contacts.islands) {
    if (isHeap(island) || !isCarried(s, island) || hasSprings(s, island)) continue;
    if (!findPush(s, island)) continue;
    push(s, island);
  }
}

void CarryStage::react(LimitedDrivers& drivers) const {
  for (const Push& p : pushes_) {
    const Exchange& e = p.exchange;
    drivers.addReaction(e.body1, e.impulse, e.moment1);
    drivers.addReaction(e.body2, -e.impulse, -e.moment2);
  }
}

void CarryStage::book(const StepInput& in, const StepMotion& motion, ExactContacts& contacts,
                      StepBooks& books) const {
  const Phase stopping{motion.foundVelocity, stopped_}, carrying{stopped_, motion.startVelocity};
  for (const Push& p : pushes_) {
    const Phase& phase = p.stops ? stopping : carrying;
    contacts.all[p.contact].driverWork += books.exchange(in.bodies, phase, p.exchange);
  }
}

}  // namespace abut::inline v0_1
