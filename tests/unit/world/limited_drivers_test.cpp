// SPDX-License-Identifier: MIT
// Drives with limits: they stall where more would be needed, say so, and never give more.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/world/world.hpp>

namespace abut {
namespace {

constexpr double kGravity = 9.81;

class LimitedDrivers : public testing::TestWithParam<StepScheme> {
protected:
  static WorldOptions options() {
    return GetParam() == StepScheme::RealTime ? WorldOptions::realTime() : WorldOptions{};
  }
  static bool isExact() { return GetParam() == StepScheme::Exact; }
};

MaterialId rough(World& world, double friction) {
  Material m;
  m.friction = friction;
  MaterialId id = 0;
  world.materials().add(m, id).orThrow();
  return id;
}

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

/// Two jaws that close on a box of 1 kg that stands on the ground. Ids as given.
struct Gripper {
  World world;
  ObjectId box = 0, left = 0, right = 0;
  double close = 0.1;

  Gripper(const WorldOptions& options, double force, std::vector<ObjectId> ids,
          double rightForce = 0.0, double height = 0.1)
      : world(options), box(ids[0]), left(ids[1]), right(ids[2]) {
    const MaterialId id = rough(world, 0.6);
    BodyDescription ground;
    ground.type = BodyType::Static;
    ground.id = ids[3];
    world.addBody(ground, PlaneShape(Eigen::Vector3d::UnitZ(), 0.0), id);
    BodyDescription d;
    d.position = {0, 0, height};
    d.mass = 1.0;
    d.id = box;
    world.addBody(d, BoxShape({0.1, 0.1, 0.1}), id);
    for (const double side : {-1.0, 1.0}) {
      BodyDescription jaw;
      jaw.type = BodyType::Kinematic;
      jaw.mass = 0.5;
      const double limit = side > 0.0 && rightForce > 0.0 ? rightForce : force;
      jaw.maxForce = {limit, kNoLimit, kNoLimit};
      jaw.position = {0.17 * side, 0, height};
      jaw.linearVelocity = {-close * side, 0, 0};
      jaw.id = side < 0.0 ? left : right;
      world.addBody(jaw, BoxShape({0.02, 0.05, 0.05}), id);
    }
  }
  void move(double up) {
    world.setVelocity(left, {close, 0, up}, {0, 0, 0}).orThrow();
    world.setVelocity(right, {-close, 0, up}, {0, 0, 0}).orThrow();
  }
  void run(double time, double dt) {
    for (int i = 0; i < std::lround(time / dt); ++i) world.step(dt).orThrow();
  }
  [[nodiscard]] double heightInJaws() const {
    return motionOf(world, box).pose.translation.z - motionOf(world, left).pose.translation.z;
  }
};

/// 20 N on both sides and mu .6 carry 24 N: more than the box weighs.
TEST_P(LimitedDrivers, AGripperLiftsABoxExactly) {
  for (const double dt : {1.0 / 60.0, 1e-3}) {
    Gripper g(options(), 20.0, {2, 3, 4, 1});
    g.run(1.0, dt);
    for (const ObjectId jaw : {g.left, g.right}) {
      const DriverReport d = driverOf(g.world, jaw);
      EXPECT_TRUE(d.stalled);
      EXPECT_NEAR(std::fabs(d.force.x()), 20.0, isExact() ? 1e-9 : 1e-4);
    }
    EXPECT_TRUE(g.world.getReport().converged);
    EXPECT_EQ(g.world.getReport().presses, 0u);
    // Up, slowly at first so that nothing slips: the box's weight and its inertia stay below 24 N.
    for (int i = 1; i <= std::lround(0.1 / dt); ++i) {
      g.move(1.0 * i * dt);
      g.run(dt, dt);
      EXPECT_LT(std::fabs(g.world.getStepLedger().residual()), 1e-14);
    }
    const double before = g.heightInJaws();
    const double from = motionOf(g.world, g.left).pose.translation.z;
    g.run(2.0, dt);
    const double tolerance = isExact() ? 1e-12 : 1e-6;
    EXPECT_NEAR(g.heightInJaws(), before, tolerance);
    // While the jaws become faster, by jumps at the beginning of steps, the box goes by the mean of
    // its velocities: it lags by up to half a step of the last speed, .1 m/s.
    EXPECT_NEAR(g.heightInJaws(), 0.0, 0.5 * dt * 0.1 + 1e-4);
    EXPECT_NEAR(motionOf(g.world, g.left).pose.translation.z - from,
                motionOf(g.world, g.left).linearVelocity.z() * 2.0, 1e-12);
    EXPECT_NEAR(motionOf(g.world, g.box).linearVelocity.z(),
                motionOf(g.world, g.left).linearVelocity.z(), isExact() ? 1e-14 : 1e-9);
    double carried = 0.0;
    for (const ObjectId jaw : {g.left, g.right}) carried += driverOf(g.world, jaw).force.z();
    EXPECT_NEAR(carried, kGravity, isExact() ? 1e-10 : 1e-4);
  }
}

/// 5 N carry 6 N: the box stays, the jaws slide along it.
TEST_P(LimitedDrivers, AGripperTooWeakLeavesTheBox) {
  Gripper g(options(), 5.0, {2, 3, 4, 1});
  g.run(1.0, 1.0 / 60.0);
  g.move(0.1);
  g.run(0.3, 1.0 / 60.0);
  EXPECT_NEAR(motionOf(g.world, g.box).pose.translation.z, 0.1, isExact() ? 1e-9 : 1e-4);
  for (const ObjectId jaw : {g.left, g.right}) {
    EXPECT_NEAR(driverOf(g.world, jaw).force.z(), 3.0, isExact() ? 1e-9 : 1e-3);
  }
}

/// The stronger jaw moves as prescribed and pushes the weaker one and the box back.
TEST_P(LimitedDrivers, TheStrongerJawWins) {
  Gripper g(options(), 20.0, {2, 3, 4, 1}, 40.0);
  g.run(2.0, 1.0 / 60.0);
  EXPECT_NEAR(motionOf(g.world, g.box).linearVelocity.x(), -0.1, 1e-9);
  EXPECT_FALSE(driverOf(g.world, g.right).stalled);
  EXPECT_TRUE(driverOf(g.world, g.left).stalled);
  // The box slides on the ground, which bears what of its weight the jaws do not: they stick to it,
  // so that they may lift it or press it down, and the force follows from what they do.
  const Eigen::Vector3d left = driverOf(g.world, g.left).force;
  const Eigen::Vector3d right = driverOf(g.world, g.right).force;
  const double borne = kGravity - left.z() - right.z();
  EXPECT_NEAR(left.x(), 20.0, 1e-9);
  EXPECT_GT(borne, 0.0);
  EXPECT_NEAR(-right.x(), 20.0 + 0.6 * borne, isExact() ? 1e-9 : 1e-3);
  EXPECT_LE(std::fabs(left.z()), 0.6 * 20.0 + 1e-9);
  EXPECT_LE(std::fabs(right.z()), -0.6 * right.x() + 1e-9);
}

/// A box of 10 kg and a pusher of 2 kg, mu .6: 58.86 N hold it.
TEST_P(LimitedDrivers, APusherStallsBelowFrictionAndAcceleratesAboveIt) {
  for (const double force : {50.0, 70.0}) {
    World world(options());
    const MaterialId id = rough(world, 0.6);
    Material smooth;
    smooth.friction = 0.0;
    MaterialId smoothId = 0;
    world.materials().add(smooth, smoothId).orThrow();
    PairMaterial slippery;
    slippery.friction = 0.0;
    world.materials().setPair(id, smoothId, slippery).orThrow();
    BodyDescription ground;
    ground.type = BodyType::Static;
    world.addBody(ground, PlaneShape(Eigen::Vector3d::UnitZ(), 0.0), id);
    BodyDescription d;
    d.position = {0, 0, 0.1};
    d.mass = 10.0;
    const ObjectId box = world.addBody(d, BoxShape({0.1, 0.1, 0.1}), id);
    BodyDescription p;
    p.type = BodyType::Kinematic;
    p.mass = 2.0;
    p.maxForce = {force, kNoLimit, kNoLimit};
    p.position = {-0.15, 0, 0.1};
    const ObjectId pusher = world.addBody(p, BoxShape({0.05, 0.05, 0.05}), smoothId);
    const double dt = 1e-2;
    world.setVelocity(pusher, {1.0, 0, 0}, {0, 0, 0}).orThrow();
    const double friction = 0.6 * 10.0 * kGravity;
    // From touching at rest; real time takes a step to turn the blow of the first into motion.
    const double speed = force > friction ? (force - friction) / 12.0 : 0.0;
    for (int i = 0; i < 50; ++i) world.step(dt).orThrow();
    EXPECT_NEAR(motionOf(world, box).linearVelocity.x(), speed * 0.5, isExact() ? 1e-9 : 1e-3);
    EXPECT_TRUE(driverOf(world, pusher).stalled);
    EXPECT_NEAR(driverOf(world, pusher).force.x(), force - 2.0 * speed, isExact() ? 1e-8 : 1e-2);
    if (!(force > friction)) continue;
    for (int i = 0; i < 100; ++i) world.step(dt).orThrow();
    EXPECT_NEAR(motionOf(world, box).linearVelocity.x(), 1.0, 1e-9);
    EXPECT_FALSE(driverOf(world, pusher).stalled);
    EXPECT_NEAR(driverOf(world, pusher).force.x(), friction, isExact() ? 1e-8 : 1e-2);
  }
}

/// A path that leads through a wall of a fixed box: the driver waits there, and follows again.
TEST_P(LimitedDrivers, WaitsOnItsPathAndCatchesUp) {
  World world(options());
  const MaterialId id = rough(world, 0.5);
  BodyDescription ground;
  ground.type = BodyType::Static;
  world.addBody(ground, PlaneShape(Eigen::Vector3d::UnitZ(), 0.0), id);
  BodyDescription d;
  d.position = {0.5, 0, 0.1};
  d.mass = 100.0;
  const ObjectId block = world.addBody(d, BoxShape({0.1, 0.1, 0.1}), id);
  BodyDescription p;
  p.type = BodyType::Kinematic;
  p.mass = 1.0;
  p.maxForce = {50.0, 50.0, 50.0};
  p.position = {0, 0, 0.1};
  const ObjectId cart = world.addBody(p, BoxShape({0.1, 0.05, 0.05}), id);
  std::vector<PathPoint> path(3);
  for (PathPoint& point : path) point.position = {0, 0, 0.1};
  path[1].time = 1.0;
  path[1].position = {1.0, 0, 0.1};
  path[2].time = 2.0;
  path[2].position = {0.1, 0, 0.1};
  world.setPath(cart, path).orThrow();
  const double dt = 1.0 / 60.0;
  double farthest = 0.0;
  for (int i = 0; i < 60; ++i) {
    world.step(dt).orThrow();
    farthest = std::fmax(farthest, motionOf(world, cart).pose.translation.x);
  }
  EXPECT_LT(farthest, 0.3 + 2e-3);  // 50 N do not move 100 kg under mu .5.
  EXPECT_TRUE(driverOf(world, cart).stalled);
  EXPECT_NEAR(motionOf(world, block).pose.translation.x, 0.5, 1e-4);
  for (int i = 0; i < 90; ++i) world.step(dt).orThrow();
  EXPECT_NEAR(motionOf(world, cart).pose.translation.x, 0.1, 1e-12);
  EXPECT_FALSE(driverOf(world, cart).stalled);
}

TEST_P(LimitedDrivers, TheOrderOfIdsAndRestoreChangeNothing) {
  const double dt = 1.0 / 60.0;
  // Without weight, and above the ground: jaws that cannot give way along z may press the box on it
  // by friction as much as they like, and its friction then brakes. Coulomb's law does not say how
  // much that is.
  WorldOptions weightless = options();
  weightless.gravity = {0, 0, 0};
  Gripper a(weightless, 20.0, {2, 3, 4, 1}, 31.0, 0.4);
  Gripper b(weightless, 20.0, {9, 5, 2, 7}, 31.0, 0.4);
  a.run(0.7, dt);
  b.run(0.7, dt);
  EXPECT_NEAR(motionOf(a.world, a.box).pose.translation.x,
              motionOf(b.world, b.box).pose.translation.x, isExact() ? 1e-12 : 1e-3);
  const std::vector<std::byte> saved = a.world.snapshot();
  a.move(0.05);
  a.run(0.5, dt);
  Gripper c(weightless, 20.0, {2, 3, 4, 1}, 31.0, 0.4);
  c.world.restore(saved).orThrow();
  c.move(0.05);
  c.run(0.5, dt);
  EXPECT_EQ(a.world.hash(), c.world.hash());
}

TEST_P(LimitedDrivers, WhatCannotBeIsRefused) {
  World world(options());
  const auto add = [&world](BodyType type, double force) {
    BodyDescription d;
    d.type = type;
    d.maxForce = {force, 1.0, 1.0};
    ObjectId id = kNoObject;
    return world.addBody(d, {{std::make_shared<BoxShape>(Eigen::Vector3d(1, 1, 1)), {}, 0}}, id);
  };
  EXPECT_FALSE(add(BodyType::Dynamic, 1.0));
  EXPECT_FALSE(add(BodyType::Kinematic, 0.0));
  EXPECT_FALSE(add(BodyType::Kinematic, -1.0));
  EXPECT_FALSE(add(BodyType::Kinematic, std::nan("")));
  EXPECT_EQ(world.numBodies(), 0u);
  EXPECT_TRUE(add(BodyType::Kinematic, 1.0));
}

INSTANTIATE_TEST_SUITE_P(Schemes, LimitedDrivers,
                         testing::Values(StepScheme::Exact, StepScheme::RealTime),
                         [](const auto& of) {
                           return of.param == StepScheme::Exact ? "Exact" : "RealTime";
                         });

}  // namespace
}  // namespace abut
