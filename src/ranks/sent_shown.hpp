// SPDX-License-Identifier: MIT
//
// What a step shows, on its way from rank to rank.
#pragma once

#include <cstdint>

#include <abut/dynamics/step_report.hpp>
#include <abut/events/contact_event.hpp>

#include "state/step_shown.hpp"

namespace abut::inline v0_1 {

/// A contact, with its island in place of that one's number.
struct SentContact {
  ObjectId object1, object2;
  double numbers[20];
  double friction;
  ShownIsland island;
  std::uint64_t id;
};
[[nodiscard]] SentContact toSent(const WorldContact& contact, const ShownIsland& island);
/// Its island is left open.
[[nodiscard]] WorldContact toContact(const SentContact& contact);

struct SentEvent {
  ObjectId object1, object2;
  std::uint64_t kind;
  double since, normalImpulse, impulse[3];
};
[[nodiscard]] SentEvent toSent(const ContactEvent& event);
[[nodiscard]] ContactEvent toEvent(const SentEvent& event);

struct SentDriver {
  ObjectId body;
  double work, force[3], torque[3];
  std::uint64_t stalled;
};
[[nodiscard]] SentDriver toSent(const DriverReport& driver);
[[nodiscard]] DriverReport toDriver(const SentDriver& driver);

/// A joint that broke in a substep.
struct SentBreak {
  JointEvent event;
  std::uint64_t part;
};

}  // namespace abut::inline v0_1
