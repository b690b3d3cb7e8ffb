// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <abut/collision/collision_group.hpp>
#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/inspect.hpp>
#include <abut/world/world.hpp>

#include "support/schemes.hpp"

namespace abut {
namespace {

using test::bothSchemes;
using test::schemeName;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Pose at(double x, double y, double z) {
  return poseFromRollPitchYaw({x, y, z}, 0, 0, 0);
}

/// Three balls in a row along x at 0, 2, 4, of radius 0.5, ids 3, 2, 1, above a plane, id 4.
World row(const WorldOptions& options = {}) {
  World world(options);
  for (int i = 0; i < 3; ++i) {
    BodyDescription d;
    d.id = static_cast<ObjectId>(3 - i);
    d.position = {2.0 * i, 0, 1};
    d.filter.category = 1u << i;
    world.addBody(d, SphereShape(0.5));
  }
  BodyDescription ground;
  ground.id = 4;
  ground.type = BodyType::Static;
  world.addBody(ground, PlaneShape({0, 0, 1}));
  return world;
}

TEST(WorldQueries, RaysHitTheFirstBodyTheyMeet) {
  const World world = row();
  const auto hit = world.raycast({{-3, 0, 1}, {7, 0, 1}});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->body, 3u);
  EXPECT_DOUBLE_EQ(hit->distance, 2.5);
  EXPECT_DOUBLE_EQ(hit->fraction, 0.25);
  EXPECT_EQ(hit->normal, Eigen::Vector3d(-1, 0, 0));
  EXPECT_NEAR(hit->point.x(), -0.5, 1e-15);
  const auto all = world.raycastAll({{-3, 0, 1}, {7, 0, 1}});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].body, 3u);
  EXPECT_EQ(all[1].body, 2u);
  EXPECT_EQ(all[2].body, 1u);
  EXPECT_FALSE(world.raycast({{-3, 0, 3}, {7, 0, 3}}));
  EXPECT_EQ(world.raycast({{9, 9, 3}, {9, 9, -3}})->body, 4u);
  EXPECT_FALSE(world.raycast({{-3, 0, 1}, {-1, 0, 1}}));  // Too short.
}

TEST(WorldQueries, FiltersChooseWhatIsSeen) {
  World world = row();
  QueryFilter filter;
  filter.mask = 2;
  EXPECT_EQ(world.raycast({{-3, 0, 1}, {7, 0, 1}}, filter)->body, 2u);
  filter = {};
  filter.except = 3;
  EXPECT_EQ(world.raycast({{-3, 0, 1}, {7, 0, 1}}, filter)->body, 2u);
  world.setFilter(3, {1, 8, 0}).orThrow();  // Seen by category 8 only.
  filter = {};
  filter.category = 8;
  EXPECT_EQ(world.raycast({{-3, 0, 1}, {7, 0, 1}}, filter)->body, 3u);
  filter.category = 1;
  EXPECT_EQ(world.raycast({{-3, 0, 1}, {7, 0, 1}}, filter)->body, 2u);
  world.setSensor(2, true).orThrow();
  EXPECT_EQ(world.raycast({{-3, 0, 1}, {7, 0, 1}}, filter)->body, 1u);
  filter.sensors = true;
  EXPECT_EQ(world.raycast({{-3, 0, 1}, {7, 0, 1}}, filter)->body, 2u);
}

TEST(WorldQueries, CastsOverlapsAndDistancesAgreeWithGeometry) {
  const World world = row();
  const SphereShape ball(0.25);
  Motion motion;
  motion.linear = {10, 0, 0};
  const CastResult cast = world.shapeCast(ball, at(-3, 0, 1), motion);
  ASSERT_TRUE(cast.hit);
  EXPECT_EQ(cast.object2, 3u);
  EXPECT_NEAR(cast.fraction, 0.225, 1e-12);  // Centres 0.75 m apart after 2.25 m.
  EXPECT_LT((cast.normal - Eigen::Vector3d(-1, 0, 0)).norm(), 1e-9);
  motion.linear = {0, 10, 0};
  EXPECT_FALSE(world.shapeCast(ball, at(-3, 0, 1), motion).hit);
  const BoxShape box({1.6, 0.1, 0.1});
  EXPECT_EQ(world.overlap(box, at(1, 0, 1)), (std::vector<ObjectId>{2, 3}));
  EXPECT_TRUE(world.overlap(ball, at(0, 2, 1)).empty());
  const auto closest = world.closest(ball, at(1.1, 0, 1), 10.0);
  ASSERT_TRUE(closest);
  EXPECT_EQ(closest->body, 2u);
  EXPECT_NEAR(closest->result.distance, 0.15, 1e-12);
  EXPECT_NEAR(closest->result.point2.x(), 1.5, 1e-12);
  EXPECT_FALSE(world.closest(ball, at(1, 5, 1.5), 0.5));
  EXPECT_EQ(world.closest(ball, at(1, 5, 1.5), std::numeric_limits<double>::infinity())->body, 4u);
  EXPECT_NEAR(world.distance(1, 3).distance, 3.0, 1e-12);
  EXPECT_NEAR(world.distance(4, 2).distance, 0.5, 1e-12);
  // Of equals the smaller id.
  EXPECT_EQ(world.closest(ball, at(1, 0, 1), 10.0)->body, 2u);
}

TEST(WorldQueries, SeeBodiesWhereTheyAreNow) {
  World world = row();
  const WorldRay down{{10, 10, 5}, {10, 10, 0.5}};
  EXPECT_FALSE(world.raycast(down));
  world.setPose(2, {10, 10, 1}, {}).orThrow();
  EXPECT_EQ(world.raycast(down)->body, 2u);
  world.removeBody(2).orThrow();
  EXPECT_FALSE(world.raycast(down));
  BodyDescription d;
  d.position = {10, 10, 2};
  const ObjectId id = world.addBody(d, SphereShape(0.5));
  EXPECT_NEAR(world.raycast(down)->distance, 2.5, 1e-12);
  for (int i = 0; i < 10; ++i) world.step(0.01).orThrow();
  const double z = world.motion(id).centerOfMass.z();
  EXPECT_NEAR(world.raycast(down)->distance, 4.5 - z, 1e-12);
  World other;
  const std::vector<std::shared_ptr<const Shape>> shapes = {
      std::make_shared<SphereShape>(0.5), std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1))};
  EXPECT_FALSE(other.raycast(down));
  other.restore(world.snapshot(), shapes).orThrow();
  EXPECT_EQ(other.raycast(down)->distance, world.raycast(down)->distance);
}

TEST(WorldQueries, BadOnesAreRefused) {
  const World world = row();
  const SphereShape ball(0.25);
  std::optional<WorldRayHit> hit;
  EXPECT_EQ(world.raycast({{0, 0, 0}, {kNaN, 0, 0}}, {}, hit).getCode(), StatusCode::NonFinite);
  EXPECT_EQ(world.raycast({{1, 0, 0}, {1, 0, 0}}, {}, hit).getCode(), StatusCode::OutOfRange);
  Pose bad = at(0, 0, 0);
  bad.rotation.x.x = 2.0;
  std::vector<ObjectId> found{7};
  EXPECT_EQ(world.overlap(ball, bad, {}, found).getCode(), StatusCode::NotARotation);
  EXPECT_EQ(found, std::vector<ObjectId>{7});
  CastResult cast;
  Motion motion;
  motion.linear = {kNaN, 0, 0};
  EXPECT_EQ(world.shapeCast(ball, at(0, 0, 0), motion, {}, cast).getCode(), StatusCode::NonFinite);
  std::optional<WorldDistance> closest;
  EXPECT_EQ(world.closest(ball, at(0, 0, 0), -1.0, {}, closest).getCode(), StatusCode::OutOfRange);
  DistanceResult distance;
  EXPECT_EQ(world.distance(1, 1, distance).getCode(), StatusCode::SelfPair);
  EXPECT_EQ(world.distance(1, 9, distance).getCode(), StatusCode::UnknownObject);
  EXPECT_THROW((void)world.raycast({{0, 0, 0}, {kNaN, 0, 0}}), Error);
}

class RandomQueries : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, RandomQueries, bothSchemes(), schemeName);

/// A heap asked while it falls, by one thread and by four at once, against a group of the same
/// shapes that knows nothing of worlds.
TEST_P(RandomQueries, AgreeWithAGroupOnManyThreads) {
  WorldOptions sleepy = options();
  sleepy.sleeping = true;
  World world(sleepy);
  BodyDescription ground;
  ground.type = BodyType::Static;
  world.addBody(ground, PlaneShape({0, 0, 1}));
  const auto box = std::make_shared<BoxShape>(Eigen::Vector3d(0.2, 0.3, 0.1));
  const auto capsule = std::make_shared<CapsuleShape>(0.1, 0.4);
  for (int i = 0; i < 60; ++i) {
    BodyDescription d;
    d.position = {0.7 * (i % 5), 0.7 * (i / 5 % 4), 0.5 + 0.6 * (i / 20)};
    d.angularVelocity = {0.1 * i, 1, 0};
    world.addBody(d, i % 2 == 0 ? std::shared_ptr<const Shape>(box) : capsule);
  }
  for (int i = 0; i < 20; ++i) world.step(1.0 / 60).orThrow();
  CollisionGroup group;
  for (const ObjectId id : bodiesOf(world)) {
    BodyDescription d;
    std::vector<BodyShape> shapes;
    describeBody(world, id, d, shapes).orThrow();
    group.add(CollisionObject(shapes[0].shape, toEigen(world.motion(id).pose), id)).orThrow();
  }
  const auto rayOf = [](int k) {
    const double a = 0.1 * k, b = 0.37 * k;
    return WorldRay{{1.4 + 5 * std::cos(a), 1 + 5 * std::sin(a), 3},
                    {1.4 - 2 * std::cos(b), 1 - 2 * std::sin(b), -0.5}};
  };
  constexpr int kRays = 200, kThreads = 4;
  std::vector<std::vector<WorldRayHit>> found(kRays), parallel(kRays);
  for (int k = 0; k < kRays; ++k) {
    const WorldRay ray = rayOf(k);
    found[k] = world.raycastAll(ray);
    std::vector<GroupRayHit> expected;
    group.raycastAll({ray.from, ray.to - ray.from, 1.0}, expected).orThrow();
    ASSERT_EQ(found[k].size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(found[k][i].body, expected[i].object);
      EXPECT_EQ(found[k][i].fraction, expected[i].hit.fraction);
    }
    const auto first = world.raycast(ray);
    ASSERT_EQ(first.has_value(), !expected.empty());
    if (first) {
      EXPECT_EQ(first->body, expected[0].object);
    }
  }
  world.setPose(2, {0, 0, 50}, {}).orThrow();  // The first query after this builds the boxes anew.
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int k = t; k < kRays; k += kThreads) parallel[k] = world.raycastAll(rayOf(k));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < kRays; ++k) {
    std::erase_if(found[k], [](const WorldRayHit& h) { return h.body == 2; });
    ASSERT_EQ(parallel[k].size(), found[k].size());
    for (std::size_t i = 0; i < found[k].size(); ++i) {
      EXPECT_EQ(parallel[k][i].body, found[k][i].body);
      EXPECT_EQ(parallel[k][i].fraction, found[k][i].fraction);
    }
  }
}

}  // namespace
}  // namespace abut
