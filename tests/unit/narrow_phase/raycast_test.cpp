// SPDX-License-Identifier: MIT
#include <limits>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "support/random.hpp"

namespace abut {
namespace {

using Eigen::Vector3d;

TEST(Raycast, IsThatOfTheShapeInItsOwnFrame) {
  const BoxShape box({1.0, 0.5, 0.25});
  constexpr std::uint64_t kSeed = 21;
  test::Random random(kSeed);
  int hits = 0;
  for (int i = 0; i < 500; ++i) {
    const Pose pose = random.pose(2.0);
    const Vec3 origin = random.vector(4.0);
    const Vec3 target = apply(pose, scaled(random.vector(1.0), {1.0, 0.5, 0.25}));
    Ray ray;
    ray.origin = toEigen(origin);
    ray.direction = toEigen((target - origin) * 1.5);
    bool found = false;
    RayHit hit;
    ASSERT_TRUE(raycast({&box, pose, 1}, ray, found, hit));
    if (!found || hit.fraction == 0.0) continue;
    ++hits;
    // The point lies on the ray and on the surface; the normal is a unit vector against the ray.
    EXPECT_EQ(hit.point, toEigen(origin + toVec3(ray.direction) * hit.fraction));
    EXPECT_NEAR(box.signedDistance(toEigen(applyInverse(pose, toVec3(hit.point)))), 0.0, 1e-14)
        << "seed " << kSeed << " case " << i;
    EXPECT_NEAR(hit.normal.norm(), 1.0, 1e-15);
    EXPECT_LT(hit.normal.dot(ray.direction), 0.0);
  }
  EXPECT_GT(hits, 400);
}

TEST(Raycast, AMissLeavesTheHitAlone) {
  const SphereShape sphere(1.0);
  Ray ray;
  ray.origin = {0, 0, 5};
  ray.direction = {1, 0, 0};
  bool found = true;
  RayHit hit;
  hit.fraction = 0.625;
  ASSERT_TRUE(raycast({&sphere, {}, 1}, ray, found, hit));
  EXPECT_FALSE(found);
  EXPECT_EQ(hit.fraction, 0.625);
}

TEST(Raycast, MayGoOnForEver) {
  const SphereShape sphere(1.0);
  Ray ray;
  ray.origin = {0, 0, 1001};
  ray.direction = {0, 0, -2};
  ray.maxFraction = std::numeric_limits<double>::infinity();
  bool found = false;
  RayHit hit;
  ASSERT_TRUE(raycast({&sphere, {}, 1}, ray, found, hit));
  ASSERT_TRUE(found);
  EXPECT_NEAR(hit.fraction, 500.0, 1e-12);
}

TEST(Raycast, BadRaysAreRefused) {
  const SphereShape sphere(1.0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto code = [&](const Vector3d& origin, const Vector3d& direction, double max) {
    bool found = false;
    RayHit hit;
    Ray ray;
    ray.origin = origin;
    ray.direction = direction;
    ray.maxFraction = max;
    return raycast({&sphere, {}, 1}, ray, found, hit).getCode();
  };
  EXPECT_EQ(code({nan, 0, 0}, {0, 0, 1}, 1.0), StatusCode::NonFinite);
  EXPECT_EQ(code({0, 0, 0}, {0, infinity, 1}, 1.0), StatusCode::NonFinite);
  EXPECT_EQ(code({0, 0, 0}, {0, 0, 0}, 1.0), StatusCode::OutOfRange);
  EXPECT_EQ(code({0, 0, 0}, {0, 0, 1}, -1.0), StatusCode::OutOfRange);
  EXPECT_EQ(code({0, 0, 0}, {0, 0, 1}, nan), StatusCode::OutOfRange);
  EXPECT_EQ(code({0, 0, 3}, {0, 0, -1}, 5.0), StatusCode::Ok);
  bool found = false;
  RayHit hit;
  EXPECT_EQ(raycast({}, Ray{}, found, hit).getCode(), StatusCode::NullObject);
}

}  // namespace
}  // namespace abut
