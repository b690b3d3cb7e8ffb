// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/dynamics/step_report.hpp>
#include <abut/events/contact_event.hpp>
#include <abut/narrow_phase/queries.hpp>

#include "collision/detector.hpp"
#include "joints/joint_table.hpp"
#include "ledger/step_books.hpp"
#include "sleep/sleep_state.hpp"
#include "solver/link_order.hpp"

namespace abut {

/// What of a world falls asleep and wakes up.
struct SleepScene {
  const StepInput& in;  ///< Of the step, or as of now.
  BodyTable& bodies;
  ContactManifoldCache& cache;   ///< Contacts of bodies awake.
  std::vector<Touch>& touching;  ///< Pairs of bodies awake that touched, sorted.
  SleepState& asleep;
  Detector& detector;  ///< Holds the boxes.
  const JointTable& joints;
};

/// When bodies fall asleep; see WorldOptions.
struct SleepRule {
  double speed = 0.0;  ///< sleepSpeed
  double after = 0.0;  ///< sleepAfter [s]
  int substeps = 1;
};

/// What a step shows, to which that of bodies asleep is added.
struct SleepShown {
  std::vector<WorldContact>& contacts;
  std::vector<ContactEvent>& events;
  std::vector<SleepEvent>& sleepEvents;
  StepReport& report;
};

/// Bodies asleep, apart from those awake: a step looks at them only where something comes near.
///
/// A body is asleep if its BodyRest says so. Bodies asleep that contacts or joints join are an
/// island; it wakes as a whole. No contact joins a body asleep to a dynamic one awake. Boxes are
/// those that a body at rest has in a step of the present length, so a body that wakes in a step is
/// detected as if it had never slept.
///
/// What the future depends on is SleepState; here is what follows from it, and buffers.
class Sleepers {
public:
  /// Wakes what changed materials or what comes near concern, with boxes for a step of dt.
  Status beginStep(SleepScene& w, const StepMotion& motion);
  /// After bodies moved: those of islands that are to sleep stop, and the loss is booked.
  void stopBodies(SleepScene& w, const SleepRule& rule, std::span<const Link> links,
                  const LinkOrder& order, StepMotion& motion, StepBooks& books);
  /// After all is published: what stopped is put apart, and what sleeps is published too, as of a
  /// step of dt.
  void endStep(SleepScene& w, double dt, SleepShown shown);
  /// Takes back what beginStep() woke.
  void undo(SleepScene& w);

  /// Wakes islands: those of these bodies, and those that rest on them.
  void wake(SleepScene& w, std::span<const ObjectId> bodies);
  /// Wakes what touches a body where it is now.
  Status wakeAround(SleepScene& w, std::size_t body);
  /// The boxes of all bodies asleep, for a step of dt.
  Status placeBoxes(SleepScene& w, double dt);
  /// Forgets what was derived from the bodies and the cache.
  void changed() { fresh_ = false; }
  /// Nothing is known of a last step.
  void reset();

private:
  struct Woken {
    std::uint32_t body;
    BodyRest rest;
  };

  void refresh(const SleepScene& w);
  void findIslands(const ContactManifoldCache& cache, const JointTable& joints);
  void findContacts(const SleepScene& w);
  void findEvents(std::span<const Touch> touching, double dt);
  bool mark(ObjectId id);
  void wakeMarked(SleepScene& w);
  void wakeForMaterials(SleepScene& w);
  Status wakeForMotion(SleepScene& w, const StepMotion& motion);
  void lieDown(SleepScene& w, std::span<const ObjectId> bodies);
  void publish(const SleepScene& w, double dt, SleepShown& shown);
  void report(SleepScene& w, SleepShown& shown);

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
