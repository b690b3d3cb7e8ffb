// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <abut/events/sensor_event.hpp>
#include <abut/math/aabb.hpp>
#include <abut/narrow_phase/collision_result.hpp>

#include "dynamics/body_table.hpp"
#include "dynamics/division.hpp"
#include "events/sensed.hpp"

namespace abut::inline v0_1 {

/// What sensors see. Cost: the number of bodies times that of sensors, nothing without sensors.
class Sensors {
public:
  /// Before a step: notes where bodies are; of a part of a world also which ones, since they may
  /// come and go.
  void begin(const BodyTable& bodies, const Division* division);
  /// After it: `sensed` becomes what is in sensors now, `events` what that means. The bodies are
  /// those of begin(); of a part of a world some of them may be other ghosts, and what each rank
  /// sees are the bodies that it answers for, with all sensors: those that are dynamic are sent to
  /// all ranks, which all call it.
  void update(const BodyTable& bodies, const Division* division, double time,
              std::vector<Sensed>& sensed, std::vector<SensorEvent>& events);

  /// Where a body was before the step, for a part of a world in which it goes to another rank.
  struct Start {
    ObjectId id = kNoObject;
    Pose pose;
    Quat turn;
  };
  [[nodiscard]] bool isActive() const { return active_; }
  [[nodiscard]] Start getStart(ObjectId id) const;
  void addStart(const Start& start) { came_.push_back(start); }

  /// Takes back what update() did to `sensed` since begin().
  void undo(std::vector<Sensed>& sensed) noexcept {
    if (is_updated_) sensed.swap(kept_);
    is_updated_ = false;
  }

private:
  /// A body's way through the step: its shape's poses, its orientations.
  struct Course {
    const BodyFacts* facts = nullptr;
    Pose start, end;
    Quat from, to;
    Aabb swept;  ///< Box of all of it.
  };
  void findStarts(const BodyTable& bodies);
  [[nodiscard]] Course courseOf(const BodyTable& bodies, std::size_t body) const;
  void findSensors(const BodyTable& bodies, const Division* division);
  void gatherSensors(const BodyTable& bodies, const Division& division);
  [[nodiscard]] static bool mayMeet(const Course& sensor, const Course& body);
  [[nodiscard]] bool isIn(const Course& sensor, const Course& body);
  [[nodiscard]] static bool passesThrough(const Course& sensor, const Course& body);
  void merge(std::vector<Sensed>& sensed, double time, std::vector<SensorEvent>& events);

  struct Seen {
    Sensed what;
    bool passed = false;  // Came and left within the step.
  };
  bool active_ = false, is_updated_ = false;
  std::vector<ObjectId> ids_;      // Bodies at the beginning, of a part of a world.
  std::vector<Pose> start_;        // Of shapes, by body.
  std::vector<Quat> turn_;         // Orientations at the beginning.
  std::vector<Start> came_;        // From other ranks since.
  std::vector<Course> sensors_;    // By id.
  std::vector<BodyRecord> there_;  // Dynamic sensors of other ranks.
  std::vector<Seen> seen_;         // Of this step, sorted.
  std::vector<Sensed> kept_;
  CollisionResult result_;
};

}  // namespace abut::inline v0_1
