// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "narrow_phase/pairs/closed_form.hpp"
#include "narrow_phase/pairs/pairs.hpp"
#include "shapes/convex_core.hpp"

namespace abut::inline v0_1 {
namespace {

/// A feature counts as facing the plane up to this angle (about 26 degrees). Every point of it has
/// its own height, so the angle decides only how many points of a tilted shape are listed.
constexpr double kFacingCosine = 0.9;

struct ConvexOverPlane {
  ConvexCore core;
  double size;
  Vec3 normal;    ///< The plane's, world.
  Vec3 down;      ///< Against it, in the core's frame.
  double height;  ///< Of the frame's origin above the plane [m].
  Vec3 lowest;    ///< Deepest point of the core, world orientation.
  double gap;
};

ConvexOverPlane relate(const PairQuery& query) {
  ConvexOverPlane s;
  s.core = coreOf(query.shape1);
  s.size = boundingRadius(s.core);
  const auto& plane = static_cast<const PlaneShape&>(query.shape2);
  s.normal = query.pose2.rotation * toVec3(plane.getNormal());
  s.down = -transposeTimes(query.pose1.rotation, s.normal);
  s.height = -dot(s.normal, query.pose2.translation) - plane.getOffset();
  s.lowest = query.pose1.rotation * support(s.core, s.down);
  s.gap = (s.height + dot(s.normal, s.lowest)) - s.core.radius;
  return s;
}

/// The vertex of a facing feature that lies at a point of the core, or else the feature itself.
Feature lowestFeature(const ConvexOverPlane& s, const Pose& pose1) {
  SupportFeature facing;
  supportFeature(s.core, s.down, kFacingCosine, facing);
  for (int i = 0; i < facing.count; ++i) {
    if (pose1.rotation * facing.vertices[i] == s.lowest) {
      return {Feature::Kind::Vertex, facing.vertexIds[i]};
    }
  }
  return facing.feature;
}

}  // namespace

void collideConvexPlane(const PairQuery& query, ManifoldSink& sink) {
  const ConvexOverPlane s = relate(query);
  const double allowed = reportedGap(query, s.size);
  if (s.gap > allowed) return;
  if (!query.enableContact) {
    sink.markCollision();
    return;
  }
  SupportFeature facing;
  supportFeature(s.core, s.down, kFacingCosine, facing);
  PairManifold manifold;
  manifold.normal = s.normal;
  manifold.status = statusOfGap(s.gap, s.size);
  double least = s.gap + s.size;
  for (int i = 0; i < facing.count; ++i) {
    const Vec3 vertex = query.pose1.rotation * facing.vertices[i];
    const double height = (s.height + dot(s.normal, vertex)) - s.core.radius;
    least = minOf(least, height);
    if (height > allowed) continue;
    manifold.add(vertex - s.normal * (s.core.radius + 0.5 * height), -height,
                 {Feature::Kind::Vertex, facing.vertexIds[i]}, kPlaneFeature);
  }
  manifold.type = typeOfCount(manifold.count);
  // A disc's listed points miss its lowest one, and a hull's facing face need not hold it.
  constexpr double kSameHeight = 1e-14;
  if (least > s.gap + kSameHeight * s.size) {
    manifold.add(s.lowest - s.normal * (s.core.radius + 0.5 * s.gap), -s.gap, facing.feature,
                 kPlaneFeature);
    if (manifold.count == 1) manifold.type = ContactType::Point;
  }
  sink.add(manifold);
}

void distanceConvexPlane(const PairQuery& query, PairGap& result) {
  const ConvexOverPlane s = relate(query);
  result.gap = s.gap;
  result.normal = s.normal;
  result.p1 = s.lowest - s.normal * s.core.radius;
  result.p2 = result.p1 - s.normal * s.gap;
  result.feature1 = lowestFeature(s, query.pose1);
  result.feature2 = kPlaneFeature;
  result.status = statusOfGap(s.gap, s.size);
}

}  // namespace abut::inline v0_1
