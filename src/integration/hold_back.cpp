// SPDX-License-Identifier: MIT
#include "integration/hold_back.hpp"

#include <abut/math/convert.hpp>

#include "math/rotation_vector.hpp"

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

/// The part of a body's motion since its last impact.
HoldBack::Leg HoldBack::lastLeg(const Scene& s, std::size_t i) {
  const Vec3& start = s.in.bodies.position[i];
  Leg leg{{start, s.motion.newPosition[i] - start,
           rotationBetween(s.in.bodies.orientation[i], s.motion.newOrientation[i]),
           s.detector.getFound().shapePoses[i]},
          s.in.bodies.orientation[i],
          0.0};
  const double late = s.motion.lateTime.empty() ? 0.0 : s.motion.lateTime[i];
  if (late > 0.0) {
    const Course first{start, s.motion.startVelocity[i].linear * late,
                       s.motion.startVelocity[i].angular * late,
                       s.detector.getFound().shapePoses[i]};
    leg.start = turnedBy(first.turn, leg.start);
    const Vec3 center = first.center + first.way;
    leg.course = {center, s.motion.newPosition[i] - center,
                  rotationBetween(leg.start, s.motion.newOrientation[i]), first.at(1.0)};
    leg.from = late / s.in.dt;
  }
  // What drives others may turn by more than half a turn; the poses say nothing of it.
  if (s.in.bodies.facts[i].type == BodyType::Kinematic)
    leg.course.turn = s.motion.startVelocity[i].angular * s.in.dt;
  if (s.in.bodies.facts[i].shape->getType() == ShapeType::Sphere &&
      leg.course.start.translation == leg.course.center) {
    leg.course.turn = {};
  }
  return leg;
}

/// The motion of a body from a fraction of the step on. One whose own last leg begins later is
/// taken to go straight from where it is then.
Course HoldBack::courseFrom(const Scene& s, std::size_t j, double from) {
  const Leg leg = lastLeg(s, j);
  if (leg.from <= from) {
    return leg.from < 1.0 ? leg.course.after((from - leg.from) / (1.0 - leg.from)) : leg.course;
  }
  const Course first{s.in.bodies.position[j], s.motion.startVelocity[j].linear * s.in.dt,
                     s.motion.startVelocity[j].angular * s.in.dt,
                     s.detector.getFound().shapePoses[j]};
  Course c = first.after(from);
  c.way = s.motion.newPosition[j] - c.center;
  c.turn = rotationBetween(turnedBy(first.turn * from, s.in.bodies.orientation[j]),
                           s.motion.newOrientation[j]);
  return c;
}

/// Bodies that go far themselves, or that something comes upon; whether there are any.
bool HoldBack::findGuarded(const Scene& s) {
  const std::size_t n = s.in.bodies.size();
  motion_.assign(n, 0.0);
  guarded_.assign(n, 0);
  bool any = false;
  double farthest = 0.0, thinnest = kMaxBodyCoordinate;
  for (std::size_t i = 0; i < n; ++i) {
    const BodyFacts& f = s.in.bodies.facts[i];
    if (!f.shape || f.type == BodyType::Static || s.in.bodies.rest[i].isAsleep()) continue;
    const double radius = f.shape->boundingRadius();
    motion_[i] = norm(s.motion.newPosition[i] - s.in.bodies.position[i]);
    if (f.shape->getType() != ShapeType::Sphere && isFinite(radius)) {
      // Twice the chord between quaternions is the angle, or less where that is large.
      const Quat &p = s.in.bodies.orientation[i], &q = s.motion.newOrientation[i];
      const double cosine = ((p.w * q.w + p.x * q.x) + p.y * q.y) + p.z * q.z;
      const double angle = f.type == BodyType::Kinematic
                               ? norm(s.motion.startVelocity[i].angular) * s.in.dt
                               : 2.0 * std::sqrt(maxOf(0.0, 2.0 - 2.0 * absOf(cosine)));
      motion_[i] += angle * radius;
    }
    farthest = maxOf(farthest, motion_[i]);
    if (f.type != BodyType::Dynamic) continue;
    // It could be held back only with all that joints hold.
    if (s.motion.isJointed(i)) continue;
    thinnest = minOf(thinnest, f.halfWidth);
    const bool hit = !s.motion.lateTime.empty() && s.motion.lateTime[i] > 0.0;
    guarded_[i] = hit || motion_[i] > kGuardShare * f.halfWidth ? 1 : 0;
    any = any || guarded_[i] != 0;
  }
  if (!(2.0 * farthest > kGuardShare * thinnest)) return any;
  for (const ObjectPair& pair : s.detector.getFound().pairs) {
    const std::size_t i = s.in.bodies.indexOf(pair.first), j = s.in.bodies.indexOf(pair.second);
    const double both = motion_[i] + motion_[j];
    for (const std::size_t b : {i, j}) {
      const BodyFacts& f = s.in.bodies.facts[b];
      if (f.type != BodyType::Dynamic || s.motion.isJointed(b)) continue;
      if (!(both > kGuardShare * f.halfWidth)) continue;
      guarded_[b] = 1;
      any = true;
    }
  }
  return any;
}

/// How much of its way a body may go as far as one other is concerned.
Status HoldBack::freeWay(const Scene& s, std::size_t i, const Leg& leg, std::size_t j,
                         const Course& course, double& fraction) {
  const BodyFacts &f = s.in.bodies.facts[i], &g = s.in.bodies.facts[j];
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
  if (meets && !s.contacts.haveContact(i, j)) return {};
  const double width = minOf(f.halfWidth, maxOf(g.halfWidth, kThinnest * f.halfWidth));
  return freeFraction(way, width, scratch_, fraction);
}

/// Around a body at the beginning of its way, however it turns.
Aabb HoldBack::boxOf(const Scene& s, std::size_t i, const Leg& leg) {
  const Shape& shape = *s.in.bodies.facts[i].shape;
  if (leg.course.turn == Vec3{}) return shape.computeAabb(leg.course.start);
  const double radius = radiusOf(shape, leg.course);
  const Vec3 reach{radius, radius, radius};
  return Aabb(toEigen(leg.course.center - reach), toEigen(leg.course.center + reach));
}

/// What first ends a body's way; none if the whole way is free.
Status HoldBack::findObstacle(Scene& s, std::size_t i, const Leg& leg, Obstacle& first) {
  const Aabb box = boxOf(s, i, leg);
  Status status = s.detector.findNear(s.in, s.motion, box, leg.course.way, near_);
  if (!status) return status;
  for (const ObjectId other : near_) {
    const std::size_t j = s.in.bodies.indexOf(other);
    if (j == i || s.in.bodies.facts[j].shape->getType() == ShapeType::Plane) continue;
    if (!s.in.bodies.mayTouch(i, j)) continue;
    const Course course = courseFrom(s, j, leg.from);
    double fraction = 1.0;
    status = freeWay(s, i, leg, j, course, fraction);
    if (!status) return status;
    if (fraction < first.fraction) first = {j, fraction, course};
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

/// Puts the other of two dynamic bodies where it is at a fraction of the step, on the way that was
/// found free.
void HoldBack::holdOther(Scene& s, std::size_t j, double time) {
  note(s, j);
  const Leg own = lastLeg(s, j);
  if (own.from <= time) {
    const double part = own.from < 1.0 ? (time - own.from) / (1.0 - own.from) : 1.0;
    s.motion.newPosition[j] = own.course.center + own.course.way * part;
    s.motion.newOrientation[j] =
        turnedBy(rotationBetween(own.start, s.motion.newOrientation[j]) * part, own.start);
    return;
  }
  s.motion.newPosition[j] =
      s.in.bodies.position[j] + s.motion.startVelocity[j].linear * (time * s.in.dt);
  s.motion.newOrientation[j] =
      turnedBy(s.motion.startVelocity[j].angular * (time * s.in.dt), s.in.bodies.orientation[j]);
  s.motion.lateTime[j] = 0.0;
}

void HoldBack::hold(Scene& s, std::size_t i, const Leg& leg, const Obstacle& at) {
  note(s, i);
  const bool driven = s.in.bodies.facts[at.body].type == BodyType::Kinematic &&
                      s.in.isDriven(at.body, s.motion.startVelocity[at.body]);
  // Between two that come upon it there is nowhere to go: it moves as the step made it.
  if (driven && carried_by_[i] != 0 && carried_by_[i] != at.body + 1) {
    s.motion.newPosition[i] = made_[i].position;
    s.motion.newOrientation[i] = made_[i].orientation;
    guarded_[i] = 0;
    return;
  }
  if (driven) carried_by_[i] = at.body + 1;
  const bool both = s.in.bodies.facts[at.body].type == BodyType::Dynamic &&
                    !s.in.bodies.rest[at.body].isAsleep() && !s.motion.isJointed(at.body);
  if (both) holdOther(s, at.body, leg.from + at.fraction * (1.0 - leg.from));
  s.motion.newPosition[i] = leg.course.center + leg.course.way * at.fraction;
  s.motion.newOrientation[i] =
      turnedBy(rotationBetween(leg.start, s.motion.newOrientation[i]) * at.fraction, leg.start);
  const Course rest = at.course.after(at.fraction);
  if (both || (rest.way == Vec3{} && rest.turn == Vec3{})) return;
  const Quat turn = quatFromRotationVector(rest.turn);
  s.motion.newPosition[i] =
      (rest.center + rest.way) + toMatrix(turn) * (s.motion.newPosition[i] - rest.center);
  s.motion.newOrientation[i] = normalized(turn * s.motion.newOrientation[i]);
}

Status HoldBack::isFree(const StepInput& in, Detector& detector, const ContactLookup& contacts,
                        StepMotion& motion, const Aabb& region, bool& free) {
  Scene s{in, detector, contacts, motion};
  free = true;
  if (!findGuarded(s)) return {};
  for (std::size_t i = 0; i < in.bodies.size() && free; ++i) {
    if (guarded_[i] == 0 || !in.counts(i) || !isFinite(motion.newPosition[i])) continue;
    const Leg leg = lastLeg(s, i);
    Aabb swept = boxOf(s, i, leg);
    const Vec3 way = leg.course.way;
    swept.merge(Aabb(toEigen(toVec3(swept.min_) + way), toEigen(toVec3(swept.max_) + way)));
    free = region.contains(swept);
    if (!free) break;
    Obstacle first;
    const Status status = findObstacle(s, i, leg, first);
    if (!status) return status;
    free = first.fraction >= kWhole;
  }
  return {};
}

Status HoldBack::run(const StepInput& in, Detector& detector, const ContactLookup& contacts,
                     StepMotion& motion) {
  Scene s{in, detector, contacts, motion};
  if (!findGuarded(s)) return {};
  const std::size_t n = s.in.bodies.size();
  carried_by_.assign(n, 0);
  made_.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    made_[i] = {s.motion.newPosition[i], s.motion.newOrientation[i]};
  for (int round = 0; round < kMaxRounds; ++round) {
    bool changed = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (guarded_[i] == 0 || s.in.bodies.rest[i].isAsleep() || !isFinite(s.motion.newPosition[i]))
        continue;
      const Leg leg = lastLeg(s, i);
      Obstacle first;
      const Status status = findObstacle(s, i, leg, first);
      if (!status) return status;
      if (first.fraction >= kWhole) continue;
      changed = true;
      hold(s, i, leg, first);
    }
    if (!changed) break;
  }
  return {};
}

}  // namespace abut
