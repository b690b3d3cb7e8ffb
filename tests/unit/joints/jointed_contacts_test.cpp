// SPDX-License-Identifier: MIT
// Joints together with what contacts can do: belts and drivers that push.
#include <cmath>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

namespace abut {
namespace {

constexpr double kStep = 1.0 / 60.0;

class JointedContacts : public testing::TestWithParam<bool> {
protected:
  JointedContacts() : world(GetParam() ? WorldOptions::realTime() : WorldOptions{}) {}

  ObjectId addFloor(const Eigen::Vector3d& surfaceVelocity) {
    BodyDescription d;
    d.type = BodyType::Kinematic;
    d.position = {0, 0, -0.5};
    d.surfaceVelocity = surfaceVelocity;
    return world.addBody(d, BoxShape({50, 50, 0.5}));
  }
  ObjectId addBox(const Eigen::Vector3d& position) {
    BodyDescription d;
    d.mass = 2.0;
    d.position = position;
    return world.addBody(d, BoxShape({0.2, 0.1, 0.1}));
  }
  /// A joint at a place of the world, its z along the world's.
  void join(JointType type, ObjectId body1, ObjectId body2, const Vec3& point) {
    JointDescription d;
    d.type = type;
    d.body1 = body1;
    d.body2 = body2;
    d.placement = JointPlacement::InWorld;
    d.frame1.translation = point;
    world.addJoint(d);
  }
  /// Steps with closed books and no gap.
  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      ASSERT_TRUE(world.step(kStep));
      const auto& books = world.getStepLedger();
      ASSERT_LE(std::abs(books.residual()), 1e-12 * std::max(1.0, books.largestEntry())) << i;
      ASSERT_LE(world.getReport().greatestDepth, 2e-3) << i;
    }
  }

  World world;
};

INSTANTIATE_TEST_SUITE_P(Schemes, JointedContacts, testing::Bool(),
                         [](const auto& scheme) { return scheme.param ? "RealTime" : "Exact"; });

TEST_P(JointedContacts, ABeltTakesHingedBoxesAlong) {
  addFloor({1.5, 0, 0});
  const ObjectId first = addBox({0, 0, 0.1}), second = addBox({0.45, 0, 0.1});
  join(JointType::Hinge, first, second, {0.225, 0, 0.1});
  run(120);
  for (const ObjectId id : {first, second}) {
    EXPECT_NEAR(world.motion(id).linearVelocity.x(), 1.5, 1e-6);
    EXPECT_NEAR(world.motion(id).position.z(), 0.1, 2e-3);
  }
  // Friction brings them to the belt's speed within v / (mu g), and half that way is lost.
  const double lost = 1.5 * 1.5 / (2.0 * 0.5 * 9.81);
  EXPECT_NEAR(world.motion(first).position.x(), 1.5 * 120 * kStep - lost, 0.02);
}

TEST_P(JointedContacts, APusherMovesAHingedPair) {
  addFloor({0, 0, 0});
  BodyDescription d;
  d.type = BodyType::Kinematic;
  d.position = {-0.5, 0, 0.3};
  const ObjectId pusher = world.addBody(d, BoxShape({0.1, 0.5, 0.25}));
  const ObjectId first = addBox({0, 0, 0.1}), second = addBox({0.45, 0, 0.1});
  join(JointType::Hinge, first, second, {0.225, 0, 0.1});
  run(10);
  ASSERT_TRUE(world.setVelocity(pusher, {1, 0, 0}, {0, 0, 0}));
  run(110);
  EXPECT_GT(world.motion(first).position.x(), 1.3);
  EXPECT_NEAR(world.motion(first).linearVelocity.x(), 1.0, 0.1);
  // What the pusher gives is what friction takes, and the energy of motion.
  EXPECT_GT(world.getLedger().drivers, 0.9 * 0.5 * 4.0 * 9.81 * 1.3);
}

}  // namespace
}  // namespace abut
