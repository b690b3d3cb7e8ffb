// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "math/split_vec3.hpp"
#include "narrow_phase/pairs/closed_form.hpp"
#include "narrow_phase/pairs/pairs.hpp"
#include "shapes/box_features.hpp"

namespace abut::inline v0_1 {
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

constexpr std::uint32_t kNext[3] = {1, 2, 0};

/// Without branches: which axis is which is hard to predict.
ABUT_ALWAYS_INLINE LowCorners lowCorners(const BoxOverPlane& s) {
  const Vec3 a = absOf(s.normalLocal);
  const std::uint32_t yz = a.y >= a.z ? 1u : 2u;
  const std::uint32_t isX = (a.x >= a.y ? 1u : 0u) & (a.x >= a.z ? 1u : 0u);
  const std::uint32_t axis = yz & (isX - 1u);
  const std::uint32_t next = kNext[axis], after = kNext[next];
  const double rise[3] = {2.0 * s.reach.x, 2.0 * s.reach.y, 2.0 * s.reach.z};
  const std::uint32_t exchange = rise[after] < rise[next] ? 1u : 0u;
  const std::uint32_t toOther = (next ^ after) & (0u - exchange);
  const std::uint32_t u = next ^ toOther, v = after ^ toOther;
  const std::uint32_t lowest = signBits(-s.normalLocal), alongU = lowest ^ (1u << u);
  return {{s.gap, s.gap + rise[u], s.gap + rise[v], (s.gap + rise[next]) + rise[after]},
          {lowest, alongU, lowest ^ (1u << v), alongU ^ (1u << v)}};
}

/// Puts corners of equal height into the order of their numbers.
ABUT_ALWAYS_INLINE void sortTies(LowCorners& low) {
  const auto sortPair = [&low](int i) {
    const std::uint32_t a = low.corner[i], b = low.corner[i + 1];
    const bool exchange = (low.height[i] == low.height[i + 1]) & (b < a);
    low.corner[i] = exchange ? b : a;
    low.corner[i + 1] = exchange ? a : b;
  };
  for (const int i : {0, 1, 2, 0, 1, 0}) sortPair(i);
}

/// R v for a corner of the box.
ABUT_ALWAYS_INLINE SplitVec3 cornerOf(const PairQuery& query, const Vec3& half,
                                      std::uint32_t corner) {
  const Mat3& r = query.pose1.rotation;
  const Vec3 v = boxVertex(half, corner);
  return (loadSplit(r.x) * v.x + loadSplit(r.y) * v.y) + loadSplit(r.z) * v.z;
}

/// The contacts for a collector.
[[gnu::noinline]] void collect(const PairQuery& query, const BoxOverPlane& s, const LowCorners& low,
                               int count, QueryStatus status, ManifoldSink& sink) {
  PairManifold manifold;
  manifold.normal = s.normal;
  manifold.status = status;
  for (int k = 0; k < count; ++k) {
    const Vec3 corner = query.pose1.rotation * boxVertex(s.half, low.corner[k]);
    manifold.add(corner - s.normal * (0.5 * low.height[k]), -low.height[k],
                 {Feature::Kind::Vertex, low.corner[k]}, kPlaneFeature);
  }
  manifold.type = typeOfCount(manifold.count);
  sink.add(manifold);
}

template <bool kShort>
ABUT_ALWAYS_INLINE bool collideKernel(const PairQuery& query, ManifoldSink& sink) {
  const BoxOverPlane s = seenFromBox(query);
  const double size = boxSize(s.half);
  const double allowed = reportedGap(query, size);
  if (s.gap > allowed) return true;
  if (!query.enableContact) {
    sink.markCollision();
    return true;
  }
  const QueryStatus status = statusOfGap(s.gap, size);
  const SplitVec3 n = split(s.normal);
  // Only the lowest corner, if even the least rise leads out of reach.
  const double leastRise = 2.0 * minOf(minOf(s.reach.x, s.reach.y), s.reach.z);
  if (s.gap + leastRise > allowed && (kShort || !sink.isCollected())) {
    const std::uint32_t lowest = signBits(-s.normalLocal);
    const std::span<ContactPoint> contacts = sink.begin(ContactType::Point, status).resize(1);
    sink.write(sink.worldNormal(n), cornerOf(query, s.half, lowest) - n * (0.5 * s.gap), -s.gap,
               {Feature::Kind::Vertex, lowest}, kPlaneFeature, contacts[0]);
    return true;
  }
  LowCorners low = lowCorners(s);
  const int count = 1 + (low.height[1] <= allowed ? 1 : 0) + (low.height[2] <= allowed ? 1 : 0) +
                    (low.height[3] <= allowed ? 1 : 0);
  // Heights never fall, but they may be equal.
  const bool isSorted = (low.height[0] < low.height[1]) & (low.height[1] < low.height[2]) &
                        (low.height[2] < low.height[3]);
  if (!isSorted) sortTies(low);
  if (!kShort && sink.isCollected()) {
    collect(query, s, low, count, status, sink);
    return true;
  }
  const std::span<ContactPoint> contacts =
      sink.begin(typeOfCount(count), status).resize(static_cast<std::size_t>(count));
  const SplitVec3 normal = sink.worldNormal(n);
  int k = 0;
  do {
    const SplitVec3 position = cornerOf(query, s.half, low.corner[k]) - n * (0.5 * low.height[k]);
    sink.write(normal, position, -low.height[k], {Feature::Kind::Vertex, low.corner[k]},
               kPlaneFeature, contacts[k]);
  } while (++k < count);
  return true;
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

}  // namespace abut::inline v0_1
