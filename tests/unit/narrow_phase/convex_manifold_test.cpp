// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/shapes/convex_shape.hpp>

#include "polytope_support.hpp"

namespace abut {
namespace {

using testing::Random;
using Kind = ConvexCore::Kind;

constexpr double kTolerance = 1e-12;

struct Contact {
  PairGap gap;
  PairManifold manifold;
};

void collideCores(const ConvexCore& core1, const Pose& pose1, const ConvexCore& core2,
                  const Pose& pose2, double margin, Contact& result) {
  convexGap(core1, pose1, core2, pose2, result.gap);
  convexManifold(core1, pose1, core2, pose2, result.gap, margin, result.manifold);
}

double greatestDepth(const PairManifold& m) {
  double depth = m.points[0].depth;
  for (int i = 1; i < m.count; ++i) depth = maxOf(depth, m.points[i].depth);
  return depth;
}

ConvexShape hullOfBox(const Vec3& half) {
  std::vector<Eigen::Vector3d> points;
  for (std::uint32_t i = 0; i < 8; ++i)
    points.push_back(toEigen(vertexOf(testing::boxCore(half), i)));
  return ConvexShape(points);
}

ConvexCore coreOfHull(const ConvexShape& shape) {
  return coreOf(shape);
}

TEST(ConvexManifold, GreatestDepthIsThatOfTheGapAndWitnessesLieInTheShapes) {
  Random random(3);
  std::vector<Vec3> directions;
  for (int i = 0; i < 24; ++i) directions.push_back(random.direction());
  for (int i = 0; i < 4000; ++i) {
    SCOPED_TRACE(i);
    const ConvexCore core1 = testing::randomCore(random, static_cast<Kind>(i % 4));
    const ConvexCore core2 = testing::randomCore(random, static_cast<Kind>(i / 4 % 4));
    const Pose pose1{random.rotation(), {}};
    const Mat3 rotation2 = random.rotation();
    const Pose pose2{rotation2, random.inCube(1.0)};
    const double margin = i % 3 == 0 ? 0.1 : 0.0,
                 size = boundingRadius(core1) + boundingRadius(core2);
    Contact c;
    collideCores(core1, pose1, core2, pose2, margin, c);
    if (c.gap.gap > margin) continue;
    ASSERT_GE(c.manifold.count, 1);
    ASSERT_EQ(greatestDepth(c.manifold), -c.gap.gap);
    ASSERT_EQ(c.manifold.normal, c.gap.normal);
    ASSERT_EQ(c.manifold.status, c.gap.status);
    for (int k = 0; k < c.manifold.count; ++k) {
      const PairPoint& p = c.manifold.points[k];
      ASSERT_GE(p.depth, -margin - kTolerance * size);
      const Vec3 half = c.gap.normal * (0.5 * p.depth);
      ASSERT_LE(testing::outside(core1, pose1, p.position - half, directions), 1e-9 * size);
      ASSERT_LE(testing::outside(core2, pose2, p.position + half, directions), 1e-9 * size);
      ASSERT_NE(p.feature1.kind, Feature::Kind::None);
      ASSERT_NE(p.feature2.kind, Feature::Kind::None);
    }
  }
}

TEST(ConvexManifold, FlushBoxesTouchInTheFourCornersOfTheSmallerFace) {
  // Cube of half side 0.5 sunk by 0.01 into a slab whose top is at z = 0.
  const ConvexCore cube = testing::boxCore({0.5, 0.5, 0.5});
  const ConvexCore slab = testing::boxCore({2.0, 2.0, 0.1});
  Contact c;
  collideCores(cube, Pose{}, slab, Pose{Mat3{}, {0.1, 0.2, -0.59}}, 0.0, c);
  EXPECT_EQ(c.manifold.type, ContactType::Face);
  EXPECT_EQ(c.manifold.normal, (Vec3{0.0, 0.0, 1.0}));
  ASSERT_EQ(c.manifold.count, 4);
  for (int i = 0; i < 4; ++i) {
    const PairPoint& p = c.manifold.points[i];
    EXPECT_NEAR(p.depth, 0.01, 1e-15);
    EXPECT_NEAR(absOf(p.position.x), 0.5, 1e-15);
    EXPECT_NEAR(absOf(p.position.y), 0.5, 1e-15);
    EXPECT_NEAR(p.position.z, -0.495, 1e-15);
    EXPECT_EQ(p.feature1.kind, Feature::Kind::Vertex);
    EXPECT_EQ(p.feature2, (Feature{Feature::Kind::Face, 5}));
  }
}

TEST(ConvexManifold, SharedMicroRotationsKeepFourPointsOfTheRightDepth) {
  const ConvexShape cube = hullOfBox({0.5, 0.5, 0.5});
  for (const double angle : {0.0, 5e-8, 1e-7, 1.40625e-7, 1e-4}) {
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, normalized(Vec3{1, 2, 3})}) {
      const Mat3 r = toMatrix(quatFromRotationVector(axis * angle));
      for (const double overlap : {1e-12, 1e-6, 0.01, 0.4}) {
        Contact c;
        collideCores(coreOfHull(cube), Pose{r, {}}, coreOfHull(cube),
                     Pose{r, r * Vec3{0.0, 0.0, 1.0 - overlap}}, 0.0, c);
        ASSERT_EQ(c.manifold.count, 4) << angle << " " << overlap;
        for (int i = 0; i < 4; ++i) ASSERT_NEAR(c.manifold.points[i].depth, overlap, 1e-14);
        ASSERT_NEAR(dot(c.manifold.normal, r.z), -1.0, 1e-14);
      }
    }
  }
}

TEST(ConvexManifold, NearlyFlushFacesKeepEveryCornerWithItsOwnDepth) {
  // The cube leans by 0.01 rad about y over a slab: the low edge is 0.02 deep, the high edge, 1 m
  // on, 0.01 higher. Along the slab's normal both keep their true depth.
  const ConvexShape cube = hullOfBox({0.5, 0.5, 0.5}), slab = hullOfBox({2.0, 2.0, 0.1});
  const Mat3 lean = toMatrix(quatFromRotationVector({0.0, 0.01, 0.0}));
  const double lowest = (lean * Vec3{0.5, 0.0, -0.5}).z, highest = (lean * Vec3{-0.5, 0.0, -0.5}).z;
  Contact c;
  collideCores(coreOfHull(cube), Pose{lean, {}}, coreOfHull(slab),
               Pose{Mat3{}, {0.0, 0.0, lowest + 0.02 - 0.1}}, 0.0, c);
  ASSERT_EQ(c.manifold.count, 4);
  for (int i = 0; i < 4; ++i) {
    const bool isLow = c.manifold.points[i].position.x > 0.0;
    EXPECT_NEAR(c.manifold.points[i].depth, isLow ? 0.02 : 0.02 - (highest - lowest), 1e-14);
  }
}

TEST(ConvexManifold, CrossingEdgesTouchInOnePoint) {
  // Two cubes turned by 45 degrees, one about x, one about y: edges cross at right angles.
  const double s = std::sqrt(0.5);
  const ConvexCore cube = testing::boxCore({0.5, 0.5, 0.5});
  const Mat3 aboutX{{1, 0, 0}, {0, s, s}, {0, -s, s}}, aboutY{{s, 0, -s}, {0, 1, 0}, {s, 0, s}};
  Contact c;
  collideCores(cube, Pose{aboutX, {}}, cube, Pose{aboutY, {0.0, 0.0, 2.0 * s - 0.01}}, 0.0, c);
  ASSERT_EQ(c.manifold.count, 1);
  EXPECT_EQ(c.manifold.type, ContactType::Point);
  EXPECT_NEAR(c.manifold.points[0].depth, 0.01, 1e-15);
  EXPECT_EQ(c.manifold.points[0].feature1.kind, Feature::Kind::Edge);
  EXPECT_EQ(c.manifold.points[0].feature2.kind, Feature::Kind::Edge);
}

TEST(ConvexManifold, SegmentOnAFaceTouchesInTwoPoints) {
  const ConvexCore capsule = testing::segmentCore(0.5, 0.1);
  const ConvexCore slab = testing::boxCore({2.0, 2.0, 0.1});
  const Mat3 lying{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}};  // Its axis along -x.
  Contact c;
  collideCores(capsule, Pose{lying, {}}, slab, Pose{Mat3{}, {0.0, 0.0, -0.199}}, 0.0, c);
  ASSERT_EQ(c.manifold.count, 2);
  EXPECT_EQ(c.manifold.type, ContactType::Edge);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(c.manifold.points[i].depth, 0.001, 1e-15);
    EXPECT_NEAR(absOf(c.manifold.points[i].position.x), 0.5, 1e-15);
  }
}

TEST(ConvexManifold, ParallelSegmentsShareTheStretchAlongWhichTheyRun) {
  // Segments along z from -1 to 1 and from 0.5 to 2.5, radii 0.1 each, axes 0.199 apart.
  const ConvexCore capsule = testing::segmentCore(1.0, 0.1);
  Contact c;
  collideCores(capsule, Pose{}, capsule, Pose{Mat3{}, {0.199, 0.0, 1.5}}, 0.0, c);
  ASSERT_EQ(c.manifold.count, 2);
  EXPECT_EQ(c.manifold.type, ContactType::Edge);
  EXPECT_NEAR(c.manifold.points[0].depth, 0.001, 1e-15);
  EXPECT_NEAR(minOf(c.manifold.points[0].position.z, c.manifold.points[1].position.z), 0.5, 1e-15);
  EXPECT_NEAR(maxOf(c.manifold.points[0].position.z, c.manifold.points[1].position.z), 1.0, 1e-15);
}

TEST(ConvexManifold, TouchingWithinRoundingIsAContactWithoutMargin) {
  const ConvexShape cube = hullOfBox({1.0, 1.0, 1.0});
  for (const double gap : {0.0, 1e-15, -1e-15, 1e-13, -1e-13}) {
    Contact c;
    collideCores(coreOfHull(cube), Pose{}, coreOfHull(cube), Pose{Mat3{}, {2.0 + gap, 0.0, 0.0}},
                 0.0, c);
    EXPECT_EQ(c.gap.status, QueryStatus::Touching);
    EXPECT_EQ(c.manifold.count, 4);
    EXPECT_NEAR(c.manifold.normal.x, -1.0, 1e-15);
  }
}

TEST(ConvexManifold, CapOfACylinderIsClippedByTheEdgesOfABox) {
  // A disc of radius 1 half over the edge x = 0 of a slab: the rim crosses that edge at y = +-1.
  ConvexCore cylinder;
  cylinder.kind = Kind::Cylinder;
  cylinder.half = {1.0, 0.0, 0.5};
  const ConvexCore slab = testing::boxCore({2.0, 2.0, 0.1});
  PairGap gap;
  gap.gap = -0.01;
  gap.normal = {0.0, 0.0, 1.0};
  gap.p1 = {-0.5, 0.0, -0.5};
  gap.p2 = {-0.5, 0.0, -0.49};
  gap.status = QueryStatus::Penetrating;
  PairManifold m;
  convexManifold(cylinder, Pose{}, slab, Pose{Mat3{}, {-2.0, 0.0, -0.59}}, gap, 0.0, m);
  int onEdge = 0;
  for (int i = 0; i < m.count; ++i) {
    const Vec3& p = m.points[i].position;
    EXPECT_LE(p.x, 1e-12);
    EXPECT_LE(p.x * p.x + p.y * p.y, 1.0 + 1e-12);
    EXPECT_EQ(m.points[i].depth, 0.01);
    if (absOf(p.x) < 1e-12 && absOf(absOf(p.y) - 1.0) < 1e-12) ++onEdge;
  }
  EXPECT_EQ(onEdge, 2);
  EXPECT_EQ(m.type, ContactType::Face);
}

}  // namespace
}  // namespace abut
