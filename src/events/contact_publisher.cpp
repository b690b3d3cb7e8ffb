// SPDX-License-Identifier: MIT
#include "events/contact_publisher.hpp"

#include <abut/math/convert.hpp>

#include "dynamics/crushing.hpp"

namespace abut {

void ContactPublisher::begin(const StepInput& in, const ContactManifoldCache& cache,
                             std::vector<WorldContact>& contacts, StepReport& report) {
  in_ = &in;
  cache_ = &cache;
  contacts_ = &contacts;
  report_ = &report;
}

void ContactPublisher::expect(std::size_t count) {
  contacts_->resize(count);
  facts_.resize(count);
}

void ContactPublisher::note(const Depths& depths) {
  report_->greatestDepth = maxOf(report_->greatestDepth, depths.greatest);
  if (depths.isCrushed) report_->converged = false;
}

void ContactPublisher::show(std::size_t at, const ContactOutcome& c, Depths& depths) {
  const BodyTable& bodies = in_->bodies;
  const double dt = in_->dt;
  WorldContact& out = (*contacts_)[at];
  out.object1 = bodies.ids[c.body1];
  out.object2 = bodies.ids[c.body2];
  out.position = toEigen(c.position);
  out.normal = toEigen(c.normal);
  out.depth = c.depth;
  out.normalForce = c.normalImpulse / dt;
  out.frictionForce = toEigen(c.frictionImpulse / dt);
  out.resistingCouple = toEigen(c.couple / dt);
  out.impactImpulse = toEigen(c.impact);
  out.slip = toEigen(c.slip);
  out.friction = c.friction;
  out.island = c.island;
  out.id = c.cacheIndex == kNoCacheIndex ? 0 : cache_->getContacts()[c.cacheIndex].id;
  depths.greatest = maxOf(depths.greatest, c.depth);
  if (isCrushed(bodies.facts[c.body1], bodies.facts[c.body2], c.depth, in_->correctionSlop)) {
    depths.isCrushed = true;
  }
  facts_[at] = {{out.object1, out.object2},
                (c.normal * c.normalImpulse + c.frictionImpulse) + c.impact,
                c.normalImpulse + c.normalImpact,
                c.depth,
                c.speed,
                c.pull,
                c.late};
}

void ContactPublisher::sort() {
  contactSorter_.sort(*contacts_, [](const WorldContact& a, const WorldContact& b) {
    return a.object1 != b.object1 ? a.object1 < b.object1 : a.object2 < b.object2;
  });
  factsSorter_.sort(facts_,
                    [](const ContactFacts& a, const ContactFacts& b) { return a.pair < b.pair; });
}

}  // namespace abut
