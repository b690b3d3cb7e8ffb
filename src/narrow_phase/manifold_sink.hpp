// SPDX-License-Identifier: MIT
#pragma once

#include <abut/narrow_phase/collision_result.hpp>

#include "narrow_phase/pair_query.hpp"

namespace abut {

/// Takes raw manifolds from pair functions, reduces them to four points, restores the caller's
/// order of objects and world origin, and appends them to a CollisionResult.
class ManifoldSink {
public:
  /// `origin` is object 1's translation in the world; `swapped` tells that the dispatcher exchanged
  /// the caller's objects; the ids are in the caller's order. Gaps of touching points beyond the
  /// margin [m] are rounding and reported as the margin, so that no depth is below -margin.
  ManifoldSink(CollisionResult& result, const Vec3& origin, bool swapped, ObjectId object1,
               ObjectId object2, double margin)
      : result_(result),
        origin_(origin),
        swapped_(swapped),
        object1_(object1),
        object2_(object2),
        least_depth_(0.0 - margin) {}

  /// Appends the manifold. Reduces it in place; a manifold without points is ignored.
  void add(PairManifold& manifold);

  /// Yes, without points (CollisionOption::enableContact is false).
  void markCollision() { result_.markCollision(); }

private:
  CollisionResult& result_;
  Vec3 origin_;
  bool swapped_;
  ObjectId object1_;
  ObjectId object2_;
  double least_depth_;
};

}  // namespace abut
