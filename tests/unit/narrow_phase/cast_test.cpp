// SPDX-License-Identifier: MIT
#include <limits>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/cast.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "math/trigonometry.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

using Eigen::Vector3d;

PlacedShape at(const Shape& shape, const Vec3& position, ObjectId id) {
  return {&shape, {{}, position}, id};
}

Motion turn(const Vector3d& angular, const Vector3d& linear = {0, 0, 0}) {
  return {linear, angular};
}

TEST(ShapeCast, SpheresMeetWhereTheCentresAreTwoRadiiApart) {
  const SphereShape small(0.25), large(0.75);
  CastResult result;
  // |(-4 + 8 t, 0.6, 0)| = 1  =>  t = (4 - 0.8)/8.
  ASSERT_TRUE(
      shapeCast(at(small, {-4.0, 0.6, 0.0}, 1), {8, 0, 0}, at(large, {}, 2), {0, 0, 0}, result));
  EXPECT_TRUE(result.hit);
  EXPECT_EQ(result.status, QueryStatus::Touching);
  EXPECT_NEAR(result.fraction, 0.4, 1e-15);
  EXPECT_NEAR((result.normal - Vector3d(-0.8, 0.6, 0.0)).norm(), 0.0, 1e-14);
  EXPECT_NEAR((result.point - Vector3d(-0.6, 0.45, 0.0)).norm(), 0.0, 1e-14);
  EXPECT_EQ(result.object1, 1u);
  EXPECT_EQ(result.object2, 2u);
}

TEST(ShapeCast, OnlyTheRelativeMotionCounts) {
  const SphereShape sphere(0.5);
  CastResult result;
  ASSERT_TRUE(
      shapeCast(at(sphere, {-4, 0, 0}, 1), {5, 7, 0}, at(sphere, {}, 2), {-1, 7, 0}, result));
  EXPECT_NEAR(result.fraction, 0.5, 1e-15);
  // Object 2 has moved by half of (-1, 7, 0); the contact is half a metre before its centre.
  EXPECT_NEAR((result.point - Vector3d(-1.0, 3.5, 0.0)).norm(), 0.0, 1e-14);
}

TEST(ShapeCast, AMissKeepsTheWholeMotion) {
  const SphereShape sphere(0.5);
  const BoxShape box({0.5, 0.5, 0.5});
  CastResult result;
  for (const Vector3d& d : {Vector3d(0, 1, 0), Vector3d(-3, 0, 0), Vector3d(1.9, 0, 0),
                            Vector3d(5, 5, 0), Vector3d(0, 0, 0)}) {
    ASSERT_TRUE(shapeCast(at(sphere, {-3, 0, 0}, 1), d, at(box, {}, 2), {0, 0, 0}, result));
    EXPECT_FALSE(result.hit);
    EXPECT_EQ(result.fraction, 1.0);
    EXPECT_EQ(result.status, QueryStatus::Separated);
    EXPECT_EQ(result.normal, Vector3d(0, 0, 0));
  }
}

TEST(ShapeCast, ContactAtTheVeryEndIsAHit) {
  const SphereShape sphere(0.5);
  CastResult result;
  ASSERT_TRUE(
      shapeCast(at(sphere, {-3, 0, 0}, 1), {2, 0, 0}, at(sphere, {}, 2), {0, 0, 0}, result));
  EXPECT_TRUE(result.hit);
  EXPECT_NEAR(result.fraction, 1.0, 1e-15);
}

TEST(ShapeCast, SphereFallsOnAPlaneAtHeightOverSpeed) {
  const SphereShape sphere(0.1);
  const PlaneShape plane({0, 0, 1}, 0.3);
  CastResult result;
  ASSERT_TRUE(
      shapeCast(at(sphere, {1, 2, 1.4}, 1), {3, 0, -4}, at(plane, {}, 2), {0, 0, 0}, result));
  // (1.4 - 0.1 - 0.3)/4
  EXPECT_NEAR(result.fraction, 0.25, 1e-15);
  EXPECT_EQ(result.normal, Vector3d(0, 0, 1));
  EXPECT_NEAR((result.point - Vector3d(1.75, 2, 0.3)).norm(), 0.0, 1e-14);
  EXPECT_EQ(result.iterations, 2u);
}

TEST(ShapeCast, BoxFallsOnAPlaneWithItsLowestCorner) {
  const BoxShape box({0.5, 0.25, 0.125});
  const PlaneShape plane({0, 0, 1});
  const Mat3 rotation = toMatrix(quatFromRotationVector({0.3, 0.5, 0.7}));
  const Vec3 reach = scaled(absOf(transpose(rotation).z), {0.5, 0.25, 0.125});
  const PlacedShape placed{&box, {rotation, {0, 0, 3}}, 1};
  CastResult result;
  ASSERT_TRUE(shapeCast(placed, {0, 0, -5}, at(plane, {}, 2), {0, 0, 0}, result));
  EXPECT_NEAR(result.fraction, (3.0 - ((reach.x + reach.y) + reach.z)) / 5.0, 1e-15);
}

TEST(ShapeCast, OpposedPlanesCloseTheirGap) {
  const PlaneShape floor({0, 0, 1}), ceiling({0, 0, -1}, -2.0);
  CastResult result;
  ASSERT_TRUE(shapeCast(at(floor, {}, 1), {0, 0, 1}, at(ceiling, {}, 2), {5, 0, -3}, result));
  EXPECT_NEAR(result.fraction, 0.5, 1e-15);
}

TEST(ShapeCast, OverlapAtTheStartHitsAtOnceWithTheContactNormal) {
  const BoxShape box({1, 1, 1});
  const SphereShape sphere(0.5);
  CastResult result;
  ASSERT_TRUE(shapeCast(at(sphere, {0, 0, 1.4}, 1), {0, 0, 9}, at(box, {}, 2), {0, 0, 0}, result));
  EXPECT_TRUE(result.hit);
  EXPECT_EQ(result.fraction, 0.0);
  EXPECT_EQ(result.status, QueryStatus::Penetrating);
  EXPECT_NEAR((result.normal - Vector3d(0, 0, 1)).norm(), 0.0, 1e-15);
}

TEST(ShapeCast, SlidingAHairAboveAPlaneTerminatesWithoutAHit) {
  const BoxShape box({1, 1, 1}), floor({100, 100, 1});
  CastResult result;
  ASSERT_TRUE(
      shapeCast(at(box, {0, 0, 2.0 + 1e-9}, 1), {50, 0, 0}, at(floor, {}, 2), {0, 0, 0}, result));
  EXPECT_FALSE(result.hit);
  EXPECT_LE(result.iterations, 3u);
}

TEST(TimeOfImpact, SpinningBoxMeetsThePlaneWithItsEdge) {
  const BoxShape box({0.5, 0.5, 0.5});
  const PlaneShape plane({0, 0, 1});
  CastResult result;
  ASSERT_TRUE(
      timeOfImpact(at(box, {0, 0, 0.6}, 1), turn({0.5 * kPi, 0, 0}), at(plane, {}, 2), {}, result));
  // 0.6 = (cos a + sin a)/2  =>  sin 2a = 1.2^2 - 1 = 0.44, a = 0.227801382939548...
  const double angle = 0.5 * (0.5 * kPi - acosOf(0.44));
  EXPECT_TRUE(result.hit);
  EXPECT_NEAR(result.fraction, angle / (0.5 * kPi), 1e-14);
  EXPECT_EQ(result.normal, Vector3d(0, 0, 1));
  EXPECT_LE(result.iterations, 12u);
}

TEST(TimeOfImpact, TurningPlaneMeetsARestingSphere) {
  const SphereShape sphere(0.5);
  const PlaneShape plane({0, 0, 1});
  CastResult result;
  // After the angle a about y the normal is (sin a, 0, cos a); the centre (-10, 0, 2) is then at
  // the height 2 cos a - 10 sin a = 0.5, so a = acos(0.5/sqrt(104)) - atan(10/2).
  ASSERT_TRUE(
      timeOfImpact(at(sphere, {-10, 0, 2}, 1), {}, at(plane, {}, 2), turn({0, 1, 0}), result));
  EXPECT_TRUE(result.hit);
  EXPECT_NEAR(result.fraction, acosOf(0.5 / std::sqrt(104.0)) - atan2Of(10.0, 2.0), 1e-14);
}

TEST(TimeOfImpact, SweepingRodMeetsASphere) {
  const CapsuleShape rod(0.1, 2.0);
  const SphereShape sphere(0.1);
  CastResult result;
  // The rod turns from z towards -y. The distance of its line from (0, -0.8, 0) is 0.8 cos a, which
  // is 0.2 when cos a = 1/4.
  ASSERT_TRUE(timeOfImpact(at(rod, {}, 1), turn({0.5 * kPi, 0, 0}), at(sphere, {0, -0.8, 0}, 2), {},
                           result));
  EXPECT_TRUE(result.hit);
  EXPECT_NEAR(result.fraction, acosOf(0.25) / (0.5 * kPi), 1e-14);
  // A sphere beyond the end of the rod is passed by.
  ASSERT_TRUE(timeOfImpact(at(rod, {}, 1), turn({20.0 * kPi, 0, 0}), at(sphere, {0, -1.21, 0}, 2),
                           {}, result));
  EXPECT_FALSE(result.hit);
  EXPECT_EQ(result.status, QueryStatus::Separated);
}

TEST(TimeOfImpact, ASpinningSphereIsASphere) {
  const SphereShape sphere(0.5);
  CastResult still, spinning;
  const PlacedShape a = at(sphere, {-4, 0.3, 0}, 1), b = at(sphere, {}, 2);
  ASSERT_TRUE(shapeCast(a, {8, 0, 0}, b, {0, 0, 0}, still));
  ASSERT_TRUE(timeOfImpact(a, turn({300, -20, 7}, {8, 0, 0}), b, turn({0, 1000, 0}), spinning));
  EXPECT_EQ(still.fraction, spinning.fraction);
  EXPECT_EQ(still.iterations, spinning.iterations);
}

TEST(TimeOfImpact, CommonRotationOfTwoPlanesIsRefusedUnlessAboutTheirNormal) {
  const PlaneShape floor({0, 0, 1}), ceiling({0, 0, -1}, -2.0);
  CastResult result;
  EXPECT_EQ(
      timeOfImpact(at(floor, {}, 1), turn({0.1, 0, 0}), at(ceiling, {}, 2), {}, result).getCode(),
      StatusCode::UnboundedOverlap);
  ASSERT_TRUE(
      timeOfImpact(at(floor, {}, 1), turn({0, 0, 9}, {0, 0, 4}), at(ceiling, {}, 2), {}, result));
  EXPECT_NEAR(result.fraction, 0.5, 1e-15);
}

TEST(ShapeCast, ABulletDoesNotPassAPlateAndTheTimeIsExact) {
  constexpr std::uint64_t kSeed = 5;
  test::Random random(kSeed);
  const SphereShape bullet(0.005);
  const BoxShape plate({0.5, 0.5, 0.0005});
  for (int i = 0; i < 2000; ++i) {
    const Pose pose = random.pose(10.0);
    const Vec3 n = pose.rotation.z;
    // Aim at a point well inside the plate, from at most 9 km away, at 1e4 m/s and no flatter than
    // 6 degrees; the whole motion lasts a second.
    Vec3 direction = random.direction();
    if (absOf(dot(direction, n)) < 0.1) continue;
    const Vec3 target = apply(pose, scaled(random.vector(0.4), {1, 1, 0}));
    const double range = random.between(1.0, 9000.0);
    const Vec3 start = target - direction * range;
    const Vec3 d = direction * 1e4;
    CastResult result;
    ASSERT_TRUE(
        shapeCast({&bullet, {{}, start}, 1}, toEigen(d), {&plate, pose, 2}, {0, 0, 0}, result));
    ASSERT_TRUE(result.hit) << "seed " << kSeed << " case " << i;
    // Distance along the normal from the start to the face, over the speed along the normal.
    const double height = absOf(dot(start - pose.translation, n)) - 0.0055;
    EXPECT_NEAR(result.fraction, height / absOf(dot(d, n)), 1e-14) << "case " << i;
    EXPECT_LE(result.iterations, 6u);
  }
}

TEST(TimeOfImpact, BadInputIsRefusedAndTheResultUntouched) {
  const SphereShape sphere(0.5);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const PlacedShape a = at(sphere, {-3, 0, 0}, 1), b = at(sphere, {}, 2);
  CastResult result;
  result.fraction = 0.125;
  const auto code = [&](const Motion& m1, const Motion& m2) {
    return timeOfImpact(a, m1, b, m2, result).getCode();
  };
  EXPECT_EQ(code({{nan, 0, 0}, {0, 0, 0}}, {}), StatusCode::NonFinite);
  EXPECT_EQ(code({}, {{0, infinity, 0}, {0, 0, 0}}), StatusCode::NonFinite);
  EXPECT_EQ(code({}, {{0, 0, 0}, {0, 0, nan}}), StatusCode::NonFinite);
  EXPECT_EQ(code({{1e13, 0, 0}, {0, 0, 0}}, {}), StatusCode::OutOfRange);
  EXPECT_EQ(code({{0, 0, 0}, {0, 1e7, 0}}, {}), StatusCode::OutOfRange);
  EXPECT_EQ(shapeCast(a, {nan, 0, 0}, b, {0, 0, 0}, result).getCode(), StatusCode::NonFinite);
  EXPECT_EQ(shapeCast({}, {1, 0, 0}, b, {0, 0, 0}, result).getCode(), StatusCode::NullObject);
  EXPECT_EQ(result.fraction, 0.125);
}

TEST(PoseAt, TurnsAboutTheOriginOfTheObject) {
  const Pose start{{}, {1, 2, 3}};
  const Pose end = poseAt(start, turn({0, 0, kPi}, {2, 0, 0}), 0.5);
  EXPECT_EQ(end.translation, (Vec3{2, 2, 3}));
  EXPECT_NEAR(norm(end.rotation.x - Vec3{0, 1, 0}), 0.0, 1e-15);
  EXPECT_EQ(poseAt(start, turn({1, 2, 3}), 0.0), start);
}

}  // namespace
}  // namespace abut
