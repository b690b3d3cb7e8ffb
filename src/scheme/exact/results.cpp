// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>

#include "dynamics/point_velocity.hpp"
#include "scheme/exact/stages.hpp"
#include "solver/solver_contact.hpp"

namespace abut::inline v0_1 {
namespace {

Vec3 tangentialImpulse(const SolverContact& c, const Vec3& p) {
  return c.tangent1 * p.y + c.tangent2 * p.z;
}

/// What an impulse and a couple along a contact's frame did in a phase.
Exchange exchangeOf(const SolverContact& c, const Vec3& impulse, const Vec3& couple,
                    const Phase& phase) {
  const BodyVelocity v1 = meanOf(phase.start[c.body1], phase.end[c.body1]);
  const BodyVelocity v2 = meanOf(phase.start[c.body2], phase.end[c.body2]);
  const Vec3 u = relativeVelocity(v1, c.arm1, v2, c.arm2, c.offset);
  const Vec3 m = inWorld(c, couple);
  Exchange e;
  e.body1 = c.body1;
  e.body2 = c.body2;
  e.impulse = inWorld(c, impulse);
  e.moment1 = cross(c.arm1, e.impulse) + m;
  e.moment2 = cross(c.arm2, e.impulse) + m;
  e.normalWork = impulse.x * dot(c.normal, u);
  e.frictionWork = dot(tangentialImpulse(c, impulse), u) + dot(m, v1.angular - v2.angular);
  return e;
}

/// The share of what springs hold that they can give back: no more than they were left with,
/// whatever geometry made of their overlap since.
double shareOfSprings(const StepInput& in, const ExactContacts& contacts, double left) {
  Account found;
  for (const StepContact& c : contacts.all) {
    if (isSpring(c)) found += springEnergy(c.material.stiffness, c.depth);
  }
  if (Halo* const halo = in.halo()) {
    ExactSum* const sums[] = {&found.getSum()};
    addOverRanks(halo->comm, sums);
  }
  return found.value() > left ? left / found.value() : 1.0;
}

/// A spring's work, `done` so far, is that on the bodies; here its energy at both ends, at the
/// start a share of what its overlap holds, and what it took beyond that.
void bookSpring(const StepInput& in, const Phase& phase, double done, double share, StepContact& c,
                StepBooks& books) {
  const BodyVelocity v1 = meanOf(phase.start[c.body1], phase.end[c.body1]);
  const BodyVelocity v2 = meanOf(phase.start[c.body2], phase.end[c.body2]);
  const Vec3 u = relativeVelocity(v1, c.row.arm1, v2, c.row.arm2, c.row.offset);
  const double after = c.depth - in.dt * dot(c.row.normal, u);
  const double k = c.material.stiffness;
  const double stored = share * springEnergy(k, c.depth), left = springEnergy(k, after);
  const double taken = (done + left) - stored;
  (taken <= 0.0 ? books.dampers : books.integrator) += taken;
  books.impact -= done;
  books.elasticBefore += stored;
  books.elasticAfter += left;
  c.released = stored - left;
}

}  // namespace

/// What contacts did, at impact and under forces, and what forces did.
void bookContacts(const StepInput& in, const StepMotion& motion, const MovingContacts& moving,
                  ExactContacts& contacts, std::vector<BodyVelocity>& turning, StepBooks& books) {
  turning.assign(motion.impactedVelocity.begin(), motion.impactedVelocity.end());
  for (std::size_t i = 0; i < turning.size(); ++i) turning[i].angular = motion.freeSpin[i];
  const Phase impactPhase{motion.startVelocity, motion.impactedVelocity},
      forcePhase{turning, motion.endVelocity};
  const double share =
      in.materials.hasStiffness() ? shareOfSprings(in, contacts, books.springsMayGive) : 1.0;
  for (std::size_t k = 0; k < contacts.all.size(); ++k) {
    StepContact& c = contacts.all[k];
    const bool isMoving = moving.isMoving(k);
    if (c.impact != Vec3{}) {
      const SolverContact& row = isMoving ? moving.at(k).startRow : c.row;
      const Exchange e = exchangeOf(row, c.impact, c.impactCouple, impactPhase);
      c.driverWork += books.exchange(in.bodies, impactPhase, e);
    }
    if (isMoving) {
      // What the mean velocities of the bodies make of its impulse beyond the work on those of both
      // ends is the integrator's.
      const MovingContact& m = moving.at(k);
      const Phase mean{motion.impactedVelocity, motion.impactedVelocity};
      const Exchange e{c.body1,   c.body2,      m.impulse,     m.moment1,
                       m.moment2, m.normalWork, m.frictionWork};
      c.driverWork += books.exchange(in.bodies, mean, e);
      books.integrator += m.excess;
    } else if (c.impulse != Vec3{}) {
      const Exchange e = exchangeOf(c.row, c.impulse, c.couple, forcePhase);
      c.driverWork += books.exchange(in.bodies, forcePhase, e);
      if (isSpring(c)) bookSpring(in, forcePhase, e.normalWork, share, c, books);
    } else if (isSpring(c)) {
      bookSpring(in, forcePhase, 0.0, share, c, books);
    }
  }
  const Vec3 gravity = in.gravity;
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    if (motion.isJointed(i)) continue;
    if (!books.bodyBefore(in.bodies, i, gravity, motion.foundAt(i))) continue;
    if (moving.movesBody(i)) {
      const MovingBody& m = moving.ofBody(i);
      books.bodyOnWay(in.bodies, i, gravity, m.way, m.turn, m.orientation,
                      motion.endVelocity[i].angular, motion.newPosition[i]);
    } else {
      books.bodyInPhase(in.bodies, i, gravity, in.dt, motion.impactedVelocity[i], forcePhase,
                        motion.newPosition[i]);
    }
  }
}

/// The work of a blow is that on the velocities at its time; what forces added until then is the
/// other half of what shiftLateBodies() does to the potential energy. Applied forces do their work
/// on the way that it leaves.
void bookLateBlows(const StepInput& in, const ExactContacts& contacts, const LateBlows& late,
                   StepBooks& books) {
  const std::vector<Vec3>& flightGain = late.flightGain;
  if (flightGain.empty()) return;
  for (const StepContact& c : contacts.all) {
    if (c.later.impulses == Vec3{}) continue;
    const Vec3 gain = flightGain[c.body1] - flightGain[c.body2];
    const double normalWork =
        c.later.isInParts ? c.later.work.normal : c.later.impulses.x * dot(c.row.normal, gain);
    const double frictionWork = c.later.isInParts
                                    ? c.later.work.friction
                                    : dot(tangentialImpulse(c.row, c.later.impulses), gain);
    books.impact += normalWork;
    books.friction += frictionWork;
    books.integrator -= normalWork + frictionWork;
  }
  for (std::size_t i = 0; i < late.shift.size(); ++i) {
    if (in.bodies.facts[i].type != BodyType::Dynamic || in.bodies.force[i] == Vec3{}) continue;
    const double work = dot(in.bodies.force[i], late.shift[i].linear);
    books.forces += work;
    books.integrator -= work;
  }
}

/// Impulses do their work on the mean of the velocities before and after; contacts give way by the
/// latter.
void bookYield(const YieldWork& yielded, StepBooks& books) {
  books.impact.merge(yielded.normal);
  books.friction.merge(yielded.friction);
  books.compliance.merge(yielded.taken);
}

namespace {

/// A contact as the step leaves it.
ContactOutcome outcomeOf(const StepMotion& motion, const ExactContacts& contacts,
                         const MovingContacts& moving, const ContactManifoldCache& cache,
                         std::size_t k) {
  const StepContact& c = contacts.all[k];
  const bool isMoving = moving.isMoving(k);
  const SolverContact& start = isMoving ? moving.at(k).startRow : c.row;
  const auto velocityIn = [](const SolverContact& row, const std::vector<BodyVelocity>& v) {
    return relativeVelocity(v[row.body1], row.arm1, v[row.body2], row.arm2, row.offset);
  };
  ContactOutcome out;
  out.body1 = c.body1;
  out.body2 = c.body2;
  out.cacheIndex = c.cacheIndex;
  out.position = c.cacheIndex != kNoCacheIndex
                     ? toVec3(cache.getContacts()[c.cacheIndex].contact.position)
                     : c.position;
  out.normal = c.row.normal;
  out.depth = c.depth;
  out.friction = c.row.friction;
  out.normalImpulse = c.impulse.x;
  out.frictionImpulse = tangentialImpulse(c.row, c.impulse);
  out.couple = inWorld(c.row, c.couple);
  if (isMoving) {
    const MovingContact& m = moving.at(k);
    out.normalImpulse = dot(m.impulse, c.row.normal);
    out.frictionImpulse = m.impulse - c.row.normal * out.normalImpulse;
    out.couple = m.couple;
  }
  if (c.carry != Vec3{}) {
    const Vec3 carry = inWorld(start, c.carry);
    const double along = dot(c.row.normal, carry);
    out.normalImpulse += along;
    out.frictionImpulse += carry - c.row.normal * along;
    out.couple += inWorld(start, c.carryCouple);
  }
  out.impact = inWorld(start, c.impact);
  out.normalImpact = c.impact.x;
  out.speed = dot(start.normal, velocityIn(start, motion.startVelocity));
  out.pull = c.pull;
  out.late = c.late;
  const Vec3 u = velocityIn(c.row, motion.endVelocity);
  out.slip = u - c.row.normal * dot(c.row.normal, u);
  return out;
}

}  // namespace

void showContacts(const StepMotion& motion, const ExactContacts& contacts,
                  const MovingContacts& moving, std::vector<std::uint32_t>& islandOf,
                  ContactManifoldCache& cache, ContactPublisher& publisher) {
  islandOf.resize(contacts.all.size());
  for (std::uint32_t k = 0; k < contacts.islands.size(); ++k) {
    const Island& island = contacts.islands[k];
    for (std::uint32_t i = 0; i < island.numContacts; ++i)
      islandOf[contacts.indexOf(island, i)] = k;
  }
  publisher.expect(contacts.all.size());
  for (std::size_t i = 0; i < contacts.all.size(); ++i) {
    ContactOutcome outcome = outcomeOf(motion, contacts, moving, cache, i);
    outcome.island = islandOf[i];
    publisher.show(i, outcome);
    const StepContact& c = contacts.all[i];
    if (c.cacheIndex == kNoCacheIndex) continue;
    const bool keeps = isHeap(contacts.islands[islandOf[i]]);
    // The solver keeps impulses finite and inside the cone, so this cannot be refused.
    (void)cache.setImpulse(c.cacheIndex, c.impulse.x, toEigen(tangentialImpulse(c.row, c.impulse)),
                           c.row.friction, keeps ? inWorld(c.row, c.couple) : Vec3{});
  }
}

}  // namespace abut::inline v0_1
