// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "narrow_phase/pairs/closed_form.hpp"
#include "narrow_phase/pairs/pairs.hpp"
#include "shapes/box_features.hpp"

namespace abut {
namespace {

struct BoxOverPlane {
  Vec3 half;
  Vec3 normal;       ///< The plane's, world.
  Vec3 normalLocal;  ///< The plane's, in the box's frame.
  double height;     ///< Of the box's centre above the plane [m].
  Vec3 reach;        ///< Extent of the box along the normal by each axis.
  double gap;
};

ABUT_ALWAYS_INLINE BoxOverPlane seenFromBox(const PairQuery& query) {
  BoxOverPlane s;
  s.half = toVec3(static_cast<const BoxShape&>(query.shape1).getHalfExtents());
  const auto& plane = static_cast<const PlaneShape&>(query.shape2);
  s.normal = query.pose2.rotation * toVec3(plane.getNormal());
  s.normalLocal = transposeTimes(query.pose1.rotation, s.normal);
  s.height = -dot(s.normal, query.pose2.translation) - plane.getOffset();
  s.reach = scaled(absOf(s.normalLocal), s.half);
  s.gap = s.height - ((s.reach.x + s.reach.y) + s.reach.z);
  return s;
}

}  // namespace

void collideBoxPlane(const PairQuery& query, ManifoldSink& sink) {
  const BoxOverPlane s = seenFromBox(query);
  const double size = boxSize(s.half);
  const double allowed = reportedGap(query, size);
  if (s.gap > allowed) return;
  if (!query.enableContact) {
    sink.markCollision();
    return;
  }
  // The four corners of the face that looks at the plane, each with its own height: the lowest
  // corner, and the steps to its neighbours along the face's two axes.
  const Vec3 a = absOf(s.normalLocal);
  const std::uint32_t axis = a.x >= a.y && a.x >= a.z ? 0u : (a.y >= a.z ? 1u : 2u);
  const std::uint32_t u = (axis + 1u) % 3u, v = (axis + 2u) % 3u;
  const std::uint32_t lowest = signBits(-s.normalLocal);
  const double rise[3] = {2.0 * s.reach.x, 2.0 * s.reach.y, 2.0 * s.reach.z};
  PairManifold manifold;
  manifold.normal = s.normal;
  manifold.status = statusOfGap(s.gap, size);
  for (std::uint32_t k = 0; k < 4; ++k) {
    const double height = s.gap + ((k & 1u) != 0 ? rise[u] : 0.0) + ((k & 2u) != 0 ? rise[v] : 0.0);
    if (height > allowed) continue;
    const std::uint32_t corner = lowest ^ ((k & 1u) << u) ^ ((k >> 1u) << v);
    const Vec3 p1 = query.pose1.rotation * boxVertex(s.half, corner);
    manifold.add(p1 - s.normal * (0.5 * height), -height, {Feature::Kind::Vertex, corner},
                 kPlaneFeature);
  }
  manifold.type = typeOfCount(manifold.count);
  sink.add(manifold);
}

void distanceBoxPlane(const PairQuery& query, PairGap& result) {
  const BoxOverPlane s = seenFromBox(query);
  const std::uint32_t lowest = signBits(-s.normalLocal);
  result.gap = s.gap;
  result.normal = s.normal;
  result.p1 = query.pose1.rotation * boxVertex(s.half, lowest);
  result.p2 = result.p1 - s.normal * s.gap;
  result.feature1 = {Feature::Kind::Vertex, lowest};
  result.feature2 = kPlaneFeature;
  result.status = statusOfGap(s.gap, boxSize(s.half));
}

}  // namespace abut
