// SPDX-License-Identifier: MIT
//
// Impacts of the exact scheme. Contacts with restitution are thrown back in the order of their
// times within the step (Blows); what still approaches is stopped, all at once. A blow at time t
// changes velocities as if it had acted at the beginning; the displacement that this overstates,
// M^-1 J^T p t, is taken back after integration, and the work that free flight until t adds to it,
// p t (a1 - a2), is booked with it.
#include "math/rotation_vector.hpp"
#include "scheme/exact/contact_speed.hpp"
#include "scheme/exact/island_geometry.hpp"
#include "scheme/exact/springs.hpp"
#include "scheme/exact/stages.hpp"

namespace abut::inline v0_1 {
namespace {

/// Approach slower than this [m/s], or than this part of what gravity adds in a step, is no impact:
/// it is ended by the contact forces of the step.
constexpr double kSlowestImpact = 1e-12;
constexpr double kSlowestOfFall = 1e-6;
/// Bodies that fall on each other and close slower than this many times what gravity adds in a
/// step come to rest on each other: what bounces they have left take less than four steps.
constexpr double kSettlesOfFall = 2.0;
/// Contacts between bodies that were far from each other at first are looked at so often more.
constexpr int kMoreLooks = 14;
/// Hits are foreseen along straight ways; by this share of g dt^2 bodies that fall are off them, at
/// most: an eighth for each of two, and as much to spare.
constexpr double kOfSagitta = 0.5;
/// A bound beyond every speed [m/s]: the contact does not count.
constexpr double kNoBound = 1e30;

double slowestImpact(const ExactStep& s) {
  return maxOf(kSlowestImpact, kSlowestOfFall * norm(s.in.gravity) * s.in.dt);
}

/// Whether the bodies of a contact go past each other by a part of their size in the step.
bool isFast(const ExactStep& s, const StepContact& c) {
  constexpr double kOfSize = 0.5;
  const Vec3 v = s.motion.startVelocity[c.body1].linear - s.motion.startVelocity[c.body2].linear;
  return norm(v) * s.in.dt > kOfSize * minOf(s.in.bodies.facts[c.body1].shape->boundingRadius(),
                                             s.in.bodies.facts[c.body2].shape->boundingRadius());
}

/// Whether the bodies of a contact meet in one point wherever they do, and go straight until then:
/// balls, with each other or with what does not turn.
bool isRound(const ExactStep& s, const StepContact& c) {
  const auto isBall = [&s](std::uint32_t b) {
    return s.in.bodies.facts[b].shape->getType() == ShapeType::Sphere &&
           s.found.placed[b].pose.translation == s.in.bodies.position[b];
  };
  const auto isStill = [&s](std::uint32_t b) {
    return s.in.bodies.facts[b].type != BodyType::Dynamic &&
           s.motion.startVelocity[b].angular == Vec3{};
  };
  return (isBall(c.body1) && (isBall(c.body2) || isStill(c.body2))) ||
         (isBall(c.body2) && isStill(c.body1));
}

/// Whether another contact of the same pair carried a load in the last step, or touches.
bool isPressedElsewhere(const ExactStep& s, const Island& island, const StepContact& c) {
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& other = s.contacts.at(island, k);
    const bool touches = other.impulse.x > 0.0 || !(gapOf(other.depth) > kTouchingGap);
    if (other.body1 == c.body1 && other.body2 == c.body2 && touches) return true;
  }
  return false;
}

/// How far the two parts of a body's step lead, less the way by the mean velocity of all of it. Of
/// either the way by the mean velocity is exact for constant forces.
BodyVelocity shiftInParts(const ExactStep& s, std::size_t i) {
  const SecondPart& part = s.late.parts[i];
  const BodyVelocity &start = s.motion.impactedVelocity[i], &end = s.motion.endVelocity[i];
  const double half = 0.5 * s.in.dt, left = 0.5 * (s.in.dt - part.from);
  const Vec3 linear = (start.linear + part.gained.linear) + end.linear;
  const Vec3 angular = (start.angular + part.gained.angular) + end.angular;
  const Vec3 turned = start.angular * s.in.dt + (end.angular - s.motion.freeSpin[i]) * half;
  return {(part.way.linear + linear * left) - (start.linear + end.linear) * half,
          (part.way.angular + angular * left) - turned};
}

}  // namespace

/// Bounds of the contacts, and whether any approaches.
bool ImpactStage::begin(ExactStep& s, const Island& island, double slowest) {
  const double dt = s.in.dt;
  bool approaching = false;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    StepContact& c = s.contacts.at(island, k);
    c.impact = {};
    c.waits = false;
    const double u = normalVelocity(c.row, s.motion.startVelocity);
    c.open = gapOf(c.depth) - c.late * u;
    c.row.bound = c.depth > 0.0 ? s.in.baumgarte * c.depth / dt : -gapOf(c.depth) / (dt - c.late);
    if (isSpring(c)) c.row.bound = -kNoBound;
    const bool bounces = c.material.restitution > 0.0 && s.closesWithin(c) &&
                         (absOf(u) > slowest || gapOf(c.depth) > kTouchingGap);
    approaching = approaching || bounces || c.late > 0.0 || u < c.row.bound - slowest;
  }
  return approaching;
}

/// Rows for the blows_ of an island, and whether there is any to throw back. Where two dynamic
/// bodies meet of which one falls freely, times within the step are not known well enough for their
/// ways not to cross: their blows_ are those of the beginning, in order; but for fast elastic
/// balls, whose meetings are all looked at.
bool ImpactStage::gatherBlows(ExactStep& s, const Island& island, double slowest, bool& located) {
  LocalProblem& local = s.local;
  blows_.acceleration.assign(local.bodies.size(), Vec3{});
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    const std::uint32_t b = local.bodies[i];
    if (s.in.bodies.facts[b].type == BodyType::Dynamic)
      blows_.acceleration[i] = s.in.freeAcceleration(b);
  }
  blows_.freeAcceleration.assign(blows_.acceleration.begin(), blows_.acceleration.end());
  const auto contactAt = [&](std::uint32_t k) -> const StepContact& {
    return s.contacts.at(island, k);
  };
  // A body that lies on another does not fall freely.
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const SolverContact& row = local.contacts[k];
    if (gapOf(contactAt(k).depth) > kTouchingGap || contactAt(k).late > 0.0) continue;
    if (absOf(normalVelocity(row, local.velocities)) > slowest) continue;
    blows_.acceleration[row.body1] = blows_.acceleration[row.body2] = {};
  }
  bool crossing = false, isLate = false, isGas = true;
  has_fast_ = false;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = contactAt(k);
    const SolverContact& row = local.contacts[k];
    isLate = isLate || c.late > 0.0;
    const bool areFree = s.in.bodies.facts[c.body1].type == BodyType::Dynamic &&
                         s.in.bodies.facts[c.body2].type == BodyType::Dynamic;
    const bool meet = areFree && (gapOf(c.depth) <= kTouchingGap || s.closesWithin(c));
    has_fast_ = has_fast_ || isLate || isFast(s, c);
    isGas = isGas && c.material.restitution == 1.0 && isRound(s, c);
    crossing = crossing || (meet && (blows_.acceleration[row.body1] != Vec3{} ||
                                     blows_.acceleration[row.body2] != Vec3{}));
  }
  located = !crossing || isLate || (has_fast_ && isGas);
  if (!located) blows_.acceleration.assign(local.bodies.size(), Vec3{});
  const double settles = maxOf(slowest, kSettlesOfFall * s.in.fall());
  blows_.rows.assign(local.contacts.size(), BlowRow{});
  blows_.restitution.resize(local.contacts.size());
  bool any = false;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = contactAt(k);
    const SolverContact& row = local.contacts[k];
    BlowRow& r = blows_.rows[k];
    blows_.restitution[k] = c.material.restitution;
    r.gap = c.late > 0.0 || (!located && s.closesWithin(c)) ? 0.0 : gapOf(c.depth);
    r.open = r.gap > kTouchingGap || c.late > 0.0;
    r.late = c.late;
    r.isExpected = c.meeting.isExpected;
    r.isRound = located && has_fast_ && isRound(s, c);
    r.near = kTouchingGap + kOfSagitta * norm(s.in.gravity) * (s.in.dt * s.in.dt);
    r.looks = c.meeting.isExpected ? -kMoreLooks : located ? 0 : kMaxBlowLooks;
    r.slowest = !located && c.material.restitution < 1.0 ? settles : slowest;
    r.takesPart = c.material.restitution > 0.0 || c.late > 0.0;
    // What closes without a bounce among blows is stopped when it does.
    r.isSpent = located && !r.takesPart && r.gap > kTouchingGap && !isSpring(c);
    r.pull = dot(row.normal, blows_.acceleration[row.body1] - blows_.acceleration[row.body2]);
    any = any || r.takesPart;
    r.takesPart = r.takesPart || r.isSpent;
  }
  return any;
}

/// Whether a round contact was thrown back and is open at the end, wherever its bodies are then:
/// what its row says of that end, along the direction of its blow, does not hold.
bool ImpactStage::isBehind(const ExactStep& s, IslandGeometry& geometry, const Island& island,
                           std::uint32_t k) const {
  const StepContact& c = s.contacts.at(island, k);
  if (c.rests || !(c.material.restitution > 0.0) || s.local.impulses[k] == Vec3{}) return false;
  const SolverContact& row = s.local.contacts[k];
  return geometry.areApart(k, blows_.ends[row.body1], blows_.ends[row.body2]);
}

/// The blows_ of an island, what they lack in displacement, and their s.report.
void ImpactStage::makeBlows(ExactStep& s, const Island& island, bool located) {
  LocalProblem& local = s.local;
  // A contact that is thrown back is thrown back from what it was, not from its bound.
  blows_.contacts.assign(local.contacts.begin(), local.contacts.end());
  for (SolverContact& c : blows_.contacts) c.bound = 0.0;
  IslandGeometry geometry(s, island, found_);
  const Blows::Report done =
      blows_.run(local.mobility, s.in.dt, geometry, local.impulses, local.velocities);
  s.bounced.asked += done.work.asked;
  s.bounced.delivered += done.work.delivered;
  if (done.gaveUp) ++s.report.unfinishedImpacts;
  // Something is left of the step, whatever rounding makes of times.
  constexpr double kLatest = 1.0 - 1e-12;
  second_part_ = done.rested ? minOf(done.time, kLatest * s.in.dt) : 0.0;
  // How bodies of fast islands fall before their first blow is known here alone.
  for (std::size_t i = 0; i < local.bodies.size() && has_fast_; ++i) {
    if (blows_.acceleration[i] == Vec3{}) continue;
    const std::uint32_t b = local.bodies[i];
    nodes_.push_back({b, 0.0, {}, s.motion.startVelocity[b], blows_.acceleration[i], true});
  }
  for (BlowNode& node : blows_.nodes) {
    node.body = local.bodies[node.body];
    node.isFast = has_fast_;
    nodes_.push_back(node);
  }
  if (s.late.shift.empty()) {
    s.late.shift.assign(s.in.bodies.size(), BodyVelocity{});
    s.late.flightGain.assign(s.in.bodies.size(), Vec3{});
    s.late.parts.assign(s.in.bodies.size(), SecondPart{});
  }
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    const std::uint32_t b = local.bodies[i];
    if (!(second_part_ > 0.0)) local.velocities[i].linear -= blows_.acceleration[i] * done.time;
    s.late.flightGain[b] = blows_.acceleration[i];
    // Its course is that of the beginning until its first blow.
    if (!s.motion.lateTime.empty() && s.in.bodies.facts[b].type == BodyType::Dynamic)
      s.motion.lateTime[b] = minOf(s.motion.lateTime[b], blows_.firstBlow[i]);
  }
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    StepContact& c = s.contacts.at(island, k);
    c.rests = blows_.rows[k].rests;
    c.meeting.isSpent = blows_.rows[k].isRound && local.impulses[k] != Vec3{} && !c.rests;
    c.meeting.isOver =
        blows_.rows[k].isOver || (blows_.rows[k].isRound && isBehind(s, geometry, island, k));
    c.later.isInParts = second_part_ > 0.0;
    if (!located || blows_.delayed[k] == Vec3{}) continue;
    c.later.impulses = blows_.delayed[k];
    if (c.later.isInParts) continue;
    const auto shift = [&c](const PreparedContact::Side& side, double sign, BodyVelocity& to) {
      const Vec3 r = c.later.impulses * sign;
      to.linear += (side.linear[0] * r.x + side.linear[1] * r.y) + side.linear[2] * r.z;
      to.angular += (side.angular[0] * r.x + side.angular[1] * r.y) + side.angular[2] * r.z;
    };
    shift(blows_.prepared[k].side1, -1.0, s.late.shift[c.body1]);
    shift(blows_.prepared[k].side2, 1.0, s.late.shift[c.body2]);
  }
}

/// Stops what still approaches, so that nothing overlaps at the end of the step.
void ImpactStage::stopApproach(ExactStep& s, const Island& island) {
  LocalProblem& local = s.local;
  approach_.resize(local.contacts.size());
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    approach_[k] = normalVelocity(local.contacts[k], local.velocities);
  }
  const double fastest = local.fastest();
  stopping_.assign(local.impulses.size(), Vec3{});
  s.yieldToPress(island, stopping_);
  s.tell(ProblemKind::Impact);
  const SolverReport r = s.solve(island, s.settingOf(island), stopping_);
  s.noteSolve(island, r, fastest);
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    StepContact& c = s.contacts.at(island, k);
    c.impact = local.impulses[k] + stopping_[k];
    if (!local.couples.empty()) c.impactCouple = local.couples[k];
    const double least = blows_.rows[k].slowest;
    if (c.rests || !(c.material.restitution > 0.0) || !(approach_[k] < -least)) continue;
    const double parting = normalVelocity(local.contacts[k], local.velocities);
    s.bounced.asked -= 0.5 * stopping_[k].x * c.material.restitution * approach_[k];
    s.bounced.delivered += 0.5 * stopping_[k].x * maxOf(0.0, parting);
  }
}

/// Of an island in parts: the gap of a contact when the second one begins.
double ImpactStage::gapOfSecondPart(const ExactStep& s, const Island& island,
                                    std::uint32_t k) const {
  const BlowRow& row = blows_.rows[k];
  if (row.rests || (row.takesPart && row.gap <= kTouchingGap)) return 0.0;
  const SolverContact& c = s.local.contacts[k];
  const BodyVelocity &way1 = blows_.getWays()[c.body1], &way2 = blows_.getWays()[c.body2];
  const double parted = dot(c.normal, (way1.linear + cross(way1.angular, c.arm1)) -
                                          (way2.linear + cross(way2.angular, c.arm2)));
  return maxOf(0.0, s.contacts.at(island, k).open + parted);
}

/// What is in parts goes on from its velocities of now: those of the beginning are less by what
/// accelerations added, and contact forces act over what is left of the step.
void ImpactStage::beginSecondPart(ExactStep& s, const Island& island) {
  LocalProblem& local = s.local;
  const double left = s.in.dt - second_part_;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    StepContact& c = s.contacts.at(island, k);
    const SolverContact& row = local.contacts[k];
    const double gap = gapOfSecondPart(s, island, k);
    const double speed = normalVelocity(row, local.velocities);
    const double closes = gap > 0.0 ? minOf(2.0 * gap / left, kNoBound) : 0.0;
    c.later.endBound = c.rests ? 0.0 : minOf(0.0, -(closes + speed));
    if (c.meeting.isOver) c.later.endBound = -kNoBound;
    const Vec3& p = stopping_[k];
    if (p == Vec3{}) continue;
    const Vec3 gain = relativeVelocity(blows_.gained[row.body1], row.arm1, blows_.gained[row.body2],
                                       row.arm2, Vec3{});
    c.later.impulses += p * second_part_;
    c.later.work.normal += p.x * dot(row.normal, gain);
    c.later.work.friction += p.y * dot(row.tangent1, gain) + p.z * dot(row.tangent2, gain);
  }
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    const std::uint32_t b = local.bodies[i];
    s.late.parts[b] = {second_part_, blows_.getWays()[i], blows_.gained[i]};
    local.velocities[i].linear -= blows_.gained[i].linear;
    local.velocities[i].angular -= blows_.gained[i].angular;
  }
}

/// Throws back or stops what would overlap.
void ImpactStage::run(ExactStep& s) {
  s.motion.impactedVelocity = s.motion.startVelocity;
  s.late.shift.clear();
  s.late.flightGain.clear();
  nodes_.clear();
  const double slowest = slowestImpact(s);
  for (const Island& island : s.contacts.islands) {
    if (!begin(s, island, slowest) || letWait(s, island, slowest)) continue;
    runIsland(s, island, slowest);
  }
}

void ImpactStage::runIsland(ExactStep& s, const Island& island, double slowest) {
  LocalProblem& local = s.local;
  s.gather(island);
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    local.velocities[i] = s.motion.startVelocity[local.bodies[i]];
  }
  bool located = true;
  second_part_ = 0.0;
  if (gatherBlows(s, island, slowest, located)) makeBlows(s, island, located);
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = s.contacts.at(island, k);
    // What touched at the beginning may be apart since its blow, and come back later.
    if ((c.late == 0.0 && c.depth > 0.0 && s.in.baumgarte > 0.0) || isSpring(c)) continue;
    const double gap = c.later.isInParts ? gapOfSecondPart(s, island, k) : c.open + s.shiftAlong(c);
    const double bound = maxOf(-kNoBound, -gap / (s.in.dt - second_part_));
    local.contacts[k].bound = c.meeting.isOver ? -kNoBound : minOf(0.0, bound);
  }
  stopApproach(s, island);
  if (second_part_ > 0.0) beginSecondPart(s, island);
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    s.motion.impactedVelocity[local.bodies[i]] = local.velocities[i];
  }
}

/// A point of a rim that is about to roll over it approaches and does not strike: it moves on a
/// curve, which the velocity of the beginning does not know. Where nothing of an island approaches
/// but open contacts without restitution, of pairs that were pressed together, whether they close
/// is left to the geometry of the end.
bool ImpactStage::letWait(ExactStep& s, const Island& island, double slowest) {
  if (!MovingContacts::mayWait(s, island)) return false;
  bool isTurning = false;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    StepContact& c = s.contacts.at(island, k);
    if (c.late > 0.0 || c.material.restitution > 0.0) return false;
    const double u = normalVelocity(c.row, s.motion.startVelocity);
    if (!(u < c.row.bound - slowest)) continue;
    if (!(gapOf(c.depth) > kTouchingGap) || !isPressedElsewhere(s, island, c)) return false;
    isTurning = isTurning || s.motion.startVelocity[c.body1].angular != Vec3{} ||
                s.motion.startVelocity[c.body2].angular != Vec3{};
  }
  if (!isTurning) return false;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    StepContact& c = s.contacts.at(island, k);
    c.waits = normalVelocity(c.row, s.motion.startVelocity) < c.row.bound - slowest;
  }
  return true;
}

void ImpactStage::stopWaiting(ExactStep& s, const Island& island) {
  const double slowest = slowestImpact(s);
  if (begin(s, island, slowest)) runIsland(s, island, slowest);
}

/// Blows act within the step: what they overstate in displacement is taken back, and what bounced
/// to rest lies on what it fell on. Bodies that lie on others are left where they are, since they
/// would be pushed into what those lie on.
void shiftLateBodies(ExactStep& s, HoldBack& guard) {
  for (std::size_t i = 0; i < s.late.shift.size(); ++i) {
    if (s.in.bodies.facts[i].type != BodyType::Dynamic) continue;
    BodyVelocity& shift = s.late.shift[i];
    if (s.late.parts[i].from > 0.0) shift = shiftInParts(s, i);
    s.motion.newPosition[i] += shift.linear;
    if (shift.angular == Vec3{}) continue;
    guard.keepSpin(s.motion, i);
    s.motion.newOrientation[i] =
        normalized(quatFromRotationVector(shift.angular) * s.motion.newOrientation[i]);
  }
  for (const StepContact& c : s.contacts.all) {
    if (!c.rests) continue;
    const Vec3 m1 = s.in.bodies.mobility[c.body1].inverseMass,
               m2 = s.in.bodies.mobility[c.body2].inverseMass;
    if ((m1 != Vec3{}) == (m2 != Vec3{})) continue;
    const auto way = [&](std::uint32_t b, const Vec3& arm) {
      return (s.motion.newPosition[b] - s.in.bodies.position[b]) +
             cross(rotationBetween(s.in.bodies.orientation[b], s.motion.newOrientation[b]), arm);
    };
    const double gap =
        -c.depth + dot(c.row.normal, way(c.body1, c.row.arm1) - way(c.body2, c.row.arm2));
    if (!(gap > 0.0)) continue;
    if (m1 != Vec3{}) s.motion.newPosition[c.body1] -= c.row.normal * gap;
    if (m2 != Vec3{}) s.motion.newPosition[c.body2] += c.row.normal * gap;
  }
}

}  // namespace abut::inline v0_1
