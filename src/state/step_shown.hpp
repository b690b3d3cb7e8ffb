// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <abut/dynamics/step_report.hpp>
#include <abut/events/contact_event.hpp>
#include <abut/events/sensor_event.hpp>
#include <abut/joints/joint.hpp>
#include <abut/ledger/ledger.hpp>

#include "joints/joint_shown.hpp"

namespace abut::inline v0_1 {

/// What a step shows to callers. The step that is being made fills one; it takes the place of the
/// last step's once nothing can fail any more.
struct StepShown {
  StepReport report;
  EnergyAccount account;
  std::vector<WorldContact> contacts;              ///< Sorted by pair, deeper first.
  std::vector<DriverReport> drivers;               ///< Sorted by body.
  std::vector<ContactEvent> events;                ///< Sorted by pair.
  std::vector<ObjectPair> begunPairs, endedPairs;  ///< Of the events.
  std::vector<SleepEvent> sleepEvents;             ///< Sorted by body.
  std::vector<SensorEvent> sensorEvents;           ///< Sorted by (sensor, body).
  std::vector<JointShown> joints;                  ///< Of joints that are awake, by id.
  std::vector<JointEvent> jointEvents;             ///< By id.

  /// As before the first step; keeps its memory.
  void clear() {
    restart();
    contacts.clear();
  }
  /// The same but for the contacts, which a step overwrites one by one.
  void restart() {
    report = {};
    account = {};
    drivers.clear();
    events.clear();
    begunPairs.clear();
    endedPairs.clear();
    sleepEvents.clear();
    sensorEvents.clear();
    joints.clear();
    jointEvents.clear();
  }
};

}  // namespace abut::inline v0_1
