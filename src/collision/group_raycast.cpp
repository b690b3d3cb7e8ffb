// SPDX-License-Identifier: MIT
#include <algorithm>

#include <abut/core/float_environment.hpp>

#include "collision/group_impl.hpp"
#include "core/guard.hpp"

namespace abut::inline v0_1 {

Status CollisionGroup::raycast(const Ray& ray, bool& found, GroupRayHit& hit,
                               std::uint32_t mask) try {
  const FloatEnvironment environment;
  Impl& impl = *impl_;
  impl.broadPhase->prepare();
  Status status =
      impl.broadPhase->raycast(ray.origin, ray.direction, ray.maxFraction, impl.candidates);
  if (!status) return status;
  bool hasBest = false;
  GroupRayHit best;
  for (const RayCandidate& candidate : impl.candidates) {
    if (hasBest && candidate.entry > best.hit.fraction) break;
    const CollisionObject& object = impl.get(candidate.id);
    if ((object.getCategory() & mask) == 0) continue;
    bool hits = false;
    RayHit here;
    status = abut::raycast(object.placed(), ray, hits, here);
    if (!status) return status;
    if (!hits) continue;
    if (hasBest && (here.fraction > best.hit.fraction ||
                    (here.fraction == best.hit.fraction && candidate.id > best.object))) {
      continue;
    }
    hasBest = true;
    best = {candidate.id, here};
  }
  found = hasBest;
  if (hasBest) hit = best;
  return {};
} catch (...) {
  return statusOfException();
}

Status CollisionGroup::raycastAll(const Ray& ray, std::vector<GroupRayHit>& hits,
                                  std::uint32_t mask) try {
  const FloatEnvironment environment;
  Impl& impl = *impl_;
  impl.broadPhase->prepare();
  Status status =
      impl.broadPhase->raycast(ray.origin, ray.direction, ray.maxFraction, impl.candidates);
  if (!status) return status;
  hits.clear();
  for (const RayCandidate& candidate : impl.candidates) {
    const CollisionObject& object = impl.get(candidate.id);
    if ((object.getCategory() & mask) == 0) continue;
    bool found = false;
    RayHit hit;
    abut::raycast(object.placed(), ray, found, hit).orThrow();  // The ray has been checked.
    if (found) hits.push_back({candidate.id, hit});
  }
  std::sort(hits.begin(), hits.end(), [](const GroupRayHit& a, const GroupRayHit& b) {
    return a.hit.fraction != b.hit.fraction ? a.hit.fraction < b.hit.fraction : a.object < b.object;
  });
  return {};
} catch (...) {
  return statusOfException();
}

}  // namespace abut::inline v0_1
