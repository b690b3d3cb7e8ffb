// SPDX-License-Identifier: MIT
// Joints on bodies that move as prescribed, couplings that come and go, and joints that are
// refused.
#include <cmath>
#include <memory>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "rig.hpp"

namespace abut {
namespace {

using test::jointAt;
using test::kGravity;

constexpr double kStep = 1.0 / 60.0;

const StepScheme kSchemes[] = {StepScheme::Exact, StepScheme::RealTime};

WorldOptions optionsOf(StepScheme scheme) {
  return scheme == StepScheme::Exact ? WorldOptions{} : WorldOptions::realTime();
}

ObjectId addBox(World& world, BodyType type, const Eigen::Vector3d& position) {
  BodyDescription d;
  d.type = type;
  d.mass = type == BodyType::Dynamic ? 2.0 : 0.0;
  d.position = position;
  return world.addBody(d, BoxShape({0.2, 0.1, 0.1}));
}

/// What is screwed to a turning arm is borne by it: weight and centripetal force, the same in every
/// step, and its books close with the drive's work.
void expectBorne(StepScheme scheme, double dt) {
  constexpr double kSpin = 2.0, kMass = 2.0;
  World world(optionsOf(scheme));
  const ObjectId arm = addBox(world, BodyType::Kinematic, {0.0, 0.0, 1.0});
  const ObjectId load = addBox(world, BodyType::Dynamic, {1.0, 0.0, 1.0});
  ASSERT_TRUE(world.setVelocity(arm, {0.0, 0.0, 0.0}, {0.0, 0.0, kSpin}));
  ASSERT_TRUE(world.setVelocity(load, {0.0, kSpin, 0.0}, {0.0, 0.0, kSpin}));
  const ObjectId joint = world.addJoint(jointAt(JointType::Fixed, arm, load, {0.5, 0.0, 1.0}));
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(world.step(dt));
    ASSERT_TRUE(world.getReport().converged);
    ASSERT_NEAR(world.getStepLedger().residual(), 0.0, 1e-12 * 100.0);
    const BodyMotion motion = world.motion(load);
    const Eigen::Vector3d at = motion.position;
    ASSERT_NEAR(std::hypot(at.x(), at.y()), 1.0, 1e-9);
    ASSERT_NEAR(at.z(), 1.0, 1e-9);
    ASSERT_NEAR(motion.linearVelocity.norm(), kSpin, 1e-9);
    const Eigen::Vector3d force = world.jointState(joint).force;
    ASSERT_NEAR(force.z(), kMass * kGravity, 1e-9 / dt);
    // Its mean over a step is that of the chord of the turn.
    const double chord = std::sin(0.5 * kSpin * dt) / (0.5 * kSpin * dt);
    ASSERT_NEAR(std::hypot(force.x(), force.y()), kMass * kSpin * kSpin * chord, 1e-9 / dt);
  }
}

TEST(DrivenJoints, AnArmThatTurnsBearsWhatItCarries) {
  for (const StepScheme scheme : kSchemes) {
    for (const double rate : {60.0, 480.0, 4000.0}) expectBorne(scheme, 1.0 / rate);
  }
}

/// What hangs at a lift that goes up and down by a path weighs m (g + a), and what is done on it
/// is the drive's work: nothing is lost where its speed changes.
TEST(DrivenJoints, ALiftOnAPathWeighsWhatItLifts) {
  constexpr double kHeight = 0.1, kRate = 3.0, kMass = 2.0, kFast = 1.0 / 240.0;
  for (const StepScheme scheme : kSchemes) {
    World world(optionsOf(scheme));
    const ObjectId lift = addBox(world, BodyType::Kinematic, {0.0, 0.0, 0.0});
    const ObjectId load = addBox(world, BodyType::Dynamic, {0.3, 0.0, -0.4});
    std::vector<PathPoint> path;
    for (int k = 0; k <= 400; ++k) {
      PathPoint p;
      p.time = k * kFast;
      p.position = {0.0, 0.0, kHeight * (1.0 - std::cos(kRate * p.time))};
      path.push_back(p);
    }
    ASSERT_TRUE(world.setPath(lift, path));
    const ObjectId joint = world.addJoint(jointAt(JointType::Fixed, lift, load, {0.1, 0.0, 0.0}));
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(world.step(kFast));
      const EnergyAccount& books = world.getStepLedger();
      ASSERT_NEAR(books.residual(), 0.0, 1e-12);
      const double a = kHeight * kRate * kRate * std::cos(kRate * i * kFast);
      if (i == 0) continue;  // The joint is new, and the lift starts at once.
      ASSERT_NEAR(books.joints, 0.0, 1e-12);
      ASSERT_NEAR(world.jointState(joint).force.z(), kMass * (kGravity + a), 1e-4);
    }
  }
}

/// What is screwed to a turning arm and slides on a floor too: the arm bears it and its friction,
/// in every step alike.
TEST(DrivenJoints, AnArmThatTurnsDragsEvenly) {
  constexpr double kSpin = 2.0, kMass = 2.0;
  for (const double rate : {60.0, 480.0}) {
    World world;
    BodyDescription ground;
    ground.type = BodyType::Static;
    ground.position = {0.0, 0.0, -0.1};
    world.addBody(ground, PlaneShape({0, 0, 1}, 0.0));
    const ObjectId arm = addBox(world, BodyType::Kinematic, {0.0, 0.0, 1.0});
    BodyDescription d;
    d.mass = kMass;
    d.position = {1.0, 0.0, 0.0};
    const ObjectId load = world.addBody(d, SphereShape(0.1));
    ASSERT_TRUE(world.setVelocity(arm, {0.0, 0.0, 0.0}, {0.0, 0.0, kSpin}));
    ASSERT_TRUE(world.setVelocity(load, {0.0, kSpin, 0.0}, {0.0, 0.0, kSpin}));
    // Up and down it is free, so that the floor bears it.
    const ObjectId joint = world.addJoint(jointAt(JointType::Slider, arm, load, {1.0, 0.0, 0.0}));
    const double friction = 0.5 * kMass * kGravity;
    Eigen::Vector2d last(0.0, 0.0);
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(world.step(1.0 / rate));
      ASSERT_NEAR(world.getStepLedger().residual(), 0.0, 1e-12 * 100.0) << i;
      if (i < 2) continue;
      const Eigen::Vector3d at = world.motion(load).position, f = world.jointState(joint).force;
      const Eigen::Vector3d out = Eigen::Vector3d(at.x(), at.y(), 0.0).normalized();
      const Eigen::Vector3d along(-out.y(), out.x(), 0.0);
      // Right up to what the arm turns in a step, and even up to its square.
      const double turn = kSpin / rate, bears = kMass * kSpin * kSpin;
      const Eigen::Vector2d borne(f.dot(out), f.dot(along));
      ASSERT_NEAR(borne.x(), -bears, (bears + friction) * turn) << i;
      ASSERT_NEAR(borne.y(), friction, (bears + friction) * turn) << i;
      if (i > 2) {
        ASSERT_LT((borne - last).norm(), bears * turn * turn) << i;
      }
      last = borne;
    }
  }
}

/// A pendulum on a cart that goes evenly keeps its energy as one at rest does.
TEST(DrivenJoints, AnEvenMotionTakesNothing) {
  for (const StepScheme scheme : kSchemes) {
    World world(optionsOf(scheme));
    const Eigen::Vector3d even(3.0, -1.0, 0.5);
    const ObjectId cart = addBox(world, BodyType::Kinematic, {0.0, 0.0, 0.0});
    const ObjectId bob = addBox(world, BodyType::Dynamic, {0.7, 0.0, 0.0});
    ASSERT_TRUE(world.setVelocity(cart, even, {0.0, 0.0, 0.0}));
    ASSERT_TRUE(world.setVelocity(bob, even, {0.0, 0.0, 0.0}));
    world.addJoint(jointAt(JointType::Ball, cart, bob, {0.0, 0.0, 0.0}));
    MassProperties mass;
    ASSERT_TRUE(world.getMass(bob, mass));
    const auto energy = [&] {
      const BodyMotion m = world.motion(bob), c = world.motion(cart);
      const Quat& q = m.orientation;
      const Eigen::Vector3d w =
          Eigen::Quaterniond(q.w, q.x, q.y, q.z).conjugate() * m.angularVelocity;
      const Eigen::Vector3d v = m.linearVelocity - even;
      return 0.5 * mass.mass * v.squaredNorm() + 0.5 * w.dot(mass.inertia.cwiseProduct(w)) +
             mass.mass * kGravity * (m.position.z() - c.position.z());
    };
    const double before = energy();
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(world.step(kStep));
      ASSERT_NEAR(energy(), before, 1e-11) << "step " << i;
    }
  }
}

/// A pendulum whose hanger goes to and fro, turns and stops: no gap, closed books, and no energy
/// but what the drive gives.
TEST(DrivenJoints, APendulumFollowsItsHanger) {
  for (const StepScheme scheme : kSchemes) {
    World world(optionsOf(scheme));
    const ObjectId hanger = addBox(world, BodyType::Kinematic, {0.0, 0.0, 0.0});
    const ObjectId bob = addBox(world, BodyType::Dynamic, {0.5, 0.0, -0.5});
    world.addJoint(jointAt(JointType::Ball, hanger, bob, {0.1, 0.0, 0.0}));
    const Eigen::Vector3d onHanger(0.1, 0.0, 0.0), onBob(-0.4, 0.0, 0.5);
    const double bar = scheme == StepScheme::Exact ? 1e-12 : 1e-9;
    for (int i = 0; i < 240; ++i) {
      const double x = i % 40 < 20 ? 1.0 : -1.0;
      const bool isStill = i >= 160;
      ASSERT_TRUE(world.setVelocity(hanger, {isStill ? 0.0 : x, 0.0, 0.0},
                                    {0.0, isStill ? 0.0 : 3.0 * x, isStill ? 0.0 : 1.0}));
      ASSERT_TRUE(world.step(kStep));
      ASSERT_NEAR(world.getStepLedger().residual(), 0.0, 1e-11);
      const BodyMotion a = world.motion(hanger), b = world.motion(bob);
      const auto placeOf = [](const BodyMotion& m,
                              const Eigen::Vector3d& point) -> Eigen::Vector3d {
        const Quat& q = m.orientation;
        return m.position + Eigen::Quaterniond(q.w, q.x, q.y, q.z) * point;
      };
      const Eigen::Vector3d gap = placeOf(a, onHanger) - placeOf(b, onBob);
      ASSERT_LT(gap.norm(), bar) << "step " << i;
      if (i > 160) {
        ASSERT_NEAR(world.getStepLedger().drivers, 0.0, 1e-12);
      }
    }
  }
}

TEST(DrivenJoints, CouplingsComeAndGo) {
  for (const StepScheme scheme : kSchemes) {
    World world(optionsOf(scheme));
    ObjectId joints[2], bodies[2];
    for (int k = 0; k < 2; ++k) {
      bodies[k] = addBox(world, BodyType::Dynamic, {0.0, 2.0 * k, 0.0});
      joints[k] =
          world.addJoint(jointAt(JointType::Hinge, kNoObject, bodies[k], {0.0, 2.0 * k, 0.0}));
    }
    CouplingDescription d;
    d.joint1 = joints[0];
    d.joint2 = joints[1];
    d.ratio = -2.0;
    const ObjectId coupling = world.addCoupling(d);
    ASSERT_TRUE(world.setVelocity(bodies[0], {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}));
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(world.step(kStep));
    const auto rates = [&] {
      return std::pair{world.jointState(joints[0]).rate[0], world.jointState(joints[1]).rate[0]};
    };
    const auto [first, second] = rates();
    EXPECT_NE(first, 0.0);
    EXPECT_NEAR(second / first, -2.0, 1e-9);

    // Saved and restored, a gear holds.
    const std::vector<std::byte> saved = world.snapshot();
    World other(optionsOf(scheme));
    const std::shared_ptr<const Shape> shapes[] = {
        std::make_shared<const BoxShape>(Eigen::Vector3d(0.2, 0.1, 0.1))};
    ASSERT_TRUE(other.restore(saved, shapes));
    ASSERT_TRUE(other.step(kStep));
    ASSERT_TRUE(world.step(kStep));
    EXPECT_EQ(other.hash(), world.hash());

    const std::uint64_t before = world.hash();
    EXPECT_EQ(world.removeCoupling(coupling + 1).getCode(), StatusCode::UnknownObject);
    EXPECT_EQ(world.hash(), before);
    ASSERT_TRUE(world.removeCoupling(coupling));
    EXPECT_EQ(world.removeCoupling(coupling).getCode(), StatusCode::UnknownObject);
    ASSERT_TRUE(world.setVelocity(bodies[0], {0.0, 0.0, 0.0}, {0.0, 0.0, 5.0}));
    ASSERT_TRUE(world.step(kStep));
    EXPECT_NEAR(rates().second, second, 1e-9);
  }
}

TEST(DrivenJoints, ImpossibleCouplingsAreRefused) {
  World world;
  ObjectId joints[2];
  for (int k = 0; k < 2; ++k) {
    const ObjectId body = addBox(world, BodyType::Dynamic, {0.0, 2.0 * k, 0.0});
    joints[k] = world.addJoint(jointAt(JointType::Hinge, kNoObject, body, {0.0, 2.0 * k, 0.0}));
  }
  const auto refused = [&](StatusCode code, auto change) {
    CouplingDescription d;
    d.joint1 = joints[0];
    d.joint2 = joints[1];
    change(d);
    const std::uint64_t before = world.hash();
    ObjectId id = 77;
    const Status status = world.addCoupling(d, id);
    EXPECT_EQ(status.getCode(), code) << status.getMessage();
    EXPECT_EQ(id, 77u);
    EXPECT_EQ(world.hash(), before);
  };
  refused(StatusCode::UnknownObject, [](CouplingDescription& d) { d.joint2 = 99; });
  refused(StatusCode::SelfPair, [&](CouplingDescription& d) { d.joint2 = d.joint1; });
  refused(StatusCode::OutOfRange, [](CouplingDescription& d) { d.ratio = 0.0; });
  refused(StatusCode::NonFinite, [](CouplingDescription& d) { d.ratio = std::nan(""); });
  EXPECT_EQ(world.setJointDrive(99, 0, {}).getCode(), StatusCode::UnknownObject);
  EXPECT_THROW((void)world.joint(99), Error);
  EXPECT_EQ(world.joint(joints[0]).type, JointType::Hinge);
}

TEST(DrivenJoints, ARodTakesItsLengthFromWhereItIs) {
  World world;
  const ObjectId body = addBox(world, BodyType::Dynamic, {0.3, 0.4, 0.0});
  JointDescription d;
  d.type = JointType::Distance;
  d.body2 = body;
  const ObjectId joint = world.addJoint(d);
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(world.step(kStep));
  EXPECT_NEAR(world.motion(body).position.norm(), 0.5, 1e-12);
  ASSERT_TRUE(world.removeJoint(joint));
  ObjectId id = kNoObject;
  World other;
  const ObjectId there = addBox(other, BodyType::Dynamic, {0.0, 0.0, 0.0});
  d.body2 = there;
  EXPECT_EQ(other.addJoint(d, id).getCode(), StatusCode::OutOfRange);
}

}  // namespace
}  // namespace abut
