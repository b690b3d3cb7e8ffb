// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/dynamics/step_report.hpp>
#include <abut/manifold/contact_manifold_cache.hpp>
#include <abut/math/convert.hpp>

#include "core/stable_order.hpp"
#include "core/stage_room.hpp"
#include "dynamics/crushing.hpp"
#include "dynamics/step_input.hpp"
#include "events/contact_outcome.hpp"
#include "events/pair_events.hpp"
#include "events/touch.hpp"

namespace abut::inline v0_1 {

/// The only writer of published contacts, of what events know of them, and of how deep they are.
class ContactPublisher {
public:
  /// Where the contacts of a step go, and which pairs touched before it, sorted. All of them
  /// outlive the calls of show().
  void begin(const StepInput& in, const ContactManifoldCache& cache,
             std::span<const Touch> touching, std::vector<WorldContact>& contacts,
             StepReport& report);
  /// Room for so many, which show() fills; what events know of them is in the room of the step, in
  /// the stage that goes on.
  void expect(std::size_t count);
  /// The same for more contacts after those that are shown already, which stay.
  void extend(std::size_t count);
  /// What the report tells of some contacts.
  struct Depths {
    double greatest = 0.0;   ///< [m]
    bool isCrushed = false;  ///< Whether a body is overlapped by much of its width.
  };
  /// The contact at a place below count. Different ones may be shown from different threads.
  void show(std::size_t at, const ContactOutcome& outcome, Depths& depths);
  /// What is written of one contact.
  struct Place {
    WorldContact& contact;
    ContactFacts& facts;
  };
  /// For who writes all of it, at a place below count, and calls noteDepth().
  [[nodiscard]] Place placeAt(std::size_t at) { return {(*contacts_)[at], facts_[at]}; }
  void noteDepth(std::uint32_t body1, std::uint32_t body2, double depth, Depths& depths) const {
    depths.greatest = maxOf(depths.greatest, depth);
    if (depth > in_->correctionSlop &&
        isCrushed(in_->bodies.facts[body1], in_->bodies.facts[body2], depth, in_->correctionSlop)) {
      depths.isCrushed = true;
    }
  }
  /// Pairs that touched in the last step: when they began is known.
  [[nodiscard]] std::span<const Touch> getTouching() const { return touching_; }
  /// Tells of them in the report.
  void note(const Depths& depths);
  void show(std::size_t at, const ContactOutcome& outcome) {
    Depths depths;
    show(at, outcome, depths);
    note(depths);
  }
  /// Contacts are not shown in the order of their pairs.
  void noteDisorder() { is_mixed_ = true; }
  /// Sorts by pair, once all are shown, where they were not shown in that order; those of a pair
  /// keep theirs.
  void putInOrder();
  /// What events need to know of each contact, in the same order.
  [[nodiscard]] std::span<const ContactFacts> getFacts() const { return facts_.view(); }

private:
  const StepInput* in_ = nullptr;
  const ContactManifoldCache* cache_ = nullptr;
  std::span<const Touch> touching_;
  std::vector<WorldContact>* contacts_ = nullptr;
  StepReport* report_ = nullptr;
  RoomList<ContactFacts> facts_;
  StableOrder<WorldContact> contact_sorter_;
  std::vector<ContactFacts> facts_in_order_;
  StableOrder<ContactFacts> facts_sorter_;
  bool is_mixed_ = false;
};

inline void ContactPublisher::show(std::size_t at, const ContactOutcome& c, Depths& depths) {
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
  noteDepth(c.body1, c.body2, c.depth, depths);
  ContactFacts& facts = facts_[at];
  facts.pair = {out.object1, out.object2};
  facts.impulse = (c.normal * c.normalImpulse + c.frictionImpulse) + c.impact;
  facts.normalImpulse = c.normalImpulse + c.normalImpact;
  facts.depth = c.depth;
  facts.speed = c.speed;
  facts.pull = c.pull;
  facts.late = c.late;
}

}  // namespace abut::inline v0_1
