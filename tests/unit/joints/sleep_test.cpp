// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <abut/abut.hpp>

namespace abut {
namespace {

/// A slab on two legs by fixed joints, beside it a box of its own.
struct Scene {
  World world;
  ObjectId slab = kNoObject, leg = kNoObject, box = kNoObject, joint = kNoObject;

  explicit Scene(WorldOptions options) : world(asleep(std::move(options))) {
    BodyDescription floor;
    floor.type = BodyType::Static;
    world.addBody(floor, PlaneShape({0.0, 0.0, 1.0}));
    slab = add({0.0, 0.0, 0.75}, {0.5, 0.3, 0.05});
    for (const double x : {-0.4, 0.4}) {
      leg = add({x, 0.0, 0.35}, {0.05, 0.3, 0.35});
      JointDescription d;
      d.type = JointType::Fixed;
      d.body1 = slab;
      d.body2 = leg;
      d.placement = JointPlacement::InWorld;
      d.frame1.translation = {x, 0.0, 0.7};
      joint = world.addJoint(d);
    }
    box = add({3.0, 0.0, 0.1}, {0.1, 0.1, 0.1});
  }
  static WorldOptions asleep(WorldOptions options) {
    options.sleeping = true;
    return options;
  }
  ObjectId add(const Eigen::Vector3d& at, const Eigen::Vector3d& half) {
    BodyDescription d;
    d.mass = 1.0;
    d.position = at;
    return world.addBody(d, BoxShape(half));
  }
};

/// Bodies that joints join fall asleep together, and what wakes one wakes them all.
TEST(JointSleep, JointsJoinIslands) {
  for (const bool exact : {true, false}) {
    Scene s(exact ? WorldOptions{} : WorldOptions::realTime());
    for (int i = 0; i < 120; ++i) {
      ASSERT_TRUE(s.world.step(1.0 / 60.0));
      EXPECT_EQ(s.world.isAsleep(s.slab), s.world.isAsleep(s.leg));
    }
    EXPECT_TRUE(s.world.isAsleep(s.slab));
    EXPECT_TRUE(s.world.isAsleep(s.box));
    ASSERT_TRUE(s.world.setVelocity(s.leg, {0.0, 0.0, 0.5}, {0.0, 0.0, 0.0}));
    EXPECT_FALSE(s.world.isAsleep(s.slab));
    EXPECT_TRUE(s.world.isAsleep(s.box));
    ASSERT_TRUE(s.world.step(1.0 / 60.0));
    EXPECT_NEAR(s.world.getStepLedger().residual(), 0.0, 1e-12);
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(s.world.step(1.0 / 60.0));
    EXPECT_TRUE(s.world.isAsleep(s.slab));
    ASSERT_TRUE(s.world.removeJoint(s.joint));
    EXPECT_FALSE(s.world.isAsleep(s.slab));
  }
}

}  // namespace
}  // namespace abut
