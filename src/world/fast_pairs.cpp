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

#include "math/rotation_vector.hpp"
#include "solver/pair_rank.hpp"
#include "solver/solver_contact.hpp"
#include "world/course.hpp"
#include "world/state.hpp"

namespace abut {
namespace {

/// Relative motion beyond this share of the smaller body's radius makes a pair fast.
constexpr double kFastShare = 0.5;
/// A hit after less than this way [m] is a touch at the beginning: an ordinary contact.
constexpr double kTouching = 1e-9;
/// Hits of one body within this part of the step count as one time.
constexpr double kSameTime = 1e-9;
/// A hit at the very end leaves no time to part; it counts as this part of the step.
constexpr double kLatest = 1.0 - 1e-9;
constexpr std::uint32_t kFirstFastManifold = 0x80000000u;

}  // namespace

/// The motion of a body by its velocity and the forces of the step, without contacts.
static Course courseOf(const WorldState& w, std::size_t i, double dt) {
  const BodyVelocity& v = w.motion.startVelocity[i];
  Course c;
  c.center = w.bodies.position[i];
  c.start = w.shapePoses[i];
  c.way = v.linear * dt + w.freeAcceleration(static_cast<std::uint32_t>(i)) * (0.5 * dt * dt);
  const bool round =
      w.bodies.facts[i].shape->getType() == ShapeType::Sphere && c.start.translation == c.center;
  c.turn = round ? Vec3{} : v.angular * dt;
  return c;
}

bool WorldState::isFastPair(std::size_t i, std::size_t j, double dt) const {
  const Shape &a = *bodies.facts[i].shape, &b = *bodies.facts[j].shape;
  if (a.getType() == ShapeType::Plane || b.getType() == ShapeType::Plane) return false;
  const double ra = a.boundingRadius(), rb = b.boundingRadius();
  const BodyVelocity &v = motion.startVelocity[i], &u = motion.startVelocity[j];
  const double turn = norm(v.angular) * ra + norm(u.angular) * rb;
  return (norm(v.linear - u.linear) + turn) * dt > kFastShare * minOf(ra, rb);
}

/// Ordinary contacts of a fast pair within a margin.
Status WorldState::collideFastPair(const FastPair& p, double margin) {
  const BodyFacts &f = bodies.facts[p.body1], &g = bodies.facts[p.body2];
  CollisionOption option;
  option.margin = margin;
  return collide({f.shape.get(), shapePoses[p.body1], f.id},
                 {g.shape.get(), shapePoses[p.body2], g.id}, option, detected);
}

/// Casts a fast pair: a hit is recorded, a miss leaves contacts within the plain margin only, and
/// what touches already or cannot be decided is an ordinary pair.
Status WorldState::castFastPair(const FastPair& p, double dt) {
  const BodyFacts &f = bodies.facts[p.body1], &g = bodies.facts[p.body2];
  const Course c1 = courseOf(*this, p.body1, dt), c2 = courseOf(*this, p.body2, dt);
  const double reach = margins[p.body1] + margins[p.body2];
  CastResult cast;
  Status status = castCourses(*f.shape, c1, *g.shape, c2, cast);
  if (!status) return status;
  if (!cast.hit && cast.status != QueryStatus::IterationLimit) {
    return collideFastPair(p, minOf(reach, options.detectionMargin));
  }
  const double way = norm(c1.way - c2.way) + norm(c1.turn) * f.shape->boundingRadius() +
                     norm(c2.turn) * g.shape->boundingRadius();
  if (cast.status != QueryStatus::Touching || cast.fraction * way <= kTouching) {
    return collideFastPair(p, reach);
  }
  FastHit hit;
  hit.body1 = p.body1;
  hit.body2 = p.body2;
  // The cast moves evenly; forces make the first part of the way slower or faster than the rest.
  const Vec3 n = toVec3(cast.normal);
  const double u =
      dot(n, motion.startVelocity[p.body1].linear - motion.startVelocity[p.body2].linear);
  const double a = dot(n, freeAcceleration(p.body1) - freeAcceleration(p.body2));
  const double gap = -(u + 0.5 * a * dt) * (dt * cast.fraction);
  const bool turns = c1.turn != Vec3{} || c2.turn != Vec3{};
  hit.time = turns || a == 0.0 ? cast.fraction * dt : timeToClose(gap, u, a, dt);
  hit.time = minOf(hit.time, kLatest * dt);
  hit.center1 = c1.center + c1.way * cast.fraction;
  hit.center2 = c2.center + c2.way * cast.fraction;
  hit.firstManifold = static_cast<std::uint32_t>(fastDetected.numManifolds());
  CollisionOption option;
  option.margin = options.detectionMargin;
  status = collide({f.shape.get(), c1.at(cast.fraction), f.id},
                   {g.shape.get(), c2.at(cast.fraction), g.id}, option, fastDetected);
  if (!status) return status;
  hit.endManifold = static_cast<std::uint32_t>(fastDetected.numManifolds());
  if (hit.endManifold == hit.firstManifold) return collideFastPair(p, reach);
  fastHits.push_back(hit);
  return {};
}

/// Pairs of bodies that are hit are detected anew after all: their contacts say who is held.
Status WorldState::detectPairsOfHits() {
  std::vector<std::uint8_t>& isHit = fastScratch.held;
  isHit.assign(bodies.size(), 0);
  for (const FastHit& h : fastHits) isHit[h.body1] = isHit[h.body2] = 1;
  Status status;
  std::size_t kept = 0;
  for (const ObjectPair& pair : recycled) {
    const FastPair p{static_cast<std::uint32_t>(bodies.find(pair.first)),
                     static_cast<std::uint32_t>(bodies.find(pair.second))};
    if (isHit[p.body1] == 0 && isHit[p.body2] == 0) {
      recycled[kept++] = pair;
    } else if (status) {
      status = collideFastPair(p, margins[p.body1] + margins[p.body2]);
    }
  }
  recycled.resize(kept);
  return status;
}

/// Bodies with an ordinary contact that touches or closes in this step: their course is not free.
void WorldState::findHeldBodies(double dt) {
  std::vector<std::uint8_t>& held = fastScratch.held;
  held.assign(bodies.size(), 0);
  for (const ContactManifold& m : detected.getManifolds()) {
    const std::uint32_t i = static_cast<std::uint32_t>(bodies.find(m.getObject1()));
    const std::uint32_t j = static_cast<std::uint32_t>(bodies.find(m.getObject2()));
    for (const ContactPoint& p : m.getContacts()) {
      const Vec3 n = toVec3(p.normal);
      const auto velocityAt = [&](std::uint32_t b, const Eigen::Vector3d& at) {
        const BodyVelocity& v = motion.startVelocity[b];
        return v.linear + cross(v.angular, toVec3(at) - bodies.position[b]);
      };
      const double u = dot(n, velocityAt(i, p.point1()) - velocityAt(j, p.point2()));
      const double a = dot(n, freeAcceleration(i) - freeAcceleration(j));
      const double nearest = p.depth - minOf(u * dt, (u + 0.5 * a * dt) * dt);
      if (p.depth > -kTouching || nearest > 0.0) held[i] = held[j] = 1;
    }
  }
}

/// Keeps the hits that come first for both bodies, for what a body would have hit later on its old
/// course it may not reach on the new one. Where a body is held by other contacts, the time of a
/// hit cannot be told from its free course: such a pair is an ordinary one.
Status WorldState::detectFastPairs(double dt) {
  for (const FastPair& pair : fastPairs) {
    const Status status = castFastPair(pair, dt);
    if (!status) return status;
  }
  if (fastHits.empty()) return {};
  std::vector<double>& first = fastScratch.first;
  first.assign(bodies.size(), 2.0 * dt);
  for (const FastHit& h : fastHits) {
    first[h.body1] = minOf(first[h.body1], h.time);
    first[h.body2] = minOf(first[h.body2], h.time);
  }
  const Status detection = detectPairsOfHits();
  if (!detection) return detection;
  findHeldBodies(dt);
  const auto isDynamic = [this](std::uint32_t b) {
    return bodies.facts[b].type == BodyType::Dynamic;
  };
  std::size_t kept = 0;
  fastScratch.found.assign(fastHits.begin(), fastHits.end());
  for (const FastHit& h : fastScratch.found) {
    bool free = true, comesFirst = true;
    for (const std::uint32_t b : {h.body1, h.body2}) {
      if (!isDynamic(b)) continue;
      free = free && fastScratch.held[b] == 0;
      comesFirst = comesFirst && h.time <= first[b] + kSameTime * dt;
    }
    if (!free) {
      const Status status = collideFastPair(h, margins[h.body1] + margins[h.body2]);
      if (!status) return status;
    } else if (comesFirst) {
      fastHits[kept++] = h;
    }
  }
  fastHits.resize(kept);
  return {};
}

/// Contacts at the hits.
void WorldState::addFastContacts() {
  lateTime.assign(fastHits.empty() ? 0 : bodies.size(), 0.0);
  if (fastHits.empty()) return;
  std::uint32_t number = kFirstFastManifold;
  for (const FastHit& h : fastHits) {
    for (std::uint32_t m = h.firstManifold; m < h.endManifold; ++m, ++number) {
      const ContactManifold& manifold = fastDetected.getManifolds()[m];
      for (const ContactPoint& p : manifold.getContacts()) {
        contacts.push_back(contactAt(h, manifold, p, number));
      }
    }
    for (const std::uint32_t b : {h.body1, h.body2}) {
      if (bodies.facts[b].type != BodyType::Dynamic) continue;
      lateTime[b] = h.time;
    }
  }
  contactSorter.sort(contacts, [](const StepContact& x, const StepContact& y) {
    return x.body1 != y.body1 ? x.body1 < y.body1 : x.body2 < y.body2;
  });
}

StepContact WorldState::contactAt(const FastHit& h, const ContactManifold& manifold,
                                  const ContactPoint& point, std::uint32_t number) const {
  const BodyFacts &f = bodies.facts[h.body1], &g = bodies.facts[h.body2];
  StepContact c;
  c.body1 = h.body1;
  c.body2 = h.body2;
  c.material = materials.between(materialOf(f, manifold.getSubShape1()),
                                 materialOf(g, manifold.getSubShape2()));
  c.late = h.time;
  c.position = toVec3(point.position);
  c.depth = point.depth;
  c.cacheIndex = kNoCacheIndex;
  c.order = hashPair({f.id, g.id});
  const ContactSite site =
      siteAt(c.position, toVec3(point.normal), point.depth, h.center1, h.center2);
  c.row = toSolverContact(site, h.body1, h.body2, number, surfaceOffset(f, g), c.material);
  c.pull = normalAcceleration(c);
  return c;
}

/// Bodies that a box may touch on its way, awake or asleep.
Status WorldState::findNear(const Aabb& box, const Vec3& way) {
  Status status = broadPhase.sweep(box, toEigen(way), fastScratch.near);
  if (!status || !options.sleeping) return status;
  status = sleepers.boxes.sweep(box, toEigen(way), fastScratch.asleep);
  for (const ObjectId id : fastScratch.asleep) place(bodies.find(id), 0.0);
  fastScratch.near.insert(fastScratch.near.end(), fastScratch.asleep.begin(),
                          fastScratch.asleep.end());
  return status;
}

bool WorldState::haveContact(std::size_t i, std::size_t j) const {
  const FastPair pair{static_cast<std::uint32_t>(std::min(i, j)),
                      static_cast<std::uint32_t>(std::max(i, j))};
  const auto holds = [&](const auto* begin, const auto* end) {
    const auto* at = std::lower_bound(begin, end, pair, [](const auto& c, const FastPair& p) {
      return c.body1 != p.body1 ? c.body1 < p.body1 : c.body2 < p.body2;
    });
    return at != end && at->body1 == pair.body1 && at->body2 == pair.body2;
  };
  const ManifoldRow* rows = real.rows.data();
  return holds(contacts.data(), contacts.data() + contacts.size()) ||
         (options.scheme == StepScheme::RealTime && holds(rows, rows + real.ordinary));
}

}  // namespace abut
