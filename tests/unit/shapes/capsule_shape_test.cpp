// SPDX-License-Identifier: MIT
#include <abut/shapes/capsule_shape.hpp>

#include "unit/shapes/shape_checks.hpp"

namespace abut {
namespace {

TEST(CapsuleShape, RefusesAbsurdSizes) {
  test::checkRefusesSizes([](double r) { CapsuleShape capsule(r, 1.0); });
  test::checkRefusesSizes([](double l) { CapsuleShape capsule(1.0, l); });
}

TEST(CapsuleShape, BoxIsTightAndNeverTooSmall) {
  test::checkAabb(CapsuleShape(0.3, 1.4), 1, 5e-15);
}

TEST(CapsuleShape, RaysEnterAtTheSurface) {
  test::checkRays(CapsuleShape(0.3, 1.4), 1.0, 2);
  test::checkRays(CapsuleShape(0.9, 1e-3), 1.0, 3);
}

TEST(CapsuleShape, RayAlongTheAxisEntersTheCap) {
  Ray ray;
  ray.origin = {0.0, 0.0, 5.0};
  ray.direction = {0.0, 0.0, -1.0};
  ray.maxFraction = 10.0;
  RayHit hit;
  ASSERT_TRUE(CapsuleShape(0.5, 2.0).raycast(ray, hit));
  EXPECT_DOUBLE_EQ(hit.fraction, 3.5);
  EXPECT_EQ(hit.normal, Eigen::Vector3d(0.0, 0.0, 1.0));
}

TEST(CapsuleShape, MassAgreesWithAGrid) {
  test::checkMassAgainstGrid(CapsuleShape(0.4, 1.0), 60, 3e-3);
}

TEST(CapsuleShape, SignedDistanceIsToTheSegmentLessTheRadius) {
  const CapsuleShape capsule(0.5, 2.0);
  EXPECT_DOUBLE_EQ(capsule.signedDistance({0.0, 0.0, 0.3}), -0.5);
  EXPECT_DOUBLE_EQ(capsule.signedDistance({3.0, 0.0, 1.0}), 2.5);
  EXPECT_DOUBLE_EQ(capsule.signedDistance({3.0, 0.0, 5.0}), 4.5);
}

}  // namespace
}  // namespace abut
