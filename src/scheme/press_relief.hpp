// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <abut/dynamics/step_report.hpp>

#include "integration/limited_drivers.hpp"
#include "solver/press.hpp"

namespace abut::inline v0_1 {

/// An island's contacts as they may be a press.
struct PressedIsland {
  std::uint32_t number = 0;                ///< Of the island: its solves count once.
  std::span<const BodyMobility> mobility;  ///< By the contacts' body indices.
  std::span<SolverContact> contacts;
  std::span<const BodyVelocity> velocities;
  std::span<const std::uint32_t> bodyOf;  ///< Table indices; empty if the contacts' are.
};

/// Presses of a step: where contacts ask for what cannot be, their bounds become those of the least
/// squares (PressFinder), so that impulses stay bounded; the report says so.
class PressRelief {
public:
  /// Before the solves of a step.
  void begin();
  /// Lowers the bounds of an island's contacts if it is a press, tells of it, and gives impulses
  /// along the normals that squeeze without moving anything. False, with nothing changed, if it is
  /// none. Bodies have the given ids.
  bool relieve(const PressedIsland& island, std::span<const ObjectId> ids, StepReport& report);
  /// Lowers the bounds of contacts that ask for what cannot be, with that much to spare, as a part
  /// of what each lacks; tells nobody. False, with nothing changed, if they can be kept.
  bool ease(std::span<const BodyMobility> mobility, std::span<SolverContact> contacts,
            std::span<const BodyVelocity> velocities, double spare);
  /// Whether an island of the step is a press, by its number.
  [[nodiscard]] bool isPress(std::uint32_t number) const {
    return std::find(counted_.begin(), counted_.end(), number) != counted_.end();
  }
  /// Of each contact of that press: an impulse to start from [N s].
  [[nodiscard]] double squeezeOf(std::size_t contact) const {
    return finder_.getSqueeze() * finder_.getClosing()[contact];
  }
  /// Of each contact of that press: what its bound was lowered by [m/s].
  [[nodiscard]] double closingOf(std::size_t contact) const {
    return finder_.getClosing()[contact];
  }
  /// Drives with limits learn that they meet what does not give way.
  void tell(LimitedDrivers& drivers) const;

private:
  struct Push {
    std::uint32_t body = 0;
    Vec3 impulse, moment;
  };

  PressFinder finder_;
  std::vector<std::uint32_t> counted_;
  std::vector<Push> pushes_;
};

}  // namespace abut::inline v0_1
