// SPDX-License-Identifier: MIT
#pragma once

#include <compare>

#include <abut/core/object_id.hpp>

namespace abut::inline v0_1 {

/// A body that is in a sensor.
struct Sensed {
  ObjectId sensor = kNoObject, body = kNoObject;
  double since = 0.0;  ///< [s]

  friend bool operator<(const Sensed& a, const Sensed& b) {
    return a.sensor != b.sensor ? a.sensor < b.sensor : a.body < b.body;
  }
};

}  // namespace abut::inline v0_1
