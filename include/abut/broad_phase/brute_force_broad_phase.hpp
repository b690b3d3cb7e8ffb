// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <abut/broad_phase/broad_phase.hpp>

namespace abut::inline v0_1 {

/// Tests every box against every other. The reference that the other implementations have to match;
/// fastest below some ten objects.
class BruteForceBroadPhase final : public BroadPhase {
public:
  BruteForceBroadPhase();
  ~BruteForceBroadPhase() override;

  Status add(ObjectId id, const Aabb& box) override;
  Status update(ObjectId id, const Aabb& box) override;
  Status remove(ObjectId id) override;
  void clear() override;
  [[nodiscard]] std::size_t size() const override;
  [[nodiscard]] bool contains(ObjectId id) const override;
  Status getBox(ObjectId id, Aabb& box) const override;
  void prepare() override;
  void computePotentialPairs(std::vector<ObjectPair>& pairs) override;
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
