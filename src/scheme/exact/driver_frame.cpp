// SPDX-License-Identifier: MIT
#include "scheme/exact/driver_frame.hpp"

#include "math/rotation_vector.hpp"

namespace abut::inline v0_1 {
namespace {

/// A driver whose point goes less far along a contact's normal in the step [m] does not come; what
/// a frame may lack of what it must go is as little.
constexpr double kNoWay = 1e-12, kLack = 1e-9;
/// Projections on contacts that lie skew to each other lessen what is left by a part each.
constexpr int kProjections = 64;

/// How far a driver takes a point of it in the step, given from its centre of mass. What is static
/// goes nowhere.
Vec3 wayOf(const ExactStep& s, std::uint32_t driver, const Vec3& arm) {
  if (s.in.bodies.facts[driver].type != BodyType::Kinematic) return {};
  const Vec3 way = s.motion.newPosition[driver] - s.in.bodies.position[driver];
  if (s.motion.startVelocity[driver].angular == Vec3{}) return way;
  const Mat3 from = toMatrix(s.in.bodies.orientation[driver]);
  return way + (toMatrix(s.motion.newOrientation[driver]) * transposeTimes(from, arm) - arm);
}

}  // namespace

void DriverFrame::book(const Vec3& impulse, StepBooks& books) const {
  if (driver == kNone || velocity == Vec3{}) return;
  const double work = dot(velocity, impulse);
  const Vec3 along = velocity * (work / squaredNorm(velocity));
  books.drive(driver, work, along, cross(arm, along));
}

void DriverFrames::begin(const ExactStep& s, const HoldBack& guard) {
  least_ = kNoWay / s.in.dt;
  carrier_.clear();
  for (const HoldBack::Lift& lift : guard.getLifts()) {
    if (lift.carrier == HoldBack::kNone) continue;
    if (carrier_.empty()) carrier_.assign(s.in.bodies.size(), HoldBack::kNone);
    carrier_[lift.body] = lift.carrier;
  }
}

void DriverFrames::restart(const ExactStep& s, std::span<const std::uint32_t> members) {
  demands_.clear();
  if (carrier_.empty()) return;
  for (const std::uint32_t b : members) {
    if (carrier_[b] == HoldBack::kNone) continue;
    Demand d;
    d.driver = carrier_[b];
    d.arm = s.in.bodies.position[b] - s.in.bodies.position[d.driver];
    const Vec3 velocity = wayOf(s, d.driver, d.arm) * (1.0 / s.in.dt);
    d.speed = d.least = norm(velocity);
    if (!(d.speed > least_)) continue;
    d.normal = velocity * (1.0 / d.speed);
    d.isLoaded = true;
    demands_.push_back(d);
  }
}

void DriverFrames::add(const ExactStep& s, const StepContact& c) {
  const bool isFirst = s.in.bodies.facts[c.body1].type != BodyType::Dynamic;
  if (!isFirst && s.in.bodies.facts[c.body2].type == BodyType::Dynamic) return;
  Demand d;
  d.driver = isFirst ? c.body1 : c.body2;
  d.arm = isFirst ? c.row.arm1 : c.row.arm2;
  d.normal = isFirst ? -c.row.normal : c.row.normal;
  d.speed = dot(d.normal, wayOf(s, d.driver, d.arm)) / s.in.dt;
  if (absOf(d.speed) <= least_) d.speed = 0.0;
  d.least = d.speed - (c.late > 0.0 ? 0.0 : maxOf(0.0, -c.depth) / s.in.dt);
  d.isLoaded = c.impulse.x > 0.0 || c.impact.x > 0.0 || c.carry.x > 0.0;
  demands_.push_back(d);
}

/// Projects on what is met least, until all is met or no more is hoped for.
void DriverFrames::project(bool onlyLoaded, Vec3& velocity) const {
  for (int i = 0; i < kProjections; ++i) {
    double most = least_;
    Vec3 by;
    for (const Demand& d : demands_) {
      if (onlyLoaded && !d.isLoaded) continue;
      const double lack = (onlyLoaded ? d.speed : d.least) - dot(d.normal, velocity);
      const double size = onlyLoaded ? absOf(lack) : lack;
      if (!(size > most)) continue;
      most = size;
      by = d.normal * lack;
    }
    if (by == Vec3{}) return;
    velocity += by;
  }
}

bool DriverFrames::isMet(const Vec3& velocity) const {
  for (const Demand& d : demands_) {
    if (d.least - dot(d.normal, velocity) > least_ * (kLack / kNoWay)) return false;
  }
  return true;
}

DriverFrame DriverFrames::find() const {
  DriverFrame frame;
  double fastest = 0.0;
  for (const Demand& d : demands_) {
    if (!(absOf(d.speed) > fastest)) continue;
    fastest = absOf(d.speed);
    frame.driver = d.driver;
    frame.arm = d.arm;
  }
  if (!(fastest > 0.0)) return frame;
  project(true, frame.velocity);
  project(false, frame.velocity);
  frame.isFree = isMet(frame.velocity);
  if (!frame.isFree) frame.velocity = {};
  return frame;
}

}  // namespace abut::inline v0_1
