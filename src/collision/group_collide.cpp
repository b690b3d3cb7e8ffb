// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <abut/core/float_environment.hpp>

#include "collision/group_impl.hpp"
#include "core/guard.hpp"

namespace abut::inline v0_1 {

bool CollisionGroup::Impl::collidePair(const CollisionObject& object1,
                                       const CollisionObject& object2,
                                       const CollisionOption& option, CollisionResult& result) {
  // Options are checked and pairs of planes left out, so this cannot fail.
  if (option.enableContact) {
    abut::collide(object1.placed(), object2.placed(), option, result).orThrow();
    return false;
  }
  yesOrNo.clear();
  abut::collide(object1.placed(), object2.placed(), option, yesOrNo).orThrow();
  if (!yesOrNo.isCollision()) return false;
  result.markCollision();
  return true;
}

bool CollisionGroup::Impl::collideObject(const CollisionObject& object, bool skipOwnId,
                                         const CollisionOption& option, CollisionResult& result,
                                         GroupReport& report) {
  broadPhase->overlap(reachOf(object, option.margin), ids).orThrow();
  for (const ObjectId id : ids) {
    if (skipOwnId && id == object.getId()) continue;
    const CollisionObject& member = get(id);
    if (wants(object, member, report) && collidePair(object, member, option, result)) {
      return true;
    }
  }
  return false;
}

Status CollisionGroup::collide(const CollisionOption& option, CollisionResult& result,
                               GroupReport* report) try {
  const FloatEnvironment environment;
  Status status = checkOption(option);
  if (!status) return status;
  Impl& impl = *impl_;
  impl.setMargin(option.margin);
  impl.broadPhase->computePotentialPairs(impl.pairs);
  GroupReport counted;
  for (const ObjectPair& pair : impl.pairs) {
    const CollisionObject &first = impl.get(pair.first), &second = impl.get(pair.second);
    if (impl.wants(first, second, counted) && impl.collidePair(first, second, option, result)) {
      break;
    }
  }
  writeReport(counted, report);
  return {};
} catch (...) {
  return statusOfException();
}

Status CollisionGroup::collide(CollisionGroup& other, const CollisionOption& option,
                               CollisionResult& result, GroupReport* report) try {
  const FloatEnvironment environment;
  if (this == &other) {
    return Status::failure(
        StatusCode::SelfPair,
        "CollisionGroup::collide: both groups are the same; use collide(option, result)");
  }
  Status status = checkOption(option);
  if (!status) return status;
  other.impl_->setMargin(option.margin);
  other.impl_->broadPhase->prepare();
  impl_->sortedIds(impl_->members);
  GroupReport counted;
  for (const ObjectId id : impl_->members) {
    if (other.impl_->collideObject(impl_->get(id), false, option, result, counted)) break;
  }
  writeReport(counted, report);
  return {};
} catch (...) {
  return statusOfException();
}

Status CollisionGroup::collide(const CollisionObject& object, const CollisionOption& option,
                               CollisionResult& result, GroupReport* report) try {
  const FloatEnvironment environment;
  Status status = checkOption(option);
  if (!status) return status;
  impl_->setMargin(option.margin);
  impl_->broadPhase->prepare();
  GroupReport counted;
  impl_->collideObject(object, object.getId() != kNoObject, option, result, counted);
  writeReport(counted, report);
  return {};
} catch (...) {
  return statusOfException();
}

Status CollisionGroup::collidePairs(std::span<const ObjectPair> pairs,
                                    const CollisionOption& option, CollisionResult& result,
                                    GroupReport* report) try {
  const FloatEnvironment environment;
  Status status = checkOption(option);
  if (!status) return status;
  Impl& impl = *impl_;
  impl.pairs.clear();
  for (const ObjectPair& pair : pairs) {
    if (pair.first == pair.second) {
      return Status::failure(StatusCode::SelfPair,
                             "CollisionGroup::collidePairs: a pair names object " +
                                 std::to_string(pair.first) + " twice",
                             pair.first);
    }
    for (const ObjectId id : {pair.first, pair.second}) {
      if (impl.find(id) != nullptr) continue;
      return Status::failure(StatusCode::UnknownObject,
                             "CollisionGroup::collidePairs: no object with id " +
                                 std::to_string(id) + " in the group; add it first",
                             id);
    }
    impl.pairs.push_back(ObjectPair::of(pair.first, pair.second));
  }
  std::sort(impl.pairs.begin(), impl.pairs.end());
  impl.pairs.erase(std::unique(impl.pairs.begin(), impl.pairs.end()), impl.pairs.end());
  GroupReport counted;
  for (const ObjectPair& pair : impl.pairs) {
    const CollisionObject &first = impl.get(pair.first), &second = impl.get(pair.second);
    ++counted.pairsFound;
    if (arePlanes(first, second)) {
      ++counted.planePairs;
      continue;
    }
    ++counted.pairsTested;
    if (impl.collidePair(first, second, option, result)) break;
  }
  writeReport(counted, report);
  return {};
} catch (...) {
  return statusOfException();
}

}  // namespace abut::inline v0_1
