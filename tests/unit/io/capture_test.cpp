// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "io/core/rotation.hpp"
#include "io/recording/frame.hpp"

namespace abut::io {
namespace {

TEST(Rotation, MatrixToQuaternionAndBackKeepsEveryQuarterTurn) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int turns = 0; turns < 4; ++turns) {
      constexpr double kHalfPi = 1.57079632679489661923;
      const Eigen::Vector3d angles = Eigen::Vector3d::Unit(axis) * (kHalfPi * turns);
      const Mat3 m = poseFromRollPitchYaw({0, 0, 0}, angles.x(), angles.y(), angles.z()).rotation;
      const Mat3 back = matrixOf(quaternionOf(m));
      for (const auto& [a, b] : {std::pair(m.x, back.x), {m.y, back.y}, {m.z, back.z}}) {
        EXPECT_NEAR(a.x, b.x, 1e-15);
        EXPECT_NEAR(a.y, b.y, 1e-15);
        EXPECT_NEAR(a.z, b.z, 1e-15);
      }
    }
  }
}

TEST(CaptureFrame, ARestingCubePressesWithItsWeight) {
  World world;
  BodyDescription ground;
  ground.type = BodyType::Static;
  ground.id = 1;
  world.addBody(ground, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
  BodyDescription cube;
  cube.id = 7;
  cube.position = {0, 0, 0.5};
  world.addBody(cube, std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5)));
  world.step(0.01).orThrow();

  std::vector<BodyRecord> bodies(2);
  bodies[0].id = 1;
  bodies[0].type = BodyType::Static;
  bodies[1].id = 7;
  Frame frame;
  captureFrame(world, bodies, 1, frame);
  ASSERT_EQ(frame.bodies.size(), 2u);
  EXPECT_EQ(frame.bodies[0].island, kNoIsland);
  EXPECT_EQ(frame.bodies[1].island, 0u);
  ASSERT_EQ(frame.contacts.size(), 4u);
  double force = 0.0;
  for (const ContactFrame& c : frame.contacts) {
    force += c.normalForce;
    EXPECT_EQ(c.friction, 0.5);
  }
  EXPECT_NEAR(force, 9810.0, 1e-9);  // 1000 kg under 9.81 m/s^2.
  captureEvents(world, frame.events);
  ASSERT_EQ(frame.events.size(), 1u);
  EXPECT_EQ(frame.events[0].kind, EventKind::Begin);
  EXPECT_EQ(frame.hash, world.hash());

  MassProperties mass;
  ASSERT_TRUE(world.getMass(7, mass));
  EXPECT_EQ(mass.mass, 1000.0);
  EXPECT_FALSE(world.getMass(8, mass));
}

TEST(DescribeShape, HullsAreFannedAndCompoundsFlattened) {
  const std::vector<Eigen::Vector3d> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto hull = std::make_shared<ConvexShape>(corners);
  const auto ball = std::make_shared<SphereShape>(0.25);
  Pose up;
  up.translation = {0, 0, 3};
  const CompoundShape compound({{hull, Pose{}}, {ball, up}});
  Pose along;
  along.translation = {2, 0, 0};
  std::vector<ShapeRecord> records;
  describeShape(compound, along, "steel", records);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].triangles.size(), 4u);
  EXPECT_EQ(records[1].position, (Vec3{2, 0, 3}));
  EXPECT_EQ(records[1].size.x, 0.25);
  EXPECT_EQ(records[1].material, "steel");
}

}  // namespace
}  // namespace abut::io
