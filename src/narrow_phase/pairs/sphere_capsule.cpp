// SPDX-License-Identifier: MIT
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "narrow_phase/pairs/closed_form.hpp"
#include "narrow_phase/pairs/pairs.hpp"

namespace abut::inline v0_1 {
namespace {

struct SphereOverCapsule {
  double radius1;
  double radius2;
  double halfLength;
  double size;
  Vec3 axis;     ///< The capsule's, world.
  double along;  ///< Of the point of its segment nearest to the sphere's centre.
  Vec3 across;   ///< From that point to the sphere's centre.
};

ABUT_ALWAYS_INLINE SphereOverCapsule relate(const PairQuery& query) {
  SphereOverCapsule s;
  const auto& capsule = static_cast<const CapsuleShape&>(query.shape2);
  s.radius1 = static_cast<const SphereShape&>(query.shape1).getRadius();
  s.radius2 = capsule.getRadius();
  s.halfLength = 0.5 * capsule.getLength();
  s.size = (s.radius1 + s.radius2) + s.halfLength;
  s.axis = fetch(query.pose2.rotation.z);
  s.along = clampTo(-dot(s.axis, query.pose2.translation), -s.halfLength, s.halfLength);
  s.across = -(query.pose2.translation + s.axis * s.along);
  // Beside the segment the direction is at right angles to it, beyond an end it points outwards.
  // Where the points nearly coincide rounding may break that; then the part along the axis goes.
  const double slope = dot(s.across, s.axis);
  const bool beyond =
      (s.along == s.halfLength && slope >= 0.0) || (s.along == -s.halfLength && slope <= 0.0);
  if (!beyond) s.across -= s.axis * slope;
  return s;
}

/// A centre on the axis takes the fixed perpendicular of the axis as the normal.
ABUT_ALWAYS_INLINE void sphereCapsuleGap(const SphereOverCapsule& s, PairGap& result) {
  const double d = norm(s.across);
  const Vec3 n = d > kCoincident * s.size ? s.across * (1.0 / d) : perpendicularTo(s.axis);
  result.gap = d - (s.radius1 + s.radius2);
  result.normal = n;
  result.p1 = n * -s.radius1;
  result.p2 = result.p1 - n * result.gap;
  result.feature1 = kRoundFeature;
  result.feature2 = capsuleFeature(s.along, s.halfLength);
  result.status = statusOfGap(result.gap, s.size);
}

template <bool>
ABUT_ALWAYS_INLINE bool collideKernel(const PairQuery& query, ManifoldSink& sink) {
  const SphereOverCapsule s = relate(query);
  const double reach = (s.radius1 + s.radius2) + reportedGap(query, s.size);
  if (squaredNorm(s.across) > reach * reach) return true;
  PairGap gap;
  sphereCapsuleGap(s, gap);
  addSinglePoint(query, gap, sink);
  return true;
}

}  // namespace

ABUT_DEFINE_COLLIDE(Sphere, Capsule, collideKernel)

void distanceSphereCapsule(const PairQuery& query, PairGap& result) {
  sphereCapsuleGap(relate(query), result);
}

}  // namespace abut::inline v0_1
