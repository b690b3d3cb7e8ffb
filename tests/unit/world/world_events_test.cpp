// SPDX-License-Identifier: MIT
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

namespace abut {
namespace {

using Kind = ContactEvent::Kind;

constexpr double kG = 9.81;

ObjectId addGround(World& world) {
  BodyDescription d;
  d.type = BodyType::Static;
  return world.addBody(d, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
}

ObjectId addBall(World& world, const Eigen::Vector3d& at,
                 const Eigen::Vector3d& velocity = {0, 0, 0}) {
  BodyDescription d;
  d.position = at;
  d.linearVelocity = velocity;
  d.mass = 2.0;
  return world.addBody(d, std::make_shared<SphereShape>(0.1));
}

TEST(ContactEvents, BallThatLandsBeginsOnceAndThenPersistsUnderItsWeight) {
  World world;
  const ObjectId ground = addGround(world);
  const ObjectId ball = addBall(world, {0, 0, 0.6});
  // Free fall through 0.5 m: sqrt(2 h / g).
  const double landing = std::sqrt(2 * 0.5 / kG);
  int begun = 0;
  for (int i = 0; i < 60; ++i) {
    const double start = world.getTime();
    ASSERT_TRUE(world.step(1.0 / 60));
    for (const ContactEvent& e : world.getEvents()) {
      EXPECT_EQ(e.object1, ground);
      EXPECT_EQ(e.object2, ball);
      EXPECT_NEAR(e.since, landing, 1e-12);
      if (e.kind != Kind::Begin) continue;
      ++begun;
      EXPECT_GE(e.since, start);
      EXPECT_LE(e.since, world.getTime());
    }
  }
  EXPECT_EQ(begun, 1);
  ASSERT_EQ(world.getEvents().size(), 1u);
  const ContactEvent& e = world.getEvents()[0];
  EXPECT_EQ(e.kind, Kind::Persist);
  // On the ground, object 1, downwards.
  EXPECT_NEAR(e.impulse.z(), -2.0 * kG / 60, 1e-12);
  EXPECT_NEAR(e.normalImpulse, 2.0 * kG / 60, 1e-12);
}

TEST(ContactEvents, ImpulsesOfAnImpactAreTheChangeOfMomentum) {
  WorldOptions options;
  options.gravity = {0, 0, 0};
  World world(options);
  const ObjectId first = addBall(world, {0, 0, 0}, {3, 0.5, 0});
  addBall(world, {0.3, 0.03, 0});
  Eigen::Vector3d total(0, 0, 0);
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(world.step(1.0 / 60));
    for (const ContactEvent& e : world.getEvents()) total += e.impulse;
  }
  BodyMotion m;
  ASSERT_TRUE(world.getMotion(first, m));
  EXPECT_GT(total.norm(), 1.0);
  EXPECT_LT((2.0 * (m.linearVelocity - Eigen::Vector3d(3, 0.5, 0)) - total).norm(), 1e-14);
}

TEST(ContactEvents, RemovedBodyEndsItsPairsInTheNextStep) {
  World world;
  addGround(world);
  const ObjectId ball = addBall(world, {0, 0, 0.1});
  addBall(world, {1, 0, 0.1});
  ASSERT_TRUE(world.step(1.0 / 60));
  ASSERT_EQ(world.getEvents().size(), 2u);
  ASSERT_TRUE(world.removeBody(ball));
  ASSERT_TRUE(world.step(1.0 / 60));
  ASSERT_EQ(world.getEvents().size(), 2u);
  EXPECT_EQ(world.getEvents()[0].kind, Kind::End);
  EXPECT_EQ(world.getEvents()[0].object2, ball);
  EXPECT_EQ(world.getEvents()[1].kind, Kind::Persist);
  ASSERT_EQ(world.getEndedPairs().size(), 1u);
  EXPECT_EQ(world.getEndedPairs()[0].second, ball);
  ASSERT_TRUE(world.step(1.0 / 60));
  EXPECT_EQ(world.getEvents().size(), 1u);
}

TEST(ContactEvents, NeighbourhoodWithoutTouchIsNoEvent) {
  World world;
  addGround(world);
  addBall(world, {0, 0, 0.105}, {0, 0, 1});  // A gap of 5 mm, well inside the margin, rising.
  ASSERT_TRUE(world.step(1.0 / 60));
  EXPECT_TRUE(world.getEvents().empty());
}

TEST(WorldStep, RefusedStepLeavesContactsAndImpulsesAsTheyWere) {
  World world;
  addGround(world);
  addBall(world, {0, 0, 0.1});
  const ObjectId runaway = addBall(world, {50, 0, 5});
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(world.step(1.0 / 60));
  const std::uint64_t before = world.hash();
  ASSERT_TRUE(world.applyForce(runaway, {1e29, 0, 0}, {0, 0, 0}));
  const std::uint64_t forced = world.hash();
  EXPECT_NE(before, forced);
  for (int i = 0; i < 3; ++i) {
    const Status status = world.step(1.0);
    EXPECT_EQ(status.getCode(), StatusCode::OutOfRange) << status.getMessage();
    EXPECT_EQ(status.getObject(), runaway);
    EXPECT_EQ(world.hash(), forced);
  }
}

}  // namespace
}  // namespace abut
