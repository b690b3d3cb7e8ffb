// SPDX-License-Identifier: MIT
//
// Coulomb's law holds for the velocities at the end of a step, the work of friction is that on the
// mean of those at its beginning and its end. Where slip turns round within a step, as that of a
// body which slides uphill, stops and stays, friction has the direction of the slip that was: it
// would do work on the body. In truth the body stops where its energy is spent, before the way that
// the mean velocity makes of it is over. So an island that would gain energy goes less far.
#include <abut/math/convert.hpp>

#include "dynamics/point_velocity.hpp"
#include "math/rotation_vector.hpp"
#include "world/state.hpp"

namespace abut {
namespace {

/// Gains below this share of what gravity would add in the step from rest, or of the kinetic
/// energy and the work of drivers, are rounding and the solver's tolerance.
constexpr double kOfFall = 1e-10, kOfKinetic = 1e-13;

struct Change {
  double kinetic = 0.0;       ///< After the step.
  double potential = 0.0;     ///< Change.
  double drivers = 0.0;       ///< Their work.
  double gain = 0.0;          ///< Change of both, less the work of given forces and drivers.
  double fall = 0.0;          ///< m (g dt)^2.
  double startKinetic = 0.0;  ///< Kinetic energy before.
};

Change changeOf(const WorldState& w, std::span<const std::uint32_t> members, double drivers,
                double dt) {
  const Vec3 gravity = toVec3(w.options.gravity);
  Change sum;
  sum.drivers = drivers;
  double work = 0.0;
  for (const std::uint32_t b : members) {
    const BodyFacts& f = w.bodies.facts[b];
    const BodyVelocity &v = w.motion.startVelocity[b], &u = w.motion.endVelocity[b];
    sum.startKinetic += 0.5 * f.mass * squaredNorm(v.linear) +
                        spinEnergy(f.inertia, w.bodies.orientation[b], v.angular);
    sum.kinetic += 0.5 * f.mass * squaredNorm(u.linear) +
                   spinEnergy(f.inertia, w.motion.newOrientation[b], u.angular);
    const Vec3 weight = gravity * (f.mass * f.gravityScale);
    sum.potential -= dot(weight, w.motion.newPosition[b] - w.bodies.position[b]);
    sum.fall += f.gravityScale * f.gravityScale * f.mass * squaredNorm(gravity) * (dt * dt);
    const Vec3 shift = w.impactShift.empty() ? Vec3{} : w.impactShift[b].linear;
    const Vec3 way = (w.motion.impactedVelocity[b].linear + u.linear) * (0.5 * dt) + shift;
    const Vec3 meanTurn = (w.motion.freeSpin[b] + u.angular) * (0.5 * dt);
    work += dot(w.bodies.force[b], way) + dot(w.bodies.torque[b], meanTurn);
  }
  sum.gain = (((sum.kinetic - sum.startKinetic) + sum.potential) - work) - drivers;
  return sum;
}

bool isGain(const Change& c) {
  return c.gain > kOfFall * c.fall + kOfKinetic * ((c.kinetic + c.startKinetic) + absOf(c.drivers));
}

}  // namespace

/// All go only a share of their way. Nothing comes closer by it than at the beginning or the end.
void WorldState::shortenWays(std::span<const std::uint32_t> members, double share) {
  const Vec3 gravity = toVec3(options.gravity);
  for (const std::uint32_t b : members) {
    const BodyFacts& f = bodies.facts[b];
    const Vec3 less = (motion.newPosition[b] - bodies.position[b]) * (1.0 - share);
    motion.newPosition[b] -= less;
    books.integrator += f.mass * f.gravityScale * dot(gravity, less);
    const Vec3 turn = rotationBetween(bodies.orientation[b], motion.newOrientation[b]);
    if (turn == Vec3{}) continue;
    const Quat made = motion.newOrientation[b];
    motion.newOrientation[b] =
        normalized(quatFromRotationVector(turn * share) * bodies.orientation[b]);
    motion.endVelocity[b].angular =
        turnedWith(made, motion.newOrientation[b], motion.endVelocity[b].angular);
  }
}

/// All velocities become slower so that the kinetic energy is a share of what it was.
void WorldState::slowDown(std::span<const std::uint32_t> members, double share) {
  const double factor = std::sqrt(share), lost = 1.0 - factor * factor;
  for (const std::uint32_t b : members) {
    const BodyFacts& f = bodies.facts[b];
    const double spin =
        spinEnergy(f.inertia, motion.newOrientation[b], motion.endVelocity[b].angular);
    books.impact -= lost * (0.5 * f.mass * squaredNorm(motion.endVelocity[b].linear) + spin);
    books.integrator += lost * spin;
    motion.endVelocity[b] = {motion.endVelocity[b].linear * factor,
                             motion.endVelocity[b].angular * factor};
  }
}

/// Bodies that contacts join, or one that was held back, end with no more energy than they had,
/// forces and drivers apart. With the gain = change of kinetic + change of potential energy, either
/// the bodies rose and can rise less, or their kinetic energy grew by at least as much.
void WorldState::limitGain(std::span<const std::uint32_t> members, double driven, double dt) {
  Change change = changeOf(*this, members, driven, dt);
  if (!isGain(change)) return;
  if (change.potential > 0.0) {
    shortenWays(members, maxOf(0.0, 1.0 - change.gain / change.potential));
    change = changeOf(*this, members, driven, dt);
  }
  if (!isGain(change) || !(change.kinetic > 0.0)) return;
  slowDown(members, maxOf(0.0, 1.0 - change.gain / change.kinetic));
}

void WorldState::limitGains(double dt) {
  for (const LinkOrder::Island& island : linkOrder.getIslands()) {
    double driven = 0.0;
    bool thrown = false;  // By Baumgarte's term, which is there to add energy.
    for (const std::uint32_t link :
         linkOrder.getLinks().subspan(island.firstLink, island.numLinks)) {
      for (std::uint32_t i = exact.firstOfPair[link]; i < exact.firstOfPair[link + 1]; ++i) {
        driven += contacts[i].driverWork;
        thrown = thrown || (options.baumgarte > 0.0 && contacts[i].depth > 0.0);
      }
    }
    if (thrown) continue;
    limitGain(linkOrder.getBodies().subspan(island.firstBody, island.numBodies), driven, dt);
  }
  for (const std::uint32_t b : holdBack.getLoose()) limitGain({&b, 1}, 0.0, dt);
}

}  // namespace abut
