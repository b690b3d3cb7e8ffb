// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "math/pack.hpp"
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
  s.normal = planeNormal(plane, query.pose2.rotation);
  s.axis = query.pose1.rotation.z;
  s.height = -dot(s.normal, query.pose2.translation) - plane.getOffset();
  s.slope = dot(s.axis, s.normal);
  return s;
}

/// Foot of the upper end: the point of the side's lowest line where the cap begins.
struct UpperEnd {
  bool isFound = false;  ///< Lies within reach.
  double height = 0.0;
  Vec3 position;
};

ABUT_ALWAYS_INLINE UpperEnd findUpperEnd(const CapsuleOverPlane& s, double allowed) {
  UpperEnd upper;
  // The foot is below the end by no more than the radius: no root needed where that is clear.
  const double slack = kCoincident * s.size;
  const double least = (s.height + absOf(s.slope) * s.halfLength) - s.radius;
  if (least > allowed + slack || s.slope * s.slope > kSteepest) return upper;
  const Vec3 end = s.axis * (s.plusIsLower() ? -s.halfLength : s.halfLength);
  const Vec3 down = normalized(s.axis * s.slope - s.normal);
  const Vec3 p1 = end + down * s.radius;
  upper.height = s.height + dot(s.normal, p1);
  upper.isFound = upper.height <= allowed;
  upper.position = p1 - s.normal * (0.5 * upper.height);
  return upper;
}

/// Two contacts whose order is not settled by their heights, or that go to a collector.
[[gnu::noinline]] void addUnsorted(const CapsuleOverPlane& s, const Vec3& position, double gap,
                                   const UpperEnd& upper, ManifoldSink& sink) {
  PairManifold manifold;
  manifold.normal = s.normal;
  manifold.status = statusOfGap(gap, s.size);
  manifold.type = ContactType::Edge;
  manifold.add(position, -gap, capFeature(s.plusIsLower()), kPlaneFeature);
  manifold.add(upper.position, -upper.height, capFeature(!s.plusIsLower()), kPlaneFeature);
  sink.add(manifold);
}

ABUT_ALWAYS_INLINE void collideKernel(const PairQuery& query, ManifoldSink& sink) {
  const CapsuleOverPlane s = relate(query);
  const double allowed = reportedGap(query, s.size);
  const double gap = s.gap();
  if (gap > allowed) return;
  if (!query.enableContact) {
    sink.markCollision();
    return;
  }
  const Vec3 lower = s.axis * choose(s.plusIsLower(), s.halfLength, -s.halfLength);
  const Vec3 position = lower - s.normal * (s.radius + 0.5 * gap);
  const QueryStatus status = statusOfGap(gap, s.size);
  const UpperEnd upper = findUpperEnd(s, allowed);
  if (!upper.isFound) {
    sink.addPoint(s.normal, position, -gap, capFeature(s.plusIsLower()), kPlaneFeature, status);
    return;
  }
  if (!(gap < upper.height) || sink.isCollected()) {
    const CapsuleOverPlane copy = s;  // What is passed on lives in memory.
    const Vec3 positionCopy = position;
    const UpperEnd upperCopy = upper;
    addUnsorted(copy, positionCopy, gap, upperCopy, sink);
    return;
  }
  const std::span<ContactPoint> contacts = sink.begin(ContactType::Edge, status).resize(2);
  const Vec3 normal = sink.worldNormal(s.normal);
  sink.write(normal, position, -gap, capFeature(s.plusIsLower()), kPlaneFeature, contacts[0]);
  sink.write(normal, upper.position, -upper.height, capFeature(!s.plusIsLower()), kPlaneFeature,
             contacts[1]);
}

}  // namespace

ABUT_DEFINE_COLLIDE(Capsule, Plane, collideKernel)

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
