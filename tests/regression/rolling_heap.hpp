// SPDX-License-Identifier: MIT
// What tests of heaps of balls that roll have in common.
#pragma once

#include <cstdint>

#include <abut/abut.hpp>

namespace abut::test {

/// Numbers about zero, the same everywhere.
class Draw {
public:
  explicit Draw(std::uint32_t seed) : state_(seed) {}
  /// Within `size` of zero.
  double about(double size) {
    state_ = state_ * 1664525u + 1013904223u;
    return (2 * ((state_ >> 8) / 16777216.0) - 1) * size;
  }

private:
  std::uint32_t state_;
};

/// Pose and velocities of the body with this id in another world, which has it.
inline void takeMotion(const World& world, BodyDescription& d) {
  BodyMotion at;
  world.getMotion(d.id, at).orThrow();
  d.position = at.position;
  d.orientation = at.orientation;
  d.linearVelocity = at.linearVelocity;
  d.angularVelocity = at.angularVelocity;
}

}  // namespace abut::test
