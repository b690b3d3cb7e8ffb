// SPDX-License-Identifier: MIT
#include "dynamics/body_record.hpp"

#include <utility>

#include "dynamics/gravity_scale.hpp"
#include "math/unit_quat.hpp"

namespace abut::inline v0_1 {
namespace {

bool within(const Vec3& v, double most) {
  return absOf(v.x) <= most && absOf(v.y) <= most && absOf(v.z) <= most;
}

bool finite(const Mat3& m) {
  return isFinite(m.x) && isFinite(m.y) && isFinite(m.z);
}

/// Only dynamic bodies sleep, and those that do stand still.
bool isRestPossible(const BodyRecord& r) {
  const BodyRest& rest = r.rest;
  if (!isFinite(rest.still) || !(rest.still >= 0.0) || !isFinite(rest.step)) return false;
  if (!(rest.step >= 0.0)) return false;
  const bool still = r.velocity.linear == Vec3{} && r.velocity.angular == Vec3{} &&
                     r.force == Vec3{} && r.torque == Vec3{};
  return !rest.isAsleep() || (still && r.facts.type == BodyType::Dynamic && !rest.woken);
}

bool isDrivePossible(const BodyFacts& f) {
  const Drive& d = *f.drive;
  if (d.wasSet && (f.type != BodyType::Kinematic || !within(d.before.linear, kMaxBodySpeed) ||
                   !within(d.before.angular, kMaxBodySpin))) {
    return false;
  }
  if (!d.isLimited) return true;
  bool positive = true;
  for (const Vec3& v : {d.maxForce, d.maxTorque}) {
    positive = positive && v.x > 0.0 && v.y > 0.0 && v.z > 0.0;
  }
  return f.type == BodyType::Kinematic && positive && isFinite(d.mass) && d.mass > 0.0 &&
         finite(d.inertia.tensor) && finite(d.inertia.inverse) && isFinite(d.target.linear) &&
         isFinite(d.target.angular);
}

}  // namespace

BodyRecord recordOf(const BodyTable& bodies, std::size_t i) {
  BodyRecord r;
  r.facts = bodies.facts[i];
  r.softness = bodies.softness[i];
  r.mark = bodies.marks[i];
  r.hasShape = (r.facts.shape ? kHasShape : 0) | (r.softness > 0.0 ? kIsSoft : 0) |
               (r.facts.filter != BodyFilter{} ? kHasFilter : 0) |
               (!r.facts.excluded.empty() ? kHasExclusions : 0) | (r.facts.sensor ? kIsSensor : 0) |
               (r.facts.drive->isLimited ? kIsLimited : 0) | (r.facts.drive->wasSet ? kWasSet : 0);
  r.position = bodies.position[i];
  r.orientation = bodies.orientation[i];
  r.velocity = bodies.velocity[i];
  r.force = bodies.force[i];
  r.torque = bodies.torque[i];
  r.rest = bodies.rest[i];
  return r;
}

bool isPossible(const BodyRecord& r) {
  const BodyFacts& f = r.facts;
  constexpr std::uint64_t kOriginEnd = std::uint64_t{1} << 63;
  return f.id != kNoObject && f.origin < kOriginEnd && f.type <= BodyType::Dynamic &&
         isFinite(f.mass) && (f.type == BodyType::Dynamic ? f.mass > 0.0 : f.mass == 0.0) &&
         finite(f.inertia.tensor) && finite(f.inertia.inverse) && isFinite(f.center) &&
         isGravityScale(f.gravityScale) && within(f.surfaceVelocity, kMaxBodySpeed) &&
         within(r.position, kMaxBodyCoordinate) && within(r.velocity.linear, kMaxBodySpeed) &&
         within(r.velocity.angular, kMaxBodySpin) && isFinite(r.force) && isFinite(r.torque) &&
         isUnit(r.orientation) && finite(f.shapePose->rotation) &&
         isFinite(f.shapePose->translation) && r.hasShape <= kAllOfBody && isDrivePossible(f) &&
         r.softness >= 0.0 && r.softness <= kSoftest && isRestPossible(r);
}

void append(BodyRecord& r, BodyTable& bodies) {
  bodies.append(std::move(r.facts), r.position, r.orientation, r.velocity);
  bodies.force.back() = r.force;
  bodies.torque.back() = r.torque;
  bodies.rest.back() = r.rest;
  bodies.softness.back() = r.softness;
  bodies.marks.back() = r.mark;
}

}  // namespace abut::inline v0_1
