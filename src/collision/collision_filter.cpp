// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <abut/collision/collision_filter.hpp>
#include <abut/collision/collision_object.hpp>

namespace abut::inline v0_1 {
namespace {

Status checkPair(const char* where, ObjectId a, ObjectId b) {
  if (a == kNoObject || b == kNoObject) {
    return Status::failure(StatusCode::OutOfRange,
                           std::string(where) + ": id 0 means no object; give both ids");
  }
  if (a == b) {
    return Status::failure(
        StatusCode::SelfPair,
        std::string(where) + ": both ids are " + std::to_string(a) + "; give two objects", a);
  }
  return {};
}

}  // namespace

bool DefaultCollisionFilter::ignoresCollision(const CollisionObject& object1,
                                              const CollisionObject& object2) const {
  if ((object1.getCategory() & object2.getMask()) == 0) return true;
  if ((object2.getCategory() & object1.getMask()) == 0) return true;
  if (ignored_.empty()) return false;
  return std::binary_search(ignored_.begin(), ignored_.end(),
                            ObjectPair::of(object1.getId(), object2.getId()));
}

Status DefaultCollisionFilter::ignorePair(ObjectId object1, ObjectId object2) {
  Status status = checkPair("DefaultCollisionFilter::ignorePair", object1, object2);
  if (!status) return status;
  const ObjectPair pair = ObjectPair::of(object1, object2);
  const auto place = std::lower_bound(ignored_.begin(), ignored_.end(), pair);
  if (place == ignored_.end() || *place != pair) ignored_.insert(place, pair);
  return {};
}

Status DefaultCollisionFilter::restorePair(ObjectId object1, ObjectId object2) {
  Status status = checkPair("DefaultCollisionFilter::restorePair", object1, object2);
  if (!status) return status;
  const ObjectPair pair = ObjectPair::of(object1, object2);
  const auto place = std::lower_bound(ignored_.begin(), ignored_.end(), pair);
  if (place == ignored_.end() || *place != pair) {
    return Status::failure(StatusCode::UnknownObject,
                           "DefaultCollisionFilter::restorePair: the pair (" +
                               std::to_string(pair.first) + ", " + std::to_string(pair.second) +
                               ") is not left out",
                           pair.first);
  }
  ignored_.erase(place);
  return {};
}

}  // namespace abut::inline v0_1
