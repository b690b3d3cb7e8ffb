// SPDX-License-Identifier: MIT
//
// What a world on several ranks does beyond contacts in real time: the exact scheme, joints, sleep,
// sensors and substeps. All that is shown, in every step, is what one rank shows.
#include "support/divided_course.hpp"
#include "support/span_source.hpp"

namespace abut {
namespace {

using namespace test;

class Schemes : public testing::TestWithParam<StepScheme> {};
INSTANTIATE_TEST_SUITE_P(Both, Schemes, testing::Values(StepScheme::Exact, StepScheme::RealTime),
                         [](const auto& scheme) {
                           return scheme.param == StepScheme::Exact ? "Exact" : "RealTime";
                         });

TEST(DividedIslands, TheExactSchemeHasTheSameBits) {
  const Course seen = expectSame(
      {2, 3, 4, 7}, [] { return makeTowers(options(StepScheme::Exact), 1, 0.4, 2); }, 18);
  EXPECT_GT(seen.moved, 10u) << "hardly a body changed its rank";
}

/// A fast body, which the guard holds back, throws others out of their boxes.
TEST(DividedIslands, FastBodiesHaveTheSameBits) {
  const auto make = [] {
    World world = makeTowers(options(StepScheme::Exact), 2, 0.9, 2);
    for (int i = 0; i < 3; ++i) {
      BodyDescription shot;
      shot.position = {-2.0 - 0.3 * i, 0.05 * i, 0.15 + 0.1 * i};
      shot.linearVelocity = {60.0, 0.0, 0.0};
      world.addBody(shot, SphereShape(0.03));
    }
    return world;
  };
  expectSame({2, 3}, make, 20);
}

/// Drivers that accelerate carry bodies along, on more ranks than one.
TEST(DividedIslands, DriversHaveTheSameBits) {
  const auto make = [] {
    World world = makeTowers(options(StepScheme::Exact), 3, 0.4, 2);
    BodyDescription lift;
    lift.type = BodyType::Kinematic;
    lift.position = {1.2, -1.0, 0.0};
    world.addBody(lift, BoxShape(Eigen::Vector3d(2.0, 0.2, 0.1)), 0);
    for (int i = 0; i < 5; ++i) {
      BodyDescription body;
      body.position = {-0.5 + 0.8 * i, -1.0, 0.2};
      world.addBody(body, BoxShape(Eigen::Vector3d(0.1, 0.1, 0.1)));
    }
    return world;
  };
  const ObjectId lift = 22;
  const auto before = [&](World& world, int step) {
    const double t = step * kStep;
    world.setVelocity(lift, {0.5 * t, 0.0, 0.4 * t}, {0, 0, 0}).orThrow();
  };
  expectSame({2, 3}, make, 25, before);
}

/// Chains of capsules, motors, a joint that breaks, contacts with the floor and among them.
World makeMachines(const WorldOptions& o) {
  World world(o);
  addFloor(world);
  for (int m = 0; m < 5; ++m) {
    ObjectId last = kNoObject;
    for (int k = 0; k < 4; ++k) {
      BodyDescription body;
      body.position = {0.9 * m + 0.22 * k, 0.01 * m, 0.35};
      body.linearVelocity = {m % 2 == 0 ? 1.5 : -1.5, 0.0, 0.0};
      const ObjectId id = world.addBody(body, BoxShape(Eigen::Vector3d(0.1, 0.05, 0.05)));
      if (last != kNoObject) {
        JointDescription joint;
        joint.type = k == 2 ? JointType::Ball : JointType::Hinge;
        joint.body1 = last;
        joint.body2 = id;
        joint.placement = JointPlacement::InWorld;
        joint.frame1.translation = {0.9 * m + 0.22 * k - 0.11, 0.01 * m, 0.35};
        if (m == 3 && k == 3) joint.breakForce = 60.0;
        if (k == 1) {
          joint.axes[0].drive.mode = DriveMode::Speed;
          joint.axes[0].drive.target = 2.0;
          joint.axes[0].drive.maxForce = 0.5;
        }
        world.addJoint(joint);
      }
      last = id;
    }
  }
  // One that hangs on the world alone, and two that are coupled.
  std::vector<ObjectId> wheels;
  for (int i = 0; i < 3; ++i) {
    BodyDescription body;
    body.position = {1.5 * i, 2.0, 1.0};
    body.angularVelocity = {0, 0, 1.0 + i};
    const ObjectId id = world.addBody(body, BoxShape(Eigen::Vector3d(0.1, 0.1, 0.1)));
    JointDescription joint;
    joint.body2 = id;
    joint.placement = JointPlacement::InWorld;
    joint.frame1.translation = {1.5 * i, 2.0, 1.0};
    wheels.push_back(world.addJoint(joint));
  }
  world.addCoupling({.joint1 = wheels[0], .joint2 = wheels[2], .ratio = -2.0});
  for (int i = 0; i < 6; ++i) {
    BodyDescription body;
    body.position = {0.8 * i, 0.02, 0.8};
    world.addBody(body, SphereShape(0.08));
  }
  return world;
}

TEST_P(Schemes, JointsHaveTheSameBits) {
  const auto before = [](World& world, int step) {
    JointDrive drive;
    drive.mode = DriveMode::Speed;
    drive.target = 0.1 * step;
    drive.maxForce = 0.5;
    const Status status = world.setJointDrive(1, 0, drive);
    EXPECT_TRUE(status || status.getCode() == StatusCode::UnknownObject);
  };
  const Course seen = expectSame(
      GetParam() == StepScheme::Exact ? std::vector{2, 3} : std::vector{1, 2, 3, 4, 7},
      [] { return makeMachines(options(GetParam())); }, 40, before);
  EXPECT_GT(seen.moved, 5u) << "hardly a body changed its rank";
  EXPECT_GT(seen.broken, 0u);
}

/// Towers come to rest and sleep; later something hits them.
TEST_P(Schemes, SleepHasTheSameBits) {
  const auto make = [] {
    World world =
        makeTowers(options(GetParam(), true), 5, 0.0, GetParam() == StepScheme::Exact ? 1 : 3);
    BodyDescription late;
    late.position = {0.2, 1.6, 0.2};
    late.linearVelocity = {0.7, -4.0, 1.0};
    for (int i = 0; i < 3; ++i) {
      late.position.x() += 0.7;
      world.addBody(late, SphereShape(0.1));
    }
    return world;
  };
  const auto before = [](World& world, int step) {
    if (step == 30) (void)world.applyForce(3, {40.0, 0, 0}, {0, 0, 0});
  };
  const Course seen =
      expectSame(GetParam() == StepScheme::Exact ? std::vector{2} : std::vector{1, 2, 3, 7}, make,
                 110, before);
  EXPECT_GT(seen.slept, 8u);
}

/// A sensor that stands and one that moves, above both halves.
void addSensors(World& world) {
  BodyDescription gate;
  gate.type = BodyType::Static;
  gate.sensor = true;
  gate.position = {1.0, 0.1, 0.3};
  world.addBody(gate, BoxShape(Eigen::Vector3d(1.0, 0.1, 0.3)));
  gate.type = BodyType::Kinematic;
  gate.linearVelocity = {1.0, 0.0, 0.0};
  gate.position = {0.0, 0.0, 0.4};
  world.addBody(gate, BoxShape(Eigen::Vector3d(0.1, 2.0, 0.3)));
}

TEST_P(Schemes, SensorsSeeTheSame) {
  const auto make = [] {
    World world = makeTowers(options(GetParam()), 6, 0.4, 2);
    addSensors(world);
    return world;
  };
  const Course seen = expectSame({2, 3, 7}, make, 20);
  EXPECT_GT(seen.sensed, 50u);
}

TEST(DividedIslands, SubstepsHaveTheSameBits) {
  const auto make = [] {
    World world = makeTowers(options(StepScheme::RealTime, false, 3), 7);
    addSensors(world);
    return world;
  };
  const auto before = [](World& world, int step) {
    for (const ObjectId id : bodiesOf(world)) {
      if (id > 1 && step % 5 == 0)
        (void)world.applyForce(id, {id % 2 == 0 ? 20.0 : -20.0, 0, 0}, {0, 0, 0});
    }
  };
  const Course seen = expectSame({1, 2, 3, 4, 7}, make, 30, before);
  EXPECT_GT(seen.moved, 5u);
}

/// Bodies change their ranks from substep to substep, with joints, sleep and sensors.
TEST_P(Schemes, SubstepsOfIslandsHaveTheSameBits) {
  const auto make = [] {
    World world = makeMachines(options(GetParam(), true, 3));
    addSensors(world);
    return world;
  };
  const auto before = [](World& world, int step) {
    for (const ObjectId id : bodiesOf(world)) {
      if (id > 1 && step % 8 == 0)
        (void)world.applyForce(id, {id % 2 == 0 ? 900.0 : -900.0, 0, 0}, {0, 0, 0});
    }
  };
  const Course seen = expectSame({2, 3}, make, 25, before);
  EXPECT_GT(seen.moved, 5u);
  EXPECT_GT(seen.broken, 0u);
  EXPECT_GT(seen.sensed, 20u);
}

/// A failure in a later substep takes all back, on all ranks.
TEST(DividedIslands, SubstepsThatFailChangeNothing) {
  const MakeWorld make = [] {
    World world = makeTowers(options(StepScheme::RealTime, false, 4), 8);
    return world;
  };
  const auto push = [](World& w) { (void)w.applyForce(20, {2e13, 0, 0}, {0, 0, 0}); };
  for (const int ranks : {2, 3}) {
    ThreadRanks(ranks).run([&](Communicator& communicator) {
      World part = make();
      DistributedWorld divided(part, communicator);
      for (int i = 0; i < 4; ++i) part.step(kStep).orThrow();
      push(part);
      const std::uint64_t before = divided.hash();
      EXPECT_FALSE(part.step(kStep));
      EXPECT_EQ(divided.hash(), before);
    });
  }
}

TEST(DividedIslands, AnIslandThatIsTooLargeIsRefusedWithItsSize) {
  ThreadRanks(3).run([&](Communicator& communicator) {
    World part = makeTowers(options(StepScheme::Exact), 9);
    DistributedWorld divided(part, communicator, 2);
    const std::uint64_t before = divided.hash();
    const Status status = part.step(kStep);
    EXPECT_EQ(status.getCode(), StatusCode::LimitExceeded);
    // Blows may send bodies of one tower to the next two within the step.
    EXPECT_NE(status.getMessage().find("8 bodies near one another, body 2"), std::string::npos)
        << status.getMessage();
    EXPECT_EQ(divided.hash(), before);
  });
}

/// A snapshot of some ranks, asleep and jointed, goes on on others.
TEST_P(Schemes, SnapshotsGoOnOnOtherNumbersOfRanks) {
  const auto make = [] { return makeMachines(options(GetParam(), true)); };
  World one = make();
  for (int i = 0; i < 20; ++i) one.step(kStep).orThrow();
  std::vector<std::byte> saved;
  ThreadRanks(3).run([&](Communicator& communicator) {
    World part = make();
    DistributedWorld divided(part, communicator);
    for (int i = 0; i < 10; ++i) part.step(kStep).orThrow();
    const std::vector<std::byte> bytes = divided.snapshot();
    if (communicator.getRank() == 0) saved = bytes;
  });
  for (const bool inPieces : {false, true}) {  // Or whole on all ranks.
    ThreadRanks(inPieces ? 4 : 2).run([&](Communicator& ranks) {
      World part = make();
      test::SpanSource source(saved);
      const auto divided = inPieces
                               ? std::make_unique<DistributedWorld>(part, World(), source, ranks)
                               : std::make_unique<DistributedWorld>(part, ranks);
      ASSERT_TRUE(inPieces || divided->restore(saved));
      for (int i = 0; i < 10; ++i) part.step(kStep).orThrow();
      EXPECT_EQ(divided->snapshotRange(64).hash, one.hash());
    });
  }
}

}  // namespace
}  // namespace abut
