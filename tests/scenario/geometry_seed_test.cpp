// SPDX-License-Identifier: MIT
// Per-contact penetration depth: the six cases of the design that asked for it, and the sharp cases
// it failed on.
#include <cmath>

#include <gtest/gtest.h>

#include <abut/shapes/plane_shape.hpp>

#include "support/judge.hpp"

namespace abut::test {
namespace {

Matrix turn(double angle, const Vector& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

Body cube(const Matrix& rotation, const Vector& position) {
  return Body(Specimen::box({0.5, 0.5, 0.5}), rotation, position);
}

CollisionResult contacts(const PlacedShape& a, const PlacedShape& b) {
  CollisionResult result;
  collide(a, b, CollisionOption::fullContacts(), result).orThrow();
  return result;
}

CollisionResult onPlane(const Body& body) {
  const PlaneShape ground(Vector(0.0, 0.0, 1.0));
  return contacts(body.placed(1), place(ground, Matrix::Identity(), {0.0, 0.0, 0.0}, 2));
}

TEST(PerContactDepth, SingleContactHasTheWholeDepth) {
  // A corner 0.01 below the ground.
  const Matrix corner =
      Eigen::Quaterniond::FromTwoVectors(Vector(-1.0, -1.0, -1.0), -Vector::UnitZ())
          .toRotationMatrix();
  const double reach = std::sqrt(0.75);
  const CollisionResult result = onPlane(cube(corner, {0.0, 0.0, reach - 0.01}));
  ASSERT_EQ(result.numContacts(), 1u);
  EXPECT_NEAR(result.getContact(0).depth, 0.01, 1e-15);
  EXPECT_EQ(result.getContact(0).depth, result.penetrationDepth());
}

TEST(PerContactDepth, FlatLandingGivesFourEqualDepths) {
  const Body landed = cube(Matrix::Identity(), {0.0, 0.0, 0.49});
  const Body floor(Specimen::box({5.0, 5.0, 0.5}), Matrix::Identity(), {0.0, 0.0, -0.5});
  for (const CollisionResult& result :
       {onPlane(landed), contacts(landed.placed(1), floor.placed(2))}) {
    ASSERT_EQ(result.numContacts(), 4u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(result.getContact(i).depth, 0.01, 1e-15);
  }
}

TEST(PerContactDepth, TiltedCubeIsDeeperOnItsLowSide) {
  // Lower edge 0.3 below the ground; 15 degrees put the other bottom edge sin(15) = 0.2588 higher.
  const double tilt = M_PI / 12;
  const double reach = 0.5 * (std::cos(tilt) + std::sin(tilt));
  const Body tilted = cube(turn(tilt, Vector::UnitX()), {0.0, 0.0, reach - 0.3});
  const CollisionResult result = onPlane(tilted);
  ASSERT_EQ(result.numContacts(), 4u);
  EXPECT_NEAR(result.getContact(0).depth, 0.3, 1e-15);
  EXPECT_NEAR(result.getContact(1).depth, 0.3, 1e-15);
  EXPECT_NEAR(result.getContact(2).depth, 0.3 - std::sin(tilt), 1e-15);
  EXPECT_NEAR(result.getContact(3).depth, 0.3 - std::sin(tilt), 1e-15);
}

TEST(PerContactDepth, GrazingContactIsNearlyZeroDeep) {
  const CollisionResult result = onPlane(cube(Matrix::Identity(), {0.0, 0.0, 0.5 - 1e-12}));
  ASSERT_EQ(result.numContacts(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(result.getContact(i).depth, 1e-12, 1e-15);
}

TEST(PerContactDepth, GreatestDepthIsThePenetrationDepth) {
  Generator random(3);
  for (int i = 0; i < 200; ++i) {
    const Body a = cube(random.rotation(), {0.0, 0.0, 0.0});
    Body b = cube(random.rotation(), {0.0, 0.0, 0.0});
    if (!placeAtGap(a, b, random.direction(), -0.05)) continue;
    const CollisionResult result = contacts(a.placed(1), b.placed(2));
    double greatest = 0.0;
    for (std::size_t k = 0; k < result.numContacts(); ++k) {
      greatest = std::max(greatest, result.getContact(k).depth);
      EXPECT_GE(result.getContact(k).depth, 0.0);
    }
    EXPECT_EQ(greatest, result.penetrationDepth());
    DistanceResult exact;
    ASSERT_TRUE(distance(a.placed(1), b.placed(2), exact));
    EXPECT_NEAR(greatest, -exact.distance, 1e-15);
  }
}

TEST(PerContactDepth, DepthsAreNotNegativeWithoutAMargin) {
  Generator random(4);
  for (int i = 0; i < 500; ++i) {
    const auto kind = static_cast<Specimen::Kind>(i % 6);
    Body body(randomSpecimen(random, kind, 0.2, 1.0), random.rotation(), {0.0, 0.0, 0.0});
    body.position.z() = random.range(-0.1, 0.3);
    const CollisionResult result = onPlane(body);
    for (std::size_t k = 0; k < result.numContacts(); ++k) {
      EXPECT_GE(result.getContact(k).depth, -4e-12);  // Touching counts as a contact.
    }
  }
}

// The origin system threw, or reported a depth of 1.0.
TEST(PerContactDepth, SharedMicroRotationsKeepFourContacts) {
  for (const double angle : {1.40625e-7, 5e-8, 1e-7, 1e-4}) {
    for (const Vector& axis : {Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0),
                               Vector(1.0, 2.0, 3.0)}) {
      const Matrix r = turn(angle, axis);
      const Body a = cube(r, {0.0, 0.0, 0.0});
      const Body b = cube(r, r * Vector(0.0, 0.0, 0.99));
      SCOPED_TRACE(::testing::Message() << angle << " about " << axis.transpose());
      EXPECT_EQ(judge(a, b).message, "");
      const CollisionResult result = contacts(a.placed(1), b.placed(2));
      ASSERT_EQ(result.numContacts(), 4u);
      for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(result.getContact(k).depth, 0.01, 1e-15);
    }
  }
}

TEST(PerContactDepth, OverlapsFrom1em12To05AreContinuous) {
  double last = 0.0;
  for (int k = 0; k <= 400; ++k) {
    const double overlap = std::pow(10.0, -12.0 + k * (12.0 + std::log10(0.5)) / 400.0);
    const Body a = cube(Matrix::Identity(), {0.0, 0.0, 0.0});
    const Body b = cube(Matrix::Identity(), {0.1, 0.2, 1.0 - overlap});
    const CollisionResult result = contacts(a.placed(1), b.placed(2));
    ASSERT_GE(result.numContacts(), 1u) << overlap;
    EXPECT_NEAR(result.penetrationDepth(), overlap, 1e-15);
    EXPECT_GE(result.penetrationDepth(), last);
    last = result.penetrationDepth();
  }
}

// The seed's assertion against a face plane would demand sqrt(2) p.
TEST(PerContactDepth, CrossingEdgesGiveOneContactOfTheOverlap) {
  for (const double p : {1e-6, 1e-3, 0.01, 0.05}) {
    const Body a = cube(turn(M_PI / 4, Vector::UnitX()), {0.0, 0.0, 0.0});
    const Body b = cube(turn(M_PI / 4, Vector::UnitY()), {0.0, 0.0, std::sqrt(2.0) - p});
    EXPECT_EQ(judge(a, b).message, "");
    const CollisionResult result = contacts(a.placed(1), b.placed(2));
    ASSERT_EQ(result.numContacts(), 1u) << p;
    EXPECT_NEAR(result.getContact(0).depth, p, 1e-15);
    EXPECT_NEAR(result.getContact(0).normal.z(), -1.0, 1e-15);
  }
}

}  // namespace
}  // namespace abut::test
