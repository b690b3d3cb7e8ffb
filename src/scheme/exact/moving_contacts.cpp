// SPDX-License-Identifier: MIT
#include "scheme/exact/moving_contacts.hpp"

#include "integration/mean_rotation.hpp"
#include "integration/rigid_rotation.hpp"
#include "math/trigonometry.hpp"
#include "scheme/exact/springs.hpp"
#include "scheme/exact/stages.hpp"

namespace abut::inline v0_1 {
namespace {

/// Motion in the step below this, as an angle or as a share of the body's size, does not move a
/// contact by what a double can tell in its velocity.
constexpr double kStill = 1e-9;
/// Overlap beyond this share of the smaller body is for the correction: there is no place to
/// follow.
constexpr double kDeep = 1e-3;
/// Passes stop when no point of a body changes its velocity by more than this share of the island's
/// speed: the step's own error, of order (w dt)^3, is far above it.
constexpr double kSettled = 1e-10;
/// Passes that end with a larger change than this have not settled.
constexpr double kAlmostSettled = 1e-6;
constexpr int kMaxPasses = 12;
/// From this pass on each has to change less than this share of what the one before did.
constexpr int kFirstPasses = 3;
constexpr double kContraction = 0.9;
/// What the solver's own tolerance leaves in a velocity, as a share of the impulse's effect.
constexpr double kSolverNoise = 1e-12;
/// A leg is at least this power of one half of the step: contraction falls with the square of the
/// turn in a leg, so four halvings serve turns of several radians.
constexpr int kMaxHalvings = 4;
/// Beyond so many contacts an island that has impacts in this step is in turmoil: its motion is not
/// smooth, and a higher order has nothing to hold on to. A large one must settle faster, and is not
/// halved.
constexpr std::uint32_t kTurmoil = 50;
constexpr double kContractionOfLarge = 0.5;
/// A contact that waited for the end of a leg has passed if it is deeper than what presses there by
/// less than this share of the smaller body.
constexpr double kPasses = 1e-9;
/// A bound beyond every speed [m/s]: the contact does not count.
constexpr double kNoBound = 1e30;
/// A contact that goes along a body by more than this share of its size in a leg goes far: what the
/// leg leaves, of third order in that share, would be seen.
constexpr double kFar = 0.3;
/// Spins that differ by less than this share are those of bodies that turn together, where slip is
/// below this share of the island's speed.
constexpr double kCarried = 0.1, kSticks = 1e-7;
/// Slip below this [m/s] has no direction: a direction of its own at each contact would keep those
/// from holding that could.
constexpr double kSlips = 1e-9;

Vec3 pointVelocity(const BodyVelocity& v, const Vec3& arm) {
  return v.linear + cross(v.angular, arm);
}

/// Relative velocity of a contact's surfaces at a place.
Vec3 relativeAt(const MovedPlace& p, const Vec3& offset, const BodyVelocity& v1,
                const BodyVelocity& v2) {
  return (pointVelocity(v1, p.arm1) - pointVelocity(v2, p.arm2)) + offset;
}

Vec3 tangential(const Vec3& normal, const Vec3& v) {
  return v - normal * dot(normal, v);
}

Quat conjugate(const Quat& q) {
  return {q.w, -q.x, -q.y, -q.z};
}

/// The shortest rotation that takes one unit vector to another.
Quat turnTo(const Vec3& from, const Vec3& to) {
  const Vec3 axis = cross(from, to);
  const double sine = norm(axis);
  if (!(sine > 0.0)) return Quat{};
  return quatFromRotationVector(axis * (atan2Of(sine, dot(from, to)) / sine));
}

Vec3 inWorld(const SolverContact& row, const Vec3& p) {
  return (row.normal * p.x + row.tangent1 * p.y) + row.tangent2 * p.z;
}

Vec3 inFrame(const SolverContact& row, const Vec3& p) {
  return {dot(row.normal, p), dot(row.tangent1, p), dot(row.tangent2, p)};
}

bool isFree(const ExactStep& s, std::uint32_t body) {
  return s.in.bodies.facts[body].type == BodyType::Dynamic && !s.in.bodies.rest[body].isAsleep();
}

bool turnsFreely(const BodyFacts& f) {
  return f.type == BodyType::Dynamic && (f.locks & kLockRotation) == 0;
}

/// A body whose rotation is locked about some axes only is not followed.
bool canFollow(const BodyFacts& f) {
  const int locked = f.locks & kLockRotation;
  return locked == 0 || locked == kLockRotation;
}

/// The spin that two bodies have in common: what the slower has of the faster's. Where both turn
/// with a driver, but for what passes have not found yet, it is the driver's.
double commonSpin(double a, double b, double driver) {
  if (!(a * b > 0.0)) return 0.0;
  const double most = kCarried * absOf(driver);
  if (absOf(a - driver) <= most && absOf(b - driver) <= most) return driver;
  return absOf(a) < absOf(b) ? a : b;
}

double sizeOf(const BodyFacts& f) {
  const double radius = f.shape->boundingRadius();
  return isFinite(radius) ? radius : 0.0;
}

/// What the forces of the step give a body in a time h [N s].
Vec3 impulseOfForces(const ExactStep& s, std::uint32_t body, double h) {
  const BodyFacts& f = s.in.bodies.facts[body];
  return (s.in.gravity * (f.mass * f.gravityScale) + s.in.bodies.force[body]) * h;
}

/// Angular momentum at the end of a time h without contacts [N m s].
Vec3 momentumOfForces(const ExactStep& s, std::uint32_t body, const MovingBody& b, double h) {
  const Mat3 r = toMatrix(b.startOrientation);
  const Vec3 own = transposeTimes(r, b.startVelocity.angular);
  return r * (s.in.bodies.facts[body].inertia.tensor * own) + s.in.bodies.torque[body] * h;
}

/// Islands that something moves, and that are not the business of another stage.
bool mayMove(const ExactStep& s, const Island& island) {
  const double dt = s.in.dt;
  bool moves = false, strikes = false;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = s.contacts.at(island, k);
    if (c.cacheIndex == kNoCacheIndex || c.late > 0.0) return false;
    // Blows within the step have changed its way already.
    if (c.located || c.rests || c.delayed != Vec3{}) return false;
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

/// Rotation of a contact's frame over a leg: that of its normal, and about the normal the spin that
/// both bodies have in common. Points that stick together carry stresses that only turn with the
/// bodies: with the same impulse at both ends these would be a couple that is not there.
Quat MovingContacts::turnOfFrame(const StepContact& c, const MovingContact& m, const Vec3& normal,
                                 double h) const {
  const Vec3 sum = m.start.normal + normal;
  if (!(squaredNorm(sum) > 1.0)) return turnTo(m.start.normal, normal);
  const Vec3 middle = normalized(sum);
  const auto spin = [&](std::uint32_t b) {
    return 0.5 * dot(middle, bodies_[b].startVelocity.angular + bodies_[b].velocity.angular);
  };
  const double a = spin(c.body1), b = spin(c.body2);
  const bool sticks = norm(m.legSlip) <= kSticks * speed_;
  const double common = commonSpin(a, b, sticks ? dot(middle, driver_spin_) : 0.0);
  return turnTo(middle, normal) *
         (quatFromRotationVector(middle * (common * h)) * turnTo(m.start.normal, middle));
}

/// Before the first pass of a leg: contacts stay where they are but for the common spin.
void MovingContacts::predict(const ExactStep& s, const Island& island, double h) {
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const std::uint32_t index = s.contacts.indexOf(island, k);
    MovingContact& m = contacts_[index];
    m.end = m.start;
    m.startImpulse = m.guess = m.endImpulse;
    m.startCouple = m.coupleGuess = m.endCouple;
    const Mat3 turn = toMatrix(turnOfFrame(s.contacts.all[index], m, m.start.normal, h));
    m.endImpulse = turn * m.startImpulse;
    m.endCouple = turn * m.startCouple;
  }
}

/// Where the impulses take the bodies. False if a rotation does not settle.
bool MovingContacts::moveBodies(const ExactStep& s, const Island& island, const LocalProblem& local,
                                double h) {
  pushes_.assign(local.bodies.size(), Push{});
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const MovingContact& m = contacts_[s.contacts.indexOf(island, k)];
    const SolverContact& row = local.contacts[k];
    const Vec3 impulse = (m.startImpulse + m.endImpulse) * 0.5;
    const Vec3 couple = (m.startCouple + m.endCouple) * 0.5;
    const auto moment = [&](const Vec3& startArm, const Vec3& endArm) {
      return (cross(startArm, m.startImpulse) + cross(endArm, m.endImpulse)) * 0.5 + couple;
    };
    pushes_[row.body1].impulse += impulse;
    pushes_[row.body1].moment += moment(m.start.arm1, m.end.arm1);
    pushes_[row.body2].impulse -= impulse;
    pushes_[row.body2].moment -= moment(m.start.arm2, m.end.arm2);
  }
  bool settled = true;
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    settled = moveBody(s, local.bodies[i], pushes_[i], h) && settled;
  }
  return settled;
}

bool MovingContacts::moveBody(const ExactStep& s, std::uint32_t b, const Push& push, double h) {
  MovingBody& out = bodies_[b];
  const BodyFacts& f = s.in.bodies.facts[b];
  out.velocity = out.startVelocity;
  if (isFree(s, b)) {
    out.velocity.linear +=
        scaled(s.in.bodies.mobility[b].inverseMass, impulseOfForces(s, b, h) + push.impulse);
  }
  out.mean.linear = (out.startVelocity.linear + out.velocity.linear) * 0.5;
  out.position = out.startPosition + out.mean.linear * h;
  if (!isFree(s, b) || !turnsFreely(f)) {
    out.mean.angular = out.startVelocity.angular;
    out.orientation = out.startOrientation;
    const LocalInertia none;
    rotateFreely(none, h, out.orientation, out.velocity.angular);
    return true;
  }
  const MeanRotation turn =
      rotateByMean(f.inertia, h, out.startOrientation, out.startVelocity.angular,
                   momentumOfForces(s, b, out, h) + push.moment);
  out.orientation = turn.orientation;
  out.velocity.angular = turn.velocity;
  out.mean.angular = turn.mean;
  return turn.settled;
}

/// The problem with the geometry of the end. Velocities are those that the bodies would have there
/// without the impulses of the end, halves at the start counted as far as they differ from them.
void MovingContacts::makeRows(const ExactStep& s, const Island& island, LocalProblem& local,
                              double h) {
  last_.resize(local.bodies.size());
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    const std::uint32_t b = local.bodies[i];
    const MovingBody& body = bodies_[b];
    last_[i] = body.velocity;
    local.velocities[i] = body.startVelocity;
    if (!isFree(s, b)) continue;
    const BodyFacts& f = s.in.bodies.facts[b];
    local.velocities[i].linear +=
        scaled(s.in.bodies.mobility[b].inverseMass, impulseOfForces(s, b, h));
    if (!turnsFreely(f)) continue;
    const Mat3 end = toMatrix(body.orientation);
    local.mobility[i].inverseInertia = end * (f.inertia.inverse * transpose(end));
    local.velocities[i].angular =
        end * (f.inertia.inverse * transposeTimes(end, momentumOfForces(s, b, body, h)));
  }
  back_turns_.resize(island.numContacts);
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const std::uint32_t index = s.contacts.indexOf(island, k);
    const StepContact& c = s.contacts.all[index];
    const MovingContact& m = contacts_[index];
    SolverContact& row = local.contacts[k];
    makeRow(c, m, h, row);
    back_turns_[k] = conjugate(turnOfFrame(c, m, row.normal, h));
    carryOver(m, row, back_turns_[k], local);
    local.impulses[k] = inFrame(row, m.endImpulse);
    if (!local.couples.empty()) local.couples[k] = inFrame(row, m.endCouple);
  }
}

void MovingContacts::makeRow(const StepContact& c, const MovingContact& m, double h,
                             SolverContact& row) const {
  row.normal = m.end.normal;
  row.tangent1 = anyPerpendicular(row.normal);
  row.tangent2 = cross(row.normal, row.tangent1);
  row.arm1 = m.end.arm1;
  row.arm2 = m.end.arm2;
  const Vec3 u =
      relativeAt(m.end, c.row.offset, bodies_[c.body1].velocity, bodies_[c.body2].velocity);
  const double approach = dot(row.normal, u);
  const Vec3 slip = u - row.normal * approach;
  // Friction is against the mean of the slips at both ends: so curved slides are of second order.
  row.offset = c.row.offset;
  const Vec3 slipBefore = tangential(row.normal, m.legSlip);
  const double speed = norm(slip);
  if (speed > kSlips && norm(slipBefore) > kSlips && dot(slipBefore, slip) > 0.0) {
    row.offset += normalized(slipBefore + slip) * speed - slip;
  }
  // The gap at the end, by the mean of the velocities, must not be negative.
  row.bound = c.waits ? -kNoBound : minOf(0.0, approach - 2.0 * m.end.gap / h);
}

/// What half the impulse does at the start instead of the end, by the impulse of the last pass.
void MovingContacts::carryOver(const MovingContact& m, const SolverContact& row,
                               const Quat& backTurn, LocalProblem& local) const {
  const Mat3 back = toMatrix(backTurn);
  const Vec3 before = back * m.endImpulse;
  const Vec3 impulse = (before - m.endImpulse) * 0.5;
  const Vec3 couple = (back * m.endCouple - m.endCouple) * 0.5;
  const auto moment = [&](const Vec3& startArm, const Vec3& endArm) {
    return (cross(startArm, before) - cross(endArm, m.endImpulse)) * 0.5 + couple;
  };
  BodyVelocity &v1 = local.velocities[row.body1], &v2 = local.velocities[row.body2];
  const BodyMobility &m1 = local.mobility[row.body1], &m2 = local.mobility[row.body2];
  v1.linear += scaled(m1.inverseMass, impulse);
  v1.angular += m1.inverseInertia * moment(m.start.arm1, row.arm1);
  v2.linear -= scaled(m2.inverseMass, impulse);
  v2.angular -= m2.inverseInertia * moment(m.start.arm2, row.arm2);
}

void MovingContacts::takeAnswer(const ExactStep& s, const Island& island,
                                const LocalProblem& local) {
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    MovingContact& m = contacts_[s.contacts.indexOf(island, k)];
    const SolverContact& row = local.contacts[k];
    const Mat3 back = toMatrix(back_turns_[k]);
    m.endImpulse = inWorld(row, local.impulses[k]);
    m.startImpulse = back * m.endImpulse;
    if (local.couples.empty()) continue;
    m.endCouple = inWorld(row, local.couples[k]);
    m.startCouple = back * m.endCouple;
  }
}

/// Greatest change of a point's velocity since the last pass [m/s]. NaN counts as endless.
double MovingContacts::changeOf(const ExactStep& s, const LocalProblem& local) const {
  double most = 0.0;
  for (std::size_t i = 0; i < local.bodies.size(); ++i) {
    const std::uint32_t b = local.bodies[i];
    if (!isFree(s, b)) continue;
    const BodyVelocity& v = bodies_[b].velocity;
    const double change = norm(v.linear - last_[i].linear) +
                          sizeOf(s.in.bodies.facts[b]) * norm(v.angular - last_[i].angular);
    if (!(change <= most)) most = isFinite(change) ? change : kMaxBodySpeed;
  }
  return most;
}

/// Finds the end of a leg. False if it does not settle, or goes too far where it may be halved.
bool MovingContacts::makePasses(ExactStep& s, const Island& island, double h, bool mayHalve) {
  LocalProblem& local = s.local;
  predict(s, island, h);
  if (!moveBodies(s, island, local, h)) return false;
  const double contraction = island.numContacts > kTurmoil ? kContractionOfLarge : kContraction;
  double change = 0.0, lastChange = 0.0;
  bool settled = false;
  for (int pass = 0; pass < kMaxPasses && !settled; ++pass) {
    placeAtEnd(s, island);
    makeRows(s, island, local, h);
    report_ = s.solveRigidly();
    if (s.isJammed(report_, local.impulses)) return false;
    takeAnswer(s, island, local);
    if (!moveBodies(s, island, local, h)) return false;
    change = changeOf(s, local);
    double noise = 0.0;
    for (std::uint32_t k = 0; k < island.numContacts; ++k) {
      const SolverContact& row = local.contacts[k];
      noise =
          maxOf(noise, norm(local.impulses[k]) * maxOf(local.mobility[row.body1].inverseMass.x,
                                                       local.mobility[row.body2].inverseMass.x));
    }
    settled = change <= kSettled * speed_ + kSolverNoise * noise;
    if (pass + 1 >= kFirstPasses && change > contraction * lastChange) break;
    if (mayHalve && (settled || pass + 1 == kFirstPasses) && goesFar(s, island)) return false;
    lastChange = change;
  }
  return settled || change <= kAlmostSettled * speed_;
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
