// SPDX-License-Identifier: MIT
#include <abut/world/world_queries.hpp>

#include "collision/body_queries.hpp"
#include "core/guard.hpp"
#include "world/world_access.hpp"

namespace abut::inline v0_1 {

WorldQueries::WorldQueries() : state_(std::make_unique<WorldState>()) {}
WorldQueries::~WorldQueries() = default;
WorldQueries::WorldQueries(WorldQueries&&) noexcept = default;
WorldQueries& WorldQueries::operator=(WorldQueries&&) noexcept = default;

Status WorldQueries::raycast(const WorldRay& ray, const QueryFilter& filter,
                             std::optional<WorldRayHit>& hit) const try {
  return BodyQueries(state_->bodies, state_->queries).raycast(ray, filter, hit);
} catch (...) {
  return statusOfException();
}

Status WorldQueries::raycastAll(const WorldRay& ray, const QueryFilter& filter,
                                std::vector<WorldRayHit>& hits) const try {
  return BodyQueries(state_->bodies, state_->queries).raycastAll(ray, filter, hits);
} catch (...) {
  return statusOfException();
}

Status WorldQueries::shapeCast(const Shape& shape, const Pose& start, const Motion& motion,
                               const QueryFilter& filter, CastResult& result) const try {
  return BodyQueries(state_->bodies, state_->queries)
      .shapeCast(shape, start, motion, filter, result);
} catch (...) {
  return statusOfException();
}

Status WorldQueries::overlap(const Shape& shape, const Pose& pose, const QueryFilter& filter,
                             std::vector<ObjectId>& found) const try {
  return BodyQueries(state_->bodies, state_->queries).overlap(shape, pose, filter, found);
} catch (...) {
  return statusOfException();
}

Status WorldQueries::closest(const Shape& shape, const Pose& pose, double within,
                             const QueryFilter& filter, std::optional<WorldDistance>& result) const
    try {
  return BodyQueries(state_->bodies, state_->queries).closest(shape, pose, within, filter, result);
} catch (...) {
  return statusOfException();
}

Status WorldQueries::distance(ObjectId body1, ObjectId body2, DistanceResult& result) const try {
  return BodyQueries(state_->bodies, state_->queries).distance(body1, body2, result);
} catch (...) {
  return statusOfException();
}

std::optional<WorldRayHit> WorldQueries::raycast(const WorldRay& ray,
                                                 const QueryFilter& filter) const {
  std::optional<WorldRayHit> hit;
  raycast(ray, filter, hit).orThrow();
  return hit;
}

std::vector<WorldRayHit> WorldQueries::raycastAll(const WorldRay& ray,
                                                  const QueryFilter& filter) const {
  std::vector<WorldRayHit> hits;
  raycastAll(ray, filter, hits).orThrow();
  return hits;
}

CastResult WorldQueries::shapeCast(const Shape& shape, const Pose& start, const Motion& motion,
                                   const QueryFilter& filter) const {
  CastResult result;
  shapeCast(shape, start, motion, filter, result).orThrow();
  return result;
}

std::vector<ObjectId> WorldQueries::overlap(const Shape& shape, const Pose& pose,
                                            const QueryFilter& filter) const {
  std::vector<ObjectId> found;
  overlap(shape, pose, filter, found).orThrow();
  return found;
}

std::optional<WorldDistance> WorldQueries::closest(const Shape& shape, const Pose& pose,
                                                   double within, const QueryFilter& filter) const {
  std::optional<WorldDistance> result;
  closest(shape, pose, within, filter, result).orThrow();
  return result;
}

DistanceResult WorldQueries::distance(ObjectId body1, ObjectId body2) const {
  DistanceResult result;
  distance(body1, body2, result).orThrow();
  return result;
}

}  // namespace abut::inline v0_1
