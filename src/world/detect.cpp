// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>

#include "solver/pair_rank.hpp"
#include "solver/solver_contact.hpp"
#include "world/state.hpp"

namespace abut {
/// Where a body's shape is, and how far it reaches in the step.
void WorldState::place(std::size_t i, double dt) {
  const BodyFacts& f = bodies.facts[i];
  if (!f.shape) return;
  shapePoses[i] = bodies.shapePoseOf(i);
  const double fall = 0.5 * norm(toVec3(options.gravity)) * dt * dt;
  const BodyVelocity& v = motion.startVelocity[i];
  double reach = options.detectionMargin + norm(v.linear) * dt;
  const double spin = norm(v.angular);
  const double radius = f.shape->boundingRadius();
  if (spin > 0.0 && isFinite(radius)) reach += spin * radius * dt;
  if (f.type == BodyType::Dynamic) reach += absOf(f.gravityScale) * fall;
  margins[i] = reach;
}

Status WorldState::updateBox(std::size_t i) {
  Aabb box = bodies.facts[i].shape->computeAabb(shapePoses[i]);
  box.expand(margins[i]);
  return broadPhase.update(bodies.ids[i], box);
}

/// The box that a body at rest has in a step.
Aabb WorldState::restingBox(std::size_t i, double dt) const {
  const BodyFacts& f = bodies.facts[i];
  const double fall = 0.5 * norm(toVec3(options.gravity)) * dt * dt;
  const double own = f.type == BodyType::Dynamic ? absOf(f.gravityScale) * fall : 0.0;
  Aabb box = f.shape->computeAabb(bodies.shapePoseOf(i));
  box.expand(options.detectionMargin + own);
  return box;
}

/// Whether a body moves others by a motion of its own or of its surface.
bool WorldState::isDriven(std::size_t i) const {
  const BodyFacts& f = bodies.facts[i];
  if (f.surfaceVelocity != Vec3{}) return true;
  return f.type == BodyType::Kinematic &&
         (motion.startVelocity[i].linear != Vec3{} || motion.startVelocity[i].angular != Vec3{});
}

/// Whether the flat contacts of a pair that hardly moved may be those of an earlier step, in real
/// time. They hold all points within twice the margin: with a way of up to one margin, and what the
/// cache allows, in the step, no other point comes to touch. Contacts are no farther from a body's
/// middle than the smaller of the two reaches; where the angle that the cache allows moves them by
/// more than the margin, they are detected anew.
bool WorldState::mayRecycle(std::size_t i, std::size_t j) const {
  if (options.scheme != StepScheme::RealTime || !options.speculative) return false;
  const double reach =
      minOf(bodies.facts[i].shape->boundingRadius(), bodies.facts[j].shape->boundingRadius());
  return margins[i] + margins[j] <= 3.0 * options.detectionMargin &&
         reach * cache.getOptions().recycleAngle <= 0.5 * options.detectionMargin;
}

/// Boxes widened by what motion covers, pairs, contacts of each pair within the margin.
Status WorldState::detect(double dt) {
  enter(StepStage::BroadPhase);
  const std::size_t n = bodies.size();
  margins.resize(n);
  shapePoses.resize(n);
  Status status;
  for (std::size_t i = 0; i < n && status; ++i) {
    if (!bodies.facts[i].shape || bodies.rest[i].isAsleep()) continue;
    place(i, dt);
    status = updateBox(i);
  }
  if (status && options.sleeping) status = sleepers.beginStep(*this, dt);
  if (!status) return status;
  broadPhase.computePotentialPairs(pairs);
  enter(StepStage::NarrowPhase);
  detected.clear();
  fastDetected.clear();
  fastHits.clear();
  fastPairs.clear();
  recycled.clear();
  CollisionOption option;
  std::size_t cursor = 0;
  for (const ObjectPair& pair : pairs) {
    const std::size_t i = bodies.indexOf(pair.first), j = bodies.indexOf(pair.second);
    const BodyFacts &f = bodies.facts[i], &g = bodies.facts[j];
    if (f.type != BodyType::Dynamic && g.type != BodyType::Dynamic) continue;
    option.margin = options.speculative ? margins[i] + margins[j] : 0.0;
    if (options.speculative && isFastPair(i, j, dt)) {
      fastPairs.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)});
      continue;
    }
    if (mayRecycle(i, j) && cache.canRecycle(pair, shapePoses[i], shapePoses[j], cursor)) {
      recycled.push_back(pair);
      continue;
    }
    status = collide({f.shape.get(), shapePoses[i], f.id}, {g.shape.get(), shapePoses[j], g.id},
                     option, detected);
    if (!status) return status;
  }
  status = detectFastPairs(dt);
  if (!status) return status;
  enter(StepStage::Manifolds);
  cachePoses.clear();
  for (std::size_t i = 0; i < n; ++i) {
    if (!bodies.facts[i].shape || bodies.rest[i].isAsleep()) continue;
    cachePoses.push_back({bodies.ids[i], shapePoses[i]});
  }
  return cache.update(detected.getManifolds(), cachePoses, recycled).status;
}

/// What the solver needs of every contact.
void WorldState::buildContacts(double dt) {
  contacts.clear();
  const double rescale = lastStep > 0.0 ? dt / lastStep : 0.0;
  std::uint32_t index = 0;
  SurfacePairs surfaces(materials);
  for (const PersistentContact& c : cache.getContacts()) {
    StepContact contact;
    contact.body1 = static_cast<std::uint32_t>(bodies.indexOf(c.pair.first));
    contact.body2 = static_cast<std::uint32_t>(bodies.indexOf(c.pair.second));
    const BodyFacts &f = bodies.facts[contact.body1], &g = bodies.facts[contact.body2];
    const PersistentManifold& manifold = cache.getManifolds()[c.manifold];
    contact.material = surfaces.between(f, manifold.key.subShape1, g, manifold.key.subShape2);
    contact.depth = c.contact.depth;
    contact.cacheIndex = index++;
    contact.order = hashPair(c.pair);
    // Where contacts count only once they overlap, the overlap is part of the model and they share
    // it.
    const ContactSite site = siteAt(toVec3(c.contact.position), toVec3(c.contact.normal),
                                    options.speculative ? c.contact.depth : 0.0,
                                    bodies.position[contact.body1], bodies.position[contact.body2]);
    contact.row = toSolverContact(site, contact.body1, contact.body2, c.manifold,
                                  surfaceOffset(f, g), contact.material);
    const SolverContact& row = contact.row;
    const Vec3 tangent = toVec3(c.tangentImpulse);
    contact.impulse =
        Vec3{c.normalImpulse, dot(row.tangent1, tangent), dot(row.tangent2, tangent)} * rescale;
    contact.pull = normalAcceleration(contact);
    contacts.push_back(contact);
  }
  addFastContacts();
}

}  // namespace abut
