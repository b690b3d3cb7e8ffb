// SPDX-License-Identifier: MIT
// Joints that hold the same thing twice: what each bears is bounded and shared, and nothing moves
// otherwise than with one of them.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <abut/abut.hpp>
#include <abut/math/convert.hpp>

#include "rig.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

using test::jointAt;
using test::kGravity;

constexpr double kStep = 1.0 / 60.0;

class RedundantJoints : public testing::TestWithParam<bool> {
protected:
  RedundantJoints() : world(GetParam() ? WorldOptions::realTime() : WorldOptions{}) {}

  ObjectId addBox(const Eigen::Vector3d& position, const Eigen::Vector3d& half = {0.2, 0.1, 0.1}) {
    return addBoxTo(world, position, half);
  }
  static ObjectId addBoxTo(World& w, const Eigen::Vector3d& position, const Eigen::Vector3d& half) {
    BodyDescription d;
    d.mass = 2.0;
    d.position = position;
    d.filter = {2, 1, 0};
    return w.addBody(d, BoxShape(half));
  }
  /// Greatest distance of the frames of point joints [m].
  [[nodiscard]] double gap() const {
    double most = 0.0;
    for (const ObjectId id : world.getJointIds()) {
      const JointDescription d = world.joint(id);
      const bool isPoint = d.type == JointType::Fixed || d.type == JointType::Ball ||
                           d.type == JointType::Hinge || d.type == JointType::Universal;
      if (isPoint)
        most = std::max(most, (place(d.body1, d.frame1) - place(d.body2, d.frame2)).norm());
    }
    return most;
  }
  [[nodiscard]] Eigen::Vector3d place(ObjectId body, const Pose& frame) const {
    const Eigen::Vector3d at = toEigen(frame.translation);
    if (body == kNoObject) return at;
    const BodyMotion m = world.motion(body);
    const Quat& q = m.orientation;
    return Eigen::Quaterniond(q.w, q.x, q.y, q.z) * at + toEigen(m.pose.translation);
  }
  /// Steps with closed books, closed joints, nothing gained; calls after each.
  void run(
      int steps, double energy, const std::function<void(int)>& after = [](int) {}) {
    for (int i = 0; i < steps; ++i) {
      ASSERT_TRUE(world.step(kStep));
      ASSERT_TRUE(world.getReport().converged) << i;
      const EnergyAccount& books = world.getStepLedger();
      ASSERT_NEAR(books.residual(), 0.0, 1e-12 * energy) << i;
      ASSERT_LT(gap(), GetParam() ? 1e-9 : 1e-12) << i;
      const double before = books.kineticBefore + books.potentialBefore + books.elasticBefore;
      const double end = books.kineticAfter + books.potentialAfter + books.elasticAfter;
      ASSERT_LT((end - before) - books.motors, 1e-11 * energy) << i;
      after(i);
      if (HasFatalFailure()) return;
    }
  }

  World world;
};

INSTANTIATE_TEST_SUITE_P(Schemes, RedundantJoints, testing::Bool(),
                         [](const auto& scheme) { return scheme.param ? "RealTime" : "Exact"; });

/// A door on two hinges: each bears half the weight and half of what keeps it on its circle; across
/// they bear the moment of the weight.
TEST_P(RedundantJoints, ADoorHangsOnTwoHinges) {
  const ObjectId door = addBox({0.45, 0.0, 0.0}, {0.45, 0.02, 1.0});
  const ObjectId low = world.addJoint(jointAt(JointType::Hinge, kNoObject, door, {0, 0, -0.8}));
  const ObjectId high = world.addJoint(jointAt(JointType::Hinge, kNoObject, door, {0, 0, 0.8}));
  ASSERT_TRUE(world.setVelocity(door, {0.0, 0.9, 0.0}, {0.0, 0.0, 2.0}));
  run(1200, 10.0, [&](int i) {
    const Eigen::Vector3d f = world.jointState(low).force, g = world.jointState(high).force;
    ASSERT_NEAR(f.z(), 0.5 * 2.0 * kGravity, 1e-6) << i;
    ASSERT_NEAR(g.z(), 0.5 * 2.0 * kGravity, 1e-6) << i;
    const Eigen::Vector3d across = f + g;
    ASSERT_NEAR(std::hypot(across.x(), across.y()), 2.0 * 0.45 * 4.0, 1e-2) << i;
    ASSERT_LT(world.jointState(low).torque.norm(), 2.0 * kGravity) << i;
  });
  EXPECT_NEAR(world.motion(door).angularVelocity.z(), 2.0, 1e-9);
}

/// Two, three and five times the same joint, of every kind, between two bodies of a pendulum: it
/// moves as with one, and each bears its part.
TEST_P(RedundantJoints, DuplicatesBearEqualParts) {
  for (int type = 0; type <= static_cast<int>(JointType::Gimbal); ++type) {
    for (const int count : {2, 3, 5}) {
      const std::string where = "type " + std::to_string(type) + ", " + std::to_string(count);
      World one(GetParam() ? WorldOptions::realTime() : WorldOptions{});
      world = World(GetParam() ? WorldOptions::realTime() : WorldOptions{});
      std::vector<ObjectId> same;
      ObjectId single = kNoObject, last1 = kNoObject, last2 = kNoObject;
      for (World* w : {&one, &world}) {
        const ObjectId a = addBoxTo(*w, {0.3, 0.0, 0.0}, {0.2, 0.1, 0.1});
        const ObjectId b = addBoxTo(*w, {0.8, 0.2, 0.1}, {0.2, 0.1, 0.1});
        (w == &one ? last1 : last2) = b;
        w->addJoint(jointAt(JointType::Ball, kNoObject, a, {0.0, 0.0, 0.0}));
        JointDescription d = jointAt(static_cast<JointType>(type), a, b, {0.55, 0.1, 0.0});
        if (d.type == JointType::Distance || d.type == JointType::Tether) {
          d.placement = JointPlacement::InBodies;
          d.frame1 = d.frame2 = {};
        }
        for (std::size_t k = 0; k < 3 && d.type >= JointType::SixAxis; ++k) d.axes[k].locked = true;
        if (d.type == JointType::Tether) d.axes[0].limits.upper = 0.55;
        if (d.type == JointType::Slider) d.axes[0].limits.upper = 0.3;
        for (int k = 0; k < (w == &one ? 1 : count); ++k) {
          const ObjectId id = w->addJoint(d);
          (w == &one) ? void(single = id) : same.push_back(id);
        }
      }
      run(90, 40.0, [&](int i) {
        ASSERT_TRUE(one.step(kStep));
        const Eigen::Vector3d off = one.motion(last1).position - world.motion(last2).position;
        if (off.norm() > 1e-5) return;  // Limits make small differences grow.
        ASSERT_LT(off.norm(), 1e-7) << where << " step " << i;
        const JointState whole = one.jointState(single);
        const double size = 20.0 + whole.force.norm() + whole.torque.norm();
        for (const ObjectId id : same) {
          const JointState part = world.jointState(id);
          ASSERT_LT((part.force * count - whole.force).norm(), 1e-5 * size) << where << " " << i;
          ASSERT_LT((part.torque * count - whole.torque).norm(), 1e-5 * size) << where << " " << i;
        }
      });
      ASSERT_FALSE(HasFatalFailure()) << where;
    }
  }
}

/// A loop of four hinges in space, at any place and turned anyhow, for a minute: three of its rows
/// are held twice.
TEST_P(RedundantJoints, AFourBarGoesOnForAMinute) {
  const Vec3 corners[] = {{0, 0, 0}, {0.4, 0, 0.1}, {1.1, 0, 0.5}, {1.0, 0, 0}};
  test::Random random(4);
  const Mat3 turn = random.rotation();
  const Vec3 shift{3.0, -20.0, 7.0};
  const auto at = [&](const Vec3& p) { return turn * p + shift; };
  std::vector<ObjectId> bars, hinges;
  for (int k = 0; k < 3; ++k) {
    BodyDescription d;
    d.mass = 1.0 + k;
    d.position = toEigen(at((corners[k] + corners[k + 1]) * 0.5));
    d.filter = {2, 1, 0};
    bars.push_back(world.addBody(d, BoxShape({0.1, 0.1, 0.1})));
  }
  for (int k = 0; k < 4; ++k) {
    JointDescription d;
    d.type = JointType::Hinge;
    d.body1 = k == 0 ? kNoObject : bars[static_cast<std::size_t>(k - 1)];
    d.body2 = k == 3 ? kNoObject : bars[static_cast<std::size_t>(k)];
    d.placement = JointPlacement::InWorld;
    d.frame1 = {turn * Mat3{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, at(corners[k])};
    hinges.push_back(world.addJoint(d));
  }
  double most = 0.0;
  run(3600, 200.0, [&](int) {
    for (const ObjectId id : hinges) most = std::max(most, world.jointState(id).force.norm());
  });
  EXPECT_LT(most, 6.0 * kGravity * 40.0);
}

/// A weld and a hinge, three welds, a ball on a hinge's axis and a slider along a slider, in a
/// chain that falls onto a floor.
TEST_P(RedundantJoints, AMixedChainFallsOntoAFloor) {
  BodyDescription ground;
  ground.type = BodyType::Static;
  ground.position = {0.0, 0.0, -1.0};
  world.addBody(ground, PlaneShape({0, 0, 1}, 0.0));
  std::vector<ObjectId> boxes;
  for (int k = 0; k < 5; ++k) boxes.push_back(addBox({0.5 * k, 0.0, 0.2 * k}));
  const auto join = [&](JointType type, std::size_t k, double shift) {
    JointDescription d = jointAt(type, boxes[k], boxes[k + 1], {0.5 * double(k) + 0.25, shift, 0});
    d.frame1.rotation = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
    world.addJoint(d);
  };
  join(JointType::Fixed, 0, 0.0);
  join(JointType::Hinge, 0, 0.1);
  for (const double shift : {0.0, 0.1, -0.3}) join(JointType::Fixed, 1, shift);
  join(JointType::Hinge, 2, 0.0);
  join(JointType::Ball, 2, 0.2);
  join(JointType::Slider, 3, 0.0);
  join(JointType::Slider, 3, 0.0);
  for (int i = 0; i < 240; ++i) {
    ASSERT_TRUE(world.step(kStep));
    ASSERT_NEAR(world.getStepLedger().residual(), 0.0, 1e-12 * 200.0) << i;
    ASSERT_LT(gap(), GetParam() ? 1e-9 : 1e-12) << i;
    for (const ObjectId id : world.getJointIds()) {
      ASSERT_LT(world.jointState(id).force.norm(), 2e4) << i;
    }
  }
}

}  // namespace
}  // namespace abut
