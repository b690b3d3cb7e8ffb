// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "narrow_phase/pairs/closed_form.hpp"
#include "narrow_phase/pairs/pairs.hpp"

namespace abut::inline v0_1 {

namespace {

ABUT_ALWAYS_INLINE void spherePlaneGap(const PairQuery& query, PairGap& result) {
  const double r = static_cast<const SphereShape&>(query.shape1).getRadius();
  const auto& plane = static_cast<const PlaneShape&>(query.shape2);
  const Vec3 n = planeNormal(plane, query.pose2.rotation);
  const double height = -dot(n, query.pose2.translation) - plane.getOffset();
  result.gap = height - r;
  result.normal = n;
  result.p1 = n * -r;
  result.p2 = n * -height;
  result.feature1 = kRoundFeature;
  result.feature2 = kPlaneFeature;
  result.status = statusOfGap(result.gap, r);
}

template <bool>
ABUT_ALWAYS_INLINE bool collideKernel(const PairQuery& query, ManifoldSink& sink) {
  const double r = static_cast<const SphereShape&>(query.shape1).getRadius();
  PairGap gap;
  spherePlaneGap(query, gap);
  if (gap.gap > reportedGap(query, r)) return true;
  addSinglePoint(query, gap, sink);
  return true;
}

}  // namespace

void distanceSpherePlane(const PairQuery& query, PairGap& result) {
  spherePlaneGap(query, result);
}

ABUT_DEFINE_COLLIDE(Sphere, Plane, collideKernel)

}  // namespace abut::inline v0_1
