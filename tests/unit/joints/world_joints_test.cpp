// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "math/pose.hpp"
#include "math/trigonometry.hpp"

namespace abut {
namespace {

constexpr double kGravity = 9.81;

WorldOptions optionsOf(StepScheme scheme) {
  return scheme == StepScheme::Exact ? WorldOptions{} : WorldOptions::realTime();
}
const StepScheme kSchemes[] = {StepScheme::Exact, StepScheme::RealTime};

BodyDescription boxBody(double mass, const Eigen::Vector3d& position, ObjectId id = kNoObject) {
  BodyDescription d;
  d.mass = mass;
  d.position = position;
  d.id = id;
  return d;
}

void addFloor(World& world, double height, ObjectId id = kNoObject) {
  BodyDescription d;
  d.type = BodyType::Static;
  d.position = {0.0, 0.0, height};
  d.id = id;
  world.addBody(d, PlaneShape({0.0, 0.0, 1.0}, 0.0));
}

/// A joint at a place of the world, with z along an axis.
JointDescription jointAt(JointType type, ObjectId body1, ObjectId body2, const Vec3& point,
                         const Vec3& axis, ObjectId id = kNoObject) {
  JointDescription d;
  d.type = type;
  d.body1 = body1;
  d.body2 = body2;
  d.placement = JointPlacement::InWorld;
  const Vec3 z = normalized(axis), x = anyPerpendicular(z);
  d.frame1 = {{x, cross(z, x), z}, point};
  d.id = id;
  return d;
}

/// Links of 1 m and 1 kg from the origin along x, joined by hinges about y.
std::vector<ObjectId> addChain(World& world, int links, double height = 0.0) {
  std::vector<ObjectId> joints;
  ObjectId last = kNoObject;
  for (int i = 0; i < links; ++i) {
    const ObjectId next =
        world.addBody(boxBody(1.0, {i + 0.5, 0.0, height}), BoxShape({0.5, 0.05, 0.05}));
    joints.push_back(world.addJoint(
        jointAt(JointType::Hinge, last, next, {1.0 * i, 0.0, height}, {0.0, 1.0, 0.0})));
    last = next;
  }
  return joints;
}

double energyOf(const EnergyAccount& a) {
  return a.kineticAfter + a.potentialAfter + a.elasticAfter;
}

TEST(WorldJoints, PendulumKeepsItsEnergyInBothSchemes) {
  for (const StepScheme scheme : kSchemes) {
    World world(optionsOf(scheme));
    const std::vector<ObjectId> joints = addChain(world, 2);
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(world.step(1.0 / 60.0));
      EXPECT_TRUE(world.getReport().converged);
      const EnergyAccount& a = world.getStepLedger();
      EXPECT_NEAR(a.residual(), 0.0, 1e-12);
      EXPECT_NEAR(energyOf(world.getLedger()), 0.0, 1e-11);
      EXPECT_NEAR(a.joints, 0.0, 1e-12);
    }
    JointState state;
    ASSERT_TRUE(world.getJointState(joints[0], state));
    EXPECT_NE(state.position[0], 0.0);
    EXPECT_NE(state.force.norm(), 0.0);
  }
}

/// A rod at rest below its hinge: the hinge bears its weight, upwards on the rod.
TEST(WorldJoints, HangingChainBearsItsWeight) {
  for (const StepScheme scheme : kSchemes) {
    World world(optionsOf(scheme));
    ObjectId last = kNoObject;
    std::vector<ObjectId> joints;
    for (int i = 0; i < 20; ++i) {
      const ObjectId next =
          world.addBody(boxBody(1.0, {0.0, 0.0, -i - 0.5}), BoxShape({0.05, 0.05, 0.5}));
      joints.push_back(world.addJoint(
          jointAt(JointType::Hinge, last, next, {0.0, 0.0, -1.0 * i}, {0.0, 1.0, 0.0})));
      last = next;
    }
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(world.step(1.0 / 60.0));
    for (std::size_t k = 0; k < joints.size(); ++k) {
      JointState state;
      ASSERT_TRUE(world.getJointState(joints[k], state));
      const double weight = kGravity * static_cast<double>(joints.size() - k);
      EXPECT_NEAR(state.force.z(), weight, 1e-12 * 200.0) << k;
      EXPECT_NEAR(state.torque.norm(), 0.0, 1e-10) << k;
    }
  }
}

TEST(WorldJoints, OrderOfInsertionChangesNoBit) {
  for (const StepScheme scheme : kSchemes) {
    std::uint64_t hashes[2] = {};
    for (int k = 0; k < 2; ++k) {
      World world(optionsOf(scheme));
      addFloor(world, -1.5, 99);
      for (int i = 0; i < 4; ++i) {
        const int b = k == 0 ? i : 3 - i;
        world.addBody(boxBody(1.0, {b + 0.5, 0.0, 0.0}, static_cast<ObjectId>(b) + 1),
                      BoxShape({0.5, 0.05, 0.05}));
      }
      for (int i = 0; i < 4; ++i) {
        const int b = k == 0 ? i : 3 - i;
        world.addJoint(jointAt(JointType::Hinge, static_cast<ObjectId>(b),
                               static_cast<ObjectId>(b) + 1, {1.0 * b, 0.0, 0.0}, {0.0, 1.0, 0.0},
                               static_cast<ObjectId>(b) + 1));
      }
      for (int i = 0; i < 60; ++i) ASSERT_TRUE(world.step(1.0 / 60.0));
      hashes[k] = world.hash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
  }
}

TEST(WorldJoints, RestoredWorldGoesOnWithTheSameBits) {
  for (const StepScheme scheme : kSchemes) {
    World world(optionsOf(scheme));
    const std::vector<ObjectId> joints = addChain(world, 4);
    JointDrive drive;
    drive.mode = DriveMode::Position;
    drive.target = 0.5;
    drive.stiffness = 40.0;
    drive.damping = 2.0;
    drive.maxForce = 20.0;
    ASSERT_TRUE(world.setJointDrive(joints[2], 0, drive));
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(world.step(1.0 / 60.0));
    const std::vector<std::byte> bytes = world.snapshot();
    World other(optionsOf(scheme));
    ASSERT_TRUE(
        other.restore(bytes, std::vector<std::shared_ptr<const Shape>>{
                                 std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.05, 0.05))}));
    EXPECT_EQ(other.hash(), world.hash());
    EXPECT_EQ(other.numJoints(), 4u);
    for (int i = 0; i < 30; ++i) {
      ASSERT_TRUE(world.step(1.0 / 60.0));
      ASSERT_TRUE(other.step(1.0 / 60.0));
      EXPECT_EQ(other.hash(), world.hash()) << i;
    }
  }
}

/// A joint between nothing that moves is none: the call is refused and names the joint.
TEST(WorldJoints, KeepsADynamicBody) {
  World world;
  const std::vector<ObjectId> joints = addChain(world, 2);
  JointDescription first;
  ASSERT_TRUE(world.getJoint(joints[0], first));
  const std::uint64_t before = world.hash();
  const Status status = world.setType(first.body2, BodyType::Static);
  EXPECT_EQ(status.getCode(), StatusCode::OutOfRange);
  EXPECT_NE(status.getMessage().find("joint " + std::to_string(joints[0])), std::string::npos);
  EXPECT_EQ(world.hash(), before);
  // Once the joint to the world is gone, the second link keeps the other one.
  ASSERT_TRUE(world.removeJoint(joints[0]));
  EXPECT_TRUE(world.setType(first.body2, BodyType::Static));
}

/// A chain that slaps the floor: books close, joints hold, nothing sinks in, no energy is made.
TEST(WorldJoints, ChainFallsOnTheFloor) {
  for (const StepScheme scheme : kSchemes) {
    World world(optionsOf(scheme));
    addFloor(world, -0.9);
    addChain(world, 6);
    double greatest = 0.0;
    double last = 0.0;
    for (int i = 0; i < 240; ++i) {
      ASSERT_TRUE(world.step(1.0 / 60.0));
      const EnergyAccount& a = world.getStepLedger();
      EXPECT_NEAR(a.residual(), 0.0, 1e-11) << i;
      EXPECT_TRUE(world.getReport().converged) << i;
      const double energy = energyOf(a);
      if (i > 0) greatest = std::max(greatest, energy - last);
      last = energy;
    }
    EXPECT_LT(greatest, 1e-5);
    EXPECT_LT(world.getReport().greatestDepth, scheme == StepScheme::Exact ? 1e-5 : 2e-3);
  }
}

TEST(WorldJoints, BadJointsAreRefusedByName) {
  World world;
  const ObjectId one = world.addBody(boxBody(1.0, {0.0, 0.0, 0.0}), BoxShape({0.5, 0.05, 0.05}));
  const ObjectId two = world.addBody(boxBody(1.0, {1.0, 0.0, 0.0}), BoxShape({0.5, 0.05, 0.05}));
  BodyDescription wall;
  wall.type = BodyType::Static;
  const ObjectId fixed = world.addBody(wall, BoxShape({0.5, 0.5, 0.5}));
  const std::uint64_t before = world.hash();
  const JointDescription good =
      jointAt(JointType::Hinge, one, two, {0.5, 0.0, 0.0}, {0.0, 1.0, 0.0});
  const auto refused = [&](JointDescription d, StatusCode code, const char* what) {
    ObjectId id = 77;
    const Status status = world.addJoint(d, id);
    EXPECT_EQ(status.getCode(), code) << status.getMessage();
    EXPECT_NE(status.getMessage().find(what), std::string::npos) << status.getMessage();
    EXPECT_EQ(id, 77u);
    EXPECT_EQ(world.hash(), before);
  };
  JointDescription d = good;
  d.body2 = 1234;
  refused(d, StatusCode::UnknownObject, "no body 1234");
  d = good;
  d.body2 = one;
  refused(d, StatusCode::SelfPair, "both bodies");
  d = good;
  d.body1 = kNoObject;
  d.body2 = fixed;
  refused(d, StatusCode::OutOfRange, "neither body is dynamic");
  d = good;
  d.frame1.rotation.z = {};
  refused(d, StatusCode::NotARotation, "axis of zero length");
  d = good;
  d.frame1.translation.x = std::nan("");
  refused(d, StatusCode::NonFinite, "frame1.translation");
  d = good;
  d.axes[0].limits.lower = 1.0;
  d.axes[0].limits.upper = -1.0;
  refused(d, StatusCode::OutOfRange, "lower is 1");
  d = good;
  d.axes[0].damping = -1.0;
  refused(d, StatusCode::OutOfRange, "axes[0].damping");
  d = good;
  d.axes[0].drive.target = std::nan("");
  refused(d, StatusCode::NonFinite, "drive.target");
  d = good;
  d.axes[1].friction = 1.0;
  refused(d, StatusCode::OutOfRange, "has 1 axes");
  d = good;
  d.placement = JointPlacement::InBodies;
  d.frame2 = d.frame1;
  refused(d, StatusCode::OutOfRange, "apart by");
  const ObjectId id = world.addJoint(good);
  d = good;
  d.id = id;
  ObjectId other = 0;
  EXPECT_EQ(world.addJoint(d, other).getCode(), StatusCode::DuplicateObject);
  JointState state;
  EXPECT_EQ(world.getJointState(5, state).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(world.setJointDrive(id, 3, {}).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(world.removeJoint(5).getCode(), StatusCode::UnknownObject);
  ASSERT_TRUE(world.removeBody(two));
  EXPECT_EQ(world.numJoints(), 0u);
}

/// It holds 1 kg and breaks under 3.
TEST(WorldJoints, BreaksBeyondItsForce) {
  World world;
  const ObjectId one = world.addBody(boxBody(1.0, {0.0, 0.0, 0.0}), BoxShape({0.05, 0.05, 0.05}));
  JointDescription d = jointAt(JointType::Ball, kNoObject, one, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0});
  d.breakForce = 2.0 * kGravity;
  const ObjectId joint = world.addJoint(d);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(world.step(0.01));
  EXPECT_TRUE(world.getJointEvents().empty());
  ASSERT_TRUE(world.applyForce(one, {0.0, 0.0, -2.0 * kGravity}, {0.0, 0.0, 0.0}));
  ASSERT_TRUE(world.step(0.01));
  ASSERT_EQ(world.getJointEvents().size(), 1u);
  EXPECT_EQ(world.getJointEvents()[0].joint, joint);
  EXPECT_NEAR(world.getJointEvents()[0].force, 3.0 * kGravity, 1e-9);
  EXPECT_EQ(world.numJoints(), 0u);
  ASSERT_TRUE(world.step(0.01));
  BodyMotion motion;
  ASSERT_TRUE(world.getMotion(one, motion));
  EXPECT_NEAR(motion.linearVelocity.z(), -kGravity * 0.01, 1e-12);
}

/// A table of a slab and four legs by fixed joints stands: the floor bears its weight.
TEST(WorldJoints, TableStands) {
  for (const StepScheme scheme : kSchemes) {
    World world(optionsOf(scheme));
    addFloor(world, 0.0);
    const ObjectId slab =
        world.addBody(boxBody(10.0, {0.0, 0.0, 0.75}), BoxShape({0.5, 0.5, 0.05}));
    for (const double x : {-0.4, 0.4}) {
      for (const double y : {-0.4, 0.4}) {
        const ObjectId leg =
            world.addBody(boxBody(1.0, {x, y, 0.35}), BoxShape({0.05, 0.05, 0.35}));
        world.addJoint(jointAt(JointType::Fixed, slab, leg, {x, y, 0.7}, {0.0, 0.0, 1.0}));
      }
    }
    for (int i = 0; i < 120; ++i) {
      ASSERT_TRUE(world.step(1.0 / 60.0));
      EXPECT_NEAR(world.getStepLedger().residual(), 0.0, 1e-11);
    }
    double sum = 0.0;
    for (const WorldContact& c : world.getContacts()) {
      sum +=
          c.normalForce * (c.normal.z() > 0.0 ? 1.0 : -1.0) * (c.object1 < c.object2 ? -1.0 : 1.0);
    }
    EXPECT_NEAR(std::abs(sum), 14.0 * kGravity, scheme == StepScheme::Exact ? 1e-8 : 1e-3);
    BodyMotion motion;
    ASSERT_TRUE(world.getMotion(slab, motion));
    EXPECT_NEAR(motion.pose.translation.z, 0.75, 1e-3);
    EXPECT_LT(motion.linearVelocity.norm(), 1e-6);
  }
}

/// A slab on four legs by servos, on balls: once it rests nothing is solved any more, no body
/// moves, and the floor bears the weight; a push is answered, and it comes to rest again.
TEST(WorldJoints, RobotAtRestStays) {
  for (const StepScheme scheme : kSchemes) {
    World world(optionsOf(scheme));
    addFloor(world, 0.0);
    const ObjectId slab = world.addBody(boxBody(10.0, {0.0, 0.0, 0.6}), BoxShape({0.4, 0.3, 0.05}));
    for (const double x : {-0.35, 0.35}) {
      for (const double y : {-0.25, 0.25}) {
        const ObjectId foot = world.addBody(boxBody(0.5, {1.1 * x, y, 0.05}), SphereShape(0.05));
        JointDescription d = jointAt(JointType::Hinge, slab, foot, {x, y, 0.55}, {0.0, 1.0, 0.0});
        d.axes[0].drive = {DriveMode::Position};
        d.axes[0].drive.stiffness = 300.0;
        d.axes[0].drive.damping = 30.0;
        world.addJoint(d);
      }
    }
    const auto rest = [&] {
      int idle = 0;
      for (int i = 0; i < 3000 && idle < 3; ++i) {
        ASSERT_TRUE(world.step(1.0 / 60.0));
        EXPECT_TRUE(world.getReport().converged);
        idle = world.getReport().newtonSteps == 0 ? idle + 1 : 0;
      }
      EXPECT_EQ(idle, 3);
    };
    rest();
    BodyMotion before, after;
    ASSERT_TRUE(world.getMotion(slab, before));
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(world.step(1.0 / 60.0));
    ASSERT_TRUE(world.getMotion(slab, after));
    EXPECT_EQ(before.pose.translation, after.pose.translation);
    double sum = 0.0;
    for (const WorldContact& c : world.getContacts()) sum += c.normalForce;
    EXPECT_NEAR(sum, 12.0 * kGravity, 12.0 * kGravity * 1e-9);
    ASSERT_TRUE(world.applyForce(slab, {60.0, 0.0, 0.0}, {0.0, 0.0, 0.6}));
    ASSERT_TRUE(world.step(1.0 / 60.0));
    EXPECT_GT(world.getReport().newtonSteps, 0);
    rest();
  }
}

/// Motor, damper, spring, friction and limit at once: every joule has its account.
TEST(WorldJoints, EveryJouleOfDrivesIsBooked) {
  for (const StepScheme scheme : kSchemes) {
    World world(optionsOf(scheme));
    const std::vector<ObjectId> joints = addChain(world, 4);
    JointDescription d;
    ASSERT_TRUE(world.getJoint(joints[1], d));
    ASSERT_TRUE(world.removeJoint(joints[1]));
    d.axes[0].stiffness = 30.0;
    d.axes[0].damping = 0.5;
    d.axes[0].friction = 0.3;
    d.axes[0].armature = 0.1;
    d.axes[0].limits = {-0.5, 0.4, 0.3};
    world.addJoint(d);
    JointDrive drive;
    drive.mode = DriveMode::Speed;
    drive.target = 2.0;
    drive.maxForce = 15.0;
    ASSERT_TRUE(world.setJointDrive(joints[3], 0, drive));
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(world.step(1.0 / 60.0));
      const EnergyAccount& a = world.getStepLedger();
      EXPECT_NEAR(a.residual(), 0.0, 1e-11) << i;
      EXPECT_LE(a.dampers, 0.0);
    }
    const EnergyAccount& total = world.getLedger();
    EXPECT_NEAR(total.residual(), 0.0, 1e-9);
    EXPECT_NE(total.motors, 0.0);
    EXPECT_LT(total.dampers, 0.0);
    EXPECT_LT(total.limits, 0.0);
    EXPECT_LT(total.jointFriction, 0.0);
    EXPECT_NE(total.elasticAfter, 0.0);
  }
}

/// What contacts once gave way by is no business of springs in joints: their energy stays booked as
/// theirs, not as the integrator's.
TEST(WorldJoints, SpringsHoldTheirEnergyWhereAStiffnessWasTakenBack) {
  for (const StepScheme scheme : kSchemes) {
    EnergyAccount total[2];
    for (const bool gaveWay : {false, true}) {
      World world(optionsOf(scheme));
      const ObjectId body = world.addBody(boxBody(1.0, {0.0, 0.0, 0.0}), BoxShape({0.5, 0.1, 0.1}));
      JointDescription d = jointAt(JointType::Hinge, kNoObject, body, {}, {0.0, 0.0, 1.0});
      d.axes[0].stiffness = 3.0;
      d.axes[0].drive.mode = DriveMode::Force;
      d.axes[0].drive.target = 2.0;
      world.addJoint(d);
      if (gaveWay) {
        const PairMaterial plain = world.materials().between(0, 0);
        PairMaterial soft = plain;
        soft.stiffness = 1e6;
        world.materials().setPair(0, 0, soft).orThrow();
        world.materials().setPair(0, 0, plain).orThrow();
      }
      for (int i = 0; i < 20; ++i) world.step(1.0 / 60.0).orThrow();
      total[gaveWay ? 1 : 0] = world.getLedger();
    }
    EXPECT_GT(total[0].elasticAfter, 0.01);
    EXPECT_EQ(total[1].elasticAfter, total[0].elasticAfter);
    EXPECT_EQ(total[1].integrator, total[0].integrator);
  }
}

}  // namespace
}  // namespace abut
