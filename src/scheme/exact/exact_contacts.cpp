// SPDX-License-Identifier: MIT
#include "scheme/exact/exact_contacts.hpp"

#include <abut/math/convert.hpp>

#include "constraints/coincident.hpp"
#include "scheme/step_solver.hpp"
#include "solver/pair_rank.hpp"
#include "solver/solver_contact.hpp"

namespace abut::inline v0_1 {

/// What the solver needs of every contact.
void ExactContacts::build(const StepProblem& problem, const StepMotion& motion) {
  const StepInput& in = problem.in;
  const BodyTable& bodies = in.bodies;
  const ContactManifoldCache& cache = problem.cache;
  all.clear();
  const double rescale = in.rescale();
  std::uint32_t index = 0;
  SurfacePairs surfaces(in.materials);
  for (const PersistentContact& c : cache.getContacts()) {
    StepContact contact;
    contact.body1 = static_cast<std::uint32_t>(bodies.indexOf(c.pair.first));
    contact.body2 = static_cast<std::uint32_t>(bodies.indexOf(c.pair.second));
    contact.cacheIndex = index++;
    if (motion.isJointed(contact.body1) || motion.isJointed(contact.body2)) continue;
    const BodyFacts &f = bodies.facts[contact.body1], &g = bodies.facts[contact.body2];
    const PersistentManifold& manifold = cache.getManifolds()[c.manifold];
    contact.material = surfaces.between(f, manifold.key.subShape1, g, manifold.key.subShape2);
    contact.depth = c.contact.depth;
    if (contact.material.stiffness > 0.0) contact.material.restitution = 0.0;
    contact.order = rankOf(bodies.marks[contact.body1], bodies.marks[contact.body2]);
    // Where contacts count only once they overlap, the overlap is part of the model and they share
    // it.
    const Vec3 &center1 = bodies.position[contact.body1], &center2 = bodies.position[contact.body2];
    const Vec3 normal = partingNormal(toVec3(c.contact.normal), center1, center2,
                                      minOf(f.halfWidth, g.halfWidth), contact.order);
    const ContactSite site = siteAt(toVec3(c.contact.position), normal,
                                    in.speculative ? c.contact.depth : 0.0, center1, center2);
    contact.row = toSolverContact(site, contact.body1, contact.body2, c.manifold,
                                  surfaceOffset(f, g), contact.material);
    const SolverContact& row = contact.row;
    const Vec3 tangent = toVec3(c.tangentImpulse);
    contact.impulse =
        Vec3{c.normalImpulse, dot(row.tangent1, tangent), dot(row.tangent2, tangent)} * rescale;
    contact.lastCouple =
        Vec3{dot(row.normal, c.couple), dot(row.tangent1, c.couple), dot(row.tangent2, c.couple)} *
        rescale;
    contact.pull = normalAcceleration(in, contact);
    all.push_back(contact);
  }
  addFastContacts(problem, motion, false, sorter_, all);
  findIslands(bodies);
}

/// Contacts by island, and within it by colour; the contacts of a pair share theirs.
void ExactContacts::findIslands(const BodyTable& bodies) {
  firstOfPair.clear();
  links.clear();
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const StepContact& c = all[i];
    const bool samePair = i > 0 && all[i - 1].body1 == c.body1 && all[i - 1].body2 == c.body2;
    if (samePair) continue;
    firstOfPair.push_back(i);
    links.push_back({c.body1, c.body2, 0, c.order, {bodies.ids[c.body1], bodies.ids[c.body2]}, i});
  }
  firstOfPair.push_back(static_cast<std::uint32_t>(all.size()));
  markMovingBodies(bodies, moves_);
  linkOrder.build(links, moves_);
  order.clear();
  islands.clear();
  for (const LinkOrder::Island& island : linkOrder.getIslands()) {
    const auto first = static_cast<std::uint32_t>(order.size());
    for (const std::uint32_t link :
         linkOrder.getLinks().subspan(island.firstLink, island.numLinks)) {
      for (std::uint32_t i = firstOfPair[link]; i < firstOfPair[link + 1]; ++i) order.push_back(i);
    }
    islands.push_back({first, static_cast<std::uint32_t>(order.size()) - first});
  }
}

}  // namespace abut::inline v0_1
