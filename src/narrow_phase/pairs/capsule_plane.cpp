// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "narrow_phase/pairs/closed_form.hpp"
#include "narrow_phase/pairs/pairs.hpp"

namespace abut {
namespace {

struct CapsuleOverPlane {
  double radius;
  double halfLength;
  double size;
  Vec3 normal;    ///< The plane's, world.
  Vec3 axis;      ///< The capsule's, world.
  double height;  ///< Of the capsule's centre above the plane [m].
  double slope;   ///< axis . normal

  /// The lower end is that at +z.
  [[nodiscard]] bool plusIsLower() const { return slope < 0.0; }
  [[nodiscard]] double gap() const { return (height - absOf(slope) * halfLength) - radius; }
};

ABUT_ALWAYS_INLINE CapsuleOverPlane relate(const PairQuery& query) {
  CapsuleOverPlane s;
  const auto& capsule = static_cast<const CapsuleShape&>(query.shape1);
  const auto& plane = static_cast<const PlaneShape&>(query.shape2);
  s.radius = capsule.getRadius();
  s.halfLength = 0.5 * capsule.getLength();
  s.size = s.radius + s.halfLength;
  s.normal = query.pose2.rotation * toVec3(plane.getNormal());
  s.axis = query.pose1.rotation.z;
  s.height = -dot(s.normal, query.pose2.translation) - plane.getOffset();
  s.slope = dot(s.axis, s.normal);
  return s;
}

/// Foot of the upper end: the point of the side's lowest line where the cap begins.
void addUpperEnd(const CapsuleOverPlane& s, double allowed, PairManifold& manifold) {
  if (s.slope * s.slope > kSteepest) return;
  const bool plus = !s.plusIsLower();
  const Vec3 end = s.axis * (plus ? s.halfLength : -s.halfLength);
  const Vec3 down = normalized(s.axis * s.slope - s.normal);
  const Vec3 p1 = end + down * s.radius;
  const double height = s.height + dot(s.normal, p1);
  if (height > allowed) return;
  manifold.add(p1 - s.normal * (0.5 * height), -height, capFeature(plus), kPlaneFeature);
}

}  // namespace

void collideCapsulePlane(const PairQuery& query, ManifoldSink& sink) {
  const CapsuleOverPlane s = relate(query);
  const double allowed = reportedGap(query, s.size);
  const double gap = s.gap();
  if (gap > allowed) return;
  if (!query.enableContact) {
    sink.markCollision();
    return;
  }
  PairManifold manifold;
  manifold.normal = s.normal;
  manifold.status = statusOfGap(gap, s.size);
  const Vec3 lower = s.axis * (s.plusIsLower() ? s.halfLength : -s.halfLength);
  manifold.add(lower - s.normal * (s.radius + 0.5 * gap), -gap, capFeature(s.plusIsLower()),
               kPlaneFeature);
  addUpperEnd(s, allowed, manifold);
  manifold.type = typeOfCount(manifold.count);
  sink.add(manifold);
}

void distanceCapsulePlane(const PairQuery& query, PairGap& result) {
  const CapsuleOverPlane s = relate(query);
  result.gap = s.gap();
  result.normal = s.normal;
  const Vec3 lower = s.axis * (s.plusIsLower() ? s.halfLength : -s.halfLength);
  result.p1 = lower - s.normal * s.radius;
  result.p2 = result.p1 - s.normal * result.gap;
  result.feature1 = capFeature(s.plusIsLower());
  result.feature2 = kPlaneFeature;
  result.status = statusOfGap(result.gap, s.size);
}

}  // namespace abut
