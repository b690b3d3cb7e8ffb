// SPDX-License-Identifier: MIT
#include <abut/shapes/sphere_shape.hpp>

#include "unit/shapes/shape_checks.hpp"

namespace abut {
namespace {

TEST(SphereShape, RefusesAbsurdRadii) {
  test::checkRefusesSizes([](double r) { SphereShape sphere(r); });
  try {
    SphereShape sphere(-1.0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.getCode(), StatusCode::OutOfRange);
    EXPECT_NE(std::string(error.what()).find("got -1"), std::string::npos);
  }
}

TEST(SphereShape, BoxIsTightAndNeverTooSmall) {
  test::checkAabb(SphereShape(0.75), 1, 5e-15);
}

TEST(SphereShape, RaysEnterAtTheSurface) {
  test::checkRays(SphereShape(1.0), 1.0, 2);
  test::checkRays(SphereShape(1e-5), 1e-5, 3);
}

TEST(SphereShape, FarRayHitsASmallSphere) {
  // From 1e6 radii away a naive discriminant loses twelve digits.
  const SphereShape sphere(1.0);
  Ray ray;
  ray.origin = {1e6, 0.5, 0.0};
  ray.direction = {-1.0, 0.0, 0.0};
  ray.maxFraction = 2e6;
  RayHit hit;
  ASSERT_TRUE(sphere.raycast(ray, hit));
  EXPECT_NEAR(hit.point.x(), std::sqrt(0.75), 1e-15);
  EXPECT_NEAR(hit.point.y(), 0.5, 1e-15);
}

TEST(SphereShape, BadRaysHitNothing) {
  const SphereShape sphere(1.0);
  RayHit hit;
  Ray ray;
  ray.direction = {0.0, 0.0, 0.0};
  EXPECT_FALSE(sphere.raycast(ray, hit));
  ray.direction = {0.0, 0.0, -1.0};
  ray.origin = {0.0, 0.0, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_FALSE(sphere.raycast(ray, hit));
}

TEST(SphereShape, MassIsFourThirdsPiRCubed) {
  test::checkMassAgainstGrid(SphereShape(0.5), 60, 3e-3);
  MassProperties mass;
  ASSERT_TRUE(SphereShape(0.5).computeMass(1000.0, mass).isOk());
  EXPECT_NEAR(mass.mass, 1000.0 * 0.5235987755982988, 1e-12);
  EXPECT_NEAR(mass.inertia.x(), 0.1 * mass.mass, 1e-13);
}

}  // namespace
}  // namespace abut
