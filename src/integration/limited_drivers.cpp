// SPDX-License-Identifier: MIT
#include "integration/limited_drivers.hpp"

#include <algorithm>
#include <cmath>

#include "math/pose.hpp"

namespace abut::inline v0_1 {
namespace {

/// Rounds of finding out which axes stall. Each driver changes an axis at most a few times.
constexpr int kMostRounds = 16;
/// Limits count as kept up to rounding of the sums over contacts.
constexpr double kRounding = 1e-12;
/// A press counts along an axis from this part of all of it.
constexpr double kOfPress = 1e-6;
/// Speeds count as overtaken from this part of their size.
constexpr double kOvertaken = 1e-12;

std::array<double, 6> toAxes(const Vec3& linear, const Vec3& angular) {
  return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
}

/// At most the distance in a step, and no faster than half the limit can brake over the distance.
Vec3 closing(const Vec3& distance, const Vec3& limit, const Vec3& inertia, double dt) {
  const auto one = [dt](double d, double most, double mass) {
    if (!isFinite(most)) return d / dt;
    const double speed = std::sqrt(most * absOf(d) / mass);  // v^2 = 2 (limit / 2 m) d.
    return clampTo(d / dt, -speed, speed);
  };
  return {one(distance.x, limit.x, inertia.x), one(distance.y, limit.y, inertia.y),
          one(distance.z, limit.z, inertia.z)};
}

Mat3 driveInertia(const BodyTable& bodies, std::size_t i) {
  const Mat3 r = toMatrix(bodies.orientation[i]);
  return r * (bodies.facts[i].drive->inertia.tensor * transpose(r));
}

}  // namespace

void LimitedDrivers::begin(BodyTable& bodies, double dt, std::span<BodyVelocity> velocities) {
  drivers_.clear();
  rounds_ = 0;
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    BodyFacts& f = bodies.facts[i];
    if (!f.drive->isLimited || f.type != BodyType::Kinematic) continue;
    Driver d;
    d.body = i;
    d.own = bodies.velocity[i];
    d.target = f.drive->target;
    f.drive.edit().lags = false;
    if (!f.path.empty()) {
      const BodyVelocity there = velocities[i];
      const Mat3 inertia = driveInertia(bodies, i);
      const double m = f.drive->mass;
      d.target.linear = closing(there.linear * dt, f.drive->maxForce, {m, m, m}, dt);
      d.target.angular = closing(there.angular * dt, f.drive->maxTorque,
                                 {inertia.x.x, inertia.y.y, inertia.z.z}, dt);
      // While it keeps up, how fast it goes is the path's business.
      const Vec3 gain = there.linear - d.own.linear, turn = there.angular - d.own.angular;
      const Vec3 most = f.drive->maxForce * (dt / m);
      const Vec3 moment = inertia * turn, mostTurn = f.drive->maxTorque * dt;
      const bool keepsUp = absOf(gain.x) <= most.x && absOf(gain.y) <= most.y &&
                           absOf(gain.z) <= most.z && absOf(moment.x) <= mostTurn.x &&
                           absOf(moment.y) <= mostTurn.y && absOf(moment.z) <= mostTurn.z;
      if (keepsUp) d.target = there;
      f.drive.edit().lags = !keepsUp;
    }
    d.limit = toAxes(f.drive->maxForce * dt, f.drive->maxTorque * dt);
    d.gravityScale = f.gravityScale;
    d.force = bodies.force[i];
    d.torque = bodies.torque[i];
    velocities[i] = d.target;
    drivers_.push_back(d);
  }
}

LimitedDrivers::Driver* LimitedDrivers::find(std::uint32_t body) {
  const auto at = std::lower_bound(drivers_.begin(), drivers_.end(), body,
                                   [](const Driver& d, std::uint32_t b) { return d.body < b; });
  return at != drivers_.end() && at->body == body ? &*at : nullptr;
}

void LimitedDrivers::addReaction(std::uint32_t body, const Vec3& impulse, const Vec3& moment) {
  Driver* const d = find(body);
  if (d == nullptr) return;
  const auto axes = toAxes(impulse, moment);
  for (int k = 0; k < kAxes; ++k) d->reaction[k].add(axes[k]);
}

void LimitedDrivers::addPress(std::uint32_t body, const Vec3& impulse, const Vec3& moment) {
  Driver* const d = find(body);
  if (d == nullptr) return;
  const auto axes = toAxes(impulse, moment);
  for (int k = 0; k < kAxes; ++k) d->pressed[k].add(axes[k]);
}

void LimitedDrivers::addOverRanks(Communicator& communicator) {
  std::vector<ExactSum*> sums;
  for (Driver& d : drivers_) {
    for (ExactSum& sum : d.reaction) sums.push_back(&sum);
    for (ExactSum& sum : d.pressed) sums.push_back(&sum);
  }
  abut::addOverRanks(communicator, sums);
}

/// Whether an axis changed.
bool LimitedDrivers::chooseModes(const BodyTable& bodies, std::span<const BodyVelocity> after,
                                 Driver& d) {
  const Drive& drive = *bodies.facts[d.body].drive;
  const Vec3 gain = (d.target.linear - d.own.linear) * drive.mass;
  const Vec3 turn = driveInertia(bodies, d.body) * (d.target.angular - d.own.angular);
  const auto own = toAxes(gain, turn);
  const auto target = toAxes(d.target.linear, d.target.angular);
  const auto now = toAxes(after[d.body].linear, after[d.body].angular);
  std::array<double, kAxes> pressed{};
  double press[2] = {0.0, 0.0};  // Of forces and of torques.
  for (int k = 0; k < kAxes; ++k) {
    pressed[k] = d.pressed[k].value();
    press[k / 3] = maxOf(press[k / 3], absOf(pressed[k]));
  }
  bool changed = false;
  for (int k = 0; k < kAxes; ++k) {
    if (!isFinite(d.limit[k])) continue;
    const Mode old = d.mode[k];
    const double sign = old == Mode::Forward ? 1.0 : -1.0;
    if (old == Mode::Held) {
      const double needed = own[k] - d.reaction[k].value();
      if (absOf(pressed[k]) > kOfPress * press[k / 3]) {
        d.mode[k] = pressed[k] < 0.0 ? Mode::Forward : Mode::Backward;
      } else if (absOf(needed) > d.limit[k] * (1.0 + kRounding)) {
        d.mode[k] = needed > 0.0 ? Mode::Forward : Mode::Backward;
      }
    } else if (sign * (now[k] - target[k]) > kOvertaken * (absOf(now[k]) + absOf(target[k]))) {
      d.mode[k] = Mode::Held;
    }
    changed = changed || d.mode[k] != old;
  }
  return changed;
}

void LimitedDrivers::setFree(BodyTable& bodies, Driver& d, std::span<BodyVelocity> velocities) {
  BodyFacts& f = bodies.facts[d.body];
  std::array<double, kAxes> start = toAxes(d.target.linear, d.target.angular), push{};
  const auto own = toAxes(d.own.linear, d.own.angular);
  const auto most = toAxes(f.drive->maxForce, f.drive->maxTorque);
  std::uint8_t locks = kLockNone;
  d.isFree = false;
  for (int k = 0; k < kAxes; ++k) {
    if (d.mode[k] == Mode::Held) {
      locks = static_cast<std::uint8_t>(locks | (1u << k));
      continue;
    }
    d.isFree = true;
    start[k] = own[k];
    push[k] = d.mode[k] == Mode::Forward ? most[k] : -most[k];
  }
  velocities[d.body] = {{start[0], start[1], start[2]}, {start[3], start[4], start[5]}};
  if (!d.isFree) return;
  f.drive.edit().lags = true;
  f.type = BodyType::Dynamic;
  f.locks = locks;
  f.gravityScale = 0.0;
  f.mass = f.drive->mass;
  f.inertia = f.drive->inertia;
  bodies.force[d.body] = {push[0], push[1], push[2]};
  bodies.torque[d.body] = {push[3], push[4], push[5]};
  bodies.refreshMobility(d.body);
}

bool LimitedDrivers::judge(BodyTable& bodies, std::span<const BodyVelocity> after,
                           std::span<BodyVelocity> velocities) {
  bool changed = false;
  for (Driver& d : drivers_) {
    if (rounds_ < kMostRounds) changed = chooseModes(bodies, after, d) || changed;
    for (ExactSum& sum : d.reaction) sum.clear();
    for (ExactSum& sum : d.pressed) sum.clear();
  }
  ++rounds_;
  if (!changed) return false;
  release(bodies);
  for (Driver& d : drivers_) setFree(bodies, d, velocities);
  return true;
}

void LimitedDrivers::release(BodyTable& bodies) {
  for (Driver& d : drivers_) {
    if (!d.isFree) continue;
    d.isFree = false;
    BodyFacts& f = bodies.facts[d.body];
    f.type = BodyType::Kinematic;
    f.locks = kLockNone;
    f.gravityScale = d.gravityScale;
    f.mass = 0.0;
    f.inertia = LocalInertia{};
    bodies.force[d.body] = d.force;
    bodies.torque[d.body] = d.torque;
    bodies.refreshMobility(d.body);
  }
}

bool LimitedDrivers::isStalled(std::uint32_t body) const {
  for (const Driver& d : drivers_) {
    if (d.body != body) continue;
    for (const Mode mode : d.mode) {
      if (mode != Mode::Held) return true;
    }
  }
  return false;
}

}  // namespace abut::inline v0_1
