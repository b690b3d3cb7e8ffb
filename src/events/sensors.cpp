// SPDX-License-Identifier: MIT
#include "events/sensors.hpp"

#include <algorithm>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/cast.hpp>

#include "math/rotation_vector.hpp"

namespace abut::inline v0_1 {
namespace {

/// Gaps up to 1e-12 of the sizes touch; boxes are wider by twice that share of the radius.
constexpr double kTouchReach = 2e-12;
/// Motion beyond this share of the smaller half width may lead through a sensor within a step.
constexpr double kFarShare = 0.5;

bool isPlane(const BodyFacts& f) {
  return f.shape->getType() == ShapeType::Plane;
}

}  // namespace

void Sensors::begin(const BodyTable& bodies, bool isPart) {
  is_updated_ = false;
  came_.clear();
  active_ = bodies.numSensors() > 0;
  if (!active_) return;
  if (isPart) ids_ = bodies.ids;
  start_.resize(bodies.size());
  turn_ = bodies.orientation;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.facts[i].shape) start_[i] = bodies.shapePoseOf(i);
  }
}

bool Sensors::mayMeet(const BodyTable& bodies, std::size_t sensor, std::size_t body) const {
  const BodyFacts &f = bodies.facts[sensor], &g = bodies.facts[body];
  if (!g.shape || g.sensor || (isPlane(f) && isPlane(g))) return false;
  if (f.type == BodyType::Static && g.type == BodyType::Static) return false;
  return bodies.passesFilters(sensor, body) && swept_[sensor].overlaps(swept_[body]);
}

bool Sensors::isIn(const BodyTable& bodies, std::size_t sensor, std::size_t body) {
  const BodyFacts &f = bodies.facts[sensor], &g = bodies.facts[body];
  result_.clear();
  // But for memory, only pairs of planes can fail.
  collide({f.shape.get(), end_[sensor], f.id}, {g.shape.get(), end_[body], g.id},
          CollisionOption::binaryCheck(), result_)
      .orThrow();
  return result_.isCollision();
}

/// Whether a body that is outside at the end was inside on the way, moving and turning evenly.
bool Sensors::passesThrough(const BodyTable& bodies, std::size_t sensor, std::size_t body) const {
  const BodyFacts &f = bodies.facts[sensor], &g = bodies.facts[body];
  if (isPlane(f) || isPlane(g)) return false;
  const auto motionOf = [&](std::size_t i) {
    Motion m;
    m.linear = toEigen(end_[i].translation - start_[i].translation);
    m.angular = toEigen(rotationBetween(turn_[i], bodies.orientation[i]));
    return m;
  };
  const Motion m1 = motionOf(sensor), m2 = motionOf(body);
  const double way = norm(toVec3(m1.linear) - toVec3(m2.linear)) +
                     norm(toVec3(m1.angular)) * f.shape->boundingRadius() +
                     norm(toVec3(m2.angular)) * g.shape->boundingRadius();
  if (!(way > kFarShare * minOf(f.halfWidth, g.halfWidth))) return false;
  CastResult cast;
  const Status status = timeOfImpact({f.shape.get(), start_[sensor], f.id}, m1,
                                     {g.shape.get(), start_[body], g.id}, m2, cast);
  if (status.getCode() == StatusCode::OutOfMemory) status.orThrow();
  return status && cast.hit;
}

Sensors::Start Sensors::getStart(ObjectId id) const {
  const auto at = std::lower_bound(ids_.begin(), ids_.end(), id);
  if (at != ids_.end() && *at == id) {
    const auto i = static_cast<std::size_t>(at - ids_.begin());
    return {id, start_[i], turn_[i]};
  }
  const auto came =
      std::find_if(came_.begin(), came_.end(), [id](const Start& s) { return s.id == id; });
  return came != came_.end() ? *came : Start{};
}

/// Where bodies of a part of a world were; ghosts that came since are not looked at.
void Sensors::findStarts(const BodyTable& bodies) {
  if (ids_ == bodies.ids) return;
  std::vector<Pose> start(bodies.size());
  std::vector<Quat> turn = bodies.orientation;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Start was = getStart(bodies.ids[i]);
    if (was.id == kNoObject) continue;
    start[i] = was.pose;
    turn[i] = was.turn;
  }
  start_.swap(start);
  turn_.swap(turn);
  ids_ = bodies.ids;
}

void Sensors::update(const BodyTable& bodies, const Division* division, double time,
                     std::vector<Sensed>& sensed, std::vector<SensorEvent>& events) {
  events.clear();
  if (!active_) return;
  if (division != nullptr) findStarts(bodies);
  const std::size_t n = bodies.size();
  end_.resize(n);
  swept_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const BodyFacts& f = bodies.facts[i];
    if (!f.shape) continue;
    end_[i] = bodies.shapePoseOf(i);
    swept_[i] = f.shape->computeAabb(end_[i]);
    if (!(end_[i] == start_[i])) swept_[i].merge(f.shape->computeAabb(start_[i]));
    if (!isPlane(f)) swept_[i].expand(kTouchReach * f.shape->boundingRadius());
  }
  seen_.clear();
  for (std::size_t s = 0; s < n; ++s) {
    if (!bodies.facts[s].sensor || !bodies.facts[s].shape) continue;
    for (std::size_t b = 0; b < n; ++b) {
      if (b == s || (division != nullptr && !division->isMine(b))) continue;
      if (!mayMeet(bodies, s, b)) continue;
      const bool in = isIn(bodies, s, b);
      if (in || passesThrough(bodies, s, b)) {
        seen_.push_back({{bodies.ids[s], bodies.ids[b], time}, !in});
      }
    }
  }
  merge(sensed, time, events);
}

/// Both lists are sorted.
void Sensors::merge(std::vector<Sensed>& sensed, double time, std::vector<SensorEvent>& events) {
  kept_.clear();
  std::size_t old = 0;
  const auto end = [&](const Sensed& s) {
    events.push_back({SensorEvent::Kind::End, s.sensor, s.body, s.since});
  };
  for (const Seen& now : seen_) {
    while (old < sensed.size() && sensed[old] < now.what) end(sensed[old++]);
    const bool isKnown = old < sensed.size() && !(now.what < sensed[old]);
    Sensed s = now.what;
    s.since = isKnown ? sensed[old].since : time;
    if (isKnown) ++old;
    if (!now.passed) {
      kept_.push_back(s);
      events.push_back({isKnown ? SensorEvent::Kind::Persist : SensorEvent::Kind::Begin, s.sensor,
                        s.body, s.since});
      continue;
    }
    if (!isKnown) events.push_back({SensorEvent::Kind::Begin, s.sensor, s.body, s.since});
    end(s);
  }
  while (old < sensed.size()) end(sensed[old++]);
  sensed.swap(kept_);
  is_updated_ = true;
}

}  // namespace abut::inline v0_1
