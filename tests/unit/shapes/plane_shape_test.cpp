// SPDX-License-Identifier: MIT
#include <abut/shapes/plane_shape.hpp>

#include "unit/shapes/shape_checks.hpp"

namespace abut {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(PlaneShape, NormalisesAnyNormalThatIsNotZero) {
  for (const double scale : {1e-200, 1.0, 1e200}) {
    const PlaneShape plane({3.0 * scale, 0.0, 4.0 * scale}, 2.0);
    EXPECT_DOUBLE_EQ(plane.getNormal().x(), 0.6);
    EXPECT_DOUBLE_EQ(plane.getNormal().z(), 0.8);
  }
  EXPECT_THROW(PlaneShape({0.0, 0.0, 0.0}), Error);
  EXPECT_THROW(PlaneShape({0.0, kInfinity, 0.0}), Error);
  EXPECT_THROW(PlaneShape({0.0, 0.0, 1.0}, 1e7), Error);
  EXPECT_THROW(PlaneShape({0.0, 0.0, 1.0}, 0.0 * kInfinity), Error);
}

TEST(PlaneShape, BoxIsFiniteOnlyAboveAnAxisAlignedNormal) {
  const PlaneShape floor({0.0, 0.0, 1.0}, 0.5);
  Pose pose;
  pose.translation = {7.0, 8.0, 2.0};
  const Aabb box = floor.computeAabb(pose);
  EXPECT_GE(box.max_.z(), 2.5);
  EXPECT_NEAR(box.max_.z(), 2.5, 1e-14);
  EXPECT_EQ(box.min_.z(), -kInfinity);
  EXPECT_EQ(box.max_.x(), kInfinity);
  pose.rotation = {{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, -1.0}};
  EXPECT_LE(floor.computeAabb(pose).min_.z(), 1.5);
  EXPECT_EQ(floor.computeAabb(pose).max_.z(), kInfinity);
  EXPECT_EQ(PlaneShape({1.0, 1.0, 0.0}).computeLocalAabb().max_.x(), kInfinity);
}

TEST(PlaneShape, HasNoMassAndNoFiniteRadius) {
  const PlaneShape plane({0.0, 0.0, 1.0});
  MassProperties mass;
  EXPECT_EQ(plane.computeMass(1.0, mass).getCode(), StatusCode::NotSolid);
  EXPECT_EQ(plane.boundingRadius(), kInfinity);
}

TEST(PlaneShape, RaysEnterAtTheSurface) {
  test::checkRays(PlaneShape({1.0, -2.0, 3.0}, 0.3), 1.0, 5);
}

}  // namespace
}  // namespace abut
