// SPDX-License-Identifier: MIT
//
// Who is guarded, on what way, and with whom it is looked at.
#include <algorithm>
#include <atomic>

#include "dynamics/index_near.hpp"
#include "integration/guarded_reach.hpp"
#include "math/rotation_vector.hpp"

namespace abut::inline v0_1 {
namespace {

/// Bodies and pairs that a thread takes at once.
constexpr std::size_t kBodyGrain = 512, kPairGrain = 2048;

Quat turnedBy(const Vec3& turn, const Quat& q) {
  return normalized(quatFromRotationVector(turn) * q);
}

/// The rotation vector from one orientation to another. Bodies that spin by more than a quarter of
/// a turn go the way round that is nearest to their spin; a turn and a half serve for more.
Vec3 turnBetween(const Quat& from, const Quat& to, const Vec3& spin) {
  constexpr double kPi = 3.141592653589793, kFull = 2.0 * kPi;
  const Vec3 shortest = rotationBetween(from, to);
  if (!(squaredNorm(spin) > 0.25 * kPi * kPi)) return shortest;
  const double angle = norm(shortest);
  const Vec3 axis = angle > 0.0 ? shortest / angle : normalized(spin);
  const double more = dot(axis, spin) - angle;
  if (more > kPi) return axis * (angle + kFull);
  return more < -kPi ? axis * (angle - kFull) : shortest;
}

/// How far a point of a body goes in the step, at most [m].
double wayOf(const StepInput& in, const StepMotion& motion, std::size_t i) {
  const BodyFacts& f = in.bodies.facts[i];
  const double radius = f.shape->boundingRadius();
  const double way = norm(motion.newPosition[i] - in.bodies.position[i]);
  if (f.shape->getType() == ShapeType::Sphere || !isFinite(radius)) return way;
  // Twice the chord between quaternions is the angle, or less where that is large.
  const Quat &p = in.bodies.orientation[i], &q = motion.newOrientation[i];
  const double cosine = ((p.w * q.w + p.x * q.x) + p.y * q.y) + p.z * q.z;
  const double angle = f.type == BodyType::Kinematic
                           ? norm(motion.startVelocity[i].angular) * in.dt
                           : 2.0 * std::sqrt(maxOf(0.0, 2.0 - 2.0 * absOf(cosine)));
  return way + angle * radius;
}

}  // namespace

/// A body's way: as before until its last impact, then to where the step put it.
GuardedPath HoldBack::pathOf(const Scene& s, std::size_t i) {
  const BodyFacts& f = s.in.bodies.facts[i];
  const Vec3& start = s.in.bodies.position[i];
  const Pose& shapePose = s.detector.getFound().placed[i].pose;
  const bool isRound = f.shape->getType() == ShapeType::Sphere && shapePose.translation == start;
  GuardedPath path;
  path.startOrientation = s.in.bodies.orientation[i];
  Vec3 center = start;
  Pose pose = shapePose;
  const double late = s.motion.lateTime.empty() ? 0.0 : s.motion.lateTime[i];
  if (late > 0.0) {
    const BodyVelocity& v = s.motion.startVelocity[i];
    path.first = {start, v.linear * late, v.angular * late, shapePose};
    path.startOrientation = turnedBy(path.first.turn, path.startOrientation);
    center = start + path.first.way;
    pose = path.first.at(1.0);
    path.from = late / s.in.dt;
    if (isRound) path.first.turn = {};
  }
  path.turn = turnBetween(path.startOrientation, s.motion.newOrientation[i],
                          s.motion.endVelocity[i].angular * (s.in.dt - late));
  // What drives others may turn by more than half a turn; the poses say nothing of it.
  if (f.type == BodyType::Kinematic) path.turn = s.motion.startVelocity[i].angular * s.in.dt;
  path.last = {center, s.motion.newPosition[i] - center, isRound ? Vec3{} : path.turn, pose};
  return path;
}

/// Bodies that go far themselves, or that something comes upon; whether there are any.
bool HoldBack::findGuarded(const Scene& s) {
  const std::size_t n = s.in.bodies.size();
  motion_.assign(n, 0.0);
  guarded_.assign(n, 0);
  std::atomic<bool> any{false};
  std::atomic<double> farthest{0.0}, shortest{kMaxBodyCoordinate};
  forChunks(s.in.tasks, n, kBodyGrain, [&](std::size_t begin, std::size_t end) {
    double far = 0.0, least = kMaxBodyCoordinate;
    for (std::size_t i = begin; i < end; ++i) {
      const BodyFacts& f = s.in.bodies.facts[i];
      if (!f.shape || f.type == BodyType::Static || s.in.bodies.rest[i].isAsleep()) continue;
      motion_[i] = wayOf(s.in, s.motion, i);
      far = maxOf(far, motion_[i]);
      // It could be held back only with all that joints hold.
      if (f.type != BodyType::Dynamic || s.motion.isJointed(i)) continue;
      least = minOf(least, freeWayOf(f));
      const bool hit = !s.motion.lateTime.empty() && s.motion.lateTime[i] > 0.0;
      if (!hit && !(motion_[i] > freeWayOf(f))) continue;
      guarded_[i] = 1;
      any.store(true, std::memory_order_relaxed);
    }
    for (double was = farthest; far > was && !farthest.compare_exchange_weak(was, far);) {
    }
    for (double was = shortest; least < was && !shortest.compare_exchange_weak(was, least);) {
    }
  });
  const double least = shortest, most = farthest;
  if (!(2.0 * most > least)) return any;
  const std::span<const ObjectPair> pairs = s.detector.getFound().pairs;
  forChunks(s.in.tasks, pairs.size(), kPairGrain, [&](std::size_t begin, std::size_t end) {
    ObjectId first = kNoObject;
    std::size_t i = 0;
    for (const ObjectPair& pair : pairs.subspan(begin, end - begin)) {
      // Pairs of one body lie side by side.
      if (pair.first != first) i = indexNear(s.in.bodies, first = pair.first);
      if (!(motion_[i] + most > least)) continue;
      const std::size_t j = indexNear(s.in.bodies, pair.second);
      const double both = motion_[i] + motion_[j];
      if (!(both > least)) continue;
      for (const std::size_t b : {i, j}) {
        const BodyFacts& f = s.in.bodies.facts[b];
        if (f.type != BodyType::Dynamic || s.motion.isJointed(b)) continue;
        if (!(both > freeWayOf(f))) continue;
        // Pairs on other threads may say the same.
        __atomic_store_n(&guarded_[b], std::uint8_t{1}, __ATOMIC_RELAXED);
        any.store(true, std::memory_order_relaxed);
      }
    }
  });
  return any;
}

/// Around a body at the beginning of a course, however it turns.
Aabb HoldBack::boxOf(const Scene& s, std::size_t i, const Course& course) {
  const Shape& shape = *s.in.bodies.facts[i].shape;
  if (course.turn == Vec3{}) return shape.computeAabb(course.start);
  const double radius = radiusOf(shape, course);
  const Vec3 reach{radius, radius, radius};
  return Aabb(toEigen(course.center - reach), toEigen(course.center + reach));
}

/// The index of a body among those taken.
std::uint32_t HoldBack::take(const Scene& s, std::size_t body) {
  if (slot_[body] != kNone) return slot_[body];
  slot_[body] = static_cast<std::uint32_t>(taken_.size());
  Guarded g;
  g.body = static_cast<std::uint32_t>(body);
  g.path = pathOf(s, body);
  g.canStop = s.in.bodies.facts[body].type == BodyType::Dynamic &&
              !s.in.bodies.rest[body].isAsleep() && !s.motion.isJointed(body) &&
              isFinite(s.motion.newPosition[body]);
  taken_.append(g);
  return slot_[body];
}

bool HoldBack::hasPair(std::uint32_t a, std::uint32_t b) const {
  for (std::uint32_t k = taken_[a].firstPair; k != kNone;) {
    const Pair& pair = work_.pairs[k];
    const std::size_t side = pair.guarded[0] == a ? 0 : 1;
    if (pair.guarded[1 - side] == b) return true;
    k = pair.next[side];
  }
  return false;
}

/// Adds the pair of one that is taken and a body that it may meet; false if there is none.
bool HoldBack::addPair(const Scene& s, std::uint32_t a, std::size_t body) {
  const std::size_t i = taken_[a].body;
  if (body == i || !s.in.bodies.mayTouch(i, body)) return false;
  if (s.motion.isForeseen(i, body)) return false;
  const Shape& other = *s.in.bodies.facts[body].shape;
  if (other.getType() == ShapeType::Plane) {
    // A plane that turns sweeps over everything.
    if (s.motion.startVelocity[body].angular != Vec3{}) return false;
    const Pose& place = s.detector.getFound().placed[body].pose;
    const Shape& own = *s.in.bodies.facts[i].shape;
    const auto stays = [&](const Course& course) {
      return staysBefore(course, radiusOf(own, course), other, place, motion_[body]);
    };
    const GuardedPath& path = taken_[a].path;
    if (stays(path.last) && (!(path.from > 0.0) || stays(path.first))) return false;
  }
  const std::uint32_t b = take(s, body);
  if (hasPair(a, b)) return false;
  const bool inOrder = i < body;
  Pair pair;
  pair.guarded[0] = inOrder ? a : b;
  pair.guarded[1] = inOrder ? b : a;
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    Guarded& g = taken_[pair.guarded[side]];
    pair.next[side] = g.firstPair;
    g.firstPair = static_cast<std::uint32_t>(work_.pairs.size());
  }
  work_.pairs.append(pair);
  return true;
}

/// Pairs with all that may be in the way of a course.
Status HoldBack::addPairs(Scene& s, std::uint32_t a, const Course& course) {
  const Aabb box = boxOf(s, taken_[a].body, course);
  const Status status = s.detector.findNear(s.in, s.motion, box, course.way, near_);
  if (!status) return status;
  for (const ObjectId other : near_) addPair(s, a, s.in.bodies.indexOf(other));
  return {};
}

/// Pairs of bodies that both go farther than could be foreseen, which is how far their boxes reach:
/// no search for one finds the other.
void HoldBack::addSurprised(const Scene& s) {
  work_.surprised.clear();
  const std::vector<double>& margins = s.detector.getFound().margins;
  for (std::uint32_t a = 0; a < taken_.size(); ++a) {
    const std::size_t i = taken_[a].body;
    if (taken_[a].canStop && motion_[i] > margins[i]) work_.surprised.push_back(a);
  }
  if (work_.surprised.size() < 2) return;
  const auto reachOf = [&](std::uint32_t a) {
    const std::size_t i = taken_[a].body;
    return motion_[i] + s.in.bodies.facts[i].shape->boundingRadius();
  };
  const auto lowOf = [&](std::uint32_t a) {
    return s.detector.getFound().placed[taken_[a].body].pose.translation.x - reachOf(a);
  };
  std::sort(work_.surprised.begin(), work_.surprised.end(), [&](std::uint32_t a, std::uint32_t b) {
    const double x = lowOf(a), y = lowOf(b);
    return x != y ? x < y : a < b;
  });
  for (std::size_t m = 0; m < work_.surprised.size(); ++m) {
    const std::uint32_t a = work_.surprised[m];
    const Vec3 place = s.detector.getFound().placed[taken_[a].body].pose.translation;
    for (std::size_t k = m + 1; k < work_.surprised.size(); ++k) {
      const std::uint32_t b = work_.surprised[k];
      if (lowOf(b) > place.x + reachOf(a)) break;
      const Vec3 other = s.detector.getFound().placed[taken_[b].body].pose.translation;
      if (norm(other - place) <= reachOf(a) + reachOf(b)) addPair(s, a, taken_[b].body);
    }
  }
}

/// Takes the bodies that are guarded, with all that they may meet, and looks when they do.
Status HoldBack::gather(Scene& s) {
  const std::size_t n = s.in.bodies.size();
  slot_.assign(n, kNone);
  if (s.in.room != nullptr) s.in.room->beginStage();
  taken_.start(s.in.room, 0);
  work_.pairs.start(s.in.room, 0);
  work_.events.clear();
  for (std::size_t i = 0; i < n; ++i) {
    if (guarded_[i] == 0 || s.in.bodies.rest[i].isAsleep() || !isPossible(s.motion.newPosition[i]))
      continue;
    const std::uint32_t a = take(s, i);
    const GuardedPath path = taken_[a].path;
    Status status = addPairs(s, a, path.last);
    if (status && path.from > 0.0) status = addPairs(s, a, path.first);
    if (!status) return status;
  }
  addSurprised(s);
  for (std::uint32_t k = 0; k < work_.pairs.size(); ++k) {
    const Status status = foresee(s, k, 0.0);
    if (!status) return status;
  }
  return {};
}

bool HoldBack::stayNear(const StepInput& in, const Detector& detector, const StepMotion& motion) {
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    const BodyFacts& f = in.bodies.facts[i];
    if (!f.shape || f.type != BodyType::Dynamic || in.bodies.rest[i].isAsleep()) continue;
    if (!(wayOf(in, motion, i) <= detector.getFound().margins[i])) return false;
  }
  return true;
}

}  // namespace abut::inline v0_1
