// SPDX-License-Identifier: MIT
//
// What guarded bodies meet, in the order of time. Who they are is found in hold_back_gather.cpp.
#include <algorithm>

#include "integration/guarded_reach.hpp"
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
  work_.way.mayTouch = pair.turningEnded || s.contacts.haveContact(a.body, b.body) ||
                       s.motion.areFlush(a.body, b.body);
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
    work_.lifts.push_back({g.body, end - s.motion.newPosition[g.body],
                           g.carrier == kNone ? kNone : taken_[g.carrier].body});
    s.motion.newPosition[g.body] = end;
    s.motion.newOrientation[g.body] = g.path.orientationAt(1.0);
  }
}

bool HoldBack::hasCarried() const {
  return std::any_of(work_.lifts.begin(), work_.lifts.end(),
                     [](const Lift& lift) { return lift.carrier != kNone; });
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
