// SPDX-License-Identifier: MIT
//
// The end of one leg: impulses and geometry there, by passes that predict, place and solve.
#include "integration/mean_rotation.hpp"
#include "integration/rigid_rotation.hpp"
#include "math/trigonometry.hpp"
#include "scheme/exact/moving_leg.hpp"

namespace abut::inline v0_1 {
namespace {

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
/// The same of large islands, which are not halved.
constexpr double kContractionOfLarge = 0.5;
/// A bound beyond every speed [m/s]: the contact does not count.
constexpr double kNoBound = 1e30;
/// Spins that differ by less than this share are those of bodies that turn together, where slip is
/// below this share of the island's speed.
constexpr double kCarried = 0.1, kSticks = 1e-7;
/// Slip below this [m/s] has no direction: a direction of its own at each contact would keep those
/// from holding that could.
constexpr double kSlips = 1e-9;

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

Vec3 inFrame(const SolverContact& row, const Vec3& p) {
  return {dot(row.normal, p), dot(row.tangent1, p), dot(row.tangent2, p)};
}

bool turnsFreely(const BodyFacts& f) {
  return f.type == BodyType::Dynamic && (f.locks & kLockRotation) == 0;
}

/// The spin that two bodies have in common: what the slower has of the faster's. Where both turn
/// with a driver, but for what passes have not found yet, it is the driver's.
double commonSpin(double a, double b, double driver) {
  if (!(a * b > 0.0)) return 0.0;
  const double most = kCarried * absOf(driver);
  if (absOf(a - driver) <= most && absOf(b - driver) <= most) return driver;
  return absOf(a) < absOf(b) ? a : b;
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

}  // namespace

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
  bool strained = false;
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const MovingContact& m = contacts_[s.contacts.indexOf(island, k)];
    const Vec3 normal{dot(m.start.normal, m.endImpulse), 0.0, 0.0};
    strained = strained || s.isSqueezed({&normal, 1});
  }
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
    // Not even by levers before: geometry to rounding, between walls that just meet the bodies.
    if (!strained && s.isSqueezed(local.impulses) && s.mayBePress()) return false;
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

}  // namespace abut::inline v0_1
