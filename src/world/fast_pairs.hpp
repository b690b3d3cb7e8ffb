// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <abut/core/object_id.hpp>

#include "math/vec3.hpp"

namespace abut {

/// Bodies by index whose relative motion exceeds their size.
struct FastPair {
  std::uint32_t body1 = 0, body2 = 0;
};

/// Fast bodies that meet within the step: when, where their centres are then, and the contacts.
struct FastHit : FastPair {
  double time = 0.0;
  Vec3 center1, center2;
  std::uint32_t firstManifold = 0, endManifold = 0;  ///< Of State::fastDetected.
};

/// Scratch of the stages for fast bodies.
struct FastBuffers {
  std::vector<double> first;       ///< By body: when it first hits.
  std::vector<std::uint8_t> held;  ///< By body: whether ordinary contacts hold it.
  std::vector<FastHit> found;
  std::vector<ObjectId> near, asleep;
};

}  // namespace abut
