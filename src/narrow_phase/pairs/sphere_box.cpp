// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "narrow_phase/pairs/closed_form.hpp"
#include "narrow_phase/pairs/pairs.hpp"
#include "shapes/box_features.hpp"

namespace abut::inline v0_1 {
namespace {

/// The sphere's centre in the box's frame, and how far it lies beyond the box along each axis.
struct SphereOverBox {
  double radius;
  double size;
  Vec3 half;
  Vec3 center;
  Vec3 beyond;  ///< |center| - half; negative within the slab.
  Vec3 excess;  ///< Where beyond is positive, else 0.
};

ABUT_ALWAYS_INLINE SphereOverBox seenFromBox(const PairQuery& query) {
  SphereOverBox s;
  s.radius = static_cast<const SphereShape&>(query.shape1).getRadius();
  s.half = toVec3(static_cast<const BoxShape&>(query.shape2).getHalfExtents());
  s.size = s.radius + boxSize(s.half);
  s.center = -transposeTimes(query.pose2.rotation, query.pose2.translation);
  s.beyond = absOf(s.center) - s.half;
  s.excess = positivePart(s.beyond);
  return s;
}

/// Centre outside: distance to the nearest point of the box, by clamping. Centre inside: the
/// nearest face; of equally near ones the first axis, and the positive side of a centre at 0.
ABUT_ALWAYS_INLINE void sphereBoxGap(const SphereOverBox& s, const PairQuery& query,
                                     PairGap& result) {
  const Vec3& excess = s.excess;
  const std::uint32_t side = signBits(s.center);
  const double d = norm(excess);
  Vec3 n;
  double coreGap = d;
  if (d > kCoincident * s.size) {
    const double scale = 1.0 / d;
    n = {(excess.x * scale) * signOf(side, 0), (excess.y * scale) * signOf(side, 1),
         (excess.z * scale) * signOf(side, 2)};
    const std::uint32_t outside =
        (excess.x > 0.0 ? 1u : 0u) | (excess.y > 0.0 ? 2u : 0u) | (excess.z > 0.0 ? 4u : 0u);
    result.feature2 = boxRegion(outside, side);
  } else {
    const Vec3& b = s.beyond;
    const std::uint32_t axis = b.x >= b.y && b.x >= b.z ? 0u : (b.y >= b.z ? 1u : 2u);
    const double sign = signOf(side, axis);
    n = {axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0};
    coreGap = maxElement(b);
    result.feature2 = {Feature::Kind::Face, boxFace(axis, side)};
  }
  const Vec3 normal = query.pose2.rotation * n;
  result.gap = coreGap - s.radius;
  result.normal = normal;
  result.p1 = normal * -s.radius;
  result.p2 = normal * -coreGap;
  result.feature1 = kRoundFeature;
  result.status = statusOfGap(result.gap, s.size);
}

template <bool>
ABUT_ALWAYS_INLINE bool collideKernel(const PairQuery& query, ManifoldSink& sink) {
  const SphereOverBox s = seenFromBox(query);
  const double reach = s.radius + reportedGap(query, s.size);
  if (squaredNorm(s.excess) > reach * reach) return true;
  PairGap gap;
  sphereBoxGap(s, query, gap);
  addSinglePoint(query, gap, sink);
  return true;
}

}  // namespace

ABUT_DEFINE_COLLIDE(Sphere, Box, collideKernel)

void distanceSphereBox(const PairQuery& query, PairGap& result) {
  sphereBoxGap(seenFromBox(query), query, result);
}

}  // namespace abut::inline v0_1
