// SPDX-License-Identifier: MIT
//
// Bodies that cover more than their size in a step. The nearest points before the step say little
// about where they meet, if they meet at all, so such pairs are cast along their motion: one that
// misses is no contact, and one that hits is a contact at the time, place and normal of the hit.
// Its impact happens at that time: until then the bodies move as before, after it as it left them.
#include <algorithm>
#include <vector>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/cast.hpp>

#include "collision/course.hpp"
#include "collision/detector.hpp"
#include "math/closing.hpp"
#include "math/rotation_vector.hpp"

namespace abut::inline v0_1 {
namespace {

/// A hit after less than this way [m] is a touch at the beginning: an ordinary contact.
constexpr double kTouching = 1e-9;
/// Hits of one body within this part of the step count as one time.
constexpr double kSameTime = 1e-9;
/// A hit at the very end leaves no time to part; it counts as this part of the step.
constexpr double kLatest = 1.0 - 1e-9;

/// The motion of a body by its velocity and the forces of the step, without contacts.
Course courseOf(const StepInput& in, const StepMotion& motion, const Pose& shapePose,
                std::size_t i) {
  const double dt = in.dt;
  const BodyVelocity& v = motion.startVelocity[i];
  Course c;
  c.center = in.bodies.position[i];
  c.start = shapePose;
  c.way = v.linear * dt + in.freeAcceleration(static_cast<std::uint32_t>(i)) * (0.5 * dt * dt);
  const bool round =
      in.bodies.facts[i].shape->getType() == ShapeType::Sphere && c.start.translation == c.center;
  c.turn = round ? Vec3{} : v.angular * dt;
  return c;
}

}  // namespace

/// How far points of body j go in the step at most, seen from body i: what turns along with that
/// stays where it is.
double Detector::wayBeside(const StepInput& in, const StepMotion& motion, std::size_t i,
                           std::size_t j) const {
  const BodyVelocity &v = motion.startVelocity[i], &u = motion.startVelocity[j];
  const Vec3 center = in.bodies.position[j], relative = u.linear - v.linear;
  const double radius = radii_[j] + norm(found_.placed[j].pose.translation - center);
  const Vec3 atBegin = relative - cross(v.angular, center - in.bodies.position[i]);
  // The centre goes on straight while body i turns.
  const Vec3 bend = cross(v.angular, relative) * (0.5 * in.dt);
  return (norm(atBegin) + norm(bend) + norm(u.angular - v.angular) * radius) * in.dt;
}

/// Whether the smaller body goes far, seen from outside and from the larger one, which may turn. Of
/// two of one size each is the smaller.
bool Detector::isFast(const StepInput& in, const StepMotion& motion, std::size_t i,
                      std::size_t j) const {
  const Shape &a = *in.bodies.facts[i].shape, &b = *in.bodies.facts[j].shape;
  if (a.getType() == ShapeType::Plane || b.getType() == ShapeType::Plane) return false;
  const double ra = a.boundingRadius(), rb = b.boundingRadius();
  const BodyVelocity &v = motion.startVelocity[i], &u = motion.startVelocity[j];
  const double turn = norm(v.angular) * ra + norm(u.angular) * rb;
  const double far = kFastShare * minOf(ra, rb);
  if (!((norm(v.linear - u.linear) + turn) * in.dt > far)) return false;
  return (rb <= ra && wayBeside(in, motion, i, j) > far) ||
         (ra <= rb && wayBeside(in, motion, j, i) > far);
}

/// Ordinary contacts of a fast pair within a margin.
Status Detector::collidePair(const FastPair& p, double margin) {
  CollisionOption option;
  option.margin = margin;
  ordinary_.clear();
  const Status status = collide(found_.placed[p.body1], found_.placed[p.body2], option, ordinary_);
  if (status) found_.manifolds.add(ordinary_.getManifolds());
  return status;
}

/// Casts a fast pair: a hit is recorded, a miss leaves contacts within the plain margin only, and
/// what touches already or cannot be decided is an ordinary pair.
Status Detector::castPair(const StepInput& in, const StepMotion& motion, const FastPair& p) {
  const double dt = in.dt;
  const BodyFacts &f = in.bodies.facts[p.body1], &g = in.bodies.facts[p.body2];
  const Course c1 = courseOf(in, motion, found_.placed[p.body1].pose, p.body1),
               c2 = courseOf(in, motion, found_.placed[p.body2].pose, p.body2);
  const double reach = found_.margins[p.body1] + found_.margins[p.body2];
  CastResult cast;
  Status status = castCourses(*f.shape, c1, *g.shape, c2, cast);
  if (!status) return status;
  if (!cast.hit && cast.status != QueryStatus::IterationLimit) {
    return collidePair(p, minOf(reach, in.detectionMargin));
  }
  const double way = norm(c1.way - c2.way) + norm(c1.turn) * f.shape->boundingRadius() +
                     norm(c2.turn) * g.shape->boundingRadius();
  if (cast.status != QueryStatus::Touching || cast.fraction * way <= kTouching) {
    return collidePair(p, reach);
  }
  FastHit hit;
  hit.body1 = p.body1;
  hit.body2 = p.body2;
  // The cast moves evenly; forces make the first part of the way slower or faster than the rest.
  const Vec3 n = toVec3(cast.normal);
  const double u =
      dot(n, motion.startVelocity[p.body1].linear - motion.startVelocity[p.body2].linear);
  const double a = dot(n, in.freeAcceleration(p.body1) - in.freeAcceleration(p.body2));
  const double gap = -(u + 0.5 * a * dt) * (dt * cast.fraction);
  const bool turns = c1.turn != Vec3{} || c2.turn != Vec3{};
  hit.time = turns || a == 0.0 ? cast.fraction * dt : timeToClose(gap, u, a, dt);
  hit.time = minOf(hit.time, kLatest * dt);
  hit.center1 = c1.center + c1.way * cast.fraction;
  hit.center2 = c2.center + c2.way * cast.fraction;
  hit.firstManifold = static_cast<std::uint32_t>(found_.fastManifolds.numManifolds());
  CollisionOption option;
  option.margin = in.detectionMargin;
  status = collide({f.shape.get(), c1.at(cast.fraction), f.id},
                   {g.shape.get(), c2.at(cast.fraction), g.id}, option, found_.fastManifolds);
  if (!status) return status;
  hit.endManifold = static_cast<std::uint32_t>(found_.fastManifolds.numManifolds());
  if (hit.endManifold == hit.firstManifold) return collidePair(p, reach);
  found_.fastHits.push_back(hit);
  return {};
}

Status Detector::addHit(const StepInput& in, FastHit hit, const Pose& pose1, const Pose& pose2,
                        bool& taken) {
  const BodyFacts &f = in.bodies.facts[hit.body1], &g = in.bodies.facts[hit.body2];
  hit.firstManifold = static_cast<std::uint32_t>(found_.fastManifolds.numManifolds());
  CollisionOption option;
  option.margin = in.detectionMargin;
  const Status status = collide({f.shape.get(), pose1, f.id}, {g.shape.get(), pose2, g.id}, option,
                                found_.fastManifolds);
  if (!status) return status;
  hit.endManifold = static_cast<std::uint32_t>(found_.fastManifolds.numManifolds());
  taken = hit.endManifold > hit.firstManifold;
  if (taken) found_.fastHits.push_back(hit);
  return {};
}

void Detector::dropExpected() {
  std::erase_if(found_.fastHits, [](const FastHit& h) { return h.isExpected; });
  for (FastHit& h : found_.fastHits) h.isOver = false;
}

void Detector::dropHits(std::span<const std::uint32_t> hits) {
  for (const std::uint32_t k : hits) found_.fastHits[k].isOver = true;
  std::erase_if(found_.fastHits, [](const FastHit& h) { return h.isExpected && h.isOver; });
}

/// Pairs of bodies that are hit are detected anew after all: their contacts say who is held.
Status Detector::detectPairsOfHits(const StepInput& in) {
  std::vector<std::uint8_t>& isHit = held_;
  isHit.assign(in.bodies.size(), 0);
  for (const FastHit& h : found_.fastHits) isHit[h.body1] = isHit[h.body2] = 1;
  if (in.division != nullptr) in.halo()->share(isHit);
  Status status;
  std::size_t kept = 0;
  for (const ObjectPair& pair : found_.recycled) {
    const FastPair p{static_cast<std::uint32_t>(in.bodies.indexOf(pair.first)),
                     static_cast<std::uint32_t>(in.bodies.indexOf(pair.second))};
    if (isHit[p.body1] == 0 && isHit[p.body2] == 0) {
      found_.recycled[kept++] = pair;
    } else if (status) {
      status = collidePair(p, found_.margins[p.body1] + found_.margins[p.body2]);
    }
  }
  found_.recycled.resize(kept);
  return status;
}

/// Bodies with an ordinary contact that touches or closes in this step: their course is not free.
void Detector::findHeldBodies(const StepInput& in, const StepMotion& motion) {
  held_.assign(in.bodies.size(), 0);
  for (std::size_t k = 0; k < found_.manifolds.size(); ++k) {
    const RawManifold& m = found_.manifolds[k];
    const std::uint32_t i = static_cast<std::uint32_t>(in.bodies.indexOf(m.object1));
    const std::uint32_t j = static_cast<std::uint32_t>(in.bodies.indexOf(m.object2));
    for (const ContactPoint& p : found_.manifolds.pointsOf(m)) {
      const Vec3 n = toVec3(p.normal);
      const auto velocityAt = [&](std::uint32_t b, const Eigen::Vector3d& at) {
        const BodyVelocity& v = motion.startVelocity[b];
        return v.linear + cross(v.angular, toVec3(at) - in.bodies.position[b]);
      };
      const double u = dot(n, velocityAt(i, p.point1()) - velocityAt(j, p.point2()));
      const double a = dot(n, in.freeAcceleration(i) - in.freeAcceleration(j));
      const double nearest = p.depth - minOf(u * in.dt, (u + 0.5 * a * in.dt) * in.dt);
      if (p.depth > -kTouching || nearest > 0.0) held_[i] = held_[j] = 1;
    }
  }
  if (in.division != nullptr) in.halo()->share(held_);
}

/// Keeps the hits that come first for both bodies, for what a body would have hit later on its old
/// course it may not reach on the new one. Where a body is held by other contacts, the time of a
/// hit cannot be told from its free course: such a pair is an ordinary one.
Status Detector::findFastHits(const StepInput& in, const StepMotion& motion) {
  std::vector<FastHit>& fastHits = found_.fastHits;
  Halo* const halo = in.halo();
  Status cast;
  for (std::size_t i = 0; i < found_.fastPairs.size() && cast; ++i)
    cast = castPair(in, motion, found_.fastPairs[i]);
  if (halo != nullptr) cast = halo->agree(cast);
  if (!cast) return cast;
  const bool isHit = !fastHits.empty();
  if (!(halo != nullptr ? halo->any(isHit) : isHit)) {
    if (!found_.fastPairs.empty()) found_.manifolds.sort();
    return {};
  }
  first_.assign(in.bodies.size(), 2.0 * in.dt);
  for (const FastHit& h : fastHits) {
    first_[h.body1] = minOf(first_[h.body1], h.time);
    first_[h.body2] = minOf(first_[h.body2], h.time);
  }
  if (halo != nullptr) halo->share(first_);
  Status detection = detectPairsOfHits(in);
  if (halo != nullptr) detection = halo->agree(detection);
  if (!detection) return detection;
  findHeldBodies(in, motion);
  const auto isDynamic = [&in](std::uint32_t b) {
    return in.bodies.facts[b].type == BodyType::Dynamic;
  };
  std::size_t kept = 0;
  hits_.assign(fastHits.begin(), fastHits.end());
  for (const FastHit& h : hits_) {
    bool free = true, comesFirst = true;
    for (const std::uint32_t b : {h.body1, h.body2}) {
      if (!isDynamic(b)) continue;
      free = free && held_[b] == 0;
      comesFirst = comesFirst && h.time <= first_[b] + kSameTime * in.dt;
    }
    if (!free) {
      const Status status = collidePair(h, found_.margins[h.body1] + found_.margins[h.body2]);
      if (!status) return status;
    } else if (comesFirst) {
      fastHits[kept++] = h;
    }
  }
  fastHits.resize(kept);
  found_.manifolds.sort();
  return {};
}

}  // namespace abut::inline v0_1
