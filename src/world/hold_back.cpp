// SPDX-License-Identifier: MIT
#include "world/hold_back.hpp"

#include <abut/math/convert.hpp>

#include "math/rotation_vector.hpp"
#include "world/state.hpp"

namespace abut {
namespace {

/// Motion beyond this share of a body's least half width h is looked at. Less than h of it cannot
/// bring a centre across a face that it did not touch; half of that leaves room for the overlap
/// that a body may have already.
constexpr double kGuardShare = 0.5;
/// Overlap that a body may reach on its way, as a share of h. Contacts push it out on the side it
/// came from as long as it is less than the half widths of both together.
constexpr double kMostOverlap = 0.25;
/// What is thinner than this share of the other's half width, as a face of a mesh, counts as so
/// thick: else nothing could slide on it.
constexpr double kThinnest = 0.1;
/// What overlaps by more at the beginning may overlap by this share of kMostOverlap more.
constexpr double kFurther = 0.1;
/// Contacts within so many half widths are looked for along a way.
constexpr double kReach = 2.0;
/// Looks along a way before it counts as not free any further.
constexpr int kMaxLooks = 400;
/// Bodies that overlap by less than this share of what is allowed count as apart; a step along the
/// way is longer by the same share, so that it ends.
constexpr double kTouch = 1e-3;
/// A hit before this part of a way is a touch at its beginning; a way of all but so much is whole.
constexpr double kAtStart = 1e-9, kWhole = 1.0 - 1e-9;
/// Halvings of the part of a way in which bodies touch again: to 1e-12 of it.
constexpr int kMaxHalvings = 40;
/// Rounds over all bodies: one held back may stand in another's way. A body that the last of them
/// leaves in another's way overlaps it.
constexpr int kMaxRounds = 8;

/// Bits of what is noted of a body.
constexpr std::uint8_t kSpinKept = 1, kIsLoose = 2;

/// Two shapes on their courses.
struct Way {
  const Shape *shape1, *shape2;
  Course c1, c2;
  double radius1, radius2;  ///< About the centres of mass.
};

struct Sight {
  double separation = 0.0;  ///< Negative if they overlap.
  double further = 0.0;     ///< How much of the way may follow before they can overlap too much.
};

/// Least separation at a fraction of the way, up to the reach, and how far the motion may go on
/// until it can have fallen to -allowed. Each normal n is an axis along which two convex pieces are
/// apart by at least -depth; along it the way shortens that by at most
///   max(0, -n.(way1 - way2)) + |turn1 x n| r1 + |turn2 x n| r2
/// so motion along other directions, as sliding, costs nothing.
Status look(const Way& way, double f, double allowed, double reach, CollisionResult& scratch,
            Sight& sight) {
  const Course &c1 = way.c1, &c2 = way.c2;
  scratch.clear();
  CollisionOption option;
  option.margin = reach;
  const Status status =
      collide({way.shape1, c1.at(f), 1}, {way.shape2, c2.at(f), 2}, option, scratch);
  if (!status) return status;
  const Vec3 relative = c1.way - c2.way;
  const double most = norm(relative) + (norm(c1.turn) * way.radius1 + norm(c2.turn) * way.radius2);
  sight.separation = reach;
  sight.further = most > 0.0 ? (reach + allowed) / most : 2.0;
  for (const ContactManifold& m : scratch.getManifolds()) {
    for (const ContactPoint& p : m.getContacts()) {
      const Vec3 n = toVec3(p.normal) * (m.getObject1() == 1 ? 1.0 : -1.0);
      const double rate = maxOf(0.0, -dot(n, relative)) + (norm(cross(c1.turn, n)) * way.radius1 +
                                                           norm(cross(c2.turn, n)) * way.radius2);
      sight.separation = minOf(sight.separation, -p.depth);
      if (rate > 0.0) sight.further = minOf(sight.further, maxOf(0.0, allowed - p.depth) / rate);
    }
  }
  return {};
}

/// The fraction up to which bodies that first touch at the one given may go on: 1, or where they
/// touch again after they parted, or where they overlap by what is allowed for the width.
Status freeFraction(const Way& way, double width, CollisionResult& scratch, double& fraction) {
  const double most = kMostOverlap * width, touch = kTouch * most, reach = kReach * width;
  const double first = fraction;
  Sight sight;
  Status status = look(way, first, most, reach, scratch, sight);
  if (!status) return status;
  const double allowed = maxOf(most, -sight.separation + kFurther * most);
  double f = first, apart = first;  // Where they were last apart.
  for (int i = 0; i < kMaxLooks; ++i) {
    status = look(way, f, allowed, reach, scratch, sight);
    if (!status) return status;
    if (sight.separation >= -touch) apart = f;
    if (sight.separation < -allowed * (1.0 - kTouch)) break;
    f += sight.further + kTouch * (sight.further + 1.0 / kMaxLooks);
    if (!(f >= 1.0)) continue;
    f = fraction = 1.0;
    status = look(way, 1.0, allowed, reach, scratch, sight);
    if (!status || sight.separation >= -allowed) return status;
    break;
  }
  fraction = f;
  if (!(apart > first)) return {};
  double low = apart, high = f;
  for (int i = 0; i < kMaxHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    status = look(way, middle, allowed, reach, scratch, sight);
    if (!status) return status;
    (sight.separation >= -touch ? low : high) = middle;
  }
  fraction = low;
  return {};
}

Quat turnedBy(const Vec3& turn, const Quat& q) {
  return normalized(quatFromRotationVector(turn) * q);
}

/// Radius of a shape on a course about the centre of mass.
double radiusOf(const Shape& shape, const Course& course) {
  return shape.boundingRadius() + norm(course.start.translation - course.center);
}

}  // namespace

void HoldBack::begin() {
  spins_.clear();
  loose_.clear();
  noted_.clear();
}

void HoldBack::keepSpin(const WorldState& w, std::size_t body) {
  noted_.resize(w.bodies.size(), 0);
  if ((noted_[body] & kSpinKept) != 0) return;
  noted_[body] |= kSpinKept;
  spins_.push_back({static_cast<std::uint32_t>(body), w.motion.newOrientation[body]});
}

void HoldBack::turnSpins(WorldState& w) {
  for (const Spin& s : spins_) {
    Vec3& angular = w.motion.endVelocity[s.body].angular;
    angular = turnedWith(s.orientation, w.motion.newOrientation[s.body], angular);
  }
  spins_.clear();
}

/// The part of a body's motion since its last impact.
HoldBack::Leg HoldBack::lastLeg(const WorldState& w, std::size_t i, double dt) {
  const Vec3& start = w.bodies.position[i];
  Leg leg{{start, w.motion.newPosition[i] - start,
           rotationBetween(w.bodies.orientation[i], w.motion.newOrientation[i]), w.shapePoses[i]},
          w.bodies.orientation[i],
          0.0};
  const double late = w.lateTime.empty() ? 0.0 : w.lateTime[i];
  if (late > 0.0) {
    const Course first{start, w.motion.startVelocity[i].linear * late,
                       w.motion.startVelocity[i].angular * late, w.shapePoses[i]};
    leg.start = turnedBy(first.turn, leg.start);
    const Vec3 center = first.center + first.way;
    leg.course = {center, w.motion.newPosition[i] - center,
                  rotationBetween(leg.start, w.motion.newOrientation[i]), first.at(1.0)};
    leg.from = late / dt;
  }
  // What drives others may turn by more than half a turn; the poses say nothing of it.
  if (w.bodies.facts[i].type == BodyType::Kinematic)
    leg.course.turn = w.motion.startVelocity[i].angular * dt;
  if (w.bodies.facts[i].shape->getType() == ShapeType::Sphere &&
      leg.course.start.translation == leg.course.center) {
    leg.course.turn = {};
  }
  return leg;
}

/// The motion of a body from a fraction of the step on. One whose own last leg begins later is
/// taken to go straight from where it is then.
Course HoldBack::courseFrom(const WorldState& w, std::size_t j, double from, double dt) {
  const Leg leg = lastLeg(w, j, dt);
  if (leg.from <= from) {
    return leg.from < 1.0 ? leg.course.after((from - leg.from) / (1.0 - leg.from)) : leg.course;
  }
  const Course first{w.bodies.position[j], w.motion.startVelocity[j].linear * dt,
                     w.motion.startVelocity[j].angular * dt, w.shapePoses[j]};
  Course c = first.after(from);
  c.way = w.motion.newPosition[j] - c.center;
  c.turn = rotationBetween(turnedBy(first.turn * from, w.bodies.orientation[j]),
                           w.motion.newOrientation[j]);
  return c;
}

/// Bodies that go far themselves, or that something comes upon; whether there are any.
bool HoldBack::findGuarded(const WorldState& w, double dt) {
  const std::size_t n = w.bodies.size();
  motion_.assign(n, 0.0);
  guarded_.assign(n, 0);
  bool any = false;
  double farthest = 0.0, thinnest = kMaxBodyCoordinate;
  for (std::size_t i = 0; i < n; ++i) {
    const BodyFacts& f = w.bodies.facts[i];
    if (!f.shape || f.type == BodyType::Static || w.bodies.rest[i].isAsleep()) continue;
    const double radius = f.shape->boundingRadius();
    motion_[i] = norm(w.motion.newPosition[i] - w.bodies.position[i]);
    if (f.shape->getType() != ShapeType::Sphere && isFinite(radius)) {
      // Twice the chord between quaternions is the angle, or less where that is large.
      const Quat &p = w.bodies.orientation[i], &q = w.motion.newOrientation[i];
      const double cosine = ((p.w * q.w + p.x * q.x) + p.y * q.y) + p.z * q.z;
      const double angle = f.type == BodyType::Kinematic
                               ? norm(w.motion.startVelocity[i].angular) * dt
                               : 2.0 * std::sqrt(maxOf(0.0, 2.0 - 2.0 * absOf(cosine)));
      motion_[i] += angle * radius;
    }
    farthest = maxOf(farthest, motion_[i]);
    if (f.type != BodyType::Dynamic) continue;
    thinnest = minOf(thinnest, f.halfWidth);
    const bool hit = !w.lateTime.empty() && w.lateTime[i] > 0.0;
    guarded_[i] = hit || motion_[i] > kGuardShare * f.halfWidth ? 1 : 0;
    any = any || guarded_[i] != 0;
  }
  if (!(2.0 * farthest > kGuardShare * thinnest)) return any;
  for (const ObjectPair& pair : w.pairs) {
    const std::size_t i = w.bodies.find(pair.first), j = w.bodies.find(pair.second);
    const double both = motion_[i] + motion_[j];
    for (const std::size_t b : {i, j}) {
      const BodyFacts& f = w.bodies.facts[b];
      if (f.type != BodyType::Dynamic || !(both > kGuardShare * f.halfWidth)) continue;
      guarded_[b] = 1;
      any = true;
    }
  }
  return any;
}

/// How much of its way a body may go as far as one other is concerned.
Status HoldBack::freeWay(const WorldState& w, std::size_t i, const Leg& leg, std::size_t j,
                         const Course& course, double& fraction) {
  const BodyFacts &f = w.bodies.facts[i], &g = w.bodies.facts[j];
  fraction = 1.0;
  const Way way{f.shape.get(),
                g.shape.get(),
                leg.course,
                course,
                radiusOf(*f.shape, leg.course),
                radiusOf(*g.shape, course)};
  double motion = norm(leg.course.way - course.way) + norm(leg.course.turn) * way.radius1;
  if (course.turn != Vec3{}) motion += norm(course.turn) * way.radius2;
  if (!(motion > kGuardShare * f.halfWidth)) return {};
  CastResult cast;
  const Status status = castCourses(*f.shape, leg.course, *g.shape, course, cast);
  if (!status || (!cast.hit && cast.status != QueryStatus::IterationLimit)) return status;
  fraction = cast.fraction;
  // What touches already, or was made a contact, may slide or roll on.
  const bool meets = cast.status == QueryStatus::Touching && fraction >= kAtStart;
  if (meets && !w.haveContact(i, j)) return {};
  const double width = minOf(f.halfWidth, maxOf(g.halfWidth, kThinnest * f.halfWidth));
  return freeFraction(way, width, scratch_, fraction);
}

/// What first ends a body's way; none if the whole way is free.
Status HoldBack::findObstacle(WorldState& w, std::size_t i, const Leg& leg, double dt,
                              Obstacle& first) {
  const Shape& shape = *w.bodies.facts[i].shape;
  Aabb box = shape.computeAabb(leg.course.start);
  if (leg.course.turn != Vec3{}) {
    const double radius = radiusOf(shape, leg.course);
    const Vec3 reach{radius, radius, radius};
    box = Aabb(toEigen(leg.course.center - reach), toEigen(leg.course.center + reach));
  }
  Status status = w.findNear(box, leg.course.way);
  if (!status) return status;
  for (const ObjectId other : w.fastScratch.near) {
    const std::size_t j = w.bodies.find(other);
    if (j == i || w.bodies.facts[j].shape->getType() == ShapeType::Plane) continue;
    const Course course = courseFrom(w, j, leg.from, dt);
    double fraction = 1.0;
    status = freeWay(w, i, leg, j, course, fraction);
    if (!status) return status;
    if (fraction < first.fraction) first = {j, fraction, course};
  }
  return {};
}

void HoldBack::note(const WorldState& w, std::size_t body) {
  keepSpin(w, body);
  const auto b = static_cast<std::uint32_t>(body);
  if ((noted_[body] & kIsLoose) != 0 || w.linkOrder.isLinked(b)) return;
  noted_[body] |= kIsLoose;
  loose_.push_back(b);
}

/// Puts the other of two dynamic bodies where it is at a fraction of the step, on the way that was
/// found free.
void HoldBack::holdOther(WorldState& w, std::size_t j, double time, double dt) {
  note(w, j);
  const Leg own = lastLeg(w, j, dt);
  if (own.from <= time) {
    const double part = own.from < 1.0 ? (time - own.from) / (1.0 - own.from) : 1.0;
    w.motion.newPosition[j] = own.course.center + own.course.way * part;
    w.motion.newOrientation[j] =
        turnedBy(rotationBetween(own.start, w.motion.newOrientation[j]) * part, own.start);
    return;
  }
  w.motion.newPosition[j] = w.bodies.position[j] + w.motion.startVelocity[j].linear * (time * dt);
  w.motion.newOrientation[j] =
      turnedBy(w.motion.startVelocity[j].angular * (time * dt), w.bodies.orientation[j]);
  w.lateTime[j] = 0.0;
}

void HoldBack::hold(WorldState& w, std::size_t i, const Leg& leg, const Obstacle& at, double dt) {
  note(w, i);
  const bool driven = w.bodies.facts[at.body].type == BodyType::Kinematic && w.isDriven(at.body);
  // Between two that come upon it there is nowhere to go: it moves as the step made it.
  if (driven && carriedBy_[i] != 0 && carriedBy_[i] != at.body + 1) {
    w.motion.newPosition[i] = made_[i].position;
    w.motion.newOrientation[i] = made_[i].orientation;
    guarded_[i] = 0;
    return;
  }
  if (driven) carriedBy_[i] = at.body + 1;
  const bool both =
      w.bodies.facts[at.body].type == BodyType::Dynamic && !w.bodies.rest[at.body].isAsleep();
  if (both) holdOther(w, at.body, leg.from + at.fraction * (1.0 - leg.from), dt);
  w.motion.newPosition[i] = leg.course.center + leg.course.way * at.fraction;
  w.motion.newOrientation[i] =
      turnedBy(rotationBetween(leg.start, w.motion.newOrientation[i]) * at.fraction, leg.start);
  const Course rest = at.course.after(at.fraction);
  if (both || (rest.way == Vec3{} && rest.turn == Vec3{})) return;
  const Quat turn = quatFromRotationVector(rest.turn);
  w.motion.newPosition[i] =
      (rest.center + rest.way) + toMatrix(turn) * (w.motion.newPosition[i] - rest.center);
  w.motion.newOrientation[i] = normalized(turn * w.motion.newOrientation[i]);
}

Status HoldBack::run(WorldState& w, double dt) {
  if (!findGuarded(w, dt)) return {};
  const std::size_t n = w.bodies.size();
  carriedBy_.assign(n, 0);
  made_.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    made_[i] = {w.motion.newPosition[i], w.motion.newOrientation[i]};
  for (int round = 0; round < kMaxRounds; ++round) {
    bool changed = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (guarded_[i] == 0 || w.bodies.rest[i].isAsleep() || !isFinite(w.motion.newPosition[i]))
        continue;
      const Leg leg = lastLeg(w, i, dt);
      Obstacle first;
      const Status status = findObstacle(w, i, leg, dt, first);
      if (!status) return status;
      if (first.fraction >= kWhole) continue;
      changed = true;
      hold(w, i, leg, first, dt);
    }
    if (!changed) break;
  }
  return {};
}

}  // namespace abut
