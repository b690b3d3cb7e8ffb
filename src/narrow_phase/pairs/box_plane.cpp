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
  s.normal = planeNormal(plane, query.pose2.rotation);
  s.normalLocal = transposeTimes(query.pose1.rotation, s.normal);
  s.height = -dot(s.normal, query.pose2.translation) - plane.getOffset();
  s.reach = scaled(absOf(s.normalLocal), s.half);
  s.gap = s.height - ((s.reach.x + s.reach.y) + s.reach.z);
  return s;
}

/// The corners of the face that looks at the plane, lowest first: the lowest, its neighbours along
/// the face's two axes, and the opposite one.
struct LowCorners {
  double height[4];
  std::uint32_t corner[4];
};

ABUT_ALWAYS_INLINE LowCorners lowCorners(const BoxOverPlane& s) {
  constexpr std::uint32_t kNext[3] = {1, 2, 0};
  const Vec3 a = absOf(s.normalLocal);
  const std::uint32_t yz = a.y >= a.z ? 1u : 2u;
  const std::uint32_t axis = ((a.x >= a.y) & (a.x >= a.z)) ? 0u : yz;
  const std::uint32_t next = kNext[axis], after = kNext[next];
  const double rise[3] = {2.0 * s.reach.x, 2.0 * s.reach.y, 2.0 * s.reach.z};
  const bool exchange = rise[after] < rise[next];
  const std::uint32_t u = exchange ? after : next, v = exchange ? next : after;
  const std::uint32_t lowest = signBits(-s.normalLocal), alongU = lowest ^ (1u << u);
  return {{s.gap, s.gap + rise[u], s.gap + rise[v], (s.gap + rise[next]) + rise[after]},
          {lowest, alongU, lowest ^ (1u << v), alongU ^ (1u << v)}};
}

ABUT_ALWAYS_INLINE Vec3 positionOf(const PairQuery& query, const BoxOverPlane& s,
                                   std::uint32_t corner, double height) {
  return query.pose1.rotation * boxVertex(s.half, corner) - s.normal * (0.5 * height);
}

/// Contacts whose order is not settled by their heights, or that go to a collector.
[[gnu::noinline]] void addUnsorted(const PairQuery& query, const BoxOverPlane& s,
                                   const LowCorners& low, int count, QueryStatus status,
                                   ManifoldSink& sink) {
  PairManifold manifold;
  manifold.normal = s.normal;
  manifold.status = status;
  for (int k = 0; k < count; ++k) {
    manifold.add(positionOf(query, s, low.corner[k], low.height[k]), -low.height[k],
                 {Feature::Kind::Vertex, low.corner[k]}, kPlaneFeature);
  }
  manifold.type = typeOfCount(manifold.count);
  sink.add(manifold);
}

ABUT_ALWAYS_INLINE void collideKernel(const PairQuery& query, ManifoldSink& sink) {
  const BoxOverPlane s = seenFromBox(query);
  const double size = boxSize(s.half);
  const double allowed = reportedGap(query, size);
  if (s.gap > allowed) return;
  if (!query.enableContact) {
    sink.markCollision();
    return;
  }
  const LowCorners low = lowCorners(s);
  const int count = 1 + (low.height[1] <= allowed ? 1 : 0) + (low.height[2] <= allowed ? 1 : 0) +
                    (low.height[3] <= allowed ? 1 : 0);
  const bool isSorted = (low.height[0] < low.height[1]) & (low.height[1] < low.height[2]) &
                        (low.height[2] < low.height[3]);
  const QueryStatus status = statusOfGap(s.gap, size);
  if (!isSorted || sink.isCollected()) {
    const BoxOverPlane copy = s;  // What is passed on lives in memory.
    const LowCorners lowCopy = low;
    addUnsorted(query, copy, lowCopy, count, status, sink);
    return;
  }
  const std::span<ContactPoint> contacts =
      sink.begin(typeOfCount(count), status).resize(static_cast<std::size_t>(count));
  const Vec3 normal = sink.worldNormal(s.normal);
  for (int k = 0; k < count; ++k) {
    sink.write(normal, positionOf(query, s, low.corner[k], low.height[k]), -low.height[k],
               {Feature::Kind::Vertex, low.corner[k]}, kPlaneFeature, contacts[k]);
  }
}

}  // namespace

ABUT_DEFINE_COLLIDE(Box, Plane, collideKernel)

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
