// SPDX-License-Identifier: MIT
#include "integration/hold_back.hpp"

#include <algorithm>
#include <atomic>

#include <abut/math/convert.hpp>

#include "collision/guard_geometry.hpp"
#include "dynamics/index_near.hpp"
#include "math/rotation_vector.hpp"

namespace abut::inline v0_1 {
namespace {

/// Bodies whose turning was ended where they overlap too much may overlap by so much more on.
constexpr double kSlack = 2e-3;
/// Turning that moves no point by more than this share of the width is not worth ending.
constexpr double kLeastTurn = 1e-3;
/// Events of a body: turning and going end, it is taken along, that ends.
constexpr std::size_t kMostEvents = 8;

/// Bits of what is noted of a body.
constexpr std::uint8_t kSpinKept = 1, kIsLoose = 2;

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

/// What ends elsewhere, the step refuses by its name.
bool isPossible(const Vec3& end) {
  return maxElement(absOf(end)) <= kMaxBodyCoordinate;
}

double widthOf(const BodyFacts& f) {
  return guardedWidth(*f.shape, f.halfWidth);
}

/// How far a body may go without being looked at [m].
double freeWayOf(const BodyFacts& f) {
  return kGuardShare * widthOf(f);
}

/// Radius of a shape on a course about the centre of mass.
double radiusOf(const Shape& shape, const Course& course) {
  return shape.boundingRadius() + norm(course.start.translation - course.center);
}

/// Bodies and pairs that a thread takes at once.
constexpr std::size_t kBodyGrain = 512, kPairGrain = 2048;

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

void HoldBack::begin() {
  spins_.clear();
  loose_.clear();
  noted_.clear();
  work_.lifts.clear();
}

void HoldBack::keepSpin(const StepMotion& motion, std::size_t body) {
  noted_.resize(motion.newOrientation.size(), 0);
  if ((noted_[body] & kSpinKept) != 0) return;
  noted_[body] |= kSpinKept;
  spins_.push_back({static_cast<std::uint32_t>(body), motion.newOrientation[body]});
}

void HoldBack::turnSpins(StepMotion& motion) {
  for (const Spin& spin : spins_) {
    Vec3& angular = motion.endVelocity[spin.body].angular;
    angular = turnedWith(spin.orientation, motion.newOrientation[spin.body], angular);
  }
  spins_.clear();
}

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
  const double least = shortest;
  if (!(2.0 * farthest > least)) return any;
  const std::span<const ObjectPair> pairs = s.detector.getFound().pairs;
  forChunks(s.in.tasks, pairs.size(), kPairGrain, [&](std::size_t begin, std::size_t end) {
    for (const ObjectPair& pair : pairs.subspan(begin, end - begin)) {
      const std::size_t i = indexNear(s.in.bodies, pair.first);
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

/// Looks up to when a pair may go on, from what is known now.
Status HoldBack::foresee(const Scene& s, std::uint32_t k, double now) {
  Pair& pair = work_.pairs[k];
  ++pair.version;
  if (pair.isOver) return {};
  const Guarded &a = taken_[pair.guarded[0]], &b = taken_[pair.guarded[1]];
  const BodyFacts &f = s.in.bodies.facts[a.body], &g = s.in.bodies.facts[b.body];
  work_.way.shape1 = f.shape.get();
  work_.way.shape2 = g.shape.get();
  work_.way.radius1 = work_.way.radius2 = 0.0;
  work_.way.width1 = widthOf(f);
  work_.way.width2 = widthOf(g);
  work_.way.stops1 = a.canStop;
  work_.way.stops2 = b.canStop;
  double free = kMaxBodyCoordinate;
  if (a.canStop) free = freeWayOf(f);
  if (b.canStop) free = minOf(free, freeWayOf(g));
  work_.way.mayTouch = pair.turningEnded || s.contacts.haveContact(a.body, b.body);
  work_.way.slack = pair.turningEnded ? kSlack : 0.0;
  work_.times.assign({1.0});
  a.path.addTimes(work_.times);
  b.path.addTimes(work_.times);
  std::sort(work_.times.begin(), work_.times.end());
  work_.way.pieces.clear();
  double motion = 0.0, begin = minOf(a.path.from, b.path.from);
  for (const double time : work_.times) {
    if (!(time > begin)) continue;
    work_.way.pieces.push_back(
        {a.path.between(begin, time), b.path.between(begin, time), begin, time});
    const WayPiece& p = work_.way.pieces.back();
    if (work_.way.pieces.size() == 1) {
      work_.way.radius1 = radiusOf(*f.shape, p.course1);
      work_.way.radius2 = radiusOf(*g.shape, p.course2);
    }
    motion += norm(p.course1.way - p.course2.way);
    if (p.course1.turn != Vec3{}) motion += norm(p.course1.turn) * work_.way.radius1;
    if (p.course2.turn != Vec3{}) motion += norm(p.course2.turn) * work_.way.radius2;
    begin = time;
  }
  // What is too slow for the guard may still run into what it stopped.
  if (!a.isChanged && !b.isChanged && !(motion > free)) return {};
  double time = 0.0;
  const Status status = findFreeTime(work_.way, scratch_, time);
  if (!status || !(time < kWholeWay)) return status;
  work_.events.push_back({maxOf(time, now), k, pair.version});
  std::push_heap(work_.events.begin(), work_.events.end(), isLater);
  return {};
}

/// The same for all pairs of a body whose way was changed.
Status HoldBack::foreseeAll(const Scene& s, std::uint32_t guarded, double now) {
  for (std::uint32_t k = taken_[guarded].firstPair; k != kNone;) {
    const Status status = foresee(s, k, now);
    if (!status) return status;
    k = work_.pairs[k].next[work_.pairs[k].guarded[0] == guarded ? 0 : 1];
  }
  return {};
}

/// Has a body go along with one that moves on, and look what it meets there.
Status HoldBack::carry(Scene& s, std::uint32_t guarded, std::uint32_t by, double time) {
  const Course with = taken_[by].path.between(time, 1.0);
  Guarded& g = taken_[guarded];
  g.path.goAlong(time, with);
  g.carrier = by;
  g.isChanged = true;
  const Course course = g.path.carry;
  const std::size_t known = work_.pairs.size();
  const Status status = addPairs(s, guarded, course);
  // What its driver takes along with it is not in its way.
  for (std::size_t k = known; k < work_.pairs.size() && status; ++k) {
    const std::uint32_t other =
        work_.pairs[k].guarded[work_.pairs[k].guarded[0] == guarded ? 1 : 0];
    work_.pairs[k].isOver = other == by || taken_[other].carrier == by;
  }
  return status;
}

/// Ends the motion of a pair that would overlap, as far as it can be ended.
Status HoldBack::runInto(Scene& s, Pair& found, double time, bool& changed) {
  const std::uint32_t k = static_cast<std::uint32_t>(&found - work_.pairs.data());
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const std::uint32_t own = work_.pairs[k].guarded[side],
                        other = work_.pairs[k].guarded[1 - side];
    Guarded &g = taken_[own], &h = taken_[other];
    if (!g.canStop) continue;
    const std::uint32_t mover = !h.canStop ? other : h.path.isCarriedAt(time) ? h.carrier : kNone;
    const bool comes = mover != kNone && taken_[mover].path.goesAfter(time);
    const BodyFacts& m = s.in.bodies.facts[comes ? taken_[mover].body : g.body];
    const bool driven =
        comes && m.type == BodyType::Kinematic &&
        s.in.isDriven(taken_[mover].body, s.motion.startVelocity[taken_[mover].body]);
    if (g.path.isCarriedAt(time)) {
      if (comes && g.carrier == mover) continue;
      changed = true;
      if (driven) {
        // Between two that come upon it there is nowhere to go: it moves as the step made it.
        g.path = pathOf(s, g.body);
        g.canStop = g.isChanged = false;
        for (Pair& pair : work_.pairs)
          pair.isOver = pair.isOver || pair.guarded[0] == own || pair.guarded[1] == own;
      } else {
        g.path.stop(time);
      }
    } else if (comes && g.carrier == kNone) {
      changed = work_.pairs[k].isOver = true;
      const Status status = carry(s, own, mover, time);
      if (!status) return status;
    } else if (g.path.goesAfter(time)) {
      changed = g.isChanged = true;
      g.path.stop(time);
    }
  }
  return {};
}

/// What a pair does that may not go on from a time.
Status HoldBack::answer(Scene& s, std::uint32_t k, double time) {
  bool changed = false;
  if (!work_.pairs[k].turningEnded) {
    for (const std::uint32_t side : work_.pairs[k].guarded) {
      Guarded& g = taken_[side];
      const BodyFacts& f = s.in.bodies.facts[g.body];
      if (!g.canStop || g.path.isCarriedAt(time) || !g.path.turnsAfter(time)) continue;
      if (!(norm(g.path.last.turn) * f.shape->boundingRadius() > kLeastTurn * widthOf(f))) continue;
      g.path.stopTurning(time);
      changed = g.isChanged = true;
    }
    work_.pairs[k].turningEnded = changed;
  }
  if (!changed) {
    const Status status = runInto(s, work_.pairs[k], time, changed);
    if (!status) return status;
  }
  if (!changed) {
    work_.pairs[k].isOver = true;
    return {};
  }
  for (const std::uint32_t side : {work_.pairs[k].guarded[0], work_.pairs[k].guarded[1]}) {
    const Status status = foreseeAll(s, side, time);
    if (!status) return status;
  }
  return {};
}

void HoldBack::note(const Scene& s, std::size_t body) {
  keepSpin(s.motion, body);
  const auto b = static_cast<std::uint32_t>(body);
  if ((noted_[body] & kIsLoose) != 0 || s.contacts.isLinked(b)) return;
  noted_[body] |= kIsLoose;
  loose_.push_back(b);
}

/// Puts the bodies whose ways were changed where these end.
void HoldBack::place(Scene& s) {
  for (const Guarded& g : taken_) {
    if (!g.isChanged) continue;
    note(s, g.body);
    const Vec3 end = g.path.positionAt(1.0);
    work_.lifts.push_back({g.body, end - s.motion.newPosition[g.body], g.carrier != kNone});
    s.motion.newPosition[g.body] = end;
    s.motion.newOrientation[g.body] = g.path.orientationAt(1.0);
  }
}

bool HoldBack::hasCarried() const {
  return std::any_of(work_.lifts.begin(), work_.lifts.end(),
                     [](const Lift& lift) { return lift.isCarried; });
}

bool HoldBack::stayNear(const StepInput& in, const Detector& detector, const StepMotion& motion) {
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    const BodyFacts& f = in.bodies.facts[i];
    if (!f.shape || f.type != BodyType::Dynamic || in.bodies.rest[i].isAsleep()) continue;
    if (!(wayOf(in, motion, i) <= detector.getFound().margins[i])) return false;
  }
  return true;
}

Status HoldBack::isFree(const StepInput& in, Detector& detector, const ContactLookup& contacts,
                        StepMotion& motion, const Aabb& region, bool& free) {
  Scene s{in, detector, contacts, motion};
  free = true;
  if (!findGuarded(s)) return {};
  for (std::size_t i = 0; i < in.bodies.size() && free; ++i) {
    if (!in.counts(i)) guarded_[i] = 0;
    if (guarded_[i] == 0 || !isPossible(motion.newPosition[i])) continue;
    const GuardedPath path = pathOf(s, i);
    Aabb swept = boxOf(s, i, path.last);
    const Vec3 way = path.last.way;
    swept.merge(Aabb(toEigen(toVec3(swept.min_) + way), toEigen(toVec3(swept.max_) + way)));
    free = region.contains(swept);
  }
  if (!free) return {};
  const Status status = gather(s);
  free = work_.events.empty();
  return status;
}

Status HoldBack::run(const StepInput& in, Detector& detector, const ContactLookup& contacts,
                     StepMotion& motion) {
  Scene s{in, detector, contacts, motion};
  if (!findGuarded(s)) return {};
  Status status = gather(s);
  std::size_t left = kMostEvents * taken_.size();
  while (status && !work_.events.empty() && left > 0) {
    std::pop_heap(work_.events.begin(), work_.events.end(), isLater);
    const Event event = work_.events.back();
    work_.events.pop_back();
    if (work_.pairs[event.pair].version != event.version) continue;
    --left;
    status = answer(s, event.pair, event.time);
  }
  if (status) place(s);
  return status;
}

}  // namespace abut::inline v0_1
