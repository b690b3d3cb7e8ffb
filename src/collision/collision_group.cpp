// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>

#include <abut/broad_phase/bvh_broad_phase.hpp>
#include <abut/collision/collision_group.hpp>
#include <abut/core/float_environment.hpp>

#include "collision/group_impl.hpp"
#include "core/guard.hpp"
#include "math/vec3.hpp"

namespace abut::inline v0_1 {
namespace {

Status unknown(const char* where, ObjectId id) {
  return Status::failure(StatusCode::UnknownObject,
                         std::string(where) + ": no object with id " + std::to_string(id) +
                             " in the group; add it first",
                         id);
}

}  // namespace

Aabb reachOf(const CollisionObject& object, double margin) {
  // A gap up to 1e-12 of the pair's size (at most the sum of both radii) touches: twice that share
  // for each. Half the margin is rounded up by the same factor.
  constexpr double kTouchReach = 2e-12;
  Aabb box = object.computeAabb();
  const double radius = object.getShape().boundingRadius();
  box.expand((isFinite(radius) ? kTouchReach * radius : 0.0) + margin * (0.5 + kTouchReach));
  return box;
}

Status checkOption(const CollisionOption& option) {
  if (option.margin >= 0.0 && isFinite(option.margin)) return {};
  return Status::failure(
      StatusCode::OutOfRange,
      "CollisionOption::margin: expected a finite length >= 0 [m], got " + toText(option.margin));
}

CollisionGroup::CollisionGroup(std::unique_ptr<BroadPhase> broadPhase)
    : impl_(std::make_unique<Impl>()) {
  if (broadPhase && broadPhase->size() != 0) {
    throw Error(StatusCode::OutOfRange, "CollisionGroup: the broad phase holds " +
                                            std::to_string(broadPhase->size()) +
                                            " objects; give an empty one");
  }
  impl_->broadPhase = broadPhase ? std::move(broadPhase) : std::make_unique<BvhBroadPhase>();
  setFilter(nullptr);
}

CollisionGroup::~CollisionGroup() = default;
CollisionGroup::CollisionGroup(CollisionGroup&&) noexcept = default;
CollisionGroup& CollisionGroup::operator=(CollisionGroup&&) noexcept = default;

Status CollisionGroup::add(CollisionObject object, ObjectId& id) try {
  const FloatEnvironment environment;
  Impl& impl = *impl_;
  ObjectId newId = object.getId();
  if (newId == kNoObject) {
    newId = impl.nextId;
    while (newId == kNoObject || impl.find(newId) != nullptr) ++newId;
  } else if (impl.find(newId) != nullptr) {
    return Status::failure(
        StatusCode::DuplicateObject,
        "CollisionGroup::add: an object with id " + std::to_string(newId) + " exists", newId);
  }
  // What can throw comes before the first change.
  if (impl.objects.size() == impl.objects.capacity()) {
    impl.objects.reserve(impl.objects.empty() ? 16 : 2 * impl.objects.size());
  }
  impl.slots.reserve(impl.objects.size() + 1);
  Status status = impl.broadPhase->add(newId, reachOf(object, impl.margin));
  if (!status) return status;
  if (object.getId() == kNoObject) impl.nextId = newId + 1;
  object.setId(newId);
  impl.slots.insert(newId, static_cast<std::uint32_t>(impl.objects.size()));
  impl.objects.push_back(std::move(object));
  id = newId;
  return {};
} catch (...) {
  return statusOfException();
}

Status CollisionGroup::add(CollisionObject object) try {
  ObjectId id = kNoObject;
  return add(std::move(object), id);
} catch (...) {
  return statusOfException();
}

Status CollisionGroup::remove(ObjectId id) try {
  Impl& impl = *impl_;
  const std::uint32_t slot = impl.slots.find(id);
  if (slot == IdIndex::kNone) return unknown("CollisionGroup::remove", id);
  Status status = impl.broadPhase->remove(id);
  if (!status) return status;
  impl.slots.erase(id);
  if (slot + 1 != impl.objects.size()) {
    impl.objects[slot] = std::move(impl.objects.back());
    impl.slots.assign(impl.objects[slot].getId(), slot);
  }
  impl.objects.pop_back();
  return {};
} catch (...) {
  return statusOfException();
}

void CollisionGroup::clear() {
  impl_->objects.clear();
  impl_->slots.clear();
  impl_->broadPhase->clear();
  impl_->nextId = 1;
}

Status CollisionGroup::setTransform(ObjectId id, const Eigen::Isometry3d& transform) try {
  const FloatEnvironment environment;
  Impl& impl = *impl_;
  const std::uint32_t slot = impl.slots.find(id);
  if (slot == IdIndex::kNone) return unknown("CollisionGroup::setTransform", id);
  CollisionObject& object = impl.objects[slot];
  const Pose old = object.getPose();
  Status status = object.setTransform(transform);
  if (!status) return status;
  status = impl.broadPhase->update(id, reachOf(object, impl.margin));
  if (!status) object.setPose(old);
  return status;
} catch (...) {
  return statusOfException();
}

Status CollisionGroup::setCategory(ObjectId id, std::uint32_t category, std::uint32_t mask) try {
  const std::uint32_t slot = impl_->slots.find(id);
  if (slot == IdIndex::kNone) return unknown("CollisionGroup::setCategory", id);
  impl_->objects[slot].setCategory(category);
  impl_->objects[slot].setMask(mask);
  return {};
} catch (...) {
  return statusOfException();
}

const CollisionObject* CollisionGroup::find(ObjectId id) const {
  return impl_->find(id);
}

std::size_t CollisionGroup::size() const {
  return impl_->objects.size();
}

void CollisionGroup::getIds(std::vector<ObjectId>& ids) const {
  impl_->sortedIds(ids);
}

void CollisionGroup::setFilter(std::shared_ptr<const CollisionFilter> filter) {
  impl_->filter = filter ? std::move(filter) : std::make_shared<const DefaultCollisionFilter>();
}

void CollisionGroup::Impl::sortedIds(std::vector<ObjectId>& result) const {
  result.clear();
  for (const CollisionObject& object : objects) result.push_back(object.getId());
  std::sort(result.begin(), result.end());
}

void CollisionGroup::Impl::setMargin(double newMargin) {
  if (newMargin == margin) return;
  margin = newMargin;
  for (const CollisionObject& object : objects) {
    // A finite margin cannot make a stored box invalid: it only widens.
    broadPhase->update(object.getId(), reachOf(object, margin)).orThrow();
  }
}

bool CollisionGroup::Impl::wants(const CollisionObject& object1, const CollisionObject& object2,
                                 GroupReport& report) const {
  ++report.pairsFound;
  const bool swap = object2.getId() < object1.getId();
  if (filter->ignoresCollision(swap ? object2 : object1, swap ? object1 : object2)) {
    ++report.pairsIgnored;
    return false;
  }
  if (arePlanes(object1, object2)) {
    ++report.planePairs;
    return false;
  }
  ++report.pairsTested;
  return true;
}

}  // namespace abut::inline v0_1
