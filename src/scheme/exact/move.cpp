// SPDX-License-Identifier: MIT
#include "dynamics/point_velocity.hpp"
#include "integration/paths.hpp"
#include "scheme/exact/stages.hpp"

namespace abut::inline v0_1 {
namespace {

/// Friction that brought a slide to rest acted only until then; the velocity was constant after, so
/// the mean overstates what friction moved. The share of the step that it took is the friction
/// impulse over the largest it could have been. What it gave in order to end the slide counts, not
/// what takes bodies along that stick, as on a turntable: that acts in all of the step. For bodies
/// with one manifold: with several there is no telling which ended first.
void shiftWhereSlidesEnded(ExactStep& s, const MovingContacts& moving,
                           std::vector<std::uint32_t>& manifolds) {
  const std::vector<StepContact>& contacts = s.contacts.all;
  const double dt = s.in.dt;
  constexpr double kSlides = 1e-9, kRests = 1e-12;  // [m/s]
  // Slip of contacts that move is known to what their passes leave.
  constexpr double kSlidesMoving = 1e-7, kRestsMoving = 1e-9;
  const auto slipOf = [](const SolverContact& c, const std::vector<BodyVelocity>& v) {
    const Vec3 u = relativeVelocity(v[c.body1], c.arm1, v[c.body2], c.arm2, c.offset);
    return u - c.normal * dot(c.normal, u);
  };
  const auto endOf = [&contacts](std::size_t first) {
    std::size_t end = first;
    while (end < contacts.size() && contacts[end].row.manifold == contacts[first].row.manifold)
      ++end;
    return end;
  };
  manifolds.assign(s.in.bodies.size(), 0);
  for (std::size_t first = 0; first < contacts.size(); first = endOf(first)) {
    ++manifolds[contacts[first].body1];
    ++manifolds[contacts[first].body2];
  }
  for (std::size_t first = 0, end = 0; first < contacts.size(); first = end) {
    end = endOf(first);
    double most = 0.0;
    double slides = 0.0, changes = 0.0;
    Vec3 used;
    bool ended = true;
    for (std::size_t i = first; i < end; ++i) {
      const StepContact& c = contacts[i];
      most += c.row.friction * c.impulse.x;
      used += c.row.tangent1 * c.impulse.y + c.row.tangent2 * c.impulse.z;
      const bool isMoving = moving.isMoving(i);
      const Vec3 atEnd = slipOf(c.row, s.motion.endVelocity);
      // What friction changed: velocities of the start at the place of the end.
      const Vec3 change = slipOf(c.row, s.motion.impactedVelocity);
      const Vec3 before = isMoving ? moving.at(i).startSlip : change;
      ended = ended && norm(before) > (isMoving ? kSlidesMoving : kSlides) &&
              norm(atEnd) < (isMoving ? kRestsMoving : kRests);
      slides += dot(before, change);
      changes += dot(change, change);
    }
    const double share = most > 0.0 ? norm(used) / most : 1.0;
    if (!ended || !(share < 1.0)) continue;
    const double ofSlide = changes > 0.0 ? clampTo(slides / changes, 0.0, 1.0) : 0.0;
    const Vec3 n = contacts[first].row.normal;
    for (const std::uint32_t b : {contacts[first].body1, contacts[first].body2}) {
      if (s.in.bodies.facts[b].type != BodyType::Dynamic || manifolds[b] != 1) continue;
      const double late = 0.5 * dt * (1.0 - share) * ofSlide;
      const Vec3 gain = s.motion.endVelocity[b].linear - s.motion.impactedVelocity[b].linear;
      s.motion.newPosition[b] += (gain - n * dot(n, gain)) * late;
      const Vec3 turn = (s.motion.endVelocity[b].angular - s.motion.freeSpin[b]) * late;
      if (turn != Vec3{})
        s.motion.newOrientation[b] =
            normalized(quatFromRotationVector(turn) * s.motion.newOrientation[b]);
    }
  }
}

}  // namespace

/// Positions by the mean of the velocities before and after: exact for constant forces.
void moveBodies(ExactStep& s, const MovingContacts& moving, HoldBack& guard,
                std::vector<std::uint32_t>& scratch) {
  const double dt = s.in.dt;
  const std::size_t n = s.in.bodies.size();
  s.motion.newPosition.resize(n);
  s.motion.newOrientation.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    s.motion.newPosition[i] = s.in.bodies.position[i];
    s.motion.newOrientation[i] = s.motion.freeOrientation[i];
    if (s.in.bodies.rest[i].isAsleep()) continue;
    s.motion.newPosition[i] +=
        (s.motion.impactedVelocity[i].linear + s.motion.endVelocity[i].linear) * (0.5 * dt);
    if (s.in.bodies.facts[i].type != BodyType::Dynamic) continue;
    const Vec3 extra = (s.motion.endVelocity[i].angular - s.motion.freeSpin[i]) * (0.5 * dt);
    if (extra != Vec3{})
      s.motion.newOrientation[i] =
          normalized(quatFromRotationVector(extra) * s.motion.newOrientation[i]);
    if (moving.movesBody(i)) {
      s.motion.newPosition[i] = s.in.bodies.position[i] + moving.ofBody(i).way;
      s.motion.newOrientation[i] = moving.ofBody(i).orientation;
    }
  }
  shiftWhereSlidesEnded(s, moving, scratch);
  shiftLateBodies(s, guard);
  arriveOnPaths(s.in.bodies, s.in.time + dt, s.motion.newPosition, s.motion.newOrientation);
}

}  // namespace abut::inline v0_1
