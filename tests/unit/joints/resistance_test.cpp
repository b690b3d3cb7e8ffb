// SPDX-License-Identifier: MIT
//
// What resists where bodies are held by joints, rolling, spinning and dry friction, never gives.
#include <cmath>

#include <gtest/gtest.h>

#include <abut/abut.hpp>
#include <abut/math/convert.hpp>

#include "support/schemes.hpp"

namespace abut {
namespace {

constexpr double kG = 9.81;

class JointedResistance : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, JointedResistance, test::bothSchemes(), test::schemeName);

MaterialId addGround(World& world, double rolling, double spinning) {
  Material m;
  m.friction = 0.8;
  m.rollingResistance = rolling;
  m.spinningResistance = spinning;
  MaterialId material = 0;
  world.materials().add(m, material).orThrow();
  BodyDescription ground;
  ground.type = BodyType::Static;
  world.addBody(ground, PlaneShape({0, 0, 1}, 0.0), material);
  return material;
}

void join(World& world, JointType type, ObjectId one, ObjectId two, const Eigen::Vector3d& at,
          const Eigen::Vector3d& axis) {
  JointDescription d;
  d.type = type;
  d.body1 = one;
  d.body2 = two;
  d.placement = JointPlacement::InWorld;
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  frame.linear().col(0) = axis.unitOrthogonal();
  frame.linear().col(1) = axis.cross(frame.linear().col(0));
  frame.linear().col(2) = axis;
  frame.translation() = at;
  d.frame1 = poseFrom(frame);
  world.addJoint(d);
}

/// Worst of the books and of what the energy gained in a step.
struct Books {
  double residual = 0.0, rise = 0.0;

  void run(World& world, double seconds, double rate) {
    const int steps = static_cast<int>(std::lround(seconds * rate));
    for (int i = 0; i < steps; ++i) {
      world.step(1.0 / rate).orThrow();
      const EnergyAccount& a = world.getStepLedger();
      residual = std::max(residual, std::abs(a.residual()) / a.largestEntry());
      rise = std::max(rise,
                      (a.kineticAfter + a.potentialAfter) - (a.kineticBefore + a.potentialBefore));
    }
  }
};

/// Two balls on an axle, rolling: c m g against R and 7/5 m R^2, so that both slow down by
/// (c / R) g / 1.4, whatever joint holds them.
TEST_P(JointedResistance, BallsOnAnAxleRollOut) {
  constexpr double kRadius = 0.2, kArm = 0.01, kSpeed = 2.0;
  for (const JointType type : {JointType::Fixed, JointType::Hinge, JointType::Ball}) {
    for (const double rate : {30.0, 60.0, 240.0}) {
      World world(options());
      const MaterialId material = addGround(world, kArm, 0.004);
      ObjectId balls[2] = {};
      for (const int i : {0, 1}) {
        BodyDescription d;
        d.mass = 1.0;
        d.position = {0.0, i == 0 ? 0.5 : -0.5, kRadius};
        d.linearVelocity = {kSpeed, 0.0, 0.0};
        d.angularVelocity = {0.0, kSpeed / kRadius, 0.0};
        balls[i] = world.addBody(d, SphereShape(kRadius), material);
      }
      join(world, type, balls[0], balls[1], {0, 0, kRadius}, Eigen::Vector3d::UnitY());
      Books books;
      books.run(world, 1.0, rate);
      BodyMotion m;
      world.getMotion(balls[0], m).orThrow();
      const double expected = kSpeed - kArm / kRadius * kG / 1.4;
      EXPECT_NEAR(m.linearVelocity.x(), expected, isExact() ? 1e-11 : 1e-5) << rate;
      EXPECT_LT(books.residual, 1e-12);
      EXPECT_LT(books.rise, 1e-12);
    }
  }
}

/// A ball that spins about the vertical below a block on a hinge: s (m + M) g slows it down by its
/// own inertia, 2/5 m R^2, since the block does not turn with it; then both stop.
TEST_P(JointedResistance, SpinningBallUnderAHingedBlock) {
  constexpr double kRadius = 0.1, kArm = 0.002, kMass = 2.0, kBlock = 3.0, kSpin = 30.0;
  World world(options());
  const MaterialId material = addGround(world, 0.001, kArm);
  BodyDescription d;
  d.mass = kMass;
  d.position = {0, 0, kRadius};
  d.angularVelocity = {0, 0, kSpin};
  const ObjectId ball = world.addBody(d, SphereShape(kRadius), material);
  BodyDescription b;
  b.mass = kBlock;
  b.inertia = {0.1, 0.1, 0.1};
  b.position = {0, 0, kRadius};
  ObjectId block = kNoObject;
  world.addBody(b, std::vector<BodyShape>{}, block).orThrow();
  join(world, JointType::Hinge, ball, block, {0, 0, kRadius}, Eigen::Vector3d::UnitZ());
  Books books;
  books.run(world, 0.5, 240.0);
  BodyMotion m;
  world.getMotion(ball, m).orThrow();
  const double torque = kArm * (kMass + kBlock) * kG, inertia = 0.4 * kMass * kRadius * kRadius;
  EXPECT_NEAR(m.angularVelocity.z(), kSpin - 0.5 * torque / inertia, isExact() ? 1e-9 : 1e-5);
  const auto contacts = world.getContacts();
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].resistingCouple.norm(), torque, isExact() ? 1e-9 : 1e-4);
  books.run(world, 3.0, 240.0);
  world.getMotion(ball, m).orThrow();
  EXPECT_NEAR(m.angularVelocity.norm(), 0.0, isExact() ? 1e-12 : 1e-6);
  EXPECT_LT(books.residual, 1e-12);
  EXPECT_LT(books.rise, 1e-12);
}

/// On a slope of less than arm / R a ball stays where it is, jointed or not; on a steeper one it
/// rolls off by (sin - c/R cos) g / 1.4.
TEST_P(JointedResistance, SlopeHoldsBelowTheArm) {
  constexpr double kRadius = 0.2, kArm = 0.02;
  for (const double slope : {0.09, 0.12}) {
    WorldOptions o = options();
    o.gravity = {kG * std::sin(slope), 0.0, -kG * std::cos(slope)};
    World world(o);
    const MaterialId material = addGround(world, kArm, kArm);
    ObjectId balls[2] = {};
    for (const int i : {0, 1}) {
      BodyDescription d;
      d.mass = 1.0 + i;
      d.position = {0.0, i == 0 ? 0.5 : -0.5, kRadius};
      balls[i] = world.addBody(d, SphereShape(kRadius), material);
    }
    join(world, JointType::Hinge, balls[0], balls[1], {0, 0, kRadius}, Eigen::Vector3d::UnitY());
    Books books;
    books.run(world, 1.0, 60.0);
    BodyMotion m;
    world.getMotion(balls[0], m).orThrow();
    const double pull = std::sin(slope) - kArm / kRadius * std::cos(slope);
    const double expected = pull > 0.0 ? pull * kG / 1.4 : 0.0;
    EXPECT_NEAR(m.linearVelocity.x(), expected, isExact() ? 1e-11 : 1e-4) << slope;
    EXPECT_LT(books.residual, 1e-12);
  }
}

/// Rods on hinges with dry friction and on a ball joint with a spring against twist, thrown about:
/// friction that stops an axis in a step and springs of axes that swing in space give no energy.
TEST_P(JointedResistance, DryFrictionAndSpringsOfSwingingAxesGainNothing) {
  for (const double rate : {30.0, 60.0, 240.0}) {
    World world(options());
    ObjectId last = kNoObject;
    for (const int i : {0, 1, 2}) {
      BodyDescription d;
      d.mass = 1.0 + 3.0 * i;
      d.inertia = {0.1, 0.2, 0.15};
      d.position = {0.5 + i, 0.0, 0.1 * i};
      d.angularVelocity = {3.0 - i, 1.0, -4.0};
      ObjectId body = kNoObject;
      world.addBody(d, std::vector<BodyShape>{}, body).orThrow();
      JointDescription j;
      j.type = i == 1 ? JointType::Ball : JointType::Hinge;
      j.body1 = last;
      j.body2 = body;
      j.placement = JointPlacement::InWorld;
      Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
      frame.linear() =
          Eigen::AngleAxisd(0.4 + i, Eigen::Vector3d(1, 2, 0.5).normalized()).toRotationMatrix();
      frame.translation() = Eigen::Vector3d(i, 0, 0.1 * i);
      j.frame1 = poseFrom(frame);
      j.axes[0].friction = i == 1 ? 0.0 : 1.5 + i;
      j.axes[0].stiffness = i == 1 ? 40.0 : 3.0;
      world.addJoint(j);
      last = body;
    }
    const int steps = static_cast<int>(1.5 * rate);
    for (int i = 0; i < steps; ++i) {
      world.step(1.0 / rate).orThrow();
      const EnergyAccount& a = world.getStepLedger();
      const double gain = ((a.kineticAfter + a.potentialAfter) + a.elasticAfter) -
                          ((a.kineticBefore + a.potentialBefore) + a.elasticBefore);
      EXPECT_LT(gain, 1e-8) << rate << " Hz, step " << i;
      EXPECT_LE(a.jointFriction, 1e-12) << rate << " Hz, step " << i;
      EXPECT_LT(std::abs(a.residual()), 1e-12 * a.largestEntry());
    }
  }
}

/// Balls in a row that touch each other, in pairs on hinges: one island of so many contacts that it
/// is swept. Nothing rubs between them, since they roll alike.
TEST(LargeJointedResistance, ManyPairsOfBallsRollOut) {
  constexpr double kRadius = 0.1, kArm = 0.005;
  World world(WorldOptions::realTime());
  const MaterialId material = addGround(world, kArm, 0.0);
  std::vector<ObjectId> balls;
  for (int i = 0; i < 60; ++i) {
    for (const int side : {0, 1}) {
      BodyDescription d;
      d.mass = 1.0;
      d.position = {0.0, 2.0 * kRadius * (2 * i + side), kRadius};
      d.linearVelocity = {1.0, 0.0, 0.0};
      d.angularVelocity = {0.0, 1.0 / kRadius, 0.0};
      balls.push_back(world.addBody(d, SphereShape(kRadius), material));
    }
    join(world, JointType::Hinge, balls[balls.size() - 2], balls.back(),
         {0, 2.0 * kRadius * (2 * i + 0.5), kRadius}, Eigen::Vector3d::UnitY());
  }
  Books books;
  books.run(world, 0.5, 60.0);
  for (const ObjectId ball : balls) {
    BodyMotion m;
    world.getMotion(ball, m).orThrow();
    EXPECT_NEAR(m.linearVelocity.x(), 1.0 - 0.5 * kArm / kRadius * kG / 1.4, 2e-3);
  }
  EXPECT_LT(books.residual, 1e-12);
  EXPECT_LT(books.rise, 1e-12);
}

}  // namespace
}  // namespace abut
