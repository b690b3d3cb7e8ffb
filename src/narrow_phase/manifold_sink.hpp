// SPDX-License-Identifier: MIT
#pragma once

#include <abut/math/convert.hpp>
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

  /// Appends a manifold of one point. Inline: the gap then need not pass through memory.
  void addPoint(const PairGap& gap) {
    const PairPoint point{(gap.p1 + gap.p2) * 0.5, -gap.gap, gap.feature1, gap.feature2};
    if (collector_ != nullptr) {
      collectPoint(gap, point);
      return;
    }
    ContactManifold& manifold = begin(ContactType::Point, gap.status, gap.subShape1, gap.subShape2);
    write(swapped_ ? -gap.normal : gap.normal, point, manifold.resize(1)[0]);
  }

  /// Yes, without points (CollisionOption::enableContact is false).
  void markCollision();

  /// True if the manifolds go to a collector: the query is part of a composite pair's.
  [[nodiscard]] bool isCollected() const { return collector_ != nullptr; }

private:
  void collectPoint(const PairGap& gap, const PairPoint& point);
  ContactManifold& begin(ContactType type, QueryStatus status, std::uint64_t subShape1,
                         std::uint64_t subShape2) {
    ContactManifold& manifold = result_->appendManifold();
    manifold.setType(type);
    manifold.setStatus(status);
    manifold.setObjects(object1_, object2_);
    manifold.setSubShapes(swapped_ ? subShape2 : subShape1, swapped_ ? subShape1 : subShape2);
    return manifold;
  }
  void write(const Vec3& normal, const PairPoint& p, ContactPoint& contact) const {
    contact.position = toEigen(p.position + origin_);
    contact.normal = toEigen(normal);
    contact.depth = maxOf(least_depth_, p.depth);
    contact.feature1 = swapped_ ? p.feature2 : p.feature1;
    contact.feature2 = swapped_ ? p.feature1 : p.feature2;
  }

  CollisionResult* result_ = nullptr;
  ManifoldCollector* collector_ = nullptr;
  Vec3 origin_;
  bool swapped_ = false;
  ObjectId object1_ = kNoObject;
  ObjectId object2_ = kNoObject;
  double least_depth_ = 0.0;
};

}  // namespace abut
