// SPDX-License-Identifier: MIT
// Symptom: in real time a cradle of touching balls threw all of them (-0.6, 0.4, 0.4, 0.4, 0.4),
// and a ball parted two by shares that depend on nothing in nature. Cause: all contacts of a step
// are solved at once. Mechanism: in small islands of bodies that bounce and touch in single points,
// blows are made one after the other first, and contacts part as those leave them.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

namespace abut {
namespace {

World realTime(double restitution, MaterialId& id) {
  WorldOptions options = WorldOptions::realTime();
  options.gravity = {0, 0, 0};
  World world(options);
  Material m;
  m.friction = 0.0;
  m.restitution = restitution;
  world.materials().add(m, id).orThrow();
  return world;
}

ObjectId addBall(World& world, MaterialId id, const Eigen::Vector3d& at, double speed) {
  BodyDescription d;
  d.mass = 0.7;
  d.position = at;
  d.linearVelocity = {speed, 0, 0};
  return world.addBody(d, SphereShape(0.1), id);
}

Eigen::Vector3d velocityOf(const World& world, ObjectId id) {
  BodyMotion m;
  world.getMotion(id, m).orThrow();
  return m.linearVelocity;
}

TEST(CradleInRealTime, PassesTheBlowOn) {
  for (const double gap : {0.0, 1e-4, 3e-3}) {
    for (const int in : {1, 2, 3}) {
      for (const bool backwards : {false, true}) {
        MaterialId id = 0;
        World world = realTime(1.0, id);
        std::vector<ObjectId> balls(5);
        for (int i = 0; i < 5; ++i) {
          const int k = backwards ? 4 - i : i;
          const double x = k < in ? k * 0.2 - 0.1 : k * (0.2 + gap);
          balls[static_cast<std::size_t>(k)] = addBall(world, id, {x, 0, 0}, k < in ? 1.5 : 0.0);
        }
        for (int i = 0; i < 60; ++i) ASSERT_TRUE(world.step(1.0 / 60));
        for (int k = 0; k < 5; ++k) {
          const double wanted = k >= 5 - in ? 1.5 : 0.0;
          EXPECT_NEAR(velocityOf(world, balls[static_cast<std::size_t>(k)]).x(), wanted, 1e-3)
              << gap << ' ' << in << ' ' << k;
        }
      }
    }
  }
}

// (-1/5, 0), (3/5, +- sqrt(3)/5) for the normals of the moment of the blow; a step of 1/60 s takes
// them where it begins.
TEST(CradleInRealTime, OneBallPartsTwoEvenly) {
  for (const double frequency : {60.0, 1000.0}) {
    MaterialId id = 0;
    World world = realTime(1.0, id);
    const double x = 0.1 * std::sqrt(3.0);
    const ObjectId one = addBall(world, id, {-0.5, 0, 0}, 1.0);
    const ObjectId up = addBall(world, id, {x, 0.1, 0}, 0.0);
    const ObjectId down = addBall(world, id, {x, -0.1, 0}, 0.0);
    for (int i = 0; i < frequency; ++i) ASSERT_TRUE(world.step(1.0 / frequency));
    const double bar = frequency < 100 ? 0.03 : 2e-3;
    EXPECT_NEAR(velocityOf(world, one).x(), -0.2, bar);
    EXPECT_NEAR(velocityOf(world, one).y(), 0.0, 1e-4);
    EXPECT_NEAR(velocityOf(world, up).x(), 0.6, bar);
    EXPECT_NEAR(velocityOf(world, up).y(), 0.2 * std::sqrt(3.0), bar);
    EXPECT_NEAR(velocityOf(world, up).y(), -velocityOf(world, down).y(), 1e-4);
    const EnergyAccount& a = world.getLedger();
    EXPECT_NEAR(a.kineticAfter / a.kineticBefore, 1.0, 1e-3);
  }
}

}  // namespace
}  // namespace abut
