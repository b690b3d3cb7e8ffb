// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <abut/dynamics/mobility.hpp>

#include "math/pose.hpp"
#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// How all bodies go through the step that is being made, by index in the table, world frame.
/// Nothing of it is state: the step's last stage makes the new places and velocities those of the
/// table.
struct StepMotion {
  std::vector<BodyVelocity> startVelocity;  ///< At the beginning, along paths where they lead.
  /// As the step found them, drivers at their velocities of the last step, where drivers that
  /// accelerate carry bodies along: then startVelocity is that after it. Empty if none does.
  std::vector<BodyVelocity> foundVelocity;
  std::vector<BodyVelocity> impactedVelocity;  ///< After the impacts of the step.
  std::vector<BodyVelocity> endVelocity;
  std::vector<Vec3> freeSpin;         ///< Angular velocity after free rotation [rad/s].
  std::vector<Quat> freeOrientation;  ///< After free rotation.
  std::vector<Vec3> newPosition;      ///< Of the centres of mass at the end [m].
  std::vector<Quat> newOrientation;   ///< At the end.
  /// When in the step the impact of a fast body is [s]; 0: none. Empty if no body has one.
  std::vector<double> lateTime;
  /// Bodies that go as the blows of the step sent them (1), and that were cast against all that is
  /// near these ways (2). Empty if there are none.
  std::vector<std::uint8_t> foreseen;
  /// Compliance that the contacts of a body's island are to have in the next step; empty in a
  /// scheme without.
  std::vector<double> softness;
  /// 1 for bodies that joints hold, or that such bodies touch: the stage of joints moves them.
  /// Empty if there are none.
  std::vector<std::uint8_t> jointed;
  /// Their islands, one after the other, and where each ends.
  std::vector<std::uint32_t> jointedBodies, jointedEnds;
  /// Bodies of which a contact is left out because it is of an edge between two that lie flush: by
  /// index, the smaller first, sorted. They may touch there.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> flush;
  std::size_t jointedLinked = 0;  ///< Islands before those of one body that nothing else touches.

  /// How a body that is no driver moved at the very beginning.
  [[nodiscard]] const BodyVelocity& foundAt(std::size_t body) const {
    return foundVelocity.empty() ? startVelocity[body] : foundVelocity[body];
  }
  /// Whether all meetings of two bodies were found by their ways.
  [[nodiscard]] bool isForeseen(std::size_t body1, std::size_t body2) const {
    return !foreseen.empty() && (foreseen[body1] & foreseen[body2] & 1) != 0 &&
           ((foreseen[body1] | foreseen[body2]) & 2) != 0;
  }
  [[nodiscard]] bool areFlush(std::size_t body1, std::size_t body2) const {
    const std::pair<std::uint32_t, std::uint32_t> pair(std::min(body1, body2),
                                                       std::max(body1, body2));
    return !flush.empty() && std::binary_search(flush.begin(), flush.end(), pair);
  }
  [[nodiscard]] bool isJointed(std::size_t body) const {
    return !jointed.empty() && jointed[body] != 0;
  }
};

}  // namespace abut::inline v0_1
