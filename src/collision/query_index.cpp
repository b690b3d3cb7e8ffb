// SPDX-License-Identifier: MIT
#include "collision/query_index.hpp"

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

Aabb touchingBox(const Shape& shape, const Pose& pose) {
  Aabb box = shape.computeAabb(pose);
  const double radius = shape.boundingRadius();
  if (isFinite(radius)) box.expand(kTouchReach * radius);
  return box;
}

const BroadPhase& QueryIndex::of(const BodyTable& bodies) {
  if (fresh_.load(std::memory_order_acquire)) return boxes_;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (fresh_.load(std::memory_order_relaxed)) return boxes_;
  boxes_.clear();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyFacts& f = bodies.facts[i];
    if (f.shape) boxes_.add(f.id, touchingBox(*f.shape, bodies.shapePoseOf(i))).orThrow();
  }
  boxes_.prepare();
  fresh_.store(true, std::memory_order_release);
  return boxes_;
}

}  // namespace abut::inline v0_1
