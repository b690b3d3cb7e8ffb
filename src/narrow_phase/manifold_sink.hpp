// SPDX-License-Identifier: MIT
#pragma once

#include <abut/narrow_phase/collision_result.hpp>

#include "narrow_phase/pair_query.hpp"

namespace abut {

/// Takes raw manifolds in place of a CollisionResult: composite pairs look at the contacts of all
/// their parts before they pass them on.
class ManifoldCollector {
public:
  virtual void take(PairManifold& manifold) = 0;
  virtual void markCollision() = 0;

protected:
  ~ManifoldCollector() = default;
};

/// Takes raw manifolds from pair functions, reduces them to four points, restores the caller's
/// order of objects and world origin, and appends them to a CollisionResult.
class ManifoldSink {
public:
  /// `origin` is object 1's translation in the world; `swapped` tells that the dispatcher exchanged
  /// the caller's objects; the ids are in the caller's order. Gaps of touching points beyond the
  /// margin [m] are rounding and reported as the margin, so that no depth is below -margin.
  ManifoldSink(CollisionResult& result, const Vec3& origin, bool swapped, ObjectId object1,
               ObjectId object2, double margin)
      : result_(&result),
        origin_(origin),
        swapped_(swapped),
        object1_(object1),
        object2_(object2),
        least_depth_(0.0 - margin) {}

  /// A sink that hands everything to a collector, as it is.
  explicit ManifoldSink(ManifoldCollector& collector) : collector_(&collector) {}

  /// Appends the manifold. Reduces it in place; a manifold without points is ignored.
  void add(PairManifold& manifold);

  /// Yes, without points (CollisionOption::enableContact is false).
  void markCollision();

  /// True if the manifolds go to a collector: the query is part of a composite pair's.
  [[nodiscard]] bool isCollected() const { return collector_ != nullptr; }

private:
  CollisionResult* result_ = nullptr;
  ManifoldCollector* collector_ = nullptr;
  Vec3 origin_;
  bool swapped_ = false;
  ObjectId object1_ = kNoObject;
  ObjectId object2_ = kNoObject;
  double least_depth_ = 0.0;
};

}  // namespace abut
