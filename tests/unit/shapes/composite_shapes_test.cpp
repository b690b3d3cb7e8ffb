// SPDX-License-Identifier: MIT
#include <limits>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/compound_shape.hpp>
#include <abut/shapes/height_field_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/point_cloud_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "math/pose.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

using Vector = Eigen::Vector3d;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <typename Make>
void expectError(Make make, StatusCode code, const std::string& part) {
  try {
    make();
    FAIL() << "expected an Error with: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.getCode(), code);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(HeightFieldShape, BadInputIsRefused) {
  std::vector<double> heights(6, 0.0);
  expectError([&] { HeightFieldShape(1, 6, 1, 1, heights); }, StatusCode::OutOfRange, "1 x 6");
  expectError([&] { HeightFieldShape(2, 2, 1, 1, heights); }, StatusCode::OutOfRange,
              "need 4 heights, got 6");
  expectError([&] { HeightFieldShape(2, 3, 0, 1, heights); }, StatusCode::OutOfRange, "spacing x");
  heights[4] = kNan;
  expectError([&] { HeightFieldShape(2, 3, 1, 1, heights); }, StatusCode::NonFinite, "height 4");
}

TEST(HeightFieldShape, WorldBoxHasNoEndDownwards) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<double> heights(4, 0.25);
  const HeightFieldShape field(2, 2, 1.0, 1.0, heights);
  Pose pose;
  pose.translation = {0.0, 0.0, 2.0};
  const Aabb upright = field.computeAabb(pose);
  EXPECT_EQ(upright.min_.z(), -kInfinity);
  EXPECT_NEAR(upright.max_.z(), 2.25, 1e-14);
  EXPECT_NEAR(upright.min_.x(), -0.5, 1e-14);
  // Turned over about x: the inside is above. Leaning towards +x: down points to -x and -z.
  pose.rotation = {{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, -1.0}};
  EXPECT_EQ(field.computeAabb(pose).max_.z(), kInfinity);
  EXPECT_NEAR(field.computeAabb(pose).min_.z(), 1.75, 1e-14);
  pose.rotation = {{0.8, 0.0, -0.6}, {0.0, 1.0, 0.0}, {0.6, 0.0, 0.8}};
  const Aabb leaning = field.computeAabb(pose);
  EXPECT_EQ(leaning.min_.x(), -kInfinity);
  EXPECT_EQ(leaning.min_.z(), -kInfinity);
  EXPECT_TRUE(leaning.max_.allFinite());
  EXPECT_NEAR(leaning.min_.y(), -0.5, 1e-14);
}

TEST(HeightFieldShape, SlopeHasItsPlanesDistanceAndRays) {
  // h = x/2 over 5 x 4 samples at spacing 0.5: a plane with normal (-1, 0, 2)/sqrt(5).
  std::vector<double> heights;
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 5; ++i) heights.push_back(0.5 * 0.5 * (i - 2));
  }
  const HeightFieldShape field(5, 4, 0.5, 0.5, heights);
  EXPECT_EQ(field.getHeight(4, 1), 0.5);
  EXPECT_NEAR(field.signedDistance({0.1, 0.1, 0.3}), (2.0 * 0.3 - 0.1) / std::sqrt(5.0), 1e-15);
  EXPECT_NEAR(field.signedDistance({0.1, 0.1, -0.1}), (2.0 * -0.1 - 0.1) / std::sqrt(5.0), 1e-15);
  const Aabb box = field.computeLocalAabb();
  EXPECT_EQ(box.min_, Vector(-1.0, -0.75, -0.5));
  EXPECT_EQ(box.max_, Vector(1.0, 0.75, 0.5));
  Ray ray;
  ray.origin = {0.3, 0.2, 2.0};
  ray.maxFraction = 10.0;
  RayHit hit;
  ASSERT_TRUE(field.raycast(ray, hit));
  EXPECT_NEAR(hit.fraction, 2.0 - 0.15, 1e-15);
  MassProperties mass;
  EXPECT_EQ(field.computeMass(1.0, mass).getCode(), StatusCode::NotSolid);
}

TEST(PointCloudShape, DistanceRayAndMassAreThoseOfItsBalls) {
  constexpr std::uint64_t kSeed = 5;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  std::vector<Vector> points;
  for (int i = 0; i < 200; ++i) points.push_back(toEigen(random.vector(1.0)));
  const double radius = 0.05;
  const PointCloudShape cloud(points, radius);
  for (int i = 0; i < 300; ++i) {
    const Vector p = toEigen(random.vector(1.3));
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vector& q : points) nearest = std::min(nearest, (p - q).norm() - radius);
    EXPECT_NEAR(cloud.signedDistance(p), nearest, 1e-15);
    Ray ray;
    ray.origin = p;
    ray.direction = toEigen(random.direction());
    ray.maxFraction = 3.0;
    double first = 4.0;
    for (const Vector& q : points) {
      const SphereShape ball(radius);
      Ray local = ray;
      local.origin = p - q;
      RayHit hit;
      if (ball.raycast(local, hit)) first = std::min(first, hit.fraction);
    }
    RayHit hit;
    ASSERT_EQ(cloud.raycast(ray, hit), first <= 3.0);
    if (first <= 3.0) {
      EXPECT_NEAR(hit.fraction, first, 1e-13);
    }
  }
  expectError([&] { PointCloudShape({}, 1.0); }, StatusCode::OutOfRange, "got 0");
  points[7].z() = kNan;
  expectError([&] { PointCloudShape(points, radius); }, StatusCode::NonFinite, "point 7");
  expectError([&] { PointCloudShape(points, 0.0); }, StatusCode::OutOfRange, "radius");
  // Two balls of mass m at +-1 on x: Ixx = 2 * 0.4 m r^2, Iyy = that + 2 m.
  MassProperties mass;
  const std::vector<Vector> two{{-1, 0, 0}, {1, 0, 0}};
  ASSERT_TRUE(PointCloudShape(two, 0.5).computeMass(3.0, mass));
  const double m = 0.5 * mass.mass;
  EXPECT_NEAR(m, 3.0 * 4.0 / 3.0 * 3.14159265358979324 * 0.125, 1e-14);
  EXPECT_NEAR(mass.inertia.x(), 0.2 * m, 1e-15);
  EXPECT_NEAR(mass.inertia.y(), 0.2 * m + 2.0 * m, 1e-14);
}

TEST(CompoundShape, TwoHalvesHaveTheMassOfTheWhole) {
  // A box of half extents (2, 1, 0.5) turned about z, cut in two.
  test::Random random(3);
  const Pose place = random.pose(1.0);
  const auto half = std::make_shared<const BoxShape>(Vector(1, 1, 0.5));
  const Pose left{{}, {-1, 0, 0}}, right{{}, {1, 0, 0}};
  const CompoundShape cut({{half, compose(place, left)}, {half, compose(place, right)}});
  const CompoundShape whole({{std::make_shared<const BoxShape>(Vector(2, 1, 0.5)), place}});
  MassProperties a, b;
  ASSERT_TRUE(cut.computeMass(7.0, a));
  ASSERT_TRUE(whole.computeMass(7.0, b));
  EXPECT_NEAR(a.mass, b.mass, 1e-13);
  EXPECT_LE((a.center - b.center).norm(), 1e-14);
  EXPECT_LE((a.inertia - b.inertia).norm(), 1e-13 * b.mass);
  EXPECT_LE((a.products - b.products).norm(), 1e-13 * b.mass);
}

TEST(CompoundShape, NestedChildrenAreFlattenedAndBadOnesRefused) {
  const auto ball = std::make_shared<const SphereShape>(0.5);
  const Pose up{{}, {0, 0, 2}};
  const auto inner = std::make_shared<const CompoundShape>(
      std::vector<CompoundShape::Child>{{ball, {}}, {ball, up}});
  const CompoundShape outer({{inner, up}, {ball, {}}});
  ASSERT_EQ(outer.numChildren(), 3u);
  EXPECT_EQ(outer.getChild(1).pose.translation, (Vec3{0, 0, 4}));
  EXPECT_EQ(outer.signedDistance({0, 0, 5}), 0.5);
  EXPECT_EQ(outer.boundingRadius(), 4.5);
  Ray ray;
  ray.origin = {0, 0, 10};
  ray.maxFraction = 20.0;
  RayHit hit;
  ASSERT_TRUE(outer.raycast(ray, hit));
  EXPECT_EQ(hit.fraction, 5.5);
  EXPECT_EQ(hit.subShape >> 32u, 1u);
  using Children = std::vector<CompoundShape::Child>;
  expectError([] { CompoundShape(Children{}); }, StatusCode::DegenerateGeometry, "no children");
  expectError(
      [&] {
        CompoundShape(Children{{ball, {}}, {nullptr, {}}});
      },
      StatusCode::NullObject, "child 1");
  const auto plane = std::make_shared<const PlaneShape>(Vector(0, 0, 1));
  expectError(
      [&] {
        CompoundShape(Children{{plane, {}}});
      },
      StatusCode::UnsupportedPair, "child 0 is a plane");
  Pose bad;
  bad.rotation.x.x = 2.0;
  expectError([&] { CompoundShape(Children{{ball, bad}}); }, StatusCode::NotARotation, "child 0");
}

}  // namespace
}  // namespace abut
