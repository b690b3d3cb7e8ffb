// SPDX-License-Identifier: MIT
// States of a variable step as motions, in worlds with bodies that move as prescribed.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>
#include <abut/hybrid/compliant_system.hpp>
#include <abut/hybrid/impact_simulation.hpp>

namespace abut {
namespace {

struct Falling {
  World world;
  ObjectId ball = kNoObject, table = kNoObject;

  Falling() {
    BodyDescription d;
    d.mass = 1.0;
    d.position = {0.0, 0.0, 5.0};
    ball = world.addBody(d, SphereShape(0.1));
    d = {};
    d.type = BodyType::Kinematic;
    d.position = {3.0, 0.0, 0.0};
    table = world.addBody(d, BoxShape({0.5, 0.5, 0.1}));
    world.setVelocity(table, {0.5, 0.0, 0.0}, {0.0, 0.0, 2.0}).orThrow();
  }
};

/// Goes to a time by steps of the midpoint, which is exact for a fall.
Status fall(CompliantSystem& system, double end, std::vector<double>& y) {
  constexpr int kSteps = 64;
  const double h = end / kSteps;
  std::vector<double> rate(y.size()), middle(y.size());
  Status status = system.initialize(0.0, y);
  for (int i = 0; status && i < kSteps; ++i) {
    status = system.computeDerivatives(i * h, y, rate);
    for (std::size_t k = 0; k < y.size(); ++k) middle[k] = y[k] + 0.5 * h * rate[k];
    if (status) status = system.computeDerivatives((i + 0.5) * h, middle, rate);
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += h * rate[k];
  }
  return status;
}

TEST(CompliantState, IsStoredInAWorld) {
  Falling scene;
  CompliantSystem system(scene.world);
  std::vector<double> y(system.numStates());
  system.getState(y);
  constexpr double kEnd = 0.25;
  ASSERT_TRUE(fall(system, kEnd, y));
  BodyMotion ball, table;
  ASSERT_TRUE(system.getMotion(kEnd, y, scene.ball, ball));
  ASSERT_TRUE(system.getMotion(kEnd, y, scene.table, table));
  EXPECT_NEAR(ball.position.z(), 5.0 - 0.5 * 9.81 * kEnd * kEnd, 1e-12);
  EXPECT_NEAR(table.position.x(), 3.0 + 0.5 * kEnd, 1e-14);
  EXPECT_NEAR(table.orientation.z, std::sin(kEnd), 1e-14);  // Half of 2 rad/s.

  ASSERT_TRUE(system.store(kEnd, y, scene.world));
  for (const auto& [id, motion] : {std::pair{scene.ball, ball}, std::pair{scene.table, table}}) {
    const BodyMotion there = scene.world.motion(id);
    EXPECT_EQ(there.position, motion.position);
    EXPECT_EQ(there.linearVelocity, motion.linearVelocity);
  }
  EXPECT_TRUE(scene.world.step(0.01));
}

TEST(CompliantState, MotionsOfLocatedImpactsHaveTheirPlace) {
  Falling scene;
  const ImpactSimulation simulation(scene.world);
  BodyMotion motion;
  ASSERT_TRUE(simulation.getMotion(scene.ball, motion));
  EXPECT_EQ(motion.position, scene.world.motion(scene.ball).position);
}

TEST(CompliantState, WhatIsUnknownIsRefused) {
  Falling scene;
  CompliantSystem system(scene.world);
  std::vector<double> y(system.numStates());
  system.getState(y);
  BodyMotion motion;
  EXPECT_EQ(system.getMotion(0.0, y, 99, motion).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(system.setForce(99, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}).getCode(),
            StatusCode::UnknownObject);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(system.setForce(scene.ball, {nan, 0.0, 0.0}, {0.0, 0.0, 0.0}).getCode(),
            StatusCode::NonFinite);
  World empty;
  EXPECT_EQ(system.store(0.0, y, empty).getCode(), StatusCode::UnknownObject);
  y[0] = nan;
  EXPECT_FALSE(system.store(0.0, y, scene.world));
  EXPECT_EQ(scene.world.motion(scene.ball).position.z(), 5.0);
}

}  // namespace
}  // namespace abut
