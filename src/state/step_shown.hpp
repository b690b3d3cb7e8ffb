// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/dynamics/step_report.hpp>
#include <abut/events/contact_event.hpp>
#include <abut/events/sensor_event.hpp>
#include <abut/joints/joint.hpp>
#include <abut/ledger/ledger.hpp>

#include "joints/joint_shown.hpp"
#include "sleep/shown_with_sleepers.hpp"

namespace abut::inline v0_1 {

/// An island of a part of a world that is divided among ranks, as it is known on all of them.
struct ShownIsland {
  /// Of contacts; of joints; of a body that joints alone hold, and no other body.
  static constexpr std::uint32_t kContacts = 0, kJoints = 1, kAlone = 2;

  ObjectId label = kNoObject;  ///< Its smallest body.
  std::uint32_t part = 0;      ///< Substep.
  std::uint32_t kind = 0;
  std::uint64_t isCounted = 0;  ///< Here, and not on another rank.
};

/// What a step shows to callers. The step that is being made fills one; it takes the place of the
/// last step's once nothing can fail any more.
struct StepShown {
  StepReport report;
  EnergyAccount account;
  std::vector<WorldContact> contacts;              ///< Of bodies awake, by pair, deeper first.
  std::vector<DriverReport> drivers;               ///< Sorted by body.
  std::vector<ContactEvent> events;                ///< Of bodies awake, sorted by pair.
  ShownWithSleepers withSleepers;                  ///< The same with those asleep.
  std::vector<ObjectPair> begunPairs, endedPairs;  ///< Of the events.
  std::vector<SleepEvent> sleepEvents;             ///< Sorted by body.
  std::vector<SensorEvent> sensorEvents;           ///< Sorted by (sensor, body).
  std::vector<JointShown> joints;                  ///< Of joints that are awake, by id.
  std::vector<JointEvent> jointEvents;             ///< By id.
  std::vector<std::uint32_t> jointParts;           ///< Of these, of several substeps: which.
  std::vector<ShownIsland> islands;                ///< Of a part: those that contacts count.

  [[nodiscard]] std::span<const WorldContact> allContacts() const {
    return withSleepers.isUsed ? withSleepers.contacts : contacts;
  }
  [[nodiscard]] std::span<const ContactEvent> allEvents() const {
    return withSleepers.isUsed ? withSleepers.events : events;
  }

  /// As before the first step; keeps its memory.
  void clear() {
    restart();
    contacts.clear();
    withSleepers.version = 0;
  }
  /// The same but for the contacts, which a step overwrites one by one.
  void restart() {
    report = {};
    account = {};
    drivers.clear();
    events.clear();
    withSleepers.isUsed = false;
    begunPairs.clear();
    endedPairs.clear();
    sleepEvents.clear();
    sensorEvents.clear();
    joints.clear();
    jointEvents.clear();
    jointParts.clear();
    islands.clear();
  }
};

}  // namespace abut::inline v0_1
