// SPDX-License-Identifier: MIT
#include "collision/seams.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>

#include "dynamics/index_near.hpp"
#include "dynamics/point_velocity.hpp"
#include "manifold/merge.hpp"
#include "manifold/selection.hpp"
#include "narrow_phase/mesh/composite.hpp"
#include "narrow_phase/tolerances.hpp"
#include "narrow_phase/weld/weld.hpp"

namespace abut::inline v0_1 {
namespace {

/// Planes within this times the size of the bodies are one plane, as within a composite.
constexpr double kSamePlane = 1e-11;
/// What the coordinates of a place leave open of it, as a share of them.
constexpr double kRounding = 1e-15;

double finiteRadius(const Shape& shape) {
  const double radius = shape.boundingRadius();
  return isFinite(radius) ? radius : 0.0;
}

/// Largest n . x over what a contact says that it is of, from `origin` [m].
double reachAlong(const PlacedShape& placed, std::uint64_t subShape, const Vec3& origin,
                  const Vec3& n) {
  Pose pose = placed.pose;
  pose.translation = pose.translation - origin;
  if (!isOneBody(*placed.shape)) return partSupport(*placed.shape, pose, subShape, n);
  const ConvexCore core = bodyOf(*placed.shape).core;
  const Vec3 local = transposeTimes(pose.rotation, n);
  return dot(n, pose.translation) + dot(local, support(core, local)) + core.radius;
}

}  // namespace

/// All manifolds of a dynamic body with one of the ground, by body. False if no body can have them
/// with two.
bool Seams::listGround(std::span<const PersistentManifold> manifolds) {
  const BodyTable& bodies = in_.bodies;
  int grounds = 0;
  for (std::size_t i = 0; i < bodies.size() && grounds < 2; ++i) {
    grounds += bodies.facts[i].type != BodyType::Dynamic && bodies.facts[i].shape ? 1 : 0;
  }
  if (grounds < 2) return false;
  std::vector<SeamRoom::OnGround>& list = room_.onGround;
  list.clear();
  for (std::uint32_t m = 0; m < manifolds.size(); ++m) {
    const ObjectPair& pair = manifolds[m].key.pair;
    const auto i = static_cast<std::uint32_t>(indexNear(bodies, pair.first));
    const auto j = static_cast<std::uint32_t>(indexNear(bodies, pair.second));
    const bool moves1 = bodies.facts[i].type == BodyType::Dynamic;
    if (moves1 == (bodies.facts[j].type == BodyType::Dynamic)) continue;
    list.push_back({moves1 ? i : j, moves1 ? j : i, m});
  }
  const auto less = [](const SeamRoom::OnGround& a, const SeamRoom::OnGround& b) {
    return std::tie(a.body, a.manifold) < std::tie(b.body, b.manifold);
  };
  if (!std::is_sorted(list.begin(), list.end(), less)) std::sort(list.begin(), list.end(), less);
  return true;
}

void Seams::addSurface(const SeamRoom::OnGround& place, PersistentManifold& manifold) {
  const PersistentPoint* deepest = nullptr;
  for (const PersistentPoint& p : manifold.getPoints()) {
    if (p.emitted && (deepest == nullptr || p.contact.depth > deepest->contact.depth)) deepest = &p;
  }
  if (deepest == nullptr) return;
  const ContactPoint& c = deepest->contact;
  const double side = in_.bodies.ids[place.body] == manifold.key.pair.first ? 1.0 : -1.0;
  const Vec3 normal = toVec3(c.normal) * side;
  const Vec3 at = toVec3(c.position) - found_.placed[place.body].pose.translation;
  room_.surfaces.push_back({&manifold, deepest, place.ground, side, normal, c.depth,
                            dot(normal, at) + 0.5 * c.depth, false, false});
}

/// Whether the body stays on its side of a plane: it touches there, so that the contact holds it,
/// or it does not come to touch in the step.
bool Seams::holds(std::uint32_t body, const Surface& by) const {
  const double slop = in_.slopOf(body, by.ground), dt = in_.dt;
  if (by.depth >= -slop) return true;
  const double pull = dot(by.normal, in_.freeAcceleration(body) - in_.freeAcceleration(by.ground));
  for (const PersistentPoint& p : by.manifold->getPoints()) {
    if (!p.emitted) continue;
    const Vec3 at = toVec3(p.contact.position);
    const auto speed = [&](std::uint32_t b) {
      return dot(by.normal, velocityAt(motion_.startVelocity[b], at - in_.bodies.position[b]));
    };
    const double u = speed(body) - speed(by.ground);
    if (minOf(u * dt, (u + 0.5 * pull * dt) * dt) < p.contact.depth - slop) return false;
  }
  return true;
}

/// Whether the ground of one contact rises over the plane of another in the step by no more than
/// what is allowed.
bool Seams::staysBelow(const Surface& by, const Surface& other, double allowed) const {
  const BodyVelocity &v = motion_.startVelocity[by.ground],
                     &u = motion_.startVelocity[other.ground];
  const Vec3 spin = u.angular - v.angular;
  const Vec3 at = toVec3(other.manifold->points[0].contact.position);
  const double rise = dot(by.normal, velocityAt(u, at - in_.bodies.position[other.ground]) -
                                         velocityAt(v, at - in_.bodies.position[by.ground]));
  if (rise * in_.dt > allowed) return false;
  const double lean = norm(cross(spin, by.normal)) * in_.dt;
  return !(lean > 0.0) || lean * found_.placed[other.ground].shape->boundingRadius() <= allowed;
}

/// How far the ground of one contact may be above the plane of another. With nearly the same
/// normal it bears the body: a body that leans by what overlaps may differ across it has such
/// normals on one plane, and up to one degree nothing that is higher is flush. Negative: whatever
/// its height, it is needed.
double Seams::allowedHeight(std::uint32_t body, const Surface& by, const Surface& other) const {
  const double cosine = dot(by.normal, other.normal);
  const double slop = minOf(in_.slopOf(body, by.ground), in_.slopOf(body, other.ground));
  if (cosine < kFlushCosine) return slop;
  const double lean = slop / in_.bodies.facts[body].halfWidth;
  return norm(cross(by.normal, other.normal)) > lean ? 0.0 : -1.0;
}

/// Whether a contact of the body settles another one of it.
bool Seams::settles(std::uint32_t body, const Surface& by, const Surface& other) const {
  if (by.ground == other.ground) return false;
  const Vec3& n = by.normal;
  const double allowed = allowedHeight(body, by, other);
  if (allowed < 0.0) return false;
  const PlacedShape &own = found_.placed[body], &ground = found_.placed[other.ground];
  const Vec3& origin = own.pose.translation;
  const double size = finiteRadius(*own.shape) + finiteRadius(*ground.shape);
  const double same = kSamePlane * size + kRounding * norm(ground.pose.translation);
  const double slop = in_.slopOf(body, by.ground);
  const double top = by.height + (allowed + same), bottom = (by.height - by.depth) - (slop + same);
  // The contact's own place first: it costs nothing.
  for (const PersistentPoint& p : other.manifold->getPoints()) {
    if (!p.emitted) continue;
    const Vec3 at = toVec3(p.contact.position) - origin;
    const double middle = dot(n, at), half = 0.5 * p.contact.depth * dot(n, other.normal);
    if (middle + half > top || middle - half < bottom) return false;
  }
  const ManifoldKey& key = other.manifold->key;
  const std::uint64_t ownPart = other.side > 0.0 ? key.subShape1 : key.subShape2;
  const std::uint64_t groundPart = other.side > 0.0 ? key.subShape2 : key.subShape1;
  return holds(body, by) && staysBelow(by, other, slop + same) &&
         reachAlong(ground, groundPart, origin, n) <= top &&
         -reachAlong(own, ownPart, origin, -n) >= bottom;
}

/// Whether two contacts bear the body in one plane.
bool Seams::areInOnePlane(std::uint32_t body, const Surface& a, const Surface& b) const {
  const double slop = minOf(in_.slopOf(body, a.ground), in_.slopOf(body, b.ground));
  return a.ground != b.ground && dot(a.normal, b.normal) > 0.0 && allowedHeight(body, a, b) < 0.0 &&
         absOf(dot(a.normal, toVec3(b.deepest->contact.position) -
                                 toVec3(a.deepest->contact.position))) <= slop;
}

/// Whether a place of a body that touches is over another ground at the end of the step. It goes
/// along with the body but for its rolling.
bool Seams::comesOver(std::uint32_t body, const Vec3& up, const Vec3& place,
                      std::uint32_t ground) const {
  constexpr double kOfSize = 1e-3;
  const BodyVelocity& v = motion_.startVelocity[body];
  const Vec3 spin = up * dot(up, v.angular);
  const Vec3 own = v.linear + cross(spin, place - in_.bodies.position[body]);
  const Vec3 under = velocityAt(motion_.startVelocity[ground], place - in_.bodies.position[ground]);
  const Vec3 way = (own - under) * in_.dt;
  const double height = kOfSize * finiteRadius(*found_.placed[body].shape) + in_.correctionSlop;
  const auto isOver = [&](const Vec3& at) {
    Ray ray;
    ray.origin = toEigen(at + up * height);
    ray.direction = toEigen(up * (-2.0 * height));
    ray.maxFraction = 1.0;
    bool found = false;
    RayHit hit;
    return static_cast<bool>(raycast(found_.placed[ground], ray, found, hit)) && found;
  };
  return isOver(place + (way - up * dot(up, way))) && !isOver(place);
}

/// Takes the places of a contact that come over another ground in the step, as contacts with that.
void Seams::takePlaces(std::uint32_t body, const Surface& from, const Surface& to) {
  const PlacedShape &own = found_.placed[body], &ground = found_.placed[to.ground];
  const Vec3& origin = own.pose.translation;
  const ManifoldKey& key = to.manifold->key;
  const std::uint64_t part = to.side > 0.0 ? key.subShape2 : key.subShape1;
  const double top = reachAlong(ground, part, origin, from.normal);
  for (const PersistentPoint& p : from.manifold->getPoints()) {
    const Vec3 at = (toVec3(p.contact.position) - origin) - from.normal * (0.5 * p.contact.depth);
    if (!p.emitted || !comesOver(body, from.normal, origin + at, to.ground)) continue;
    PersistentPoint point = p;
    const double depth = top - dot(from.normal, at);
    point.contact.depth = depth;
    point.contact.normal = toEigen(from.normal * to.side);
    point.contact.position = toEigen(origin + at + from.normal * (0.5 * depth));
    if (from.side != to.side) std::swap(point.contact.feature1, point.contact.feature2);
    const Vec3 here = applyInverse(own.pose, origin + at);
    const Vec3 there = applyInverse(ground.pose, origin + at + from.normal * depth);
    point.local1 = to.side > 0.0 ? here : there;
    point.local2 = to.side > 0.0 ? there : here;
    point.normalImpulse = 0.0;
    point.tangentImpulse = {0.0, 0.0, 0.0};
    point.couple = {};
    point.age = 0;
    room_.taken.push_back(point);
  }
}

/// Gives a manifold, which may have lost its own, the points that were taken; of more than it holds
/// those that span most.
void Seams::addTaken(std::uint32_t body, const Surface& to) {
  constexpr double kSamePlace = 1e-6;
  const double near = kSamePlace * finiteRadius(*found_.placed[body].shape);
  const auto less = [](const PersistentPoint& a, const PersistentPoint& b) {
    return contactLess(a.contact, b.contact);
  };
  std::vector<PersistentPoint>& pool = room_.pool;
  pool.clear();
  for (const PersistentPoint& p : to.manifold->getPoints()) {
    if (p.emitted) pool.push_back(p);
  }
  const std::size_t known = pool.size();
  std::sort(room_.taken.begin(), room_.taken.end(), less);
  for (PersistentPoint& p : room_.taken) {
    bool isKnown = false, isOld = true;
    for (const PersistentPoint& q : pool) {
      isKnown = isKnown || norm(toVec3(q.contact.position) - toVec3(p.contact.position)) <= near;
    }
    if (isKnown) continue;
    while (isOld) {  // Unique within the pair.
      isOld = std::any_of(pool.begin(), pool.end(),
                          [&](const PersistentPoint& q) { return q.id == p.id; });
      if (isOld) ++p.id;
    }
    pool.push_back(p);
  }
  if (pool.size() == known) return;
  std::sort(pool.begin(), pool.end(), less);
  std::array<std::uint32_t, 4> chosen{0, 1, 2, 3};
  std::size_t count = pool.size();
  if (count > PersistentManifold::kMaxPoints) {
    room_.places.clear();
    for (const PersistentPoint& p : pool)
      room_.places.push_back({toVec3(p.contact.position), p.contact.depth});
    count = static_cast<std::size_t>(selectPoints(room_.places, to.normal,
                                                  PersistentManifold::kMaxPoints,
                                                  in_.slopOf(body, to.ground), chosen));
  }
  PersistentManifold& manifold = *to.manifold;
  manifold.points.makeRoom(count);
  manifold.count = static_cast<std::uint8_t>(count);
  for (std::size_t i = 0; i < count; ++i) manifold.points[i] = pool[chosen[i]];
  const Mat3& rotation1 = found_.placed[to.side > 0.0 ? body : to.ground].pose.rotation;
  manifold.normal1 = transposeTimes(rotation1, toVec3(manifold.points[0].contact.normal));
}

/// Leaves a contact out. It is forgotten unless it is found again in the next step.
void Seams::leaveOut(const Surface& surface) {
  surface.manifold->framesSinceSeen = std::numeric_limits<std::uint16_t>::max();
  for (std::size_t p = 0; p < surface.manifold->count; ++p) {
    PersistentPoint& point = surface.manifold->points[p];
    point.emitted = false;
    point.normalImpulse = 0.0;
    point.tangentImpulse = {0.0, 0.0, 0.0};
    point.couple = {};
  }
}

void Seams::lookAtBody(std::uint32_t body, std::span<const SeamRoom::OnGround> all,
                       std::span<PersistentManifold> manifolds) {
  std::vector<Surface>& surfaces = room_.surfaces;
  surfaces.clear();
  for (const SeamRoom::OnGround& place : all) addSurface(place, manifolds[place.manifold]);
  const std::size_t count = surfaces.size();
  if (count < 2) return;
  std::vector<std::uint8_t>& table = room_.settles;
  table.resize(count * count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < count; ++k)
      table[i * count + k] = settles(body, surfaces[i], surfaces[k]) ? 1 : 0;
  }
  const auto settlesAlone = [&](std::size_t i, std::size_t k) {
    return table[i * count + k] != 0 && table[k * count + i] == 0;
  };
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < count; ++i)
      surfaces[k].isSettled = surfaces[k].isSettled || settlesAlone(i, k);
  }
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < count; ++i) {
      surfaces[k].isLeftOut =
          surfaces[k].isLeftOut || (!surfaces[i].isSettled && settlesAlone(i, k));
    }
    if (!surfaces[k].isLeftOut) continue;
    leaveOut(surfaces[k]);
    motion_.flush.push_back(std::minmax(body, surfaces[k].ground));
  }
  if (!goes_on_) return;
  // What is added shows nothing of what a contact was: only then.
  room_.added.clear();
  for (std::uint32_t k = 0; k < count; ++k) {
    room_.taken.clear();
    for (std::size_t i = 0; i < count; ++i) {
      if (surfaces[i].isSettled) continue;
      const bool goesOn = surfaces[k].isLeftOut ? settlesAlone(i, k)
                                                : areInOnePlane(body, surfaces[i], surfaces[k]);
      if (goesOn) takePlaces(body, surfaces[i], surfaces[k]);
    }
    for (const PersistentPoint& p : room_.taken) room_.added.push_back({k, p});
  }
  for (std::uint32_t k = 0; k < count; ++k) {
    room_.taken.clear();
    for (const auto& [surface, point] : room_.added) {
      if (surface == k) room_.taken.push_back(point);
    }
    if (!room_.taken.empty()) addTaken(body, surfaces[k]);
    if (!room_.taken.empty() && !surfaces[k].isLeftOut)
      motion_.flush.push_back(std::minmax(body, surfaces[k].ground));
  }
}

void Seams::look(std::span<PersistentManifold> manifolds) {
  motion_.flush.clear();
  if (!listGround(manifolds)) return;
  const std::vector<SeamRoom::OnGround>& all = room_.onGround;
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    bool several = false;
    for (end = first + 1; end < all.size() && all[end].body == all[first].body; ++end)
      several = several || all[end].ground != all[first].ground;
    if (several) lookAtBody(all[first].body, {all.data() + first, end - first}, manifolds);
  }
  std::sort(motion_.flush.begin(), motion_.flush.end());
}

}  // namespace abut::inline v0_1
