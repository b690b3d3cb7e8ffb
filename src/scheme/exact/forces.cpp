// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "integration/rigid_rotation.hpp"
#include "scheme/exact/contact_speed.hpp"
#include "scheme/exact/springs.hpp"
#include "scheme/exact/stages.hpp"
#include "scheme/exact/turned_heaps.hpp"

namespace abut::inline v0_1 {
namespace {

/// A bound beyond every speed [m/s]: the contact does not count.
constexpr double kNoBound = 1e30;

bool anyWaits(const ExactStep& s, const Island& island) {
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    if (s.contacts.at(island, k).waits) return true;
  }
  return false;
}

/// The bound of a contact that closes no more in the step. What opens at the beginning may close
/// again by as much: a force that ended its motion would lift what it bears.
double heldBound(const ExactStep& s, const StepContact& c) {
  return minOf(0.0, -normalVelocity(c.row, s.motion.impactedVelocity));
}

/// Where a heavy body rests on light ones, rounding of its impulses moves the light ones by what is
/// nothing to them, and the gaps that it leaves are much to the force of what falls into them. Gaps
/// that would close by less than this share of the smaller body in the step do not: there is no
/// surface to that accuracy.
constexpr double kHeldGap = 1e-9;

void holdTinyGaps(ExactStep& s, const Island& island) {
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = s.contacts.at(island, k);
    const double size = minOf(s.in.bodies.facts[c.body1].shape->boundingRadius(),
                              s.in.bodies.facts[c.body2].shape->boundingRadius());
    double& bound = s.local.contacts[k].bound;
    if (-bound * s.in.dt <= 2.0 * kHeldGap * size) bound = maxOf(bound, 0.0);
  }
}

/// In a heap a contact that carried load in the last step does so on as long as its gap would close
/// by less than the slop, up to which overlap is left alone too: a box that rocks on such gaps
/// opens one when it closes another, and never lies still.
bool isHeld(const ExactStep& s, const StepContact& c, double bound) {
  return c.impulse.x > 0.0 && !c.waits && -bound * s.in.dt <= 2.0 * s.in.slopOf(c.body1, c.body2);
}

void holdLoadedGaps(ExactStep& s, const Island& island) {
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = s.contacts.at(island, k);
    double& bound = s.local.contacts[k].bound;
    if (isHeld(s, c, bound)) bound = maxOf(bound, heldBound(s, c));
  }
}

/// How a body would end the step without contacts.
void goFreely(ExactStep& s, std::size_t i) {
  const double dt = s.in.dt;
  const BodyFacts& f = s.in.bodies.facts[i];
  s.motion.endVelocity[i] = s.motion.impactedVelocity[i];
  s.motion.freeSpin[i] = s.motion.impactedVelocity[i].angular;
  s.motion.freeOrientation[i] = s.in.bodies.orientation[i];
  if (s.in.bodies.rest[i].isAsleep()) return;
  if (f.type != BodyType::Dynamic || (f.locks & kLockRotation) != 0) {
    const LocalInertia none;
    rotateFreely(none, dt, s.motion.freeOrientation[i], s.motion.freeSpin[i]);
  } else {
    rotateFreely(f.inertia, dt, s.motion.freeOrientation[i], s.motion.freeSpin[i]);
  }
  if (f.type != BodyType::Dynamic) return;
  const Vec3 push = s.in.gravity * (f.mass * f.gravityScale) + s.in.bodies.force[i];
  s.motion.endVelocity[i].linear += scaled(s.in.bodies.mobility[i].inverseMass, push) * dt;
  s.motion.endVelocity[i].angular =
      s.motion.freeSpin[i] + (s.in.bodies.mobility[i].inverseInertia * s.in.bodies.torque[i]) * dt;
}

/// In one step of so many a heap that hardly moves looks for impulses that hold it: where there are
/// none that costs as much as a few steps. Where the last step held it, what was left of gaps has
/// closed since, and it is held again.
constexpr double kSeekingSteps = 4.0;
constexpr double kWasHeld = 1e-9;    // Of what gravity adds in the step.
constexpr double kHeldError = 1e-3;  // Of what is acceptable.

bool seeksRest(const ExactStep& s, const Island& island) {
  if (!isHeap(island) || !s.local.couples.empty() || !(s.options.acceptable > 0.0)) return false;
  if (s.options.model != ContactModel::ExactCoulomb || !s.options.allowDirect) return false;
  const double number = std::floor(s.in.time / s.in.dt + 0.5);
  if (number - kSeekingSteps * std::floor(number / kSeekingSteps) == 0.0) return true;
  for (const std::uint32_t b : s.local.bodies) {
    if (norm(s.motion.impactedVelocity[b].linear) > kWasHeld * s.in.fall()) return false;
  }
  return true;
}

/// Bodies at a contact that part or slide by less than this share of the greatest speed before the
/// solve, which gravity alone makes g dt, are at rest.
constexpr double kStill = 1e-9;

bool isStill(const SolverContact& c, const BodyVelocity& v1, const BodyVelocity& v2, double speed) {
  return norm(relativeVelocity(v1, c.arm1, v2, c.arm2, c.offset)) <= speed;
}

bool isFixed(const BodyMobility& m) {
  return m.inverseMass == Vec3{} && m.inverseInertia.x == Vec3{} && m.inverseInertia.y == Vec3{} &&
         m.inverseInertia.z == Vec3{};
}

/// Fixed where the bodies move at the contact.
ShareFreedom freedomOf(const ExactStep& s, const SolverContact& c, double fastest) {
  const LocalProblem& local = s.local;
  const auto before = [&](std::uint32_t body) -> const BodyVelocity& {
    return s.motion.impactedVelocity[local.bodies[body]];
  };
  const bool still =
      isStill(c, before(c.body1), before(c.body2), kStill * fastest) &&
      isStill(c, local.velocities[c.body1], local.velocities[c.body2], kStill * fastest);
  // A couple's limit is the share of its own contact.
  if (!still || c.rollingResistance > 0.0 || c.spinningResistance > 0.0) return ShareFreedom::Fixed;
  if (c.bound != 0.0) return ShareFreedom::None;
  return c.friction > 0.0 ? ShareFreedom::Inside : ShareFreedom::Size;
}

}  // namespace

/// How bodies at rest on each other share their load is not determined by the law, and depends on
/// what came before; here it does not. Where they move, the last bits of the law decide. First
/// among the contacts of each pair, then among all of a body with those that nothing moves.
void ForceStage::shareAtRest(ExactStep& s, double fastest) {
  LocalProblem& local = s.local;
  const std::size_t count = local.contacts.size();
  freedoms_.resize(count);
  for (std::size_t k = 0; k < count; ++k) freedoms_[k] = freedomOf(s, local.contacts[k], fastest);
  const auto isMoving = [&](std::size_t k) { return freedoms_[k] == ShareFreedom::Fixed; };
  on_fixed_.clear();
  for (std::size_t from = 0, to = 0; from < count; from = to) {
    const std::uint32_t body1 = local.contacts[from].body1, body2 = local.contacts[from].body2;
    bool rests = true;
    for (; to < count && local.contacts[to].body1 == body1 && local.contacts[to].body2 == body2;
         ++to) {
      rests = rests && !isMoving(to);
    }
    const bool isFixed1 = isFixed(local.mobility[body1]), isFixed2 = isFixed(local.mobility[body2]);
    if (isFixed1 != isFixed2) on_fixed_.push_back({isFixed1 ? body2 : body1, from, to});
    if (!rests || to - from < 2) continue;
    shares_.share(std::span(local.contacts).subspan(from, to - from),
                  std::span(freedoms_).subspan(from, to - from),
                  std::span(local.impulses).subspan(from, to - from));
  }
  std::sort(on_fixed_.begin(), on_fixed_.end(), [](const OnFixed& a, const OnFixed& b) {
    return a.body != b.body ? a.body < b.body : a.from < b.from;
  });
  for (std::size_t from = 0, to = 0; from < on_fixed_.size(); from = to) {
    while (to < on_fixed_.size() && on_fixed_[to].body == on_fixed_[from].body) ++to;
    if (to - from > 1) shareOnFixed(local, std::span(on_fixed_).subspan(from, to - from));
  }
}

/// Among the contacts of one body with several that nothing moves, as seen from that body.
void ForceStage::shareOnFixed(LocalProblem& local, std::span<const OnFixed> pairs) {
  seen_.clear();
  seen_freedoms_.clear();
  seen_impulses_.clear();
  for (const OnFixed& pair : pairs) {
    for (std::size_t k = pair.from; k < pair.to; ++k) {
      SolverContact c = local.contacts[k];
      if (freedoms_[k] == ShareFreedom::Fixed) return;
      if (c.body2 == pair.body) {
        c.normal = -c.normal;
        c.tangent1 = -c.tangent1;
        c.tangent2 = -c.tangent2;
        c.arm1 = c.arm2;
      }
      seen_.push_back(c);
      seen_freedoms_.push_back(freedoms_[k]);
      seen_impulses_.push_back(local.impulses[k]);
    }
  }
  if (!shares_.share(seen_, seen_freedoms_, seen_impulses_)) return;
  std::size_t i = 0;
  for (const OnFixed& pair : pairs) {
    for (std::size_t k = pair.from; k < pair.to; ++k) local.impulses[k] = seen_impulses_[i++];
  }
}

/// Looks for impulses under which all of `local` ends at rest. There no gap that is held closes any
/// more, whatever opened it.
void ForceStage::seekRest(ExactStep& s, const Island& island, SolverReport& r) {
  LocalProblem& local = s.local;
  bounds_.clear();
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    SolverContact& row = local.contacts[k];
    bounds_.push_back(row.bound);
    if (isHeld(s, s.contacts.at(island, k), row.bound)) row.bound = maxOf(row.bound, 0.0);
  }
  const bool found =
      rest_.run({local.mobility, local.contacts}, local.before, kHeldError * s.options.acceptable,
                s.in.tasks, local.impulses, local.velocities, r);
  if (found) return;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) local.contacts[k].bound = bounds_[k];
}

/// Contacts of an island under the forces of the step. True if they were followed to its end.
bool ForceStage::solveIsland(ExactStep& s, const Island& island, MovingContacts& moving) {
  LocalProblem& local = s.local;
  const double dt = s.in.dt;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    StepContact& c = s.contacts.at(island, k);
    // The gap at the end, by the mean of the velocities, must not be negative.
    const double u = normalVelocity(c.row, s.motion.impactedVelocity);
    const double bound = -(2.0 * (c.open + s.shiftAlong(c)) / dt + u);
    c.row.bound = bound < 0.0 && !c.rests ? bound : 0.0;
    if (c.later.isInParts && !isSpring(c)) c.row.bound = c.later.endBound;
    if (c.waits || c.meeting.isOver) c.row.bound = -kNoBound;
  }
  s.gather(island);
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    local.velocities[i] = s.motion.endVelocity[local.bodies[i]];
  }
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    local.impulses[k] = s.contacts.at(island, k).impulse;
  }
  for (std::uint32_t k = 0; k < local.couples.size() && isHeap(island); ++k) {
    local.couples[k] = s.contacts.at(island, k).lastCouple;
  }
  if (hasUnevenMasses(local.mobility)) holdTinyGaps(s, island);
  if (isHeap(island) && s.options.acceptable > 0.0) holdLoadedGaps(s, island);
  const double fastest = local.fastest();
  const bool gives = hasSprings(s, island);
  const bool isPressed = !gives && s.yieldToPress(island, local.impulses);
  SolverSetting setting = s.settingOf(island);
  setting.remembers = isHeap(island);
  setting.load = 0.0;
  s.tell(ProblemKind::Force);
  SolverReport r = gives ? springs_.solve(s, island) : s.solve(island, setting, local.impulses);
  if (!gives && !isPressed && seeksRest(s, island)) seekRest(s, island, r);
  s.noteSolve(island, r, fastest);
  if (r.converged && !(r.softness > 0.0) && !isPressed && !gives) shareAtRest(s, fastest);
  for (const std::uint32_t b : local.bodies) {
    if (s.in.bodies.facts[b].type == BodyType::Dynamic) s.motion.softness[b] = r.nextSoftness;
  }
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    StepContact& c = s.contacts.at(island, k);
    c.impulse = local.impulses[k];
    if (!local.couples.empty()) c.couple = local.couples[k];
  }
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    if (s.in.bodies.facts[local.bodies[i]].type == BodyType::Dynamic) {
      s.motion.endVelocity[local.bodies[i]] = local.velocities[i];
    }
  }
  // Where less than the tolerance is acceptable, or accepted, contacts are not worth following
  // through the step; a drive that stalls would need its work at both ends.
  bool accepted = gives || r.softness > 0.0 || (isHeap(island) && s.options.acceptable > 0.0) ||
                  (r.converged && r.error > s.options.tolerance);
  for (const std::uint32_t b : local.bodies) {
    const BodyFacts& f = s.in.bodies.facts[b];
    accepted = accepted || (f.drive->isLimited && f.type == BodyType::Dynamic);
  }
  if (s.options.model == ContactModel::ExactCoulomb && !accepted && !isPressed) {
    return moving.follow(s, island);
  }
  return false;
}

/// Solves the island as if what waits did not close. False, and nothing is changed, if it does.
bool ForceStage::tryWaiting(ExactStep& s, const Island& island, MovingContacts& moving) {
  const StepReport before = s.report;
  kept_.clear();
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    kept_.push_back(s.contacts.at(island, k).impulse);
  }
  if (solveIsland(s, island, moving)) return true;
  s.report = before;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    StepContact& c = s.contacts.at(island, k);
    c.impulse = kept_[k];
    c.couple = {};
  }
  return false;
}

void ForceStage::run(ExactStep& s, ImpactStage& impacts, MovingContacts& moving) {
  const std::size_t n = s.in.bodies.size();
  s.motion.endVelocity.resize(n);
  s.motion.freeSpin.resize(n);
  s.motion.freeOrientation.resize(n);
  for (std::size_t i = 0; i < n; ++i) goFreely(s, i);
  moving.begin(s.contacts.all.size(), n);
  s.motion.softness.assign(n, 0.0);
  for (const Island& island : s.contacts.islands) {
    if (isHeap(island)) turnWithTable(s, island);
    if (anyWaits(s, island)) {
      if (tryWaiting(s, island, moving)) continue;
      impacts.stopWaiting(s, island);
      for (const std::uint32_t b : s.local.bodies) goFreely(s, b);
    }
    solveIsland(s, island, moving);
  }
}

}  // namespace abut::inline v0_1
