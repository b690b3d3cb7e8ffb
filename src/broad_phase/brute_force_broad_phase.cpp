// SPDX-License-Identifier: MIT
#include <abut/broad_phase/brute_force_broad_phase.hpp>
#include <abut/core/float_environment.hpp>

#include "broad_phase/box_store.hpp"

namespace abut::inline v0_1 {

struct BruteForceBroadPhase::Impl {
  BoxStore store;
};

BruteForceBroadPhase::BruteForceBroadPhase() : impl_(std::make_unique<Impl>()) {}
BruteForceBroadPhase::~BruteForceBroadPhase() = default;

Status BruteForceBroadPhase::add(ObjectId id, const Aabb& box) {
  return impl_->store.add(id, box);
}

Status BruteForceBroadPhase::update(ObjectId id, const Aabb& box) {
  bool changed = false;
  return impl_->store.update(id, box, changed);
}

Status BruteForceBroadPhase::remove(ObjectId id) {
  return impl_->store.remove(id);
}

void BruteForceBroadPhase::clear() {
  impl_->store.clear();
}

std::size_t BruteForceBroadPhase::size() const {
  return impl_->store.size();
}

bool BruteForceBroadPhase::contains(ObjectId id) const {
  return impl_->store.contains(id);
}

Status BruteForceBroadPhase::getBox(ObjectId id, Aabb& box) const {
  return impl_->store.getBox(id, box);
}

void BruteForceBroadPhase::prepare() {
  impl_->store.order();
}

void BruteForceBroadPhase::computePotentialPairs(std::vector<ObjectPair>& pairs) {
  prepare();
  pairs.clear();
  const std::vector<ObjectId>& ids = impl_->store.getIds();
  const std::vector<Box>& boxes = impl_->store.getBoxes();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (std::size_t j = i + 1; j < ids.size(); ++j) {
      if (overlaps(boxes[i], boxes[j])) pairs.push_back({ids[i], ids[j]});
    }
  }
}

Status BruteForceBroadPhase::overlap(const Aabb& aabb, std::vector<ObjectId>& ids) const {
  const Box box = toBox(aabb);
  Status status = checkBox("BroadPhase::overlap", box, kNoObject);
  if (status) impl_->store.overlapLinear(box, ids);
  return status;
}

Status BruteForceBroadPhase::raycast(const Eigen::Vector3d& origin,
                                     const Eigen::Vector3d& direction, double maxFraction,
                                     std::vector<RayCandidate>& candidates) const {
  const FloatEnvironment environment;
  const Sweep ray{
      toBox({origin, origin}), {direction.x(), direction.y(), direction.z()}, maxFraction};
  Status status = checkSweep("BroadPhase::raycast", ray, false);
  if (status) impl_->store.raycastLinear(ray, candidates);
  return status;
}

Status BruteForceBroadPhase::sweep(const Aabb& box, const Eigen::Vector3d& displacement,
                                   std::vector<ObjectId>& ids) const {
  const FloatEnvironment environment;
  const Sweep sweep{toBox(box), {displacement.x(), displacement.y(), displacement.z()}, 1.0};
  Status status = checkSweep("BroadPhase::sweep", sweep, true);
  if (status) impl_->store.sweepLinear(sweep, ids);
  return status;
}

}  // namespace abut::inline v0_1
