// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include <abut/core/float_environment.hpp>

#include "broad_phase/box_tests.hpp"
#include "collision/group_impl.hpp"
#include "core/guard.hpp"
#include "math/vec3.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// More than the rounding of a box distance: three squares, two sums, a root.
constexpr double kBoundRounding = 1e-14;

double gapAlong(double lo1, double hi1, double lo2, double hi2) {
  return maxOf(0.0, maxOf(lo2 - hi1, lo1 - hi2));
}

/// A lower bound for the distance of what the boxes contain [m]; -infinity if they overlap.
double lowerBound(const Box& a, const Box& b) {
  if (overlaps(a, b)) return -kInfinity;
  const Vec3 gap{gapAlong(a.lo.x, a.hi.x, b.lo.x, b.hi.x), gapAlong(a.lo.y, a.hi.y, b.lo.y, b.hi.y),
                 gapAlong(a.lo.z, a.hi.z, b.lo.z, b.hi.z)};
  return norm(gap) * (1.0 - kBoundRounding);
}

/// A first guess for how far to look: the object's own size.
double firstReach(const CollisionObject& object) {
  const double radius = object.getShape().boundingRadius();
  return isFinite(radius) ? radius : 1.0;
}

bool isBetter(double distance, ObjectId id1, ObjectId id2, const GroupDistance& best) {
  if (!best.found || distance != best.result.distance) {
    return !best.found || distance < best.result.distance;
  }
  return ObjectPair{id1, id2} < ObjectPair{best.object1, best.object2};
}

/// A pair further apart than this cannot be the closest.
double horizon(const GroupDistance& best) {
  return best.found ? maxOf(best.result.distance, 0.0) : kInfinity;
}

}  // namespace

void CollisionGroup::Impl::measure(const CollisionObject& object1, const CollisionObject& object2,
                                   GroupDistance& best, GroupReport& report) {
  if (!wants(object1, object2, report)) return;
  DistanceResult result;
  abut::distance(object1.placed(), object2.placed(), result).orThrow();
  if (!isBetter(result.distance, object1.getId(), object2.getId(), best)) return;
  best = {true, object1.getId(), object2.getId(), result};
}

void CollisionGroup::Impl::measureNear(const CollisionObject& object, ObjectId after,
                                       bool skipOwnId, double done, GroupDistance& best,
                                       GroupReport& report) {
  const Aabb own = reachOf(object, 0.0);
  double reach = best.found ? horizon(best) : firstReach(object);
  for (;;) {
    Aabb around = own;
    around.expand(reach * (1.0 + kBoundRounding));
    broadPhase->overlap(isFinite(reach) ? around : Aabb::infinite(), ids).orThrow();
    near.clear();
    for (const ObjectId id : ids) {
      if (id <= after || (skipOwnId && id == object.getId())) continue;
      Aabb box;
      broadPhase->getBox(id, box).orThrow();
      const double bound = lowerBound(toBox(own), toBox(box));
      if (bound < done) continue;  // Measured before.
      near.push_back({bound, id});
    }
    std::sort(near.begin(), near.end(), [](const NearMember& a, const NearMember& b) {
      return a.bound != b.bound ? a.bound < b.bound : a.id < b.id;
    });
    for (const NearMember& member : near) {
      if (best.found && member.bound > best.result.distance) break;
      measure(object, get(member.id), best, report);
    }
    if (horizon(best) <= reach) return;  // Also when all space has been searched.
    done = reach * (1.0 - 2.0 * kBoundRounding);
    reach =
        best.found ? horizon(best) : (ids.size() == broadPhase->size() ? kInfinity : 4.0 * reach);
  }
}

Status CollisionGroup::distance(GroupDistance& result, GroupReport* report) try {
  const FloatEnvironment environment;
  Impl& impl = *impl_;
  impl.setMargin(0.0);
  impl.broadPhase->computePotentialPairs(impl.pairs);
  GroupDistance best;
  GroupReport counted;
  for (const ObjectPair& pair : impl.pairs) {
    impl.measure(impl.get(pair.first), impl.get(pair.second), best, counted);
  }
  if (!best.found || best.result.distance > 0.0) {
    impl.sortedIds(impl.members);
    for (const ObjectId id : impl.members)
      // Overlapping boxes have been looked at above.
      impl.measureNear(impl.get(id), id, false, 0.0, best, counted);
  }
  result = best;
  writeReport(counted, report);
  return {};
} catch (...) {
  return statusOfException();
}

Status CollisionGroup::distance(CollisionGroup& other, GroupDistance& result,
                                GroupReport* report) try {
  const FloatEnvironment environment;
  if (this == &other) {
    return Status::failure(
        StatusCode::SelfPair,
        "CollisionGroup::distance: both groups are the same; use distance(result)");
  }
  other.impl_->setMargin(0.0);
  other.impl_->broadPhase->prepare();
  impl_->sortedIds(impl_->members);
  GroupDistance best;
  GroupReport counted;
  for (const ObjectId id : impl_->members) {
    other.impl_->measureNear(impl_->get(id), kNoObject, false, -kInfinity, best, counted);
  }
  result = best;
  writeReport(counted, report);
  return {};
} catch (...) {
  return statusOfException();
}

Status CollisionGroup::distance(const CollisionObject& object, GroupDistance& result,
                                GroupReport* report) try {
  const FloatEnvironment environment;
  impl_->setMargin(0.0);
  impl_->broadPhase->prepare();
  GroupDistance best;
  GroupReport counted;
  impl_->measureNear(object, kNoObject, object.getId() != kNoObject, -kInfinity, best, counted);
  result = best;
  writeReport(counted, report);
  return {};
} catch (...) {
  return statusOfException();
}

}  // namespace abut::inline v0_1
