// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include <abut/broad_phase/broad_phase.hpp>
#include <abut/core/tasks.hpp>

namespace abut::inline v0_1 {

/// A tree of boxes, built anew along a Hilbert curve whenever pairs are asked for.
///
/// Nothing is carried from step to step: no fat boxes, no refitting, so slow and fast motion cost
/// the same and there is nothing to save in a snapshot. Objects are divided by size into classes
/// with a tree each, so that a few huge boxes do not spoil the tree of the many small ones.
///
/// Cost of a step: O(n) to build, plus the pairs. Memory: about 200 bytes an object and 24 a pair.
class BvhBroadPhase final : public BroadPhase {
public:
  BvhBroadPhase();
  ~BvhBroadPhase() override;

  Status add(ObjectId id, const Aabb& box) override;
  Status update(ObjectId id, const Aabb& box) override;
  Status remove(ObjectId id) override;
  void clear() override;
  /// The same, with nothing left in its buffers.
  void reset();
  [[nodiscard]] std::size_t size() const override;
  [[nodiscard]] bool contains(ObjectId id) const override;
  Status getBox(ObjectId id, Aabb& box) const override;
  void prepare() override;
  void computePotentialPairs(std::vector<ObjectPair>& pairs) override;
  /// The same with the work done by `tasks`, if there are any. Throws abut::Error(LimitExceeded) if
  /// there are more than `limit` pairs, at the latest when twice as many were found.
  void computePotentialPairs(std::vector<ObjectPair>& pairs, TaskRunner* tasks,
                             std::size_t limit = static_cast<std::size_t>(-1));
  Status overlap(const Aabb& box, std::vector<ObjectId>& ids) const override;
  Status raycast(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction,
                 double maxFraction, std::vector<RayCandidate>& candidates) const override;
  Status sweep(const Aabb& box, const Eigen::Vector3d& displacement,
               std::vector<ObjectId>& ids) const override;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace abut::inline v0_1
