// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "math/pose.hpp"
#include "narrow_phase/convex/convex_gap.hpp"
#include "support/random.hpp"

namespace abut::test {

/// Signed gap along n: least n.x over 1 less greatest n.y over 2. A half-space has one along its
/// own normal only.
inline double supportGap(const PlacedShape& a, const PlacedShape& b, const Vec3& n) {
  const auto reach = [](const PlacedShape& p, const Vec3& d) {
    if (p.shape->getType() == ShapeType::Plane) {
      const auto& plane = static_cast<const PlaneShape&>(*p.shape);
      const Vec3 normal = p.pose.rotation * toVec3(plane.getNormal());
      EXPECT_LE(norm(normal - d), 1e-14);
      return plane.getOffset() + dot(normal, p.pose.translation);
    }
    const Vec3 local = transposeTimes(p.pose.rotation, d);
    return dot(d, apply(p.pose, toVec3(p.shape->supportPoint(toEigen(local)))));
  };
  return -reach(a, -n) - reach(b, n);
}

inline double surfaceDistance(const PlacedShape& p, const Eigen::Vector3d& world) {
  return p.shape->signedDistance(toEigen(applyInverse(p.pose, toVec3(world))));
}

/// Largest errors seen, for reports.
struct WorstErrors {
  double gap = 0.0;      ///< Claimed gap against the gap along the claimed normal.
  double witness = 0.0;  ///< Distance of witness points from their surfaces, p1 - p2 - gap n.
  double oracle = 0.0;   ///< Claimed gap against an independent computation.
};

/// Checks distance() of a pair by its certificate: for a positive distance the witness points bound
/// it from above and the normal from below. For an overlap EPA says that no other direction is
/// shorter.
inline void checkDistance(const PlacedShape& a, const PlacedShape& b, double tolerance,
                          WorstErrors& worst) {
  DistanceResult r;
  ASSERT_TRUE(distance(a, b, r).isOk());
  const Vec3 n = toVec3(r.normal), p1 = toVec3(r.point1), p2 = toVec3(r.point2);
  ASSERT_NEAR(norm(n), 1.0, 4e-15);
  const double gapError = absOf(supportGap(a, b, n) - r.distance);
  const double witnessError =
      maxOf(maxOf(absOf(surfaceDistance(a, r.point1)), absOf(surfaceDistance(b, r.point2))),
            norm((p1 - p2) - n * r.distance));
  worst.gap = maxOf(worst.gap, gapError);
  worst.witness = maxOf(worst.witness, witnessError);
  ASSERT_LE(gapError, tolerance);
  ASSERT_LE(witnessError, tolerance);
  if (!a.shape->isConvex() || !b.shape->isConvex() || r.distance >= 0.0) return;
  PairGap gap;
  Pose pose2 = b.pose;
  pose2.translation -= a.pose.translation;
  convexGap(coreOf(*a.shape), {a.pose.rotation, {}}, coreOf(*b.shape), pose2, gap);
  // Both are depths along some direction, and the least counts.
  worst.oracle = maxOf(worst.oracle, gap.gap - r.distance);
  ASSERT_LE(gap.gap, r.distance + tolerance);
}

/// Checks collide() of a pair: contacts exist exactly where distance() says so; the greatest depth
/// is the support depth along the shared normal; every point lies on both surfaces.
inline void checkContacts(const PlacedShape& a, const PlacedShape& b, double margin,
                          double tolerance, WorstErrors& worst) {
  DistanceResult r;
  ASSERT_TRUE(distance(a, b, r).isOk());
  CollisionOption option;
  option.margin = margin;
  CollisionResult result;
  ASSERT_TRUE(collide(a, b, option, result).isOk());
  CollisionResult yesNo;
  option.enableContact = false;
  ASSERT_TRUE(collide(a, b, option, yesNo).isOk());
  ASSERT_EQ(yesNo.isCollision(), result.isCollision());
  ASSERT_EQ(yesNo.numManifolds(), 0u);
  if (r.distance > margin + tolerance) {
    ASSERT_EQ(result.numManifolds(), 0u);
    return;
  }
  if (r.distance > margin - tolerance && r.status == QueryStatus::Separated) return;
  ASSERT_EQ(result.numManifolds(), 1u) << "distance " << r.distance;
  const ContactManifold& m = result.getManifold(0);
  ASSERT_EQ(m.getStatus(), r.status);
  const Vec3 n = toVec3(m.getSharedNormal());
  ASSERT_NEAR(norm(n), 1.0, 4e-15);
  ASSERT_NEAR(m.penetrationDepth(), -r.distance, tolerance);
  const double gapError = absOf(supportGap(a, b, n) + m.penetrationDepth());
  worst.gap = maxOf(worst.gap, gapError);
  ASSERT_LE(gapError, tolerance);
  for (const ContactPoint& c : m.getContacts()) {
    ASSERT_GE(c.depth, -margin);
    ASSERT_EQ(c.normal, m.getSharedNormal());
    const double off =
        maxOf(absOf(surfaceDistance(a, c.point1())), absOf(surfaceDistance(b, c.point2())));
    worst.witness = maxOf(worst.witness, off);
    ASSERT_LE(off, tolerance) << "depth " << c.depth << " of " << m.numContacts();
  }
}

/// collide(b, a) is collide(a, b) with 1 and 2 exchanged and the normal negated, to the bit.
inline void checkSwap(const PlacedShape& a, const PlacedShape& b) {
  CollisionResult ab, ba;
  const CollisionOption option;
  ASSERT_TRUE(collide(a, b, option, ab).isOk());
  ASSERT_TRUE(collide(b, a, option, ba).isOk());
  ASSERT_EQ(ab.numContacts(), ba.numContacts());
  for (std::size_t i = 0; i < ab.numContacts(); ++i) {
    const ContactPoint &x = ab.getContact(i), &y = ba.getContact(i);
    ASSERT_EQ(x.position, y.position);
    ASSERT_EQ(x.depth, y.depth);
    ASSERT_EQ(toVec3(x.normal), -toVec3(y.normal));
    ASSERT_EQ(x.feature1, y.feature2);
    ASSERT_EQ(x.feature2, y.feature1);
  }
  DistanceResult dab, dba;
  ASSERT_TRUE(distance(a, b, dab).isOk());
  ASSERT_TRUE(distance(b, a, dba).isOk());
  ASSERT_EQ(dab.distance, dba.distance);
  ASSERT_EQ(dab.point1, dba.point2);
  ASSERT_EQ(toVec3(dab.normal), -toVec3(dba.normal));
}

/// Poses that find degenerate cases: one third anywhere, one third on a grid of positions and of
/// rotations by multiples of 45 degrees, one third such poses a little disturbed.
inline Pose awkwardPose(Random& random, double size) {
  const double kind = random.unit();
  if (kind < 1.0 / 3.0) return random.pose(size);
  const double s = 0.70710678118654752440;
  const Quat turns[6] = {{1, 0, 0, 0}, {s, s, 0, 0},
                         {s, 0, s, 0}, {s, 0, 0, s},
                         {0, 1, 0, 0}, {0.92387953251128675613, 0.38268343236508977173, 0, 0}};
  const auto pick = [&](int n) { return static_cast<int>(random.unit() * n); };
  const Quat first = turns[pick(6)];
  const Quat second = turns[pick(6)];
  Quat q = first * second;
  double p[3];
  for (double& x : p) x = 0.25 * (pick(9) - 4) * size;
  Vec3 translation{p[0], p[1], p[2]};
  if (kind > 2.0 / 3.0) {
    double magnitude = 1e-3;
    for (int i = pick(14); i > 0; --i) magnitude *= 0.1;
    const Vec3 turn = random.vector(magnitude);
    q = q * Quat{1.0, turn.x, turn.y, turn.z};
    translation += random.vector(magnitude * size);
  }
  return {toMatrix(normalized(q)), translation};
}

}  // namespace abut::test
