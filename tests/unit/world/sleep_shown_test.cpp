// SPDX-License-Identifier: MIT
#include <memory>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

namespace abut {
namespace {

constexpr double kStep = 1.0 / 60.0;
constexpr ObjectId kFirst = 2;

class SleepShown : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(Schemes, SleepShown, testing::Bool(),
                         [](const auto& scheme) { return scheme.param ? "RealTime" : "Exact"; });

/// What is shown of bodies asleep lies where it lay in the last steps: it is what a world shows
/// that has made no step before, whoever rolls, falls asleep or wakes up among them.
TEST_P(SleepShown, DoesNotDependOnEarlierSteps) {
  WorldOptions options = GetParam() ? WorldOptions::realTime() : WorldOptions{};
  options.sleeping = true;
  World world(options), other(options);
  for (World* w : {&world, &other}) {
    BodyDescription ground;
    ground.id = 1;
    ground.type = BodyType::Static;
    w->addBody(ground, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
    for (int i = 0; i < 6; ++i) {
      BodyDescription cube;
      cube.id = kFirst + static_cast<ObjectId>(2 * i);
      cube.position = {3.0 * i, 0, 0.5};
      w->addBody(cube, BoxShape(Eigen::Vector3d(0.5, 0.5, 0.5)));
    }
    BodyDescription ball;  // Among the others by its id; meets the last but one.
    ball.id = kFirst + 5;
    ball.position = {7.5, 1.5, 0.5};
    ball.linearVelocity = {1.5, -0.5, 0};
    w->addBody(ball, std::make_shared<SphereShape>(0.5));
  }
  bool hasSlept = false, hasWoken = false;
  for (int i = 0; i < 150; ++i) {
    ASSERT_TRUE(other.restore(world.snapshot()));
    ASSERT_TRUE(world.step(kStep));
    ASSERT_TRUE(other.step(kStep));
    hasSlept = hasSlept || world.getReport().asleep == 6;
    for (const SleepEvent& e : world.getSleepEvents()) {
      hasWoken = hasWoken || e.kind == SleepEvent::Kind::WakeUp;
    }
    ASSERT_EQ(world.getContacts().size(), other.getContacts().size());
    ASSERT_EQ(world.getReport().contacts, world.getContacts().size());
    ASSERT_EQ(world.getEvents().size(), other.getEvents().size());
    for (std::size_t k = 0; k < world.getContacts().size(); ++k) {
      const WorldContact &a = world.getContacts()[k], &b = other.getContacts()[k];
      ASSERT_EQ(a.object1, b.object1);
      ASSERT_EQ(a.object2, b.object2);
      ASSERT_EQ(a.position, b.position);
      ASSERT_EQ(a.normalForce, b.normalForce);
      ASSERT_EQ(a.frictionForce, b.frictionForce);
    }
    for (std::size_t k = 0; k < world.getEvents().size(); ++k) {
      const ContactEvent &a = world.getEvents()[k], &b = other.getEvents()[k];
      ASSERT_EQ(a.kind, b.kind);
      ASSERT_EQ(a.object1, b.object1);
      ASSERT_EQ(a.object2, b.object2);
      ASSERT_EQ(a.since, b.since);
      ASSERT_EQ(a.impulse, b.impulse);
    }
  }
  EXPECT_TRUE(hasSlept);
  EXPECT_TRUE(hasWoken);
}

}  // namespace
}  // namespace abut
