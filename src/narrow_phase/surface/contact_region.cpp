// SPDX-License-Identifier: MIT
#include "narrow_phase/surface/contact_region.hpp"

#include <abut/math/convert.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "narrow_phase/convex/convex_gap.hpp"
#include "narrow_phase/dispatch/pair_table.hpp"
#include "narrow_phase/tolerances.hpp"

namespace abut::inline v0_1 {
namespace {

void regionOnPlane(const PairQuery& query, const PairGap& gap, PairManifold& manifold) {
  const ConvexCore core = coreOf(query.shape1);
  const auto& plane = static_cast<const PlaneShape&>(query.shape2);
  const Vec3 n = query.pose2.rotation * toVec3(plane.getNormal());
  const double height = -dot(n, query.pose2.translation) - plane.getOffset();
  const double allowed = maxOf(query.margin, kTouchTolerance * boundingRadius(core));
  SupportFeature facing;
  supportFeature(core, -transposeTimes(query.pose1.rotation, n), kFlushCosine, facing);
  manifold.count = 0;
  manifold.normal = n;
  manifold.status = gap.status;
  for (int i = 0; i < facing.count; ++i) {
    const Vec3 vertex = query.pose1.rotation * facing.vertices[i];
    const double pointGap = (height + dot(n, vertex)) - core.radius;
    if (pointGap > allowed) continue;
    manifold.add(vertex - n * (core.radius + 0.5 * pointGap), -pointGap,
                 {Feature::Kind::Vertex, facing.vertexIds[i]}, {Feature::Kind::Face, 0});
  }
  if (manifold.count == 0) {
    manifold.add((gap.p1 + gap.p2) * 0.5, -gap.gap, gap.feature1, gap.feature2);
  }
  manifold.type = manifold.count == 1   ? ContactType::Point
                  : manifold.count == 2 ? ContactType::Edge
                                        : ContactType::Face;
}

}  // namespace

void contactRegion(const PairQuery& query, PairGap& gap, PairManifold& manifold) {
  const ShapeType type1 = query.shape1.getType(), type2 = query.shape2.getType();
  pairFunctions(type1, type2).distance(query, gap);
  manifold.count = 0;
  if (gap.gap > query.margin && gap.status != QueryStatus::Touching) return;
  if (type2 == ShapeType::Plane) {
    regionOnPlane(query, gap, manifold);
  } else {
    convexManifold(coreOf(query.shape1), query.pose1, coreOf(query.shape2), query.pose2, gap,
                   query.margin, manifold);
  }
}

Status checkMargin(double margin) {
  if (margin >= 0.0 && isFinite(margin)) return {};
  return Status::failure(StatusCode::OutOfRange,
                         "margin: expected a finite length >= 0 [m], got " + toText(margin));
}

}  // namespace abut::inline v0_1
