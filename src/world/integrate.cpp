// SPDX-License-Identifier: MIT
#include <string>

#include "world/state.hpp"

namespace abut {

/// Positions by the mean of the velocities before and after: exact for constant forces.
void WorldState::integrate(double dt) {
  const std::size_t n = bodies.size();
  moved.resize(n);
  rotated.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    moved[i] = bodies.position[i] + (impacted[i].linear + after[i].linear) * (0.5 * dt);
    rotated[i] = turnedOrientation[i];
    if (bodies.facts[i].type != BodyType::Dynamic) continue;
    const Vec3 extra = (after[i].angular - turned[i]) * (0.5 * dt);
    if (extra != Vec3{}) rotated[i] = normalized(quatFromRotationVector(extra) * rotated[i]);
  }
  // Friction that brought a slide to rest acted only until then: theta is the share of the step, as
  // the impulse it took over the impulse it could have given. The velocity was constant after.
  constexpr double kSlides = 1e-9, kRests = 1e-12;
  for (const StepContact& c : contacts) {
    const double most = c.row.friction * c.impulse.x;
    const double used = std::sqrt(c.impulse.y * c.impulse.y + c.impulse.z * c.impulse.z);
    if (!(most > 0.0) || !(used < most)) continue;
    const auto slipOf = [&](const std::vector<BodyVelocity>& v) {
      const Vec3 u = ((v[c.body1].linear + cross(v[c.body1].angular, c.row.arm1)) -
                      (v[c.body2].linear + cross(v[c.body2].angular, c.row.arm2))) +
                     c.row.offset;
      return norm(u - c.row.normal * dot(c.row.normal, u));
    };
    if (!(slipOf(impacted) > kSlides) || !(slipOf(after) < kRests)) continue;
    const Vec3 p = c.row.tangent1 * c.impulse.y + c.row.tangent2 * c.impulse.z;
    const double late = 0.5 * dt * (1.0 - used / most);
    const auto shift = [&](std::uint32_t b, const Vec3& arm, double sign) {
      const BodyMobility& m = bodies.mobility[b];
      moved[b] += scaled(m.inverseMass, p) * (sign * late);
      const Vec3 turn = (m.inverseInertia * cross(arm, p)) * (sign * late);
      if (turn != Vec3{}) rotated[b] = normalized(quatFromRotationVector(turn) * rotated[b]);
    };
    shift(c.body1, c.row.arm1, 1.0);
    shift(c.body2, c.row.arm2, -1.0);
  }
}

/// Makes the new state the state, if it is finite.
Status WorldState::commit(double dt) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Quat& q = rotated[i];
    if (isFinite(moved[i]) && isFinite(after[i].linear) && isFinite(after[i].angular) &&
        isFinite(((q.w + q.x) + q.y) + q.z)) {
      continue;
    }
    return Status::failure(StatusCode::NonFinite,
                           "step " + std::to_string(steps + 1) + ", t = " + toText(time) +
                               " s, stage integration, body " + std::to_string(bodies.facts[i].id) +
                               ": the new state is not finite; the step was not made",
                           bodies.facts[i].id);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.position[i] = moved[i];
    bodies.orientation[i] = rotated[i];
    bodies.velocity[i] = after[i];
    bodies.refreshMobility(i);
  }
  time += dt;
  ++steps;
  lastStep = dt;
  return {};
}

}  // namespace abut
