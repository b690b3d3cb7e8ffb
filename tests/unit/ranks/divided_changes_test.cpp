// SPDX-License-Identifier: MIT
//
// Drives with limits, sensors and moving surfaces that bodies carry about, and changes between
// steps, on several ranks: all that is shown, in every step, is what one rank shows.
#include <limits>

#include "support/divided_course.hpp"
#include "support/span_source.hpp"

namespace abut {
namespace {

using namespace test;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

class Changes : public testing::TestWithParam<StepScheme> {};
INSTANTIATE_TEST_SUITE_P(Both, Changes, testing::Values(StepScheme::Exact, StepScheme::RealTime),
                         [](const auto& scheme) {
                           return scheme.param == StepScheme::Exact ? "Exact" : "RealTime";
                         });

const std::vector<int> kAll{1, 2, 3, 4, 7};

/// Pushers that follow a velocity or a path, with too little force for what is in their way, one
/// between two heaps that are on different ranks.
World makePushers(const WorldOptions& o) {
  World world = makeTowers(o, 21, 0.2, o.scheme == StepScheme::Exact ? 1 : 2);
  for (int i = 0; i < 3; ++i) {
    BodyDescription pusher;
    pusher.type = BodyType::Kinematic;
    pusher.mass = 1.0;
    pusher.maxForce = {i == 1 ? 2.0 : 30.0, kNoLimit, kNoLimit};
    pusher.maxTorque = {kNoLimit, kNoLimit, 5.0};
    pusher.position = {-0.3 + 1.0 * i, 0.02, 0.1};
    pusher.linearVelocity = {i == 2 ? -1.5 : 1.5, 0.0, 0.0};
    const ObjectId id = world.addBody(pusher, BoxShape(Eigen::Vector3d(0.1, 0.3, 0.08)));
    if (i != 0) continue;
    std::vector<PathPoint> path(3);
    for (PathPoint& point : path) point.position = pusher.position;
    path[1].time = 0.1;
    path[1].position.x() += 0.4;
    path[2].time = 0.3;
    world.setPath(id, path).orThrow();
  }
  return world;
}

TEST_P(Changes, DrivesWithLimitsHaveTheSameBits) {
  const MakeWorld make = [] { return makePushers(options(GetParam())); };
  World one = make();
  std::size_t stalled = 0, free = 0;
  for (int i = 0; i < 30; ++i) {
    one.step(kStep).orThrow();
    for (const DriverReport& d : one.getDrivers()) ++(d.stalled ? stalled : free);
  }
  EXPECT_GT(stalled, 10u);
  EXPECT_GT(free, 10u);
  expectSame(kAll, make, 30);
}

TEST(Changes, DrivesWithLimitsHaveTheSameBitsWithSleepAndSubsteps) {
  expectSame(
      {2, 3}, [] { return makePushers(options(StepScheme::RealTime, true, 2)); }, 40);
}

/// Sensors fly through towers and past others; one stands in a tower.
World makeFlyingSensors(const WorldOptions& o) {
  World world = makeTowers(o, 22, 0.4, 2);
  for (int i = 0; i < 4; ++i) {
    BodyDescription sensor;
    sensor.sensor = true;
    sensor.gravityScale = 0.0;
    sensor.position = {3.0 - 1.2 * i, 0.3 * i, 0.25};
    sensor.linearVelocity = {i % 2 == 0 ? -12.0 : 12.0, -2.0, 0.0};
    sensor.angularVelocity = {0.0, 0.0, 3.0};
    world.addBody(sensor, BoxShape(Eigen::Vector3d(0.3, 0.15, 0.2)));
  }
  return world;
}

TEST_P(Changes, SensorsThatMoveFreelySeeTheSame) {
  const Course seen = expectSame(
      kAll, [] { return makeFlyingSensors(options(GetParam())); }, 20);
  EXPECT_GT(seen.sensed, 50u);
}

TEST(Changes, SensorsThatMoveFreelySeeTheSameWithSubsteps) {
  const Course seen = expectSame(
      kAll, [] { return makeFlyingSensors(options(StepScheme::RealTime, false, 3)); }, 20);
  EXPECT_GT(seen.sensed, 50u);
}

/// Boxes with belts drive along the floor and each other.
World makeVehicles(const WorldOptions& o) {
  World world = makeTowers(o, 23, 0.1, 2);
  for (int i = 0; i < 6; ++i) {
    BodyDescription belt;
    belt.position = {-0.6 + 0.7 * i, i % 2 == 0 ? 0.0 : 0.4, 0.55};
    belt.surfaceVelocity = {i % 2 == 0 ? 2.0 : -2.0, 0.3, 0.0};
    world.addBody(belt, BoxShape(Eigen::Vector3d(0.3, 0.1, 0.05)));
  }
  return world;
}

TEST_P(Changes, MovingSurfacesOfDynamicBodiesHaveTheSameBits) {
  expectSame(
      kAll, [] { return makeVehicles(options(GetParam())); }, 30);
}

TEST(Changes, MovingSurfacesHaveTheSameBitsWithSubsteps) {
  expectSame(
      {2, 3, 7}, [] { return makeVehicles(options(StepScheme::RealTime, false, 2)); }, 30);
}

/// Bodies come and go, and are changed, on and between ranks.
void changeBodies(World& world, int step) {
  const auto sphere = std::make_shared<SphereShape>(0.07);
  const auto box = std::make_shared<BoxShape>(Eigen::Vector3d(0.06, 0.06, 0.06));
  if (step % 3 == 0) {  // Two at one place: only ids tell them apart.
    for (int k = 0; k < 2; ++k) {
      BodyDescription body;
      body.position = {0.11 * step - 0.2, 0.1, 0.9};
      body.linearVelocity = {0.0, 0.0, -2.0};
      ObjectId id = kNoObject;
      world.addBody(body, {{sphere, Pose{}, 0}}, id).orThrow();
    }
  }
  if (step == 2) world.setSensor(11, true).orThrow();  // It falls into the one below.
  if (step == 4) world.removeBody(2).orThrow();        // The lowest of a tower.
  if (step == 7) {
    world.removeBody(5).orThrow();  // Two that touch each other, and the floor.
    world.removeBody(6).orThrow();
  }
  if (step == 8) {
    BodyDescription shelf;
    shelf.type = BodyType::Static;
    shelf.position = {1.0, 0.1, 0.7};
    ObjectId id = kNoObject;
    world.addBody(shelf, {{box, Pose{}, 0}}, id).orThrow();
    shelf.id = 700;
    shelf.type = BodyType::Kinematic;
    shelf.position = {2.0, 0.1, 0.6};
    shelf.linearVelocity = {-1.0, 0.0, 0.0};
    world.addBody(shelf, {{box, Pose{}, 0}}, id).orThrow();
    EXPECT_EQ(world.addBody(shelf, {{box, Pose{}, 0}}, id).getCode(), StatusCode::DuplicateObject);
    shelf.id = 8;  // On one rank alone.
    EXPECT_EQ(world.addBody(shelf, {{box, Pose{}, 0}}, id).getCode(), StatusCode::DuplicateObject);
  }
  if (step == 9) world.setPose(8, {2.6, 0.05, 0.4}, Quat{}).orThrow();
  if (step == 10) {
    world.setVelocity(9, {3.0, 0.0, 1.0}, {0, 0, 2}).orThrow();
    world.applyImpulse(10, {0.3, 0.0, 0.2}, {1.0, 0.0, 0.1}).orThrow();
    world.setMass(11, {.mass = 0.7}).orThrow();
    world.setGravityScale(12, 0.5).orThrow();
    world.setLocks(13, kLockRotation).orThrow();
    world.setSurfaceVelocity(14, {0.4, 0, 0}).orThrow();
    world.setFilter(16, {.category = 2, .mask = 1}).orThrow();
    world.setMaterial(3, 0).orThrow();
    EXPECT_EQ(world.setMass(999, {.mass = 1.0}).getCode(), StatusCode::UnknownObject);
    EXPECT_EQ(world.setMass(1, {.mass = 1.0}).getCode(), StatusCode::OutOfRange);
  }
  if (step == 12) world.setGravity({0.5, 0.0, -9.0}).orThrow();
  if (step == 13) world.excludePair(7, 18).orThrow();
  if (step == 14) world.setSensor(11, false).orThrow();
  if (step == 15) world.setType(17, BodyType::Static).orThrow();
  if (step == 18) world.setType(17, BodyType::Dynamic).orThrow();
  if (step == 19) world.removeBody(700).orThrow();
  if (step == 20) world.includePair(18, 7).orThrow();
}

TEST_P(Changes, BodiesComeAndGoWithTheSameBits) {
  const auto make = [] { return makeTowers(options(GetParam()), 24, 0.3, 2); };
  const Course seen = expectSame(kAll, make, 26, changeBodies);
  EXPECT_GT(seen.sensed, 0u);
}

TEST_P(Changes, BodiesComeAndGoWithTheSameBitsAsleep) {
  const auto make = [] { return makeTowers(options(GetParam(), true), 25, 0.0, 1); };
  const auto before = [](World& world, int step) {
    if (step >= 40) changeBodies(world, step - 40);
  };
  const Course seen = expectSame({2, 3}, make, 70, before);
  EXPECT_GT(seen.slept, 5u);
}

TEST(Changes, BodiesComeAndGoWithTheSameBitsInSubsteps) {
  const auto make = [] { return makeTowers(options(StepScheme::RealTime, false, 2), 26, 0.3, 2); };
  expectSame(kAll, make, 26, changeBodies);
}

/// The first joint and the first drive with limits make of a world that is divided by place one
/// that is divided by island.
TEST(Changes, JointsAndDrivesComeAndGoWithTheSameBits) {
  const auto make = [] { return makeTowers(options(StepScheme::RealTime), 27, 0.3, 2); };
  const auto joins = [](World& world, int step) {
    if (step == 5 || step == 6) {
      JointDescription joint;
      joint.body1 = step == 5 ? 2 : 14;
      joint.body2 = step == 5 ? 18 : 19;
      joint.type = JointType::Ball;
      joint.placement = JointPlacement::InWorld;
      joint.frame1.translation = {0.2 * step, 0.1, 0.5};
      ObjectId id = kNoObject;
      world.addJoint(joint, id).orThrow();
    }
    if (step == 15) world.removeJoint(1).orThrow();
    if (step == 16) {
      EXPECT_EQ(world.removeJoint(1).getCode(), StatusCode::UnknownObject);
    }
  };
  expectSame({2, 3, 7}, make, 25, joins);
  const auto drives = [](World& world, int step) {
    if (step == 5) {
      BodyDescription pusher;
      pusher.type = BodyType::Kinematic;
      pusher.mass = 1.0;
      pusher.maxForce = {5.0, kNoLimit, kNoLimit};
      pusher.position = {0.2, 0.02, 0.1};
      pusher.linearVelocity = {1.5, 0.0, 0.0};
      ObjectId id = kNoObject;
      const auto box = std::make_shared<BoxShape>(Eigen::Vector3d(0.1, 0.3, 0.08));
      world.addBody(pusher, {{box, Pose{}, 0}}, id).orThrow();
      EXPECT_EQ(id, 22u);
    }
    if (step == 15) world.setVelocity(22, {-1.0, 0, 0}, {0, 0, 0}).orThrow();
    if (step == 20) world.removeBody(22).orThrow();
  };
  expectSame({2, 3, 7}, make, 25, drives);
}

/// After changes the world is what it is on one rank before a step too: hash, snapshot, and a
/// world that goes on from that on other ranks, with events of bodies that are gone.
TEST_P(Changes, SnapshotsAfterChangesGoOnElsewhere) {
  const auto make = [] { return makeTowers(options(GetParam()), 28, 0.3, 2); };
  const auto change = [](World& world) {
    for (const ObjectId id : {2, 5, 6, 9}) world.removeBody(id).orThrow();
    changeBodies(world, 3);
    world.setSensor(12, true).orThrow();
  };
  World one = make();
  for (int i = 0; i < 8; ++i) one.step(kStep).orThrow();
  change(one);
  const std::vector<std::byte> expected = one.snapshot();
  std::vector<std::byte> saved;
  ThreadRanks(3).run([&](Communicator& communicator) {
    World part = make();
    DistributedWorld divided(part, communicator);
    for (int i = 0; i < 8; ++i) part.step(kStep).orThrow();
    change(part);
    EXPECT_EQ(divided.hash(), one.hash());
    const std::vector<std::byte> bytes = divided.snapshot();
    if (communicator.getRank() == 0) saved = bytes;
  });
  EXPECT_EQ(saved, expected);
  one.step(kStep).orThrow();
  const Facts after = factsOf(one);
  for (const bool inPieces : {false, true}) {
    ThreadRanks(inPieces ? 4 : 2).run([&](Communicator& ranks) {
      World part = make(), kinds = make(), whole;
      changeBodies(kinds, 3);
      test::SpanSource source(saved);
      const auto divided = inPieces ? std::make_unique<DistributedWorld>(part, kinds, source, ranks)
                                    : std::make_unique<DistributedWorld>(kinds, ranks);
      World& here = inPieces ? part : kinds;
      ASSERT_TRUE(inPieces || divided->restore(saved));
      here.step(kStep).orThrow();
      divided->assemble(whole);
      if (ranks.getRank() == 0) {
        EXPECT_EQ(factsOf(whole), after);
      }
    });
  }
}

/// A limit of contacts is the world's, with the same words.
TEST_P(Changes, LimitsOfContactsCountTheWorld) {
  const auto make = [] {
    WorldOptions o = options(GetParam());
    o.limits.contacts = 20;
    return makeTowers(o, 29, 0.3, 2);
  };
  World one = make();
  const Status expected = one.step(kStep);
  EXPECT_EQ(expected.getCode(), StatusCode::LimitExceeded);
  ThreadRanks(4).run([&](Communicator& ranks) {
    World part = make();
    DistributedWorld divided(part, ranks);
    EXPECT_EQ(part.step(kStep).getMessage(), expected.getMessage());
  });
}

/// Names and user data are given before a world is divided.
TEST(Changes, NamesAreRefused) {
  ThreadRanks(2).run([&](Communicator& ranks) {
    World part = makeTowers(options(StepScheme::RealTime), 30);
    DistributedWorld divided(part, ranks);
    const Status status = part.setName(1, "floor");
    EXPECT_EQ(status.getCode(), StatusCode::Locked);
    EXPECT_NE(status.getMessage().find("divided among ranks"), std::string::npos);
  });
}

}  // namespace
}  // namespace abut
