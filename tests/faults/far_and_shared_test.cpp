// SPDX-License-Identifier: MIT
// FAULTS classes 9 and 25: worlds far from the origin, and one world looked at by many threads.
#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>
#include <abut/world/inspect.hpp>

#include "support/schemes.hpp"

namespace abut::test {
namespace {

class FarAway : public BothSchemes {};

/// Five cubes on a plate, all of it moved by an offset.
World tower(const WorldOptions& options, const Eigen::Vector3d& offset) {
  World world(options);
  world.addBody({.type = BodyType::Static, .position = offset + Eigen::Vector3d(0, 0, -0.5)},
                BoxShape({4, 4, 0.5}));
  for (int i = 0; i < 5; ++i) {
    world.addBody({.position = offset + Eigen::Vector3d(0, 0, 0.5 + i)}, BoxShape({0.5, 0.5, 0.5}));
  }
  return world;
}

TEST_P(FarAway, ATowerStandsAsItDoesAtHome) {
  // Places are doubles: at 2^23 m, 8000 km, they are 2^-29 m apart, so that contacts carry the
  // weight to about 2^-29 m over the depth that a step of gravity makes.
  for (const double far : {1048576.0, 8388608.0}) {
    World world = tower(options(), {far, -far, far});
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(world.step(1.0 / 60));
    for (int i = 0; i < 5; ++i) {
      const BodyMotion m = world.motion(2 + static_cast<ObjectId>(i));
      EXPECT_NEAR(m.centerOfMass.x() - far, 0.0, 2e-3) << far;
      EXPECT_NEAR(m.centerOfMass.z() - far, 0.5 + i, 5e-3) << far;
      EXPECT_LT(m.linearVelocity.norm(), 2e-2) << far;
    }
    double weight = 0.0;
    for (const WorldContact& c : world.getContacts()) {
      if (c.object1 == 1) weight += c.normalForce * -c.normal.z();
    }
    EXPECT_NEAR(weight, 5 * 1000 * 9.81, 5 * 1000 * 9.81 * 1e-2) << far;
  }
}

TEST_P(FarAway, WhatIsBeyondTheLimitIsRefused) {
  World world(options());
  ObjectId id = kNoObject;
  const auto sphere = std::make_shared<SphereShape>(0.5);
  EXPECT_FALSE(world.addBody({.position = {1e300, 0, 0}}, {{sphere, Pose{}, 0}}, id));
  world.addBody({.id = 5}, SphereShape(0.5));
  EXPECT_FALSE(world.setPose(5, {0, 1e300, 0}, Quat{}));
}

TEST_P(FarAway, ManyThreadsLookAtOnceAtWhatWasJustChanged) {
  // The first of them puts bodies in order and builds boxes; the others wait for it.
  for (int round = 0; round < 20; ++round) {
    World world(options());
    for (int i = 50; i > 0; --i) {
      world.addBody({.position = {2.0 * i, 0, 0}, .id = static_cast<ObjectId>(i)},
                    SphereShape(0.5));
    }
    world.removeBody(20).orThrow();
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&world, &wrong] {
        const auto hit = world.raycast({{-5, 0, 0}, {500, 0, 0}});
        if (!hit || hit->body != 1) ++wrong;
        if (world.numBodies() != 49 || world.hash() == 0) ++wrong;
        if (bodiesOf(world).size() != 49) ++wrong;
      });
    }
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(wrong, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, FarAway, bothSchemes(), schemeName);

}  // namespace
}  // namespace abut::test
