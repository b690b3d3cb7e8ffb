// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/broad_phase/bvh_broad_phase.hpp>
#include <abut/events/contact_event.hpp>
#include <abut/manifold/contact_manifold_cache.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/world/step_report.hpp>

#include "dynamics/body_table.hpp"
#include "events/touch.hpp"

namespace abut {

struct WorldState;

/// Bodies asleep, apart from those awake: a step looks at them only where something comes near.
///
/// A body is asleep if its BodyRest says so. Bodies asleep that are joined by contacts are an
/// island; it wakes as a whole. No contact joins a body asleep to a dynamic one awake. Boxes are
/// those that a body at rest has in a step of the present length, so a body that wakes in a step is
/// detected as if it had never slept.
///
/// What the future depends on is SleepState; here is what follows from it, and buffers.
struct Sleepers {
  BvhBroadPhase boxes;

  /// Wakes what changed materials or what comes near concern, with boxes for a step of dt.
  Status beginStep(WorldState& w, double dt);
  /// After bodies moved: those of islands that are to sleep stop, and the loss is booked.
  void stopBodies(WorldState& w, double dt);
  /// After all is published: what stopped is put apart, and what sleeps is published too.
  void endStep(WorldState& w, double dt);
  /// Takes back what beginStep() woke.
  void undo(WorldState& w);

  /// Wakes islands: those of these bodies, and those that rest on them.
  void wake(WorldState& w, std::span<const ObjectId> bodies);
  /// Wakes what touches a body where it is now.
  Status wakeAround(WorldState& w, std::size_t body);
  /// The boxes of all bodies asleep, for a step of dt.
  Status placeBoxes(WorldState& w, double dt);
  /// Forgets what was derived from the bodies and the cache.
  void changed() { fresh_ = false; }
  /// Nothing is known of a last step.
  void reset();

private:
  struct Woken {
    std::uint32_t body;
    BodyRest rest;
  };

  void refresh(const WorldState& w);
  void findIslands(const ContactManifoldCache& cache);
  void findContacts(const WorldState& w);
  void findEvents(std::span<const Touch> touching, double dt);
  bool mark(ObjectId id);
  void wakeMarked(WorldState& w);
  void wakeForMaterials(WorldState& w);
  Status wakeForMotion(WorldState& w, double dt);
  void lieDown(WorldState& w, std::span<const ObjectId> bodies);
  void publish(WorldState& w, double dt);
  void report(WorldState& w);

  // Derived from bodies and cache when they have changed.
  bool fresh_ = false;
  std::vector<ObjectId> ids_;           // Sorted.
  std::vector<std::uint32_t> islands_;  // Of each: its smallest member.
  std::vector<WorldContact> contacts_;
  std::vector<ContactEvent> contactEvents_;
  double eventStep_ = 0.0, boxStep_ = 0.0, greatestDepth_ = 0.0;

  // Buffers.
  std::vector<std::uint8_t> marked_;  // Of each island, by its smallest member.
  std::vector<ObjectId> waking_, stopped_, near_;
  std::vector<std::uint32_t> moving_;
  std::vector<Woken> woken_;
  std::vector<std::uint8_t> known_;
  CollisionResult result_;
  std::vector<WorldContact> mergedContacts_;
  std::vector<ContactEvent> mergedEvents_;
  std::vector<Touch> otherTouching_;
};

}  // namespace abut
