// SPDX-License-Identifier: MIT
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/cast.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/cone_shape.hpp>
#include <abut/shapes/convex_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "support/random.hpp"

namespace abut {
namespace {

constexpr std::uint64_t kSeed = 99;
/// Bound on the distance at the moment of impact: the touch tolerance times the size of the pair.
constexpr double kTouch = 1e-12 * 6.0;

std::vector<std::unique_ptr<Shape>> specimens() {
  test::Random random(kSeed);
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(std::make_unique<SphereShape>(0.4));
  shapes.push_back(std::make_unique<BoxShape>(Eigen::Vector3d(0.6, 0.3, 0.05)));
  shapes.push_back(std::make_unique<CapsuleShape>(0.1, 1.2));
  shapes.push_back(std::make_unique<CylinderShape>(0.3, 0.8));
  shapes.push_back(std::make_unique<ConeShape>(0.4, 0.9));
  std::vector<Eigen::Vector3d> points;
  for (int i = 0; i < 20; ++i) points.push_back(toEigen(random.direction() * 0.6));
  shapes.push_back(std::make_unique<ConvexShape>(points));
  shapes.push_back(std::make_unique<PlaneShape>(Eigen::Vector3d(0.2, -0.3, 1.0), -0.7));
  return shapes;
}

struct Scene {
  PlacedShape object1, object2;
  Motion motion1, motion2;
};

Scene randomScene(test::Random& random, const Shape& shape1, const Shape& shape2, bool turning) {
  Scene scene;
  const Vec3 target = random.vector(0.8);
  const Vec3 start = random.direction() * random.between(1.0, 3.0);
  scene.object1 = {&shape1, {random.pose(0.0).rotation, start}, 1};
  scene.object2 = {&shape2, {random.pose(0.0).rotation, random.vector(0.3)}, 2};
  const Vec3 drift = random.vector(1.0);
  scene.motion1.linear = toEigen(((target - start) * 1.5) + drift);
  scene.motion2.linear = toEigen(drift);
  if (turning) {
    scene.motion1.angular = toEigen(random.vector(4.0));
    scene.motion2.angular = toEigen(random.vector(2.0));
  }
  return scene;
}

double distanceAt(const Scene& scene, double t) {
  PlacedShape a = scene.object1, b = scene.object2;
  a.pose = poseAt(a.pose, scene.motion1, t);
  b.pose = poseAt(b.pose, scene.motion2, t);
  DistanceResult result;
  EXPECT_TRUE(distance(a, b, result));
  return result.distance;
}

struct Tally {
  int casts = 0, hits = 0;
  std::uint64_t iterations = 0;
  std::uint32_t most = 0;
};

void checkScene(const Scene& scene, Tally& tally) {
  CastResult result, mirrored;
  ASSERT_TRUE(timeOfImpact(scene.object1, scene.motion1, scene.object2, scene.motion2, result));
  ASSERT_TRUE(timeOfImpact(scene.object2, scene.motion2, scene.object1, scene.motion1, mirrored));
  ++tally.casts;
  tally.iterations += result.iterations;
  tally.most = std::max(tally.most, result.iterations);
  EXPECT_NE(result.status, QueryStatus::IterationLimit);
  EXPECT_EQ(result.hit, mirrored.hit);
  EXPECT_EQ(result.fraction, mirrored.fraction);
  EXPECT_EQ(result.normal, -mirrored.normal);
  EXPECT_EQ(result.point, mirrored.point);
  EXPECT_EQ(result.feature1, mirrored.feature2);
  // Before the impact nothing touches; misses are checked over the whole motion.
  constexpr int kSamples = 40;
  for (int i = 0; i < kSamples; ++i) {
    const double t = result.fraction * i / kSamples;
    if (t < result.fraction) {
      EXPECT_GT(distanceAt(scene, t), -kTouch) << "t " << t;
    }
  }
  if (!result.hit) return;
  ++tally.hits;
  EXPECT_NEAR(result.normal.norm(), 1.0, 1e-14);
  if (result.fraction > 0.0) {
    EXPECT_NEAR(distanceAt(scene, result.fraction), 0.0, kTouch);
  } else {
    EXPECT_LE(distanceAt(scene, 0.0), kTouch);
  }
}

class CastOfPairs : public testing::TestWithParam<bool> {};

TEST_P(CastOfPairs, ImpactIsTheFirstTouchForEveryConvexPair) {
  const auto shapes = specimens();
  test::Random random(kSeed);
  for (const auto& shape1 : shapes) {
    for (const auto& shape2 : shapes) {
      if (shape1->getType() > shape2->getType() || shape1->getType() == ShapeType::Plane) continue;
      Tally tally;
      for (int i = 0; i < 60; ++i) {
        SCOPED_TRACE(testing::Message()
                     << toString(shape1->getType()) << " " << toString(shape2->getType())
                     << " case " << i << " seed " << kSeed);
        const Scene scene = randomScene(random, *shape1, *shape2, GetParam());
        checkScene(scene, tally);
        if (testing::Test::HasFailure()) return;
      }
      EXPECT_GT(tally.hits, tally.casts / 10);
      RecordProperty(
          std::string(toString(shape1->getType())) + std::string(toString(shape2->getType())),
          std::to_string(static_cast<double>(tally.iterations) / tally.casts));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Linear, CastOfPairs, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Turning, CastOfPairs, testing::Values(true));

}  // namespace
}  // namespace abut
