// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <abut/collision/body_query.hpp>
#include <abut/core/object_id.hpp>
#include <abut/narrow_phase/cast.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/world/state_handle.hpp>

namespace abut::inline v0_1 {

struct WorldState;

/// The queries of a World, of its bodies where they are now, asleep or awake.
///
/// They change nothing and may run on many threads at once as long as nobody changes the world; the
/// first after a change takes time in proportion to the bodies. Equals go by the smaller id. Forms
/// without a Status throw abut::Error where the others fail: with NonFinite, OutOfRange or
/// NotARotation for a ray, pose or motion that is none.
class WorldQueries {
public:
  /// First hit of a ray.
  [[nodiscard]] std::optional<WorldRayHit> raycast(const WorldRay& ray,
                                                   const QueryFilter& filter = {}) const;
  Status raycast(const WorldRay& ray, const QueryFilter& filter,
                 std::optional<WorldRayHit>& hit) const;
  /// The first hit on each body, sorted by (fraction, body); replaces `hits`.
  [[nodiscard]] std::vector<WorldRayHit> raycastAll(const WorldRay& ray,
                                                    const QueryFilter& filter = {}) const;
  Status raycastAll(const WorldRay& ray, const QueryFilter& filter,
                    std::vector<WorldRayHit>& hits) const;
  /// The first body that a shape touches on its way; object 2 of the result is the body.
  [[nodiscard]] CastResult shapeCast(const Shape& shape, const Pose& start, const Motion& motion,
                                     const QueryFilter& filter = {}) const;
  Status shapeCast(const Shape& shape, const Pose& start, const Motion& motion,
                   const QueryFilter& filter, CastResult& result) const;
  /// Bodies that a shape touches or overlaps, ascending; replaces `bodies`.
  [[nodiscard]] std::vector<ObjectId> overlap(const Shape& shape, const Pose& pose,
                                              const QueryFilter& filter = {}) const;
  Status overlap(const Shape& shape, const Pose& pose, const QueryFilter& filter,
                 std::vector<ObjectId>& bodies) const;
  /// The body nearest to a shape within a distance [m], or the one it overlaps deepest.
  [[nodiscard]] std::optional<WorldDistance> closest(const Shape& shape, const Pose& pose,
                                                     double within,
                                                     const QueryFilter& filter = {}) const;
  Status closest(const Shape& shape, const Pose& pose, double within, const QueryFilter& filter,
                 std::optional<WorldDistance>& result) const;
  /// Signed distance of two bodies. Fails with SelfPair, and with NullObject without a shape.
  [[nodiscard]] DistanceResult distance(ObjectId body1, ObjectId body2) const;
  Status distance(ObjectId body1, ObjectId body2, DistanceResult& result) const;

protected:
  friend struct WorldAccess;  // By which parts of the library read the state of another's world.

  WorldQueries();
  ~WorldQueries();
  WorldQueries(WorldQueries&&) noexcept;
  WorldQueries& operator=(WorldQueries&&) noexcept;

  StateHandle state_;
};

}  // namespace abut::inline v0_1
