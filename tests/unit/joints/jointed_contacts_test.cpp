// SPDX-License-Identifier: MIT
// Joints together with what contacts can do: belts and drivers that push.
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>
#include <abut/math/convert.hpp>

#include "rig.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

using test::jointAt;

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
  world.addJoint(jointAt(JointType::Hinge, first, second, {0.225, 0, 0.1}));
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
  world.addJoint(jointAt(JointType::Hinge, first, second, {0.225, 0, 0.1}));
  run(10);
  ASSERT_TRUE(world.setVelocity(pusher, {1, 0, 0}, {0, 0, 0}));
  run(110);
  EXPECT_GT(world.motion(first).position.x(), 1.3);
  EXPECT_NEAR(world.motion(first).linearVelocity.x(), 1.0, 0.1);
  // What the pusher gives is what friction takes, and the energy of motion.
  EXPECT_GT(world.getLedger().drivers, 0.9 * 0.5 * 4.0 * 9.81 * 1.3);
}

/// Bodies of which some freedom is locked, hinged or on ball joints, thrown onto a floor: books
/// close in every step, nothing is gained, and what is locked does not move.
TEST(LockedJointedBodies, AreHitWithClosedBooks) {
  constexpr std::uint8_t kLocks[] = {kLockRotationX, kLockRotationY | kLockX,
                                     kLockRotationX | kLockRotationZ, kLockRotationZ | kLockY};
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    test::Random random(seed);
    const bool isExact = seed % 2 == 0;
    World world(isExact ? WorldOptions{} : WorldOptions::realTime());
    BodyDescription ground;
    ground.type = BodyType::Static;
    world.addBody(ground, PlaneShape({0, 0, 1}, 0.0));
    std::vector<ObjectId> boxes;
    for (int k = 0; k < 4; ++k) {
      BodyDescription d;
      d.mass = 2.0;
      d.position = {0.5 * k, 0.0, 0.6};
      d.orientation = random.quaternion();
      d.linearVelocity = {0, 0, -1.0};
      if (k != 1) d.angularVelocity = toEigen(random.vector(3.0));
      if (k % 2 == 1) d.locks = kLocks[seed / 2 % 4];
      boxes.push_back(world.addBody(d, BoxShape({0.2, 0.1, 0.1})));
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const JointType type = k == 1 ? JointType::Hinge : JointType::Ball;
      world.addJoint(
          jointAt(type, boxes[k], boxes[k + 1], {0.5 * static_cast<double>(k) + 0.25, 0, 0.6}));
    }
    const Eigen::Vector3d start = world.motion(boxes[1]).position;
    for (int i = 0; i < 120; ++i) {
      const std::string where = "seed " + std::to_string(seed) + " step " + std::to_string(i);
      ASSERT_TRUE(world.step(kStep)) << where;
      const EnergyAccount& books = world.getStepLedger();
      ASSERT_NEAR(books.residual(), 0.0, 1e-12 * 60.0) << where;
      const double before = books.kineticBefore + books.potentialBefore;
      const double after = books.kineticAfter + books.potentialAfter;
      ASSERT_LT((after - before) - books.correction, 1e-9) << where;
    }
    if ((kLocks[seed / 2 % 4] & kLockX) != 0) {
      EXPECT_EQ(world.motion(boxes[1]).position.x(), start.x());
    }
  }
}

/// A wall, ground, two boxes of a hinge and one beside them that lie on it, and a ball of 60 m/s.
World fastBallBesideAHinge(const WorldOptions& options) {
  World world(options);
  BodyDescription d;
  d.type = BodyType::Static;
  d.position = {5.0, 0.0, 1.0};
  world.addBody(d, BoxShape({0.01, 2.0, 2.0}));
  d.position = {0, 0, 0};
  world.addBody(d, PlaneShape({0, 0, 1}));
  const auto addBox = [&](double x) {
    BodyDescription b;
    b.position = {x, 0.0, 0.1};
    return world.addBody(b, BoxShape({0.2, 0.1, 0.1}));
  };
  const ObjectId first = addBox(0.0), second = addBox(0.5);
  addBox(1.5);
  world.addJoint(jointAt(JointType::Hinge, first, second, {0.25, 0.0, 0.1}));
  BodyDescription ball;
  ball.position = {4.2, 0.5, 1.0};
  ball.linearVelocity = {60.0, 0.0, 0.0};
  world.addBody(ball, SphereShape(0.05));
  return world;
}

/// Contacts of what joints hold are shown after those of what is free and of fast bodies, in the
/// real-time scheme: together they come by pair, and events say of each pair what its contacts say.
TEST(JointedContactsShown, AreInOrderAmongFastAndFreeBodies) {
  for (const WorldOptions& options : {WorldOptions{}, WorldOptions::realTime()}) {
    World world = fastBallBesideAHinge(options), copy = fastBallBesideAHinge(options);
    copy.step(kStep).orThrow();
    ASSERT_TRUE(copy.restore(world.snapshot()));
    for (int i = 0; i < 10; ++i) {
      ASSERT_TRUE(world.step(kStep));
      ASSERT_TRUE(copy.step(kStep));
      ASSERT_EQ(copy.hash(), world.hash());
      const auto contacts = world.getContacts();
      std::map<ObjectPair, double> pushed;
      for (std::size_t k = 0; k < contacts.size(); ++k) {
        const ObjectPair pair{contacts[k].object1, contacts[k].object2};
        ASSERT_LE(pushed.empty() ? pair : pushed.rbegin()->first, pair) << "step " << i;
        pushed[pair] +=
            contacts[k].normalForce * kStep + contacts[k].impactImpulse.dot(contacts[k].normal);
      }
      EXPECT_GE(contacts.size(), 12U) << "step " << i;
      std::size_t told = 0;
      for (const ContactEvent& e : world.getEvents()) {
        if (e.kind == ContactEvent::Kind::End) continue;
        ASSERT_EQ(pushed.count({e.object1, e.object2}), 1U) << "step " << i;
        EXPECT_NEAR(e.normalImpulse, (pushed[{e.object1, e.object2}]), 1e-9) << "step " << i;
        ++told;
      }
      EXPECT_GE(told, 3U) << "step " << i;
    }
  }
}

}  // namespace
}  // namespace abut
