// SPDX-License-Identifier: MIT
//
// Which contacts are followed through a step, in which legs, and what they book. The end of a leg
// is found in moving_passes.cpp.
#include "scheme/exact/moving_leg.hpp"
#include "scheme/exact/springs.hpp"

namespace abut::inline v0_1 {
namespace {

/// Motion in the step below this, as an angle or as a share of the body's size, does not move a
/// contact by what a double can tell in its velocity.
constexpr double kStill = 1e-9;
/// Overlap beyond this share of the smaller body is for the correction: there is no place to
/// follow.
constexpr double kDeep = 1e-3;
/// A leg is at least this power of one half of the step: contraction falls with the square of the
/// turn in a leg, so four halvings serve turns of several radians.
constexpr int kMaxHalvings = 4;
/// A contact that waited for the end of a leg has passed if it is deeper than what presses there by
/// less than this share of the smaller body.
constexpr double kPasses = 1e-9;
/// A contact that goes along a body by more than this share of its size in a leg goes far: what the
/// leg leaves, of third order in that share, would be seen.
constexpr double kFar = 0.3;

/// A body whose rotation is locked about some axes only is not followed.
bool canFollow(const BodyFacts& f) {
  const int locked = f.locks & kLockRotation;
  return locked == 0 || locked == kLockRotation;
}

/// Islands that something moves, and that are not the business of another stage.
bool mayMove(const ExactStep& s, const Island& island) {
  const double dt = s.in.dt;
  bool moves = false, strikes = false;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = s.contacts.at(island, k);
    if (c.cacheIndex == kNoCacheIndex || c.late > 0.0) return false;
    // Blows within the step have changed its way already.
    if (c.located || c.rests || c.later.isInParts || c.later.impulses != Vec3{}) return false;
    const BodyFacts &f = s.in.bodies.facts[c.body1], &g = s.in.bodies.facts[c.body2];
    if (!canFollow(f) || !canFollow(g)) return false;
    const double smaller = minOf(f.shape->boundingRadius(), g.shape->boundingRadius());
    if (c.depth > kDeep * smaller) return false;
    strikes = strikes || c.impact != Vec3{};
    for (const std::uint32_t b : {c.body1, c.body2}) {
      const BodyVelocity &u = s.motion.impactedVelocity[b], &v = s.motion.endVelocity[b];
      const double turn = maxOf(norm(u.angular), norm(v.angular)) * dt;
      const double way = maxOf(norm(u.linear), norm(v.linear)) * dt;
      const double size = sizeOf(s.in.bodies.facts[b]);
      moves = moves || turn > kStill || (size > 0.0 && way > kStill * size);
    }
  }
  return moves && !(strikes && island.numContacts > kTurmoil);
}

}  // namespace

bool MovingContacts::mayWait(const ExactStep& s, const Island& island) {
  return s.options.model == ContactModel::ExactCoulomb && island.numContacts <= kTurmoil &&
         !hasSprings(s, island);
}

void MovingContacts::begin(std::size_t contacts, std::size_t bodies) {
  is_moving_.assign(contacts, 0);
  moves_body_.assign(bodies, 0);
  contacts_.resize(contacts);
  bodies_.resize(bodies);
}

/// The answer with the geometry of the start, for the whole step.
void MovingContacts::start(const ExactStep& s, const Island& island, const LocalProblem& local) {
  speed_ = 0.0;
  driver_spin_ = {};
  int drivers = 0;
  for (const std::uint32_t b : local.bodies) {
    const Vec3& spin = s.motion.startVelocity[b].angular;
    if (s.in.bodies.facts[b].type == BodyType::Kinematic && spin != Vec3{})
      driver_spin_ = ++drivers == 1 ? spin : Vec3{};
    MovingBody& body = bodies_[b];
    body = {};
    body.startPosition = s.in.bodies.position[b];
    body.startOrientation = s.in.bodies.orientation[b];
    body.startVelocity = s.motion.impactedVelocity[b];
    body.velocity = s.motion.endVelocity[b];
    speed_ = maxOf(speed_, maxOf(norm(s.motion.impactedVelocity[b].linear),
                                 norm(s.motion.endVelocity[b].linear)));
  }
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const std::uint32_t index = s.contacts.indexOf(island, k);
    const StepContact& c = s.contacts.all[index];
    MovingContact& m = contacts_[index];
    m = {};
    m.startRow = c.row;
    m.start = {c.row.normal, c.row.arm1, c.row.arm2, -c.depth};
    m.startSlip = tangential(c.row.normal,
                             relativeAt(m.start, c.row.offset, s.motion.impactedVelocity[c.body1],
                                        s.motion.impactedVelocity[c.body2]));
    m.legSlip = m.startSlip;
    m.endImpulse = inWorld(c.row, c.impulse);
    m.endCouple = inWorld(c.row, c.couple);
  }
}

/// Works of a leg: each half of the impulse on the velocities of its own end.
void MovingContacts::bookLeg(const StepContact& c, MovingContact& m) const {
  const MovingBody &b1 = bodies_[c.body1], &b2 = bodies_[c.body2];
  const auto half = [&](const MovedPlace& at, const Vec3& impulse, const Vec3& couple,
                        const BodyVelocity& v1, const BodyVelocity& v2) {
    const Vec3 p = impulse * 0.5, t = couple * 0.5;
    const Vec3 u = relativeAt(at, c.row.offset, v1, v2);
    const Vec3 mean = relativeAt(at, c.row.offset, b1.mean, b2.mean);
    const Vec3 turn = v1.angular - v2.angular, meanTurn = b1.mean.angular - b2.mean.angular;
    const double normalWork = dot(p, at.normal) * dot(at.normal, u);
    // Bodies that part at one end of a leg in which they press, as after a correction, do so by the
    // leg's error: no impact gives energy.
    (normalWork > 0.0 ? m.excess : m.normalWork) += normalWork;
    m.frictionWork += (dot(p, u) - normalWork) + dot(t, turn);
    m.excess += dot(p, mean - u) + dot(t, meanTurn - turn);
    m.impulse += p;
    m.couple += t;
    m.moment1 += cross(at.arm1, p) + t;
    m.moment2 += cross(at.arm2, p) + t;
  };
  half(m.start, m.startImpulse, m.startCouple, b1.startVelocity, b2.startVelocity);
  half(m.end, m.endImpulse, m.endCouple, b1.velocity, b2.velocity);
}

/// The end of a leg is the start of the next.
void MovingContacts::endLeg(const ExactStep& s, const Island& island, const LocalProblem& local,
                            double h) {
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const std::uint32_t index = s.contacts.indexOf(island, k);
    const StepContact& c = s.contacts.all[index];
    MovingContact& m = contacts_[index];
    bookLeg(c, m);
    m.start = m.end;
    m.legSlip = tangential(m.end.normal, relativeAt(m.end, c.row.offset, bodies_[c.body1].velocity,
                                                    bodies_[c.body2].velocity));
  }
  for (const std::uint32_t b : local.bodies) {
    MovingBody& body = bodies_[b];
    body.startPosition = body.position;
    body.startOrientation = body.orientation;
    body.startVelocity = body.velocity;
    body.way += body.mean.linear * h;
    body.turn += body.mean.angular * h;
  }
  leg_ = h;
}

/// Whether contacts that waited, which took no part in the passes, are at the end no deeper than
/// what presses between their bodies.
bool MovingContacts::passedBy(const ExactStep& s, const Island& island) const {
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const std::uint32_t index = s.contacts.indexOf(island, k);
    const StepContact& c = s.contacts.all[index];
    if (!c.waits) continue;
    double lowest = 0.0;
    for (std::uint32_t i = 0; i < island.numContacts; ++i) {
      const std::uint32_t other = s.contacts.indexOf(island, i);
      const StepContact& o = s.contacts.all[other];
      const bool isPair = o.body1 == c.body1 && o.body2 == c.body2;
      if (isPair && !o.waits) lowest = minOf(lowest, contacts_[other].end.gap);
    }
    const double size = minOf(s.in.bodies.facts[c.body1].shape->boundingRadius(),
                              s.in.bodies.facts[c.body2].shape->boundingRadius());
    if (contacts_[index].end.gap < lowest - kPasses * size) return false;
  }
  return true;
}

/// Whether a contact that presses goes far along both bodies, as that of a disc which rolls round.
bool MovingContacts::goesFar(const ExactStep& s, const Island& island) const {
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const std::uint32_t index = s.contacts.indexOf(island, k);
    const StepContact& c = s.contacts.all[index];
    const MovingContact& m = contacts_[index];
    if (m.endImpulse == Vec3{}) continue;
    const auto isFar = [&](std::uint32_t b, const Vec3& from, const Vec3& to) {
      if (!isFree(s, b)) return false;
      const MovingBody& body = bodies_[b];
      const double far = kFar * sizeOf(s.in.bodies.facts[b]);
      const Vec3 own = transposeTimes(toMatrix(body.orientation), to) -
                       transposeTimes(toMatrix(body.startOrientation), from);
      return norm(to - from) > far && norm(own) > far;
    };
    if (isFar(c.body1, m.start.arm1, m.end.arm1) || isFar(c.body2, m.start.arm2, m.end.arm2))
      return true;
  }
  return false;
}

/// One leg, in halves where its passes do not settle or a contact goes far.
bool MovingContacts::followLeg(ExactStep& s, const Island& island, double h, int halvings) {
  const bool mayHalve = halvings < kMaxHalvings && island.numContacts <= kTurmoil;
  if (makePasses(s, island, h, mayHalve)) {
    closed_ = !passedBy(s, island);
    if (closed_) return false;
    endLeg(s, island, s.local, h);
    return true;
  }
  if (closed_ || !mayHalve) return false;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    MovingContact& m = contacts_[s.contacts.indexOf(island, k)];
    m.endImpulse = m.guess * 0.5;
    m.endCouple = m.coupleGuess * 0.5;
  }
  for (const std::uint32_t b : s.local.bodies) bodies_[b].velocity = bodies_[b].startVelocity;
  return followLeg(s, island, 0.5 * h, halvings + 1) && followLeg(s, island, 0.5 * h, halvings + 1);
}

bool MovingContacts::follow(ExactStep& s, const Island& island) {
  const double dt = s.in.dt;
  if (!mayMove(s, island)) return false;
  s.gather(island);
  start(s, island, s.local);
  speed_ = maxOf(speed_, norm(s.in.gravity) * dt);
  closed_ = false;
  if (!followLeg(s, island, dt, 0)) return false;
  if (s.in.extrapolates && leg_ == dt) extrapolate(s, island);
  s.noteRigid(report_);
  publish(s, island, dt / leg_);
  const LocalProblem& local = s.local;
  for (const std::uint32_t b : local.bodies) {
    if (!isFree(s, b)) continue;
    moves_body_[b] = 1;
    s.motion.endVelocity[b] = bodies_[b].velocity;
    // The mean of this and the angular velocity after forces is then that of the step.
    s.motion.freeSpin[b] = bodies_[b].turn * (2.0 / dt) - s.motion.endVelocity[b].angular;
  }
  return true;
}

/// Contacts as they are at the end, with impulses as if all of the step went as its last leg.
void MovingContacts::publish(ExactStep& s, const Island& island, double scale) {
  const LocalProblem& local = s.local;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const std::uint32_t index = s.contacts.indexOf(island, k);
    is_moving_[index] = 1;
    StepContact& c = s.contacts.all[index];
    const SolverContact& row = local.contacts[k];
    c.row.normal = row.normal;
    c.row.tangent1 = row.tangent1;
    c.row.tangent2 = row.tangent2;
    c.row.arm1 = row.arm1;
    c.row.arm2 = row.arm2;
    c.impulse = local.impulses[k] * scale;
    if (!local.couples.empty()) c.couple = local.couples[k] * scale;
  }
}

}  // namespace abut::inline v0_1
