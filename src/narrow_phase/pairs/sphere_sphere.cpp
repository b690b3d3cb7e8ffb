// SPDX-License-Identifier: MIT
#include <abut/shapes/sphere_shape.hpp>

#include "narrow_phase/pairs/closed_form.hpp"
#include "narrow_phase/pairs/pairs.hpp"

namespace abut::inline v0_1 {
namespace {

double radiusOf(const Shape& shape) {
  return static_cast<const SphereShape&>(shape).getRadius();
}

/// gap = |c1 - c2| - r1 - r2 along the line of centres. Concentric spheres: along +z.
ABUT_ALWAYS_INLINE void sphereSphereGap(const Vec3& fromSecond, double r1, double r2,
                                        PairGap& result) {
  const double size = r1 + r2;
  const double d = norm(fromSecond);
  const Vec3 n = d > kCoincident * size ? fromSecond * (1.0 / d) : Vec3{0.0, 0.0, 1.0};
  result.gap = d - size;
  result.normal = n;
  result.p1 = n * -r1;
  result.p2 = n * -(d - r2);
  result.feature1 = kRoundFeature;
  result.feature2 = kRoundFeature;
  result.status = statusOfGap(result.gap, size);
}

template <bool>
ABUT_ALWAYS_INLINE bool collideKernel(const PairQuery& query, ManifoldSink& sink) {
  const double r1 = radiusOf(query.shape1), r2 = radiusOf(query.shape2);
  const double reach = (r1 + r2) + reportedGap(query, r1 + r2);
  const Vec3 fromSecond = -query.pose2.translation;
  if (squaredNorm(fromSecond) > reach * reach) return true;
  PairGap gap;
  sphereSphereGap(fromSecond, r1, r2, gap);
  addSinglePoint(query, gap, sink);
  return true;
}

}  // namespace

ABUT_DEFINE_COLLIDE(Sphere, Sphere, collideKernel)

void distanceSphereSphere(const PairQuery& query, PairGap& result) {
  sphereSphereGap(-query.pose2.translation, radiusOf(query.shape1), radiusOf(query.shape2), result);
}

}  // namespace abut::inline v0_1
