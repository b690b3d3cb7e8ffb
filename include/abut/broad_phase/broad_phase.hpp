// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include <abut/core/object_id.hpp>
#include <abut/core/status.hpp>
#include <abut/math/aabb.hpp>

namespace abut::inline v0_1 {

/// A box that a ray reaches.
struct RayCandidate {
  double entry = 0.0;  ///< Where the ray enters the box, in multiples of the direction; never late.
  ObjectId id = kNoObject;
};

/// Finds the pairs of objects whose boxes overlap. Sees ids and world boxes only.
///
/// Every output is a set in sorted order. It depends on the ids and boxes present and on nothing
/// else: not on the implementation, the order of insertion, or what was there before. Touching
/// boxes overlap. Boxes may have infinite sides (half-spaces).
///
/// Failures: DuplicateObject or UnknownObject for an id; OutOfRange for kNoObject and for a box
/// with min > max; NonFinite for a NaN, and for a min of +infinity or a max of -infinity. A call
/// that fails changes nothing.
class BroadPhase {
public:
  virtual ~BroadPhase() = default;
  BroadPhase() = default;
  BroadPhase(const BroadPhase&) = delete;
  BroadPhase& operator=(const BroadPhase&) = delete;

  virtual Status add(ObjectId id, const Aabb& box) = 0;
  /// Gives a known object a new box. Fastest when called in the order of the ids.
  virtual Status update(ObjectId id, const Aabb& box) = 0;
  virtual Status remove(ObjectId id) = 0;
  virtual void clear() = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual bool contains(ObjectId id) const = 0;
  /// The box stored for an object; `box` is unchanged if the id is unknown.
  virtual Status getBox(ObjectId id, Aabb& box) const = 0;

  /// Makes the queries below fast for the present boxes. They are right without it, but may take
  /// time in proportion to size(). No allocation once the sizes have been seen before.
  virtual void prepare() = 0;

  /// Replaces `pairs` by all pairs with overlapping boxes, sorted by (first, second); prepares.
  /// No allocation once the numbers of objects and pairs have been seen before.
  virtual void computePotentialPairs(std::vector<ObjectPair>& pairs) = 0;

  // Queries. Output replaces what the vector held, and is sorted. They are const and may run on
  // several threads at once as long as nobody changes the broad phase.

  /// Objects whose boxes overlap the given one, by id.
  virtual Status overlap(const Aabb& box, std::vector<ObjectId>& ids) const = 0;

  /// Objects whose boxes the ray origin + t * direction, 0 <= t <= maxFraction, may hit, sorted by
  /// (entry, id): a search for the closest hit can stop at the first entry beyond its best hit.
  /// `direction` has any length but zero; `maxFraction` >= 0 and may be infinite.
  virtual Status raycast(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction,
                         double maxFraction, std::vector<RayCandidate>& candidates) const = 0;

  /// Objects whose boxes the given box may touch while it moves by `displacement`, by id.
  virtual Status sweep(const Aabb& box, const Eigen::Vector3d& displacement,
                       std::vector<ObjectId>& ids) const = 0;
};

}  // namespace abut::inline v0_1
