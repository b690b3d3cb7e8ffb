// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "math/pack.hpp"
#include "narrow_phase/pairs/closed_form.hpp"
#include "narrow_phase/pairs/pairs.hpp"

namespace abut::inline v0_1 {
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
  s.axis = fetch(query.pose1.rotation.z);
  s.height = -dot(s.normal, query.pose2.translation) - plane.getOffset();
  s.slope = dot(s.axis, s.normal);
  return s;
}

/// Foot of the upper end: the point of the side's lowest line where the cap begins.
struct UpperEnd {
  double height;
  SplitVec3 position;
};

/// True if the upper end is certainly out of reach: its foot is below it by radius * cosine, with
/// cosine^2 = 1 - slope^2. No root needed then.
ABUT_ALWAYS_INLINE bool isUpperFar(const CapsuleOverPlane& s, double allowed) {
  const double slack = kCoincident * s.size, slope2 = s.slope * s.slope;
  const double above = (s.height + absOf(s.slope) * s.halfLength) - (allowed + slack);
  const bool isHigh = (above > 0.0) & (above * above > (s.radius * s.radius) * (1.0 - slope2));
  return isHigh | (slope2 > kSteepest);
}

ABUT_ALWAYS_INLINE UpperEnd findUpperEnd(const CapsuleOverPlane& s) {
  const Vec3 end = s.axis * choose(s.plusIsLower(), -s.halfLength, s.halfLength);
  const Vec3 down = normalized(s.axis * s.slope - s.normal);
  const Vec3 p1 = end + down * s.radius;
  const double height = s.height + dot(s.normal, p1);
  return {height, split(p1 - s.normal * (0.5 * height))};
}

/// Two contacts whose order is not settled by their heights, or that go to a collector.
[[gnu::noinline]] void addUnsorted(const CapsuleOverPlane& s, const SplitVec3& position, double gap,
                                   const UpperEnd& upper, ManifoldSink& sink) {
  PairManifold manifold;
  manifold.normal = s.normal;
  manifold.status = statusOfGap(gap, s.size);
  manifold.type = ContactType::Edge;
  manifold.add(join(position), -gap, capFeature(s.plusIsLower()), kPlaneFeature);
  manifold.add(join(upper.position), -upper.height, capFeature(!s.plusIsLower()), kPlaneFeature);
  sink.add(manifold);
}

template <bool kShort>
ABUT_ALWAYS_INLINE bool collideKernel(const PairQuery& query, ManifoldSink& sink) {
  const CapsuleOverPlane s = relate(query);
  const double allowed = reportedGap(query, s.size);
  const double gap = s.gap();
  if (gap > allowed) return true;
  if (!query.enableContact) {
    sink.markCollision();
    return true;
  }
  const SplitVec3 n = split(s.normal);
  const SplitVec3 lower = split(s.axis) * choose(s.plusIsLower(), s.halfLength, -s.halfLength);
  const SplitVec3 position = lower - n * (s.radius + 0.5 * gap);
  const QueryStatus status = statusOfGap(gap, s.size);
  const Feature cap = capFeature(s.plusIsLower());
  UpperEnd upper{};
  const bool isFar = isUpperFar(s, allowed);
  if (!isFar) upper = findUpperEnd(s);
  if (isFar || upper.height > allowed) {
    sink.addPoint(n, position, -gap, cap, kPlaneFeature, status);
    return true;
  }
  // Level capsules have equal heights: -z, the cap with the smaller number, is the lower end then.
  const bool isSorted = gap < upper.height || (gap == upper.height && !s.plusIsLower());
  if (!isSorted || sink.isCollected()) {
    if (!kShort) addUnsorted(s, position, gap, upper, sink);
    return !kShort;
  }
  const std::span<ContactPoint> contacts = sink.begin(ContactType::Edge, status).resize(2);
  const SplitVec3 normal = sink.worldNormal(n);
  sink.write(normal, position, -gap, cap, kPlaneFeature, contacts[0]);
  sink.write(normal, upper.position, -upper.height, capFeature(!s.plusIsLower()), kPlaneFeature,
             contacts[1]);
  return true;
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

}  // namespace abut::inline v0_1
