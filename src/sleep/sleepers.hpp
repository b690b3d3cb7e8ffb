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
#include "sleep/shown_with_sleepers.hpp"
#include "sleep/sleep_state.hpp"
#include "solver/link_order.hpp"

namespace abut::inline v0_1 {

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

/// What a step shows of bodies awake, and where that of bodies asleep is added.
struct SleepShown {
  std::span<const WorldContact> contacts;  ///< Sorted by pair, as events.
  std::span<const ContactEvent> events;
  ShownWithSleepers& all;
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
/// What the future depends on is SleepState; here is what follows from it, and buffers. Where
/// memory runs out std::bad_alloc is thrown, and each call has done all that it is to do or
/// nothing; after one of a step undo() takes back what the earlier ones did.
class Sleepers {
public:
  /// Wakes what changed materials or what comes near concern, with boxes for a step of dt.
  Status beginStep(SleepScene& w, const StepMotion& motion);
  /// After bodies moved: those of islands that are to sleep stop, and the loss is booked.
  void stopBodies(SleepScene& w, const SleepRule& rule, std::span<const Link> links,
                  const LinkOrder& order, StepMotion& motion, StepBooks& books);
  /// After all is published: what stopped is put apart, and what sleeps is published too, as of a
  /// step of dt. Nothing of the step may fail after it.
  void endStep(SleepScene& w, double dt, SleepShown shown);
  /// Takes back what beginStep() and stopBodies() did, after all that came between.
  void undo(SleepScene& w) noexcept;

  /// A body with its shape at a pose.
  struct Around {
    std::size_t body = 0;
    Pose pose;
  };
  /// Wakes islands: those of these bodies, those that rest on them, and those that touch the bodies
  /// of `around`.
  Status wake(SleepScene& w, std::span<const ObjectId> bodies, std::span<const Around> around = {});
  /// The boxes of all bodies asleep, for a step of dt.
  Status placeBoxes(SleepScene& w, double dt);
  /// Forgets what was derived from the bodies and the cache.
  void changed() { fresh_ = false; }
  /// Nothing is known of a last step.
  void reset();

private:
  void refresh(const SleepScene& w);
  void findIslands(const ContactManifoldCache& cache, const JointTable& joints);
  void findContacts(const SleepScene& w);
  void findEvents(std::span<const Touch> touching, double dt);
  bool mark(ObjectId id);
  Status markAround(SleepScene& w, const Around& around);
  void wakeMarked(SleepScene& w);
  void markForMaterials(const SleepScene& w);
  void moveMarked(SleepScene& w, const StepMotion& motion, std::uint32_t island);
  Status wakeForMotion(SleepScene& w, const StepMotion& motion);
  void lieDown(SleepScene& w, std::span<const ObjectId> bodies);
  void publish(const SleepScene& w, double dt, SleepShown& shown);
  void report(const SleepScene& w, SleepShown& shown) const;

  // Derived from bodies and cache when they have changed.
  bool fresh_ = false;
  std::vector<ObjectId> ids_;           // Sorted.
  std::vector<std::uint32_t> islands_;  // Of each: its smallest member.
  std::vector<WorldContact> contacts_;
  std::vector<ContactEvent> contact_events_;
  std::uint64_t version_ = 0;  // Of both, counted.
  double event_step_ = 0.0, box_step_ = 0.0, greatest_depth_ = 0.0;

  // Buffers.
  std::vector<std::uint8_t> marked_;  // Of each island, by its smallest member.
  bool has_marks_ = false;            // Left by a call that failed.
  std::vector<ObjectId> waking_, stopped_, near_;
  std::vector<std::uint32_t> moving_;
  bool has_woken_ = false;             // In this step; waking_ are the bodies.
  std::vector<BodyRest> rest_before_;  // Before this step, by body.
  std::vector<std::uint8_t> known_;
  CollisionResult result_;
  std::vector<std::uint32_t> places_;
  // What touchings are to be, until nothing can fail any more; then what they were.
  std::vector<Touch> other_awake_, other_asleep_;
};

}  // namespace abut::inline v0_1
