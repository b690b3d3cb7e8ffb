// SPDX-License-Identifier: MIT
#include "scheme/step_contact.hpp"

#include <abut/math/convert.hpp>

#include "events/contact_outcome.hpp"
#include "scheme/step_solver.hpp"
#include "solver/pair_rank.hpp"
#include "solver/solver_contact.hpp"

namespace abut::inline v0_1 {
namespace {

/// Numbers of manifolds that are not in the cache begin here.
constexpr std::uint32_t kFirstFastManifold = 0x80000000u;

StepContact contactAt(const StepInput& in, const FastHit& h, const ContactManifold& manifold,
                      const ContactPoint& point, std::uint32_t number) {
  const BodyFacts &f = in.bodies.facts[h.body1], &g = in.bodies.facts[h.body2];
  StepContact c;
  c.body1 = h.body1;
  c.body2 = h.body2;
  c.material = in.materials.between(materialOf(f, manifold.getSubShape1()),
                                    materialOf(g, manifold.getSubShape2()));
  c.late = h.time;
  c.meeting.isExpected = h.isExpected;
  c.meeting.reach = h.reach;
  c.position = toVec3(point.position);
  c.depth = point.depth;
  c.cacheIndex = kNoCacheIndex;
  c.order = rankOf(in.bodies.marks[h.body1], in.bodies.marks[h.body2]);
  const ContactSite site =
      siteAt(c.position, toVec3(point.normal), point.depth, h.center1, h.center2);
  c.row = toSolverContact(site, h.body1, h.body2, number, surfaceOffset(f, g), c.material);
  c.pull = normalAcceleration(in, c);
  return c;
}

}  // namespace

double normalAcceleration(const StepInput& in, const StepContact& c) {
  return dot(c.row.normal, in.freeAcceleration(c.body1) - in.freeAcceleration(c.body2));
}

void addFastContacts(const StepProblem& problem, const StepMotion& motion, bool jointed,
                     StableOrder<StepContact>& sorter, std::vector<StepContact>& contacts) {
  const Detection& found = problem.found;
  if (found.fastHits.empty()) return;
  std::uint32_t number = kFirstFastManifold;
  for (const FastHit& h : found.fastHits) {
    if (h.isOver) continue;
    const bool isJointed = motion.isJointed(h.body1) || motion.isJointed(h.body2);
    for (std::uint32_t m = h.firstManifold; m < h.endManifold; ++m, ++number) {
      if (isJointed != jointed) continue;
      const ContactManifold& manifold = found.fastManifolds.getManifolds()[m];
      for (const ContactPoint& p : manifold.getContacts()) {
        contacts.push_back(contactAt(problem.in, h, manifold, p, number));
        contacts.back().meeting.hit = static_cast<std::uint32_t>(&h - found.fastHits.data());
      }
    }
  }
  sorter.sort(contacts, [](const StepContact& x, const StepContact& y) {
    return x.body1 != y.body1 ? x.body1 < y.body1 : x.body2 < y.body2;
  });
}

void findLateTimes(const StepProblem& problem, std::vector<double>& lateTime) {
  const BodyTable& bodies = problem.in.bodies;
  lateTime.assign(problem.found.fastHits.empty() ? 0 : bodies.size(), 0.0);
  for (const FastHit& h : problem.found.fastHits) {
    if (h.isOver) continue;
    for (const std::uint32_t b : {h.body1, h.body2}) {
      if (bodies.facts[b].type != BodyType::Dynamic) continue;
      if (!h.isExpected || !(lateTime[b] > 0.0)) lateTime[b] = h.time;
    }
  }
}

}  // namespace abut::inline v0_1
