// SPDX-License-Identifier: MIT
// Drives with limits that bear, push and carry what joints hold: they give no more, but for what
// stops their own mass.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "core/fnv.hpp"
#include "rig.hpp"
#include "support/schemes.hpp"

namespace abut {
namespace {

using test::jointAt;
using test::kGravity;

class LimitedDrives : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, LimitedDrives, test::bothSchemes(), test::schemeName);

BodyMotion motionOf(const World& world, ObjectId id) {
  BodyMotion motion;
  world.getMotion(id, motion).orThrow();
  return motion;
}

DriverReport driverOf(const World& world, ObjectId id) {
  for (const DriverReport& d : world.getDrivers()) {
    if (d.body == id) return d;
  }
  ADD_FAILURE() << "no driver " << id;
  return {};
}

/// A load of 2 kg on a ball joint under a drive of half a kilogram that is to rise.
struct Hoist {
  World world;
  ObjectId drive, load;

  Hoist(const WorldOptions& options, double limit, bool isReversed, double up)
      : world(options), drive(isReversed ? 9 : 3), load(isReversed ? 3 : 9) {
    BodyDescription d;
    d.type = BodyType::Kinematic;
    d.mass = 0.5;
    d.maxForce = {kNoLimit, kNoLimit, limit};
    d.linearVelocity = {0.0, 0.0, up};
    d.id = drive;
    world.addBody(d, BoxShape({0.05, 0.05, 0.05}));
    BodyDescription l;
    l.mass = 2.0;
    l.position = {0.0, 0.0, -0.5};
    l.linearVelocity = {0.0, 0.0, up};
    l.id = load;
    world.addBody(l, SphereShape(0.1));
    world.addJoint(isReversed ? jointAt(JointType::Ball, load, drive, {})
                              : jointAt(JointType::Ball, drive, load, {}));
  }
};

/// What a drive does that is to turn a board beside a block of 2 t, which it cannot move, with a
/// joint far off or none.
std::uint64_t turnsAgainstABlock(const WorldOptions& options, bool hasJoint) {
  World world(options);
  BodyDescription d;
  d.type = BodyType::Static;
  world.addBody(d, PlaneShape({0, 0, 1}));
  BodyDescription block;
  block.mass = 2000.0;
  block.position = {0.8, 0.0, 0.5};
  world.addBody(block, BoxShape({0.5, 0.5, 0.5}));
  d.type = BodyType::Kinematic;
  d.mass = 1.0;
  d.maxForce = {50.0, 50.0, 50.0};
  d.maxTorque = {0.5, 0.5, 0.5};
  d.position = {0.0, 0.0, 0.5};
  d.angularVelocity = {2.0, 3.0, 1.0};
  const ObjectId drive = world.addBody(d, BoxShape({0.25, 0.35, 0.1}));
  if (hasJoint) {
    BodyDescription b;
    b.position = {100.0, 0.0, 50.0};
    const ObjectId one = world.addBody(b, SphereShape(0.1));
    b.position.x() += 0.5;
    world.addJoint(jointAt(JointType::Ball, one, world.addBody(b, SphereShape(0.1)), {100, 0, 50}));
  }
  Fnv fnv;
  bool hasStalled = false;
  for (int i = 0; i < 60; ++i) {
    world.step(1.0 / 60.0).orThrow();
    hasStalled |= driverOf(world, drive).stalled;
    const BodyMotion m = motionOf(world, drive);
    for (const double x : {m.pose.translation.x, m.pose.translation.y, m.pose.translation.z}) {
      fnv.add(x);
    }
    for (int k = 0; k < 3; ++k) fnv.add(m.linearVelocity[k]), fnv.add(m.angularVelocity[k]);
  }
  EXPECT_TRUE(hasStalled);
  return fnv.value;
}

TEST_P(LimitedDrives, StallsAlikeWhateverIsJointedFarOff) {
  EXPECT_EQ(turnsAgainstABlock(options(), true), turnsAgainstABlock(options(), false));
}

/// 25 N carry 19.62 N: it rises as prescribed.
TEST_P(LimitedDrives, CarriesWhatItCan) {
  for (const bool isReversed : {false, true}) {
    Hoist h(options(), 25.0, isReversed, 0.2);
    for (int i = 0; i < 60; ++i) h.world.step(1.0 / 60.0).orThrow();
    const DriverReport d = driverOf(h.world, h.drive);
    EXPECT_FALSE(d.stalled);
    EXPECT_NEAR(d.force.z(), 2.0 * kGravity, 1e-9);
    EXPECT_NEAR(motionOf(h.world, h.drive).pose.translation.z, 0.2, 1e-12);
    EXPECT_NEAR(motionOf(h.world, h.load).linearVelocity.z(), 0.2, 1e-9);
  }
}

/// 15 N do not: drive and load fall together by (15 - 19.62) / 2.5 m/s^2.
TEST_P(LimitedDrives, FallsWithWhatItCannotCarry) {
  for (const bool isReversed : {false, true}) {
    for (const double dt : {1.0 / 60.0, 1e-3}) {
      Hoist h(options(), 15.0, isReversed, 0.0);
      const int steps = static_cast<int>(std::lround(0.5 / dt));
      for (int i = 0; i < steps; ++i) {
        h.world.step(dt).orThrow();
        EXPECT_LT(std::fabs(h.world.getStepLedger().residual()), 1e-12);
      }
      const DriverReport d = driverOf(h.world, h.drive);
      EXPECT_TRUE(d.stalled);
      const double speed = (15.0 - 2.0 * kGravity) / 2.5 * (steps * dt);
      EXPECT_NEAR(motionOf(h.world, h.drive).linearVelocity.z(), speed, 1e-9);
      EXPECT_NEAR(motionOf(h.world, h.load).linearVelocity.z(), speed, 1e-9);
      // It gives 15 N, some of them to its own mass.
      EXPECT_NEAR(d.force.z(), 15.0 - 0.5 * (15.0 - 2.0 * kGravity) / 2.5, 1e-8);
    }
  }
}

/// Two boxes that a hinge holds, between a press of 30 N and a wall; the press is to go on at 0.1
/// m/s. Smooth ground bears the boxes.
TEST_P(LimitedDrives, PressesWithItsLimit) {
  for (const bool isReversed : {false, true}) {
    World world(options());
    Material m;
    m.friction = 0.0;
    MaterialId id = 0;
    world.materials().add(m, id).orThrow();
    BodyDescription ground;
    ground.type = BodyType::Static;
    world.addBody(ground, PlaneShape({0, 0, 1}, 0.0), id);
    BodyDescription wall;
    wall.type = BodyType::Static;
    wall.position = {0.5, 0.0, 0.1};
    world.addBody(wall, BoxShape({0.1, 0.5, 0.1}), id);
    std::vector<ObjectId> boxes;
    const ObjectId ids[2] = {isReversed ? ObjectId{21} : ObjectId{20},
                             isReversed ? ObjectId{20} : ObjectId{21}};
    for (int i = 0; i < 2; ++i) {
      BodyDescription b;
      b.mass = 1.0 + i;
      b.position = {-0.1 + 0.3 * i, 0.0, 0.1};
      b.id = ids[i];
      boxes.push_back(world.addBody(b, BoxShape({0.1, 0.1, 0.1}), id));
    }
    world.addJoint(jointAt(JointType::Hinge, boxes[0], boxes[1], {0.05, 0.0, 0.1}));
    BodyDescription press;
    press.type = BodyType::Kinematic;
    press.mass = 3.0;
    press.maxForce = {30.0, kNoLimit, kNoLimit};
    press.position = {-0.35, 0.0, 0.1};
    press.linearVelocity = {0.1, 0.0, 0.0};
    press.id = isReversed ? 5 : 50;
    world.addBody(press, BoxShape({0.1, 0.1, 0.05}), id);
    for (int i = 0; i < 180; ++i) {
      world.step(1.0 / 60.0).orThrow();
      EXPECT_LT(std::fabs(world.getStepLedger().residual()), 1e-11) << i;
      // No more than the limit and what stops its own 3 kg from 0.1 m/s and back within a step.
      EXPECT_LE(std::fabs(driverOf(world, press.id).force.x()), 30.0 + 3.0 * 0.2 * 60.0) << i;
    }
    const DriverReport d = driverOf(world, press.id);
    EXPECT_TRUE(d.stalled);
    EXPECT_NEAR(std::fabs(d.force.x()), 30.0, isExact() ? 1e-6 : 1e-3);
    EXPECT_NEAR(motionOf(world, press.id).linearVelocity.x(), 0.0, 1e-6);
    // The joint is closed, and nobody is in the wall.
    EXPECT_LT(motionOf(world, boxes[1]).pose.translation.x, 0.3 + 1e-3);
    EXPECT_NEAR(
        motionOf(world, boxes[1]).pose.translation.x - motionOf(world, boxes[0]).pose.translation.x,
        0.3, 1e-9);
  }
}

/// A press that stalls against a hinged box goes on along its other axes, where it has no limit,
/// and the books close. With `turns` it turns about its own axis too.
TEST_P(LimitedDrives, GoOnAlongTheAxesTheyHold) {
  for (const bool isReversed : {false, true}) {
    for (const bool turns : {false, true}) {
      World world(options());
      BodyDescription wall;
      wall.type = BodyType::Static;
      wall.position = {0.4, 0.0, 0.0};
      world.addBody(wall, BoxShape({0.1, 2.0, 2.0}));
      Material smooth;
      smooth.friction = 0.0;
      MaterialId id = 0;
      world.materials().add(smooth, id).orThrow();
      BodyDescription b;
      b.mass = 2.0;
      b.position = {0.2, 0.0, 0.0};
      b.gravityScale = 0.0;
      b.id = isReversed ? 7 : 70;
      const ObjectId box = world.addBody(b, BoxShape({0.1, 0.3, 0.3}), id);
      BodyDescription leaf = b;
      leaf.position = {0.2, 0.0, 0.6};
      leaf.id = isReversed ? 6 : 71;
      const ObjectId hung = world.addBody(leaf, BoxShape({0.1, 0.3, 0.25}), id);
      world.addJoint(jointAt(JointType::Hinge, box, hung, {0.2, 0.0, 0.325}));
      BodyDescription press;
      press.type = BodyType::Kinematic;
      press.mass = 3.0;
      press.maxForce = {30.0, kNoLimit, kNoLimit};
      press.position = {-0.11, 0.0, 0.0};
      press.linearVelocity = {0.2, 0.03, -0.05};
      if (turns) press.angularVelocity = {0.4, 0.0, 0.0};
      press.id = isReversed ? 50 : 5;
      world.addBody(press, SphereShape(0.2), id);
      for (int i = 0; i < 60; ++i) {
        world.step(1.0 / 60.0).orThrow();
        ASSERT_LT(std::fabs(world.getStepLedger().residual()), 1e-11) << i;
      }
      EXPECT_TRUE(driverOf(world, press.id).stalled);
      // In real time to the tolerance of the sweeps, 1e-4 of the force.
      EXPECT_NEAR(std::fabs(driverOf(world, press.id).force.x()), 30.0, isExact() ? 1e-6 : 3e-3);
      const BodyMotion m = motionOf(world, press.id);
      EXPECT_NEAR(m.pose.translation.y, 0.03, 1e-9);
      EXPECT_NEAR(m.pose.translation.z, -0.05, 1e-9);
      EXPECT_NEAR(m.linearVelocity.z(), -0.05, 1e-9);
      EXPECT_NEAR(m.angularVelocity.x(), turns ? 0.4 : 0.0, 1e-9);
    }
  }
}

}  // namespace
}  // namespace abut
