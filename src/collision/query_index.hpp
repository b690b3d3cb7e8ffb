// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <mutex>

#include <abut/broad_phase/bvh_broad_phase.hpp>

#include "dynamics/body_table.hpp"

namespace abut::inline v0_1 {

/// Gaps up to 1e-12 of the sizes touch; boxes of queries are wider by twice that share of the
/// radius.
inline constexpr double kTouchReach = 2e-12;
/// A box around all that a shape may touch.
[[nodiscard]] Aabb touchingBox(const Shape& shape, const Pose& pose);

/// The boxes of all bodies where they are now, for queries between steps. Built when the first
/// query after a change asks for it; of several that ask at once, one builds and the others wait.
class QueryIndex {
public:
  /// Bodies have come, gone or moved.
  void changed() { fresh_.store(false, std::memory_order_relaxed); }
  /// The boxes of these bodies.
  const BroadPhase& of(const BodyTable& bodies);

private:
  std::mutex mutex_;
  std::atomic<bool> fresh_ = false;
  BvhBroadPhase boxes_;
};

}  // namespace abut::inline v0_1
