// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/core/object_id.hpp>
#include <abut/core/tasks.hpp>
#include <abut/events/contact_event.hpp>

#include "events/touch.hpp"
#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// What an event has to know of a contact of the step.
struct ContactFacts {
  ObjectPair pair;
  Vec3 impulse;                ///< All that object 1 received [N s].
  double normalImpulse = 0.0;  ///< Of it along the normal [N s].
  double depth = 0.0;          ///< At the beginning, or when `late`; < 0: a gap [m].
  double speed = 0.0;          ///< At the beginning along the normal; < 0 closes [m/s].
  double pull = 0.0;           ///< What the step's forces add to it [m/s^2].
  double late = 0.0;           ///< Time in the step from which on this holds [s].
};

/// Which pairs begin to touch, go on and cease to.
class PairEvents {
public:
  /// Surfaces nearer than this [m] touch. A contact that is farther apart and carries nothing is no
  /// event: its speed and pull may be left open, and so may those of a pair that touched before.
  static constexpr double kTouching = 1e-9;

  /// One event for each pair that touches in a step of dt from `start` on, all of them Begin; the
  /// contacts come sorted by pair. `tasks` may do the work.
  void collect(std::span<const ContactFacts> contacts, double start, double dt, TaskRunner* tasks,
               std::vector<ContactEvent>& events);
  /// Makes those Persist that touched before, and adds End for what no longer touches, in order of
  /// the pairs; `touching` becomes what touches now.
  void merge(std::vector<Touch>& touching, std::vector<ContactEvent>& events,
             std::vector<ObjectPair>& begun, std::vector<ObjectPair>& ended,
             TaskRunner* tasks = nullptr);

  /// A step begins; nothing is to be taken back.
  void beginStep() noexcept { is_merged_ = false; }
  /// Takes back what merge() did to `touching` in this step.
  void undo(std::vector<Touch>& touching) noexcept {
    if (is_merged_) touching.swap(now_);
    is_merged_ = false;
  }

private:
  /// Events of whole pairs.
  struct Part {
    std::size_t begin = 0, end = 0;  ///< Of the contacts.
    std::size_t first = 0;           ///< Of all events.
    std::vector<ContactEvent> events;
  };

  /// Events, and touches before, of the same pairs.
  struct MergePart {
    std::size_t begin = 0, end = 0, firstOld = 0, endOld = 0;
    std::size_t first = 0;  ///< Of all events that there will be.
    std::vector<ObjectPair> begun, ended;
  };

  std::size_t cutMerge(std::span<const Touch> touching, std::span<const ContactEvent> events,
                       TaskRunner* tasks);
  void matchPart(std::span<const Touch> touching, std::span<ContactEvent> events, MergePart& part);
  static void addEnds(std::span<const Touch> touching, std::span<const ContactEvent> events,
                      const MergePart& part, std::span<ContactEvent> merged);
  static void addEndsInPlace(std::span<const Touch> touching, std::size_t numEnded,
                             std::vector<ContactEvent>& events);
  static void collectPart(std::span<const ContactFacts> contacts, double start, double dt,
                          std::vector<ContactEvent>& events);

  std::vector<Part> parts_;
  std::vector<MergePart> merge_parts_;
  bool is_merged_ = false;
  std::vector<Touch> now_;
  std::vector<ContactEvent> merged_;
};

}  // namespace abut::inline v0_1
