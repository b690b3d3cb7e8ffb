// SPDX-License-Identifier: MIT
//
// Coulomb's law holds for the velocities at the end of a step, the work of friction is that on the
// mean of those at its beginning and its end. Where slip turns round within a step, as that of a
// body which slides uphill, stops and stays, friction has the direction of the slip that was: it
// would do work on the body. In truth the body stops where its energy is spent, before the way that
// the mean velocity makes of it is over. So an island that would gain energy goes less far: as seen
// from the drivers that it lies on, which go all of their own way.
#include "dynamics/point_velocity.hpp"
#include "math/rotation_vector.hpp"
#include "scheme/exact/driver_frame.hpp"
#include "scheme/exact/stages.hpp"

namespace abut::inline v0_1 {
namespace {

/// Gains below this share of what gravity would add in the step from rest, or of the kinetic
/// energy and the work of drivers, are rounding and the solver's tolerance.
constexpr double kOfFall = 1e-10, kOfKinetic = 1e-13;

/// What the error of a step adds at most, as a share of the kinetic energy.
constexpr double kErrorOfKinetic = 1e-4;
/// Work of friction [J] where it could be all of a gain.
constexpr double kUnknown = 1e300;

struct Change {
  double kinetic = 0.0;       ///< After the step.
  double potential = 0.0;     ///< Change.
  double drivers = 0.0;       ///< Their work.
  double gain = 0.0;          ///< Change of both, less the work of given forces and drivers.
  double fall = 0.0;          ///< m (g dt)^2.
  double startKinetic = 0.0;  ///< Kinetic energy before.
  double moving = 0.0;        ///< Kinetic energy after the step, as seen from drivers.
  double rise = 0.0;          ///< Change of potential energy on the way as seen from drivers.
};

Change changeOf(const ExactStep& s, std::span<const std::uint32_t> members, const Vec3& frame,
                double drivers) {
  const double dt = s.in.dt;
  const Vec3 gravity = s.in.gravity;
  Change sum;
  sum.drivers = drivers;
  double work = 0.0;
  for (const std::uint32_t b : members) {
    const BodyFacts& f = s.in.bodies.facts[b];
    const BodyVelocity &v = s.motion.foundAt(b), &u = s.motion.endVelocity[b];
    sum.startKinetic += 0.5 * f.mass * squaredNorm(v.linear) +
                        spinEnergy(f.inertia, s.in.bodies.orientation[b], v.angular);
    const double spin = spinEnergy(f.inertia, s.motion.newOrientation[b], u.angular);
    sum.kinetic += 0.5 * f.mass * squaredNorm(u.linear) + spin;
    sum.moving += 0.5 * f.mass * squaredNorm(u.linear - frame) + spin;
    const Vec3 weight = gravity * (f.mass * f.gravityScale);
    const Vec3 made = s.motion.newPosition[b] - s.in.bodies.position[b];
    sum.potential -= dot(weight, made);
    sum.rise -= dot(weight, made - frame * dt);
    sum.fall += f.gravityScale * f.gravityScale * f.mass * squaredNorm(gravity) * (dt * dt);
    const Vec3 shift = s.late.shift.empty() ? Vec3{} : s.late.shift[b].linear;
    const Vec3 way = (s.motion.impactedVelocity[b].linear + u.linear) * (0.5 * dt) + shift;
    const Vec3 meanTurn = (s.motion.freeSpin[b] + u.angular) * (0.5 * dt);
    work += dot(s.in.bodies.force[b], way) + dot(s.in.bodies.torque[b], meanTurn);
  }
  sum.gain = (((sum.kinetic - sum.startKinetic) + sum.potential) - work) - drivers;
  return sum;
}

bool isGain(const Change& c) {
  return c.gain > kOfFall * c.fall + kOfKinetic * ((c.kinetic + c.startKinetic) + absOf(c.drivers));
}

/// All go only a share of their way as seen from drivers. Nothing comes closer by it than at the
/// beginning or the end.
void shortenWays(ExactStep& s, std::span<const std::uint32_t> members, const Vec3& frame,
                 double share, StepBooks& books) {
  const Vec3 gravity = s.in.gravity;
  for (const std::uint32_t b : members) {
    const BodyFacts& f = s.in.bodies.facts[b];
    const Vec3 way = s.motion.newPosition[b] - s.in.bodies.position[b];
    const Vec3 less = (way - frame * s.in.dt) * (1.0 - share);
    s.motion.newPosition[b] -= less;
    books.integrator += f.mass * f.gravityScale * dot(gravity, less);
    const Vec3 turn = rotationBetween(s.in.bodies.orientation[b], s.motion.newOrientation[b]);
    if (turn == Vec3{}) continue;
    const Quat made = s.motion.newOrientation[b];
    s.motion.newOrientation[b] =
        normalized(quatFromRotationVector(turn * share) * s.in.bodies.orientation[b]);
    s.motion.endVelocity[b].angular =
        turnedWith(made, s.motion.newOrientation[b], s.motion.endVelocity[b].angular);
  }
}

/// All velocities as seen from drivers become slower, so that the kinetic energy of these is a
/// share of what it was. What that takes from the velocity of drivers they do the work of.
void slowDown(ExactStep& s, std::span<const std::uint32_t> members, const DriverFrame& frame,
              double share, StepBooks& books) {
  const double factor = std::sqrt(share), lost = 1.0 - factor * factor;
  Vec3 given;
  for (const std::uint32_t b : members) {
    const BodyFacts& f = s.in.bodies.facts[b];
    BodyVelocity& v = s.motion.endVelocity[b];
    const double spin = spinEnergy(f.inertia, s.motion.newOrientation[b], v.angular);
    const Vec3 own = v.linear - frame.velocity;
    books.impact -= lost * (0.5 * f.mass * squaredNorm(own) + spin);
    books.integrator += lost * spin;
    v = {frame.velocity + own * factor, v.angular * factor};
    given -= own * (f.mass * (1.0 - factor));
  }
  frame.book(given, books);
}

/// Bodies that contacts join, or one that was held back, end with no more energy than they had,
/// forces and drivers apart. With the gain = change of kinetic + change of potential energy, either
/// the bodies rose and can rise less, or their kinetic energy grew by at least as much. Where they
/// rose by less than the gain, to go less far is not enough: what rounding lifts would not go at
/// all. Where contacts were followed, a small gain that is not the work of friction is the step's
/// error: it is no reason to go less far either.
void limitGain(ExactStep& s, std::span<const std::uint32_t> members, const DriverFrame& frame,
               double driven, double friction, StepBooks& books) {
  const Vec3& from = frame.velocity;
  Change change = changeOf(s, members, from, driven);
  if (!isGain(change)) return;
  const bool isError =
      friction <= 0.5 * change.gain && change.gain <= kErrorOfKinetic * change.moving;
  const bool isEnough = change.gain < change.rise || !(change.gain < change.moving);
  if (!isError && isEnough && change.rise > 0.0 && frame.isFree) {
    shortenWays(s, members, from, maxOf(0.0, 1.0 - change.gain / change.rise), books);
    change = changeOf(s, members, from, driven);
  }
  if (!isGain(change) || !(change.moving > 0.0)) return;
  slowDown(s, members, frame, maxOf(0.0, 1.0 - change.gain / change.moving), books);
}

}  // namespace

void limitGains(ExactStep& s, const MovingContacts& moving, const HoldBack& guard,
                DriverFrames& frames, StepBooks& books) {
  const LinkOrder& linkOrder = s.contacts.linkOrder;
  const std::vector<std::uint32_t>& firstOfPair = s.contacts.firstOfPair;
  std::size_t number = 0;
  frames.begin(s, guard);
  for (const LinkOrder::Island& island : linkOrder.getIslands()) {
    // What compliant contacts give back they took in earlier steps.
    double driven = maxOf(0.0, s.yielded.given[number++]);
    bool isFollowed = true;
    double friction = 0.0;
    bool thrown = false;  // By Baumgarte's term, which is there to add energy.
    const std::span<const std::uint32_t> members =
        linkOrder.getBodies().subspan(island.firstBody, island.numBodies);
    frames.restart(s, members);
    for (const std::uint32_t link :
         linkOrder.getLinks().subspan(island.firstLink, island.numLinks)) {
      for (std::uint32_t i = firstOfPair[link]; i < firstOfPair[link + 1]; ++i) {
        driven += s.contacts.all[i].driverWork + s.contacts.all[i].released;
        isFollowed = isFollowed && moving.isMoving(i);
        if (isFollowed) friction += moving.at(i).frictionWork;
        thrown = thrown || (s.in.baumgarte > 0.0 && s.contacts.all[i].depth > 0.0);
        frames.add(s, s.contacts.all[i]);
      }
    }
    if (thrown) continue;
    limitGain(s, members, frames.find(), driven, isFollowed ? friction : kUnknown, books);
  }
  for (const std::uint32_t b : guard.getLoose()) {
    frames.restart(s, {&b, 1});
    limitGain(s, {&b, 1}, frames.find(), 0.0, kUnknown, books);
  }
}

}  // namespace abut::inline v0_1
