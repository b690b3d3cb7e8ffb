// SPDX-License-Identifier: MIT
#include <string>

#include "dynamics/point_velocity.hpp"
#include "integration/paths.hpp"
#include "world/state.hpp"

namespace abut {

/// Positions by the mean of the velocities before and after: exact for constant forces.
void WorldState::integrate(double dt) {
  const std::size_t n = bodies.size();
  motion.newPosition.resize(n);
  motion.newOrientation.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    motion.newPosition[i] = bodies.position[i];
    motion.newOrientation[i] = motion.freeOrientation[i];
    if (bodies.rest[i].isAsleep()) continue;
    motion.newPosition[i] +=
        (motion.impactedVelocity[i].linear + motion.endVelocity[i].linear) * (0.5 * dt);
    if (bodies.facts[i].type != BodyType::Dynamic) continue;
    const Vec3 extra = (motion.endVelocity[i].angular - motion.freeSpin[i]) * (0.5 * dt);
    if (extra != Vec3{})
      motion.newOrientation[i] =
          normalized(quatFromRotationVector(extra) * motion.newOrientation[i]);
    if (exact.moving.movesBody(i)) {
      motion.newPosition[i] = bodies.position[i] + exact.moving.ofBody(i).way;
      motion.newOrientation[i] = exact.moving.ofBody(i).orientation;
    }
  }
  shiftWhereSlidesEnded(dt);
  shiftLateBodies();
  arriveOnPaths(bodies, time + dt, motion.newPosition, motion.newOrientation);
}

/// Friction that brought a slide to rest acted only until then; the velocity was constant after, so
/// the mean overstates what friction moved. The share of the step that it took is the friction
/// impulse over the largest it could have been. For bodies with one manifold: with several there is
/// no telling which ended first.
void WorldState::shiftWhereSlidesEnded(double dt) {
  constexpr double kSlides = 1e-9, kRests = 1e-12;  // [m/s]
  // Slip of contacts that move is known to what their passes leave.
  constexpr double kSlidesMoving = 1e-7, kRestsMoving = 1e-9;
  const auto slipOf = [](const SolverContact& c, const std::vector<BodyVelocity>& v) {
    const Vec3 u = relativeVelocity(v[c.body1], c.arm1, v[c.body2], c.arm2, c.offset);
    return norm(u - c.normal * dot(c.normal, u));
  };
  const auto endOf = [this](std::size_t first) {
    std::size_t end = first;
    while (end < contacts.size() && contacts[end].row.manifold == contacts[first].row.manifold)
      ++end;
    return end;
  };
  std::vector<std::uint32_t>& manifolds = exact.manifolds;
  manifolds.assign(bodies.size(), 0);
  for (std::size_t first = 0; first < contacts.size(); first = endOf(first)) {
    ++manifolds[contacts[first].body1];
    ++manifolds[contacts[first].body2];
  }
  for (std::size_t first = 0, end = 0; first < contacts.size(); first = end) {
    end = endOf(first);
    double most = 0.0;
    Vec3 used;
    bool ended = true;
    for (std::size_t i = first; i < end; ++i) {
      const StepContact& c = contacts[i];
      most += c.row.friction * c.impulse.x;
      used += c.row.tangent1 * c.impulse.y + c.row.tangent2 * c.impulse.z;
      const bool moving = exact.moving.isMoving(i);
      const double slipBefore =
          moving ? norm(exact.moving.at(i).startSlip) : slipOf(c.row, motion.impactedVelocity);
      ended = ended && slipBefore > (moving ? kSlidesMoving : kSlides) &&
              slipOf(c.row, motion.endVelocity) < (moving ? kRestsMoving : kRests);
    }
    const double share = most > 0.0 ? norm(used) / most : 1.0;
    if (!ended || !(share < 1.0)) continue;
    const Vec3 n = contacts[first].row.normal;
    for (const std::uint32_t b : {contacts[first].body1, contacts[first].body2}) {
      if (bodies.facts[b].type != BodyType::Dynamic || manifolds[b] != 1) continue;
      const double late = 0.5 * dt * (1.0 - share);
      const Vec3 gain = motion.endVelocity[b].linear - motion.impactedVelocity[b].linear;
      motion.newPosition[b] += (gain - n * dot(n, gain)) * late;
      const Vec3 turn = (motion.endVelocity[b].angular - motion.freeSpin[b]) * late;
      if (turn != Vec3{})
        motion.newOrientation[b] =
            normalized(quatFromRotationVector(turn) * motion.newOrientation[b]);
    }
  }
}

namespace {

/// What of a new state cannot be, or null. False for NaN, so that it is caught here.
const char* impossible(const Vec3& x, const Quat& q, const BodyVelocity& v) {
  const auto within = [](const Vec3& a, double most) {
    return absOf(a.x) <= most && absOf(a.y) <= most && absOf(a.z) <= most;
  };
  if (!within(v.linear, kMaxBodySpeed)) return "linear velocity";
  if (!within(v.angular, kMaxBodySpin)) return "angular velocity";
  if (!within(x, kMaxBodyCoordinate)) return "position";
  if (!isFinite(((q.w + q.x) + q.y) + q.z)) return "orientation";
  return nullptr;
}

}  // namespace

/// Makes the new state the state, if it is finite and within what a body may reach.
Status WorldState::commit(double dt) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.rest[i].isAsleep()) continue;
    const char* what =
        impossible(motion.newPosition[i], motion.newOrientation[i], motion.endVelocity[i]);
    if (what == nullptr) continue;
    const bool finite = isFinite(motion.newPosition[i]) && isFinite(motion.endVelocity[i].linear) &&
                        isFinite(motion.endVelocity[i].angular);
    return Status::failure(
        finite ? StatusCode::OutOfRange : StatusCode::NonFinite,
        "step " + std::to_string(steps + 1) + ", t = " + toText(time) +
            " s, stage integration, body " + std::to_string(bodies.facts[i].id) + ": the new " +
            what + (finite ? " is beyond the limits of a body" : " is not finite") +
            "; the step was not made. Look at the forces and velocities given to it",
        bodies.facts[i].id);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.rest[i].isAsleep()) continue;
    bodies.position[i] = motion.newPosition[i];
    bodies.orientation[i] = motion.newOrientation[i];
    bodies.velocity[i] = motion.endVelocity[i];
    bodies.refreshMobility(i);
    if (options.scheme == StepScheme::Exact) bodies.softness[i] = exact.softness[i];
  }
  time += dt;
  ++steps;
  lastStep = dt;
  if (options.sleeping && substeps.isLast()) sleepers.stopBodies(*this, dt);
  return {};
}

}  // namespace abut
