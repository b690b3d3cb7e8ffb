// SPDX-License-Identifier: MIT
#include "collision/expected_hits.hpp"

#include <algorithm>
#include <string>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>

namespace abut::inline v0_1 {
namespace {

/// Hits of one body within this part of the step count as one time.
constexpr double kSameTime = 1e-9;
/// A hit at the very end leaves no time to part; it counts as this part of the step.
constexpr double kLatest = 1.0 - 1e-9;

/// Bodies that met are apart once they went so far past each other [m].
constexpr double kClear = 1e-8;
/// A body is where it was thought to go if it is no farther from there [m].
constexpr double kAsThought = 1e-9;

/// A body that a blow sends elsewhere, on its way to other ranks.
struct SentBody {
  ObjectId id;
  double low[3], high[3];
};

Aabb aroundCourse(const Shape& shape, const Course& course) {
  Aabb box = shape.computeAabb(course.start);
  if (course.turn != Vec3{}) {
    const double radius = shape.boundingRadius() + norm(course.start.translation - course.center);
    const Vec3 reach{radius, radius, radius};
    box = Aabb(toEigen(course.center - reach), toEigen(course.center + reach));
  }
  const Vec3 low = toVec3(box.min_), high = toVec3(box.max_);
  box.merge(Aabb(toEigen(low + course.way), toEigen(high + course.way)));
  return box;
}

/// Whether balls around two bodies on their courses stay apart.
bool passBy(const Shape& shape1, const Course& c1, const Shape& shape2, const Course& c2) {
  const double reach = (shape1.boundingRadius() + norm(c1.start.translation - c1.center)) +
                       (shape2.boundingRadius() + norm(c2.start.translation - c2.center));
  if (!isFinite(reach)) return false;
  const Vec3 between = c1.center - c2.center, way = c1.way - c2.way;
  const double length2 = squaredNorm(way);
  const double at = length2 > 0.0 ? clampTo(-dot(between, way) / length2, 0.0, 1.0) : 0.0;
  return norm(between + way * at) > (1.0 + kSameTime) * reach;
}

}  // namespace

std::span<const BlowNode> ExpectedHits::blowsOf(std::uint32_t body) const {
  const auto less = [](const BlowNode& node, std::uint32_t b) { return node.body < b; };
  const auto first = std::lower_bound(nodes_.begin(), nodes_.end(), body, less);
  auto end = first;
  while (end != nodes_.end() && end->body == body) ++end;
  return {nodes_.data() + (first - nodes_.begin()), static_cast<std::size_t>(end - first)};
}

/// How a body flies from a time on.
BlowNode ExpectedHits::nodeAt(const Scene& s, std::uint32_t body, double time) const {
  BlowNode node;
  node.body = body;
  node.velocity = s.motion.startVelocity[body];
  if (s.in.bodies.facts[body].type == BodyType::Dynamic && !s.contacts.isLinked(body))
    node.acceleration = s.in.freeAcceleration(body);
  for (const BlowNode& n : blowsOf(body)) {
    if (n.time <= time) node = n;
  }
  return node;
}

bool ExpectedHits::isBall(const Scene& s, std::uint32_t body) {
  return s.in.bodies.facts[body].shape->getType() == ShapeType::Sphere &&
         s.detector.getFound().placed[body].pose.translation == s.in.bodies.position[body];
}

Course ExpectedHits::courseOf(const Scene& s, std::uint32_t body, double from, double to) const {
  const BlowNode node = nodeAt(s, body, from);
  const BodyVelocity begin = node.wayAt(from), end = node.wayAt(to);
  const Vec3& center = s.in.bodies.position[body];
  const Pose& pose = s.detector.getFound().placed[body].pose;
  Course c;
  c.center = center + begin.linear;
  c.way = end.linear - begin.linear;
  c.start = placedAlong(pose, center, begin);
  if (!isBall(s, body)) c.turn = end.angular - begin.angular;
  return c;
}

double ExpectedHits::lengthOf(const Scene& s, std::uint32_t body) const {
  const std::span<const BlowNode> blows = blowsOf(body);
  double length = 0.0, from = 0.0;
  for (std::size_t k = 0; k <= blows.size(); ++k) {
    const double to = k < blows.size() ? blows[k].time : s.in.dt;
    const Course c = courseOf(s, body, from, to);
    length += norm(c.way);
    if (c.turn != Vec3{}) length += norm(c.turn) * s.in.bodies.facts[body].shape->boundingRadius();
    from = to;
  }
  return length;
}

/// Bodies that blows send beyond their boxes, or that are in a pair that was cast.
void ExpectedHits::findLeavers(const Scene& s) {
  const Detection& found = s.detector.getFound();
  fast_.assign(s.in.bodies.size(), 0);
  for (const FastPair& pair : found.fastPairs) fast_[pair.body1] = fast_[pair.body2] = 1;
  leavers_.clear();
  is_leaver_.assign(s.in.bodies.size(), 0);
  for (std::uint32_t k = 0, end = 0; k < nodes_.size(); k = end) {
    Leaver leaver;
    leaver.body = nodes_[k].body;
    for (end = k; end < nodes_.size() && nodes_[end].body == leaver.body;) ++end;
    const double length = lengthOf(s, leaver.body);
    const double reach = found.margins[leaver.body];
    if (fast_[leaver.body] == 0 && !nodes_[k].isFast && !(length + s.in.detectionMargin > reach))
      continue;
    if (!(length < kMaxBodyCoordinate)) continue;
    const Shape& shape = *s.in.bodies.facts[leaver.body].shape;
    leaver.swept = aroundCourse(shape, courseOf(s, leaver.body, 0.0, nodes_[k].time));
    for (std::uint32_t n = k; n < end; ++n) {
      const double to = n + 1 < end ? nodes_[n + 1].time : s.in.dt;
      leaver.swept.merge(aroundCourse(shape, courseOf(s, leaver.body, nodes_[n].time, to)));
    }
    leavers_.push_back(leaver);
    is_leaver_[leaver.body] = 1;
  }
  std::sort(leavers_.begin(), leavers_.end(), [](const Leaver& a, const Leaver& b) {
    return a.swept.min_.x() != b.swept.min_.x() ? a.swept.min_.x() < b.swept.min_.x()
                                                : a.body < b.body;
  });
}

/// Whether two bodies may meet and have no contact yet.
bool ExpectedHits::isCandidate(const Scene& s, std::uint32_t i, std::uint32_t j) const {
  const BodyTable& bodies = s.in.bodies;
  if (i == j || !bodies.mayTouch(i, j) || bodies.rest[i].isAsleep() || bodies.rest[j].isAsleep())
    return false;
  if (s.motion.isJointed(i) || s.motion.isJointed(j) || s.contacts.awaits(i, j) ||
      s.motion.areFlush(i, j))
    return false;
  const ObjectId a = bodies.ids[i], b = bodies.ids[j];
  return !s.in.keepsApart({std::min(a, b), std::max(a, b)});
}

/// Whether a blow at that time may have been one of the two bodies with each other.
bool ExpectedHits::haveMet(const Scene& s, std::uint32_t i, std::uint32_t j, double time) const {
  for (const std::uint32_t b : {i, j}) {
    bool isStruck = s.in.bodies.facts[b].type != BodyType::Dynamic;
    for (const BlowNode& n : blowsOf(b)) isStruck = isStruck || n.time == time;
    if (!isStruck) return false;
  }
  return true;
}

/// The first hit of a pair in a part of the step in which no blow strikes them. Where they part
/// after a blow they touch at first, where they come to one at last: neither is a hit.
Status ExpectedHits::castLeg(const Scene& s, std::uint32_t b1, std::uint32_t b2, double from,
                             double to, bool& isHit) {
  const Shape &shape1 = *s.in.bodies.facts[b1].shape, &shape2 = *s.in.bodies.facts[b2].shape;
  Course c1 = courseOf(s, b1, from, to), c2 = courseOf(s, b2, from, to);
  if (passBy(shape1, c1, shape2, c2)) return {};
  const double way = norm(c1.way - c2.way) + norm(c1.turn) * shape1.boundingRadius() +
                     norm(c2.turn) * shape2.boundingRadius();
  const double clear = haveMet(s, b1, b2, from) && kClear < way ? kClear / way : 0.0;
  if (clear > 0.0) {
    c1 = c1.after(clear);
    c2 = c2.after(clear);
  }
  CastResult cast;
  const Status status = castCourses(shape1, c1, shape2, c2, cast);
  if (!status || !cast.hit || cast.status != QueryStatus::Touching) return status;
  if (clear > 0.0 && cast.fraction * way <= kClear) return {};
  if ((1.0 - cast.fraction) * way <= kClear && haveMet(s, b1, b2, to)) return {};
  isHit = true;
  Hit h;
  h.hit.body1 = b1;
  h.hit.body2 = b2;
  h.hit.isExpected = true;
  const double start = from + clear * (to - from);
  h.hit.time = minOf(start + cast.fraction * (to - start), kLatest * s.in.dt);
  h.hit.center1 = c1.center + c1.way * cast.fraction;
  h.hit.center2 = c2.center + c2.way * cast.fraction;
  h.hit.reach = lengthOf(s, b1) + lengthOf(s, b2) + s.in.detectionMargin;
  h.pose1 = c1.at(cast.fraction);
  h.pose2 = c2.at(cast.fraction);
  hits_.push_back(h);
  return {};
}

/// The first hit of a pair since a blow struck one of it; of bodies that were cast, in the step:
/// what they were to hit first may have gone elsewhere.
Status ExpectedHits::castPair(const Scene& s, std::uint32_t i, std::uint32_t j) {
  const std::uint32_t b1 = std::min(i, j), b2 = std::max(i, j);
  times_.clear();
  if (fast_[b1] != 0 && fast_[b2] != 0) times_.push_back(0.0);
  for (const std::uint32_t b : {b1, b2}) {
    for (const BlowNode& n : blowsOf(b)) times_.push_back(n.time);
  }
  times_.push_back(s.in.dt);
  std::sort(times_.begin(), times_.end());
  bool isHit = false;
  for (std::size_t k = 0; k + 1 < times_.size() && !isHit; ++k) {
    if (!(times_[k + 1] > times_[k])) continue;
    const Status status = castLeg(s, b1, b2, times_[k], times_[k + 1], isHit);
    if (!status) return status;
  }
  return {};
}

Status ExpectedHits::castLeaver(const Scene& s, const Leaver& leaver) {
  Status status = s.detector.findNear(s.in, s.motion, leaver.swept, {}, near_);
  for (std::size_t k = 0; k < near_.size() && status; ++k) {
    const auto other = static_cast<std::uint32_t>(s.in.bodies.indexOf(near_[k]));
    if (is_leaver_[other] == 0 && isCandidate(s, leaver.body, other))
      status = castPair(s, leaver.body, other);
  }
  return status;
}

/// Takes the hits that come first for both bodies.
Status ExpectedHits::keepFirst(const Scene& s, bool& found) {
  first_.assign(s.in.bodies.size(), 2.0 * s.in.dt);
  const auto isDynamic = [&](std::uint32_t b) {
    return s.in.bodies.facts[b].type == BodyType::Dynamic;
  };
  for (const Hit& h : hits_) {
    for (const std::uint32_t b : {h.hit.body1, h.hit.body2})
      first_[b] = minOf(first_[b], h.hit.time);
  }
  for (const Hit& h : hits_) {
    bool comesFirst = true;
    for (const std::uint32_t b : {h.hit.body1, h.hit.body2}) {
      if (isDynamic(b)) comesFirst = comesFirst && h.hit.time <= first_[b] + kSameTime * s.in.dt;
    }
    if (!comesFirst) continue;
    bool taken = false;
    const Status status = s.detector.addHit(s.in, h.hit, h.pose1, h.pose2, taken);
    if (!status) return status;
    found = found || taken;
  }
  return {};
}

Status ExpectedHits::find(const StepInput& in, const StepMotion& motion,
                          std::span<const BlowNode> blows, const ContactLookup& contacts,
                          Detector& detector, bool& found) {
  found = is_whole_ = false;
  leavers_.clear();
  if (blows.empty()) return {};
  const Scene s{in, motion, contacts, detector};
  nodes_.assign(blows.begin(), blows.end());
  sorter_.sort(nodes_, [](const BlowNode& a, const BlowNode& b) {
    return a.body != b.body ? a.body < b.body : a.time < b.time;
  });
  findLeavers(s);
  hits_.clear();
  Status status;
  for (std::size_t k = 0; k < leavers_.size() && status; ++k) {
    status = castLeaver(s, leavers_[k]);
    for (std::size_t m = k + 1; m < leavers_.size() && status; ++m) {
      if (leavers_[m].swept.min_.x() > leavers_[k].swept.max_.x()) break;
      if (leavers_[m].swept.overlaps(leavers_[k].swept) &&
          isCandidate(s, leavers_[k].body, leavers_[m].body))
        status = castPair(s, leavers_[k].body, leavers_[m].body);
    }
  }
  const std::vector<FastPair>& cast = detector.getFound().fastPairs;
  for (std::size_t k = 0; k < cast.size() && status; ++k) {
    const FastPair& p = cast[k];
    const bool isKnown = (is_leaver_[p.body1] | is_leaver_[p.body2]) != 0;
    if (!isKnown && isCandidate(s, p.body1, p.body2)) status = castPair(s, p.body1, p.body2);
  }
  if (status) status = keepFirst(s, found);
  is_whole_ = status && hits_.empty();  // A hit that was not taken is the guard's.
  return status;
}

void ExpectedHits::noteForeseen(const StepInput& in, const ContactLookup& contacts,
                                Detector& detector, StepMotion& motion) const {
  motion.foreseen.clear();
  if (!is_whole_ || leavers_.empty()) return;
  const Scene s{in, motion, contacts, detector};
  motion.foreseen.assign(in.bodies.size(), 0);
  for (std::uint32_t i = 0; i < in.bodies.size(); ++i) {
    const BodyFacts& f = in.bodies.facts[i];
    // Where joints take a body is not known yet.
    if (!f.shape || in.bodies.rest[i].isAsleep() || motion.isJointed(i)) continue;
    const bool turns =
        f.type == BodyType::Dynamic ? !isBall(s, i) : motion.startVelocity[i].angular != Vec3{};
    const Vec3 end = in.bodies.position[i] + nodeAt(s, i, in.dt).wayAt(in.dt).linear;
    if (turns || !(norm(motion.newPosition[i] - end) <= kAsThought)) continue;
    const bool isCast = is_leaver_[i] != 0 && blowsOf(i).front().isFast;
    motion.foreseen[i] = isCast ? 3 : 1;
  }
}

Status ExpectedHits::refuseForeign(const StepInput& in, const StepMotion& motion,
                                   Detector& detector) {
  Halo& halo = *in.halo();
  if (!halo.any(!leavers_.empty())) return {};
  std::vector<std::byte> mine;
  for (const Leaver& l : leavers_) {
    const Vec3 low = toVec3(l.swept.min_), high = toVec3(l.swept.max_);
    put(mine, SentBody{in.bodies.ids[l.body], {low.x, low.y, low.z}, {high.x, high.y, high.z}});
  }
  std::vector<std::vector<std::byte>> all;
  halo.comm.gatherAll(mine, all);
  Status status;
  const auto refuse = [&](ObjectId id, std::size_t body) {
    const Division& division = *in.division;
    const BodyFacts& f = in.bodies.facts[body];
    const bool moves = f.type == BodyType::Dynamic || f.drive->isLimited;
    if (!moves || !division.hasAllOf(body) || !status) return;
    const std::size_t other = in.bodies.find(id);
    const bool isThere = other != in.bodies.size();
    if (isThere && (division.hasAllOf(other) || !in.bodies.mayTouch(other, body))) return;
    status = Status::failure(
        StatusCode::LimitExceeded,
        "World::step: a blow of the step sends body " + std::to_string(id) + " to where body " +
            std::to_string(in.bodies.ids[body]) +
            " of another rank is; on several ranks blows of a step stay among bodies that are near "
            "each other at its beginning. The step was not made; make shorter ones, or run it on "
            "one rank",
        id);
  };
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (static_cast<int>(r) == halo.comm.getRank()) continue;
    MessageReader message(all[r]);
    for (SentBody sent{}; message.get(sent) && status;) {
      const Aabb box({sent.low[0], sent.low[1], sent.low[2]},
                     {sent.high[0], sent.high[1], sent.high[2]});
      for (const Leaver& l : leavers_) {
        if (l.swept.overlaps(box)) refuse(sent.id, l.body);
      }
      const Status found = detector.findNear(in, motion, box, {}, near_);
      if (!found) return halo.agree(found);
      for (const ObjectId id : near_) refuse(sent.id, in.bodies.indexOf(id));
    }
  }
  return halo.agree(status);
}

}  // namespace abut::inline v0_1
