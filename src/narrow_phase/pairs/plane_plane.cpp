// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "narrow_phase/pairs/closed_form.hpp"
#include "narrow_phase/pairs/pairs.hpp"

namespace abut::inline v0_1 {

// The dispatcher lets only opposed half-spaces through: n1 = -n2. Along n = n2 the first solid
// begins at -offset1 and the second ends at offset2 + n . t2.

void distancePlanePlane(const PairQuery& query, PairGap& result) {
  const auto& plane1 = static_cast<const PlaneShape&>(query.shape1);
  const auto& plane2 = static_cast<const PlaneShape&>(query.shape2);
  const Vec3 n = query.pose2.rotation * toVec3(plane2.getNormal());
  const double along = dot(n, query.pose2.translation);
  const double end2 = plane2.getOffset() + along;
  result.gap = -plane1.getOffset() - end2;
  result.normal = n;
  result.p1 = n * -plane1.getOffset();
  result.p2 = n * end2;
  result.feature1 = result.feature2 = kPlaneFeature;
  result.status = statusOfGap(result.gap, absOf(plane1.getOffset()) + absOf(plane2.getOffset()) +
                                              norm(query.pose2.translation));
}

void collidePlanePlane(const PairQuery& query, ManifoldSink& sink) {
  PairGap gap;
  distancePlanePlane(query, gap);
  if (gap.gap > query.margin && gap.status != QueryStatus::Touching) return;
  addSinglePoint(query, gap, sink);
}

}  // namespace abut::inline v0_1
