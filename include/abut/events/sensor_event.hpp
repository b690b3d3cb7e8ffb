// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <abut/core/object_id.hpp>

namespace abut::inline v0_1 {

/// What a sensor saw of a body in a step. A body is in a sensor if it overlaps or touches it at the
/// end of the step; one that passes through within the step begins and ends in it.
struct SensorEvent {
  enum class Kind : std::uint8_t {
    Begin,    ///< Is in it, and was not at the end of the step before.
    Persist,  ///< Is in it, and was.
    End,      ///< Is not in it any more; also if it was removed or may not touch the sensor now.
  };

  Kind kind = Kind::Begin;
  ObjectId sensor = kNoObject, body = kNoObject;
  double since = 0.0;  ///< Time of the world at the end of the step in which it came [s].
};

}  // namespace abut::inline v0_1
