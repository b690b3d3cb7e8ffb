// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <abut/dynamics/step_report.hpp>
#include <abut/events/contact_event.hpp>

namespace abut::inline v0_1 {

/// What is published where bodies sleep: that of bodies awake among that of those asleep, which is
/// the same from step to step, so that it is left where it lies as long as it is.
struct ShownWithSleepers {
  bool isUsed = false;  ///< Else what is awake is all.
  /// Which sleepers, as Sleepers counts them; 0: those of no step.
  std::uint64_t version = 0;
  std::vector<WorldContact> contacts;                     ///< Sorted by pair.
  std::vector<ContactEvent> events;                       ///< Sorted by pair.
  std::vector<std::uint32_t> contactPlaces, eventPlaces;  ///< Of those awake.
};

}  // namespace abut::inline v0_1
