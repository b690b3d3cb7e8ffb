// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <abut/collision/body_query.hpp>
#include <abut/core/float_environment.hpp>
#include <abut/narrow_phase/cast.hpp>

#include "collision/query_index.hpp"

namespace abut::inline v0_1 {

/// The queries of a world, on its bodies and their boxes: see WorldQueries, whose names messages
/// bear. What a query finds is written when it is whole; a query that fails writes nothing.
class BodyQueries {
public:
  BodyQueries(const BodyTable& bodies, QueryIndex& index);

  Status raycast(const WorldRay& ray, const QueryFilter& filter,
                 std::optional<WorldRayHit>& hit) const;
  Status raycastAll(const WorldRay& ray, const QueryFilter& filter,
                    std::vector<WorldRayHit>& hits) const;
  Status shapeCast(const Shape& shape, const Pose& start, const Motion& motion,
                   const QueryFilter& filter, CastResult& result) const;
  Status overlap(const Shape& shape, const Pose& pose, const QueryFilter& filter,
                 std::vector<ObjectId>& found) const;
  Status closest(const Shape& shape, const Pose& pose, double within, const QueryFilter& filter,
                 std::optional<WorldDistance>& result) const;
  Status distance(ObjectId body1, ObjectId body2, DistanceResult& result) const;

private:
  /// Hits along a ray by where their boxes begin; `take` says how far along it others matter.
  template <typename Take>
  Status hitsAlong(const WorldRay& ray, const QueryFilter& filter, Take take) const;

  FloatEnvironment environment_;
  const BodyTable& bodies_;
  QueryIndex& index_;
};

}  // namespace abut::inline v0_1
