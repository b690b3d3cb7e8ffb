// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "dynamics/body_table.hpp"

namespace abut::inline v0_1 {

/// A body's columns and facts as one record.
struct BodyRecord {
  BodyFacts facts;
  std::uint64_t hasShape = 0;
  Vec3 position;
  Quat orientation;
  BodyVelocity velocity;
  Vec3 force, torque;
  BodyRest rest;
  double softness = 0.0;
  std::uint64_t mark = 0;  ///< No part of the state.
};

/// BodyRecord::hasShape: whether it has one, whether its softness follows, its filter, the bodies
/// that it is excluded from, its drive's limits, its velocity before the one that was set; whether
/// it is a sensor.
inline constexpr std::uint64_t kHasShape = 1, kIsSoft = 2, kHasFilter = 4, kHasExclusions = 8,
                               kIsSensor = 16, kIsLimited = 32, kWasSet = 64, kAllOfBody = 127;
/// Softness beyond this no solve asks for.
inline constexpr double kSoftest = 1e3;

[[nodiscard]] BodyRecord recordOf(const BodyTable& bodies, std::size_t i);

/// Whether such a body can be in a world: all but its materials, shape, path and place in the
/// table.
[[nodiscard]] bool isPossible(const BodyRecord& record);

/// Adds a body that can be and whose id is above all others.
void append(BodyRecord& record, BodyTable& bodies);

}  // namespace abut::inline v0_1
