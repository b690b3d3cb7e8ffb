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

/// Around a shape at both ends of its way.
Aabb sweptBox(const BodyFacts& f, const Pose& start, const Pose& end) {
  Aabb box = f.shape->computeAabb(end);
  if (!(end == start)) box.merge(f.shape->computeAabb(start));
  if (!isPlane(f)) box.expand(kTouchReach * f.shape->boundingRadius());
  return box;
}

}  // namespace

void Sensors::begin(const BodyTable& bodies, const Division* division) {
  is_updated_ = false;
  came_.clear();
  active_ = bodies.numSensors() > 0 || (division != nullptr && division->hasSensors);
  if (!active_) return;
  if (division != nullptr) ids_ = bodies.ids;
  start_.resize(bodies.size());
  turn_ = bodies.orientation;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.facts[i].shape) start_[i] = bodies.shapePoseOf(i);
  }
}

bool Sensors::mayMeet(const Course& sensor, const Course& body) {
  const BodyFacts &f = *sensor.facts, &g = *body.facts;
  if (g.sensor || (isPlane(f) && isPlane(g))) return false;
  if (f.type == BodyType::Static && g.type == BodyType::Static) return false;
  return passFilters(f, g) && sensor.swept.overlaps(body.swept);
}

bool Sensors::isIn(const Course& sensor, const Course& body) {
  const BodyFacts &f = *sensor.facts, &g = *body.facts;
  result_.clear();
  // But for memory, only pairs of planes can fail.
  collide({f.shape.get(), sensor.end, f.id}, {g.shape.get(), body.end, g.id},
          CollisionOption::binaryCheck(), result_)
      .orThrow();
  return result_.isCollision();
}

/// Whether a body that is outside at the end was inside on the way, moving and turning evenly.
bool Sensors::passesThrough(const Course& sensor, const Course& body) {
  const BodyFacts &f = *sensor.facts, &g = *body.facts;
  if (isPlane(f) || isPlane(g)) return false;
  const auto motionOf = [&](const Course& c) {
    Motion m;
    m.linear = toEigen(c.end.translation - c.start.translation);
    m.angular = toEigen(rotationBetween(c.from, c.to));
    return m;
  };
  const Motion m1 = motionOf(sensor), m2 = motionOf(body);
  const double way = norm(toVec3(m1.linear) - toVec3(m2.linear)) +
                     norm(toVec3(m1.angular)) * f.shape->boundingRadius() +
                     norm(toVec3(m2.angular)) * g.shape->boundingRadius();
  if (!(way > kFarShare * minOf(f.halfWidth, g.halfWidth))) return false;
  CastResult cast;
  const Status status = timeOfImpact({f.shape.get(), sensor.start, f.id}, m1,
                                     {g.shape.get(), body.start, g.id}, m2, cast);
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

Sensors::Course Sensors::courseOf(const BodyTable& bodies, std::size_t i) const {
  Course course{&bodies.facts[i],      start_[i], bodies.shapePoseOf(i), turn_[i],
                bodies.orientation[i], {}};
  course.swept = sweptBox(*course.facts, course.start, course.end);
  return course;
}

/// All sensors that there are; of a part of a world the dynamic ones of other ranks come from
/// these.
void Sensors::findSensors(const BodyTable& bodies, const Division* division) {
  sensors_.clear();
  there_.clear();
  for (std::size_t s = 0; s < bodies.size(); ++s) {
    const BodyFacts& f = bodies.facts[s];
    if (!f.sensor || !f.shape) continue;
    if (division == nullptr || division->isDynamic[s] == 0 || division->isMine(s))
      sensors_.push_back(courseOf(bodies, s));
  }
  if (division == nullptr || !division->hasSensors) return;
  gatherSensors(bodies, *division);
  std::sort(sensors_.begin(), sensors_.end(),
            [](const Course& a, const Course& b) { return a.facts->id < b.facts->id; });
}

void Sensors::gatherSensors(const BodyTable& bodies, const Division& division) {
  struct Way {
    Pose start, end;
    Quat from, to;
    double halfWidth;
  };
  std::vector<std::byte> mine;
  for (const Course& c : sensors_) {
    if (c.facts->type != BodyType::Dynamic) continue;
    putBody(bodies, bodies.indexOf(c.facts->id), mine);
    put(mine, Way{c.start, c.end, c.from, c.to, c.facts->halfWidth});
  }
  std::vector<std::vector<std::byte>> all;
  division.halo.comm.gatherAll(mine, all);
  std::vector<Way> ways;
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (static_cast<int>(r) == division.halo.comm.getRank()) continue;
    MessageReader message(all[r]);
    while (!message.isEmpty()) {
      there_.push_back(takeBody(message, division.shapes));
      ways.push_back(message.take<Way>());
    }
  }
  for (std::size_t i = 0; i < there_.size(); ++i) {
    BodyFacts& f = there_[i].facts;
    const Way& w = ways[i];
    f.halfWidth = w.halfWidth;
    sensors_.push_back({&f, w.start, w.end, w.from, w.to, sweptBox(f, w.start, w.end)});
  }
}

void Sensors::update(const BodyTable& bodies, const Division* division, double time,
                     std::vector<Sensed>& sensed, std::vector<SensorEvent>& events) {
  events.clear();
  if (!active_) return;
  if (division != nullptr) findStarts(bodies);
  findSensors(bodies, division);
  seen_.clear();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!bodies.facts[b].shape || (division != nullptr && !division->isMine(b))) continue;
    const Course body = courseOf(bodies, b);
    for (const Course& sensor : sensors_) {
      if (sensor.facts->id == bodies.ids[b] || !mayMeet(sensor, body)) continue;
      const bool in = isIn(sensor, body);
      if (in || passesThrough(sensor, body)) {
        seen_.push_back({{sensor.facts->id, bodies.ids[b], time}, !in});
      }
    }
  }
  std::sort(seen_.begin(), seen_.end(),
            [](const Seen& a, const Seen& b) { return a.what < b.what; });
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
