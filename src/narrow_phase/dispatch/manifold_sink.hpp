// SPDX-License-Identifier: MIT
#pragma once

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>

#include "core/inline.hpp"
#include "math/split_vec3.hpp"
#include "narrow_phase/dispatch/pair_query.hpp"

namespace abut::inline v0_1 {

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
  /// The objects are in the order of the pair functions, and outlive the sink; `swapped` tells that
  /// the caller had them the other way round. Gaps of touching points beyond the margin [m] are
  /// rounding and reported as the margin, so that no depth is below -margin.
  ManifoldSink(CollisionResult& result, const PlacedShape& first, const PlacedShape& second,
               bool swapped, double margin)
      : result_(&result), first_(&first), second_(&second), margin_(margin), swapped_(swapped) {}

  /// A sink that hands everything to a collector, as it is.
  explicit ManifoldSink(ManifoldCollector& collector) : collector_(&collector) {}

  /// Appends the manifold. Reduces it in place; a manifold without points is ignored.
  void add(PairManifold& manifold);

  /// Appends a manifold of one point of whole shapes. Inline, and a collector gets a copy: the
  /// arguments then stay in registers.
  ABUT_ALWAYS_INLINE void addPoint(const Vec3& normal, const Vec3& position, double depth,
                                   Feature feature1, Feature feature2, QueryStatus status) {
    if (collector_ != nullptr) {
      const Vec3 n = normal, p = position;
      collectPoint(n, p, depth, feature1, feature2, status);
      return;
    }
    ContactManifold& manifold = begin(ContactType::Point, status);
    write(worldNormal(normal), position, depth, feature1, feature2, manifold.resize(1)[0]);
  }

  ABUT_ALWAYS_INLINE void addPoint(const SplitVec3& normal, const SplitVec3& position, double depth,
                                   Feature feature1, Feature feature2, QueryStatus status) {
    if (collector_ != nullptr) {
      const Vec3 n = join(normal), p = join(position);
      collectPoint(n, p, depth, feature1, feature2, status);
      return;
    }
    ContactManifold& manifold = begin(ContactType::Point, status);
    write(worldNormal(normal), position, depth, feature1, feature2, manifold.resize(1)[0]);
  }

  /// Yes, without points (CollisionOption::enableContact is false).
  void markCollision();

  // For pairs that write their points themselves, reduced and in order, if not isCollected().

  /// A manifold of whole shapes, to be given its points by resize() and write().
  ABUT_ALWAYS_INLINE ContactManifold& begin(ContactType type, QueryStatus status) {
    return begin(type, status, 0, 0);
  }
  /// From the caller's object 2 to its object 1.
  [[nodiscard]] Vec3 worldNormal(const Vec3& normal) const {
    return normal * (swapped_ ? -1.0 : 1.0);
  }
  [[nodiscard]] SplitVec3 worldNormal(const SplitVec3& normal) const {
    return normal * (swapped_ ? -1.0 : 1.0);
  }
  /// Fills in a point; the normal is a worldNormal().
  ABUT_ALWAYS_INLINE void write(const Vec3& normal, const Vec3& position, double depth,
                                Feature feature1, Feature feature2, ContactPoint& contact) const {
    contact.position = toEigen(position + first_->pose.translation);
    contact.normal = toEigen(normal);
    writeRest(depth, feature1, feature2, contact);
  }
  ABUT_ALWAYS_INLINE void write(const SplitVec3& normal, const SplitVec3& position, double depth,
                                Feature feature1, Feature feature2, ContactPoint& contact) const {
    storeSplit(contact.position.data(), position + loadSplit(first_->pose.translation));
    storeSplit(contact.normal.data(), normal);
    writeRest(depth, feature1, feature2, contact);
  }

  /// True if the manifolds go to a collector: the query is part of a composite pair's.
  [[nodiscard]] bool isCollected() const { return collector_ != nullptr; }

private:
  ABUT_ALWAYS_INLINE void writeRest(double depth, Feature feature1, Feature feature2,
                                    ContactPoint& contact) const {
    contact.depth = maxOf(0.0 - margin_, depth);
    // Not by ?:, which would choose between places in memory.
    if (swapped_) {
      contact.feature1 = feature2;
      contact.feature2 = feature1;
    } else {
      contact.feature1 = feature1;
      contact.feature2 = feature2;
    }
  }
  void collectPoint(const Vec3& normal, const Vec3& position, double depth, Feature feature1,
                    Feature feature2, QueryStatus status);
  ABUT_ALWAYS_INLINE ContactManifold& begin(ContactType type, QueryStatus status,
                                            std::uint64_t subShape1, std::uint64_t subShape2) {
    ContactManifold& manifold = result_->appendManifold();
    manifold.setType(type);
    manifold.setStatus(status);
    if (swapped_) {
      manifold.setObjects(second_->id, first_->id);
      manifold.setSubShapes(subShape2, subShape1);
    } else {
      manifold.setObjects(first_->id, second_->id);
      manifold.setSubShapes(subShape1, subShape2);
    }
    return manifold;
  }

  CollisionResult* result_ = nullptr;
  ManifoldCollector* collector_ = nullptr;
  const PlacedShape* first_ = nullptr;
  const PlacedShape* second_ = nullptr;
  double margin_ = 0.0;
  bool swapped_ = false;
};

}  // namespace abut::inline v0_1
