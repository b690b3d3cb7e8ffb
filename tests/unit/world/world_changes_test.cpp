// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/inspect.hpp>
#include <abut/world/world.hpp>

#include "support/schemes.hpp"

namespace abut {
namespace {

using test::bothSchemes;
using test::schemeName;

constexpr double kStep = 1.0 / 240.0;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class Bodies : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, Bodies, bothSchemes(), schemeName);

class Changes : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, Changes, bothSchemes(), schemeName);

/// Books of the run close up to rounding, calls between steps included.
void expectClosed(const World& world) {
  const EnergyAccount& total = world.getLedger();
  EXPECT_LE(std::fabs(total.residual()), 1e-11 * total.largestEntry());
}

Eigen::Matrix3d tensorOf(const MassProperties& m) {
  Eigen::Matrix3d t;
  t << m.inertia.x(), m.products.x(), m.products.y(), m.products.x(), m.inertia.y(), m.products.z(),
      m.products.y(), m.products.z(), m.inertia.z();
  return t;
}

/// Angular momentum about the origin and kinetic energy, from what the world tells of its bodies.
Eigen::Vector3d spinMomentumOf(const World& world, ObjectId id) {
  const BodyMotion motion = world.motion(id);
  const Eigen::Matrix3d r = toEigen(motion.pose).linear();
  return r * tensorOf(world.mass(id)) * r.transpose() * motion.angularVelocity;
}

/// A body without shapes, with a full tensor and a centre off its origin, tumbling freely: its
/// centre goes straight, and spin momentum and energy stay.
TEST_P(Bodies, WithoutShapesTumbleFreely) {
  World world(weightless());
  BodyDescription d;
  d.id = 3;
  d.position = {1, 2, 3};
  d.mass = 2.0;
  d.inertia = {0.5, 0.6, 0.7};
  d.productsOfInertia = {0.05, -0.08, 0.02};
  d.centerOfMass = {0.1, -0.2, 0.3};
  d.linearVelocity = {0.5, 0, -0.25};
  d.angularVelocity = {3, -2, 1};
  ObjectId id = kNoObject;
  world.addBody(d, {}, id).orThrow();
  const MassProperties mass = world.mass(3);
  EXPECT_EQ(mass.mass, 2.0);
  EXPECT_EQ(mass.center, d.centerOfMass);
  EXPECT_EQ(mass.inertia, d.inertia);
  EXPECT_EQ(mass.products, d.productsOfInertia);
  EXPECT_EQ(world.motion(3).centerOfMass, Eigen::Vector3d(1.1, 1.8, 3.3));
  const Eigen::Vector3d before = spinMomentumOf(world, 3);
  for (int i = 0; i < 480; ++i) world.step(kStep).orThrow();
  const BodyMotion motion = world.motion(3);
  EXPECT_LT((spinMomentumOf(world, 3) - before).norm(), 1e-9 * before.norm());
  EXPECT_LT((motion.centerOfMass - Eigen::Vector3d(2.1, 1.8, 2.8)).norm(), 1e-12);
  // The frame's origin is where the centre and the orientation put it.
  EXPECT_LT((toEigen(motion.pose) * d.centerOfMass - motion.centerOfMass).norm(), 1e-12);
  expectClosed(world);
}

/// A bar whose shapes' own centre, inertia and mass are given by hand moves as one that computes
/// them, contacts included.
TEST_P(Bodies, GivenMassMovesAsTheComputedOne) {
  const auto build = [](bool given) {
    World world(options());
    BodyDescription ground;
    ground.type = BodyType::Static;
    world.addBody(ground, PlaneShape({0, 0, 1}));
    BodyDescription d;
    d.position = {0, 0, 1.5};
    d.orientation = {0.8, 0.36, 0.48, 0};
    d.angularVelocity = {1, 2, 0};
    const Pose aside = poseFromRollPitchYaw({0.4, 0.1, -0.2}, 0.3, 0.5, 0.7);
    std::vector<BodyShape> shapes = {
        {std::make_shared<BoxShape>(Eigen::Vector3d(0.3, 0.2, 0.1)), Pose{}, 0},
        {std::make_shared<CapsuleShape>(0.1, 0.5), aside, 0}};
    ObjectId id = kNoObject;
    world.addBody(d, shapes, id).orThrow();
    if (!given) return world;
    const MassProperties mass = world.mass(id);
    world.removeBody(id).orThrow();
    d.id = id;
    d.mass = mass.mass;
    d.centerOfMass = mass.center;
    d.inertia = mass.inertia;
    d.productsOfInertia = mass.products;
    world.addBody(d, shapes, id).orThrow();
    return world;
  };
  World computed = build(false), given = build(true);
  for (int i = 0; i < 240; ++i) {
    computed.step(kStep).orThrow();
    given.step(kStep).orThrow();
  }
  EXPECT_EQ(computed.hash(), given.hash());
}

TEST_P(Bodies, ImpossibleMassesAreRefusedByName) {
  World world(options());
  const std::uint64_t before = world.hash();
  struct Case {
    double mass;
    Eigen::Vector3d inertia, products, center;
    const char* word;
  };
  const Case cases[] = {
      {1, {1, 1, 2.1}, {0, 0, 0}, {0, 0, 0}, "above the sum"},
      {1, {1, 1, 1}, {1.1, 0, 0}, {0, 0, 0}, "positive definite"},
      {1, {1, 1, 1}, {0.6, 0, 0}, {0, 0, 0}, "no principal moment above"},  // .4, 1, 1.6
      {1, {1, 1, 1}, {kNaN, 0, 0}, {0, 0, 0}, "positive definite"},
      {0, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}, "together with a mass"},
      {1, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, "without shapes needs mass and inertia"},
      {0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, "without shapes needs mass and inertia"},
      {1, {0, 0, 0}, {0.1, 0, 0}, {0, 0, 0}, "productsOfInertia"},
      {1, {0, 0, 0}, {0, 0, 0}, {0.1, 0, 0}, "centerOfMass"},
      {1, {1, 1, 1}, {0, 0, 0}, {kNaN, 0, 0}, "centerOfMass"},
      {-1, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}, "mass"},
  };
  for (const Case& c : cases) {
    BodyDescription d;
    d.mass = c.mass;
    d.inertia = c.inertia;
    d.productsOfInertia = c.products;
    d.centerOfMass = c.center;
    ObjectId id = kNoObject;
    const Status status = world.addBody(d, {}, id);
    EXPECT_FALSE(status);
    EXPECT_NE(status.getMessage().find(c.word), std::string::npos) << status.getMessage();
    EXPECT_EQ(id, kNoObject);
  }
  EXPECT_EQ(world.hash(), before);
  // A flat disc is just possible; so is one whose numbers were rounded in a file.
  BodyDescription disc;
  disc.mass = 1.0;
  disc.inertia = {0.25, 0.25, 0.5000001};
  ObjectId id = kNoObject;
  EXPECT_TRUE(world.addBody(disc, {}, id));
}

TEST_P(Changes, ForceAtAPointTurnsAndImpulseActsAtOnce) {
  World world(weightless());
  BodyDescription d;
  d.mass = 2.0;
  d.inertia = {0.5, 0.5, 0.5};
  ObjectId id = kNoObject;
  world.addBody(d, {}, id).orThrow();
  world.step(kStep).orThrow();
  world.applyImpulse(id, {4, 0, 0}, {0, 1, 0}).orThrow();
  EXPECT_EQ(world.motion(id).linearVelocity, Eigen::Vector3d(2, 0, 0));
  EXPECT_EQ(world.motion(id).angularVelocity, Eigen::Vector3d(0, 0, -8));
  world.step(kStep).orThrow();
  expectClosed(world);
  // 4 J + 16 J.
  EXPECT_NEAR(world.getLedger().forces, 0.5 * 2 * 4 + 0.5 * 0.5 * 64, 1e-12);
  world.setVelocity(id, {0, 0, 0}, {0, 0, 0}).orThrow();
  world.setPose(id, {0, 0, 0}, {}).orThrow();
  world.applyForceAt(id, {0, 3, 0}, {2, 0, 0}).orThrow();
  world.step(kStep).orThrow();
  EXPECT_NEAR(world.motion(id).linearVelocity.y(), 1.5 * kStep, 1e-15);
  EXPECT_NEAR(world.motion(id).angularVelocity.z(), 12 * kStep, 1e-12);
}

TEST_P(Changes, OfGravityAndMassKeepTheBooksClosed) {
  World world(options());
  BodyDescription ground;
  ground.type = BodyType::Static;
  world.addBody(ground, PlaneShape({0, 0, 1}));
  BodyDescription d;
  d.position = {0, 0, 0.5};
  const ObjectId id = world.addBody(d, BoxShape({0.5, 0.5, 0.5}));
  for (int i = 0; i < 30; ++i) world.step(kStep).orThrow();
  const auto weight = [&] {
    world.step(kStep).orThrow();
    world.step(kStep).orThrow();
    double sum = 0.0;
    for (const WorldContact& c : world.getContacts()) sum += c.normalForce;
    expectClosed(world);
    return sum;
  };
  EXPECT_NEAR(weight(), 9810, 10);
  world.setGravity({0, 0, -1.62}).orThrow();
  EXPECT_NEAR(weight(), 1620, 2);
  world.setGravityScale(id, 2.0).orThrow();
  EXPECT_NEAR(weight(), 3240, 4);
  MassProperties mass;
  mass.mass = 10.0;
  world.setMass(id, mass).orThrow();
  EXPECT_NEAR(weight(), 32.4, 0.1);
  EXPECT_EQ(world.mass(id).mass, 10.0);
  mass.center = {0.1, 0, 0};
  mass.inertia = {1, 1, 1};
  const Eigen::Vector3d origin = toEigen(world.motion(id).pose).translation();
  world.setMass(id, mass).orThrow();
  EXPECT_LT((toEigen(world.motion(id).pose).translation() - origin).norm(), 1e-15);
  EXPECT_EQ(world.mass(id).center, mass.center);
  weight();
}

/// Bodies that come, go, are put elsewhere or set in motion while the world runs.
TEST_P(Changes, OfPlaceMotionAndNumberKeepTheBooksClosed) {
  World world(options());
  BodyDescription ground;
  ground.type = BodyType::Static;
  world.addBody(ground, PlaneShape({0, 0, 1}));
  const auto drop = [&world](double x, double z) {
    BodyDescription d;
    d.position = {x, 0, z};
    d.mass = 1.5;
    d.linearVelocity = {0.2, 0, -1};
    return world.addBody(d, SphereShape(0.25));
  };
  const ObjectId first = drop(0, 1), second = drop(2, 0.25);
  const auto run = [&world](int steps) {
    for (int i = 0; i < steps; ++i) world.step(kStep).orThrow();
    expectClosed(world);
  };
  run(40);
  world.setVelocity(first, {1, 2, 3}, {4, 5, 6}).orThrow();
  run(20);
  world.setPose(second, {2, 1, 4}, Quat{}).orThrow();
  run(20);
  const ObjectId third = drop(-3, 2);
  run(40);
  world.removeBody(second).orThrow();
  run(20);
  world.setType(third, BodyType::Static).orThrow();
  run(20);
}

TEST_P(Changes, OfMaterialAndSurfaceActFromTheNextStepOn) {
  WorldOptions sleepy = options();
  sleepy.sleeping = true;
  World world(sleepy);
  Material ice;
  ice.friction = 0.0;
  MaterialId slippery = 0;
  world.materials().add(ice, slippery).orThrow();
  BodyDescription ground;
  ground.type = BodyType::Static;
  const ObjectId floor = world.addBody(ground, PlaneShape({0, 0, 1}));
  BodyDescription d;
  d.position = {0, 0, 0.5};
  const ObjectId id = world.addBody(d, BoxShape({0.5, 0.5, 0.5}));
  for (int i = 0; i < 240; ++i) world.step(kStep).orThrow();
  ASSERT_TRUE(world.isAsleep(id));
  world.setSurfaceVelocity(floor, {1, 0, 0}).orThrow();
  EXPECT_FALSE(world.isAsleep(id));
  for (int i = 0; i < 240; ++i) world.step(kStep).orThrow();
  EXPECT_NEAR(world.motion(id).linearVelocity.x(), 1.0, 1e-6);
  world.setMaterial(id, slippery).orThrow();
  world.setSurfaceVelocity(floor, {0, 0, 0}).orThrow();
  for (int i = 0; i < 60; ++i) world.step(kStep).orThrow();
  EXPECT_NEAR(world.motion(id).linearVelocity.x(), 1.0, 1e-6);
  world.setMaterial(id, 0, 0).orThrow();
  world.setMaterial(floor, 0).orThrow();
  for (int i = 0; i < 240; ++i) world.step(kStep).orThrow();
  EXPECT_NEAR(world.motion(id).linearVelocity.x(), 0.0, 1e-6);
}

TEST_P(Changes, OfTypeStopDriveAndRelease) {
  World world(options());
  BodyDescription ground;
  ground.type = BodyType::Static;
  world.addBody(ground, PlaneShape({0, 0, 1}));
  BodyDescription d;
  d.position = {0, 0, 3};
  const ObjectId id = world.addBody(d, BoxShape({0.5, 0.5, 0.5}));
  for (int i = 0; i < 60; ++i) world.step(kStep).orThrow();
  const double speed = world.motion(id).linearVelocity.z();
  EXPECT_LT(speed, -2.0);
  world.setType(id, BodyType::Static).orThrow();
  const double z = world.motion(id).centerOfMass.z();
  for (int i = 0; i < 10; ++i) world.step(kStep).orThrow();
  EXPECT_EQ(world.motion(id).centerOfMass.z(), z);
  EXPECT_EQ(world.mass(id).mass, 0.0);
  expectClosed(world);
  world.setType(id, BodyType::Kinematic).orThrow();
  world.setVelocity(id, {0, 0, 1}, {0, 0, 0}).orThrow();
  for (int i = 0; i < 24; ++i) world.step(kStep).orThrow();
  EXPECT_NEAR(world.motion(id).centerOfMass.z(), z + 0.1, 1e-12);
  world.setType(id, BodyType::Dynamic).orThrow();
  EXPECT_EQ(world.mass(id).mass, 1000.0);
  EXPECT_EQ(world.motion(id).linearVelocity.z(), 1.0);
  for (int i = 0; i < 480; ++i) world.step(kStep).orThrow();
  EXPECT_NEAR(world.motion(id).centerOfMass.z(), 0.5, 2e-3);
  expectClosed(world);
}

TEST_P(Changes, OfLocksEndWhatTheyForbid) {
  World world(options());
  BodyDescription d;
  d.linearVelocity = {1, 2, 0};
  d.angularVelocity = {0, 0, 3};
  const ObjectId id = world.addBody(d, SphereShape(0.5));
  world.setLocks(id, kLockY | kLockZ | kLockRotationZ).orThrow();
  for (int i = 0; i < 240; ++i) world.step(kStep).orThrow();
  EXPECT_NEAR(world.motion(id).centerOfMass.x(), 1.0, 1e-12);
  EXPECT_EQ(world.motion(id).centerOfMass.y(), 0.0);
  EXPECT_EQ(world.motion(id).centerOfMass.z(), 0.0);
  EXPECT_EQ(world.motion(id).angularVelocity.z(), 0.0);
}

TEST_P(Changes, AreInTheHashAndSurviveASnapshot) {
  World world(options());
  BodyDescription d;
  const ObjectId id = world.addBody(d, BoxShape({0.5, 0.4, 0.3}));
  for (int i = 0; i < 10; ++i) world.step(kStep).orThrow();
  MassProperties mass;
  mass.mass = 3.0;
  mass.center = {0.1, 0.2, 0.0};
  mass.inertia = {0.5, 0.6, 0.7};
  mass.products = {0.01, 0.02, 0.03};
  world.setMass(id, mass).orThrow();
  world.setGravity({1, 2, 3}).orThrow();
  world.setGravityScale(id, 0.5).orThrow();
  World copy;
  copy.addBody(d, BoxShape({0.5, 0.4, 0.3}));
  copy.restore(world.snapshot()).orThrow();
  for (int i = 0; i < 10; ++i) {
    world.step(kStep).orThrow();
    copy.step(kStep).orThrow();
  }
  EXPECT_EQ(world.hash(), copy.hash());
}

TEST_P(Changes, BadCallsAreRefusedAndChangeNothing) {
  World world(options());
  BodyDescription ground;
  ground.type = BodyType::Static;
  const ObjectId floor = world.addBody(ground, PlaneShape({0, 0, 1}));
  const ObjectId id = world.addBody({}, BoxShape({0.5, 0.5, 0.5}));
  const std::uint64_t before = world.hash();
  MassProperties bad;
  bad.mass = 1.0;
  bad.inertia = {1, 1, 3};
  const Status refused[] = {
      world.applyForceAt(9, {1, 0, 0}, {0, 0, 0}),
      world.applyForceAt(id, {1, 0, 0}, {kNaN, 0, 0}),
      world.applyForceAt(id, {kNaN, 0, 0}, {0, 0, 0}),
      world.applyImpulse(9, {1, 0, 0}, {0, 0, 0}),
      world.applyImpulse(floor, {1, 0, 0}, {0, 0, 0}),
      world.applyImpulse(id, {kNaN, 0, 0}, {0, 0, 0}),
      world.applyImpulse(id, {1e20, 0, 0}, {0, 0, 0}),
      world.setGravity({0, kNaN, 0}),
      world.setGravityScale(9, 1.0),
      world.setGravityScale(id, kNaN),
      world.setMass(9, {}),
      world.setMass(floor, {}),
      world.setMass(id, bad),
      world.setMaterial(id, 7),
      world.setMaterial(9, 0),
      world.setMaterial(id, 1, 0),
      world.setSurfaceVelocity(id, {kNaN, 0, 0}),
      world.setSurfaceVelocity(9, {0, 0, 0}),
      world.setLocks(floor, kLockX),
      world.setLocks(id, 64),
      world.setLocks(9, 0),
      world.setType(9, BodyType::Static),
      world.setType(floor, BodyType::Dynamic),  // A plane has no mass.
      world.setType(id, static_cast<BodyType>(3)),
  };
  int number = 0;
  for (const Status& status : refused) {
    EXPECT_FALSE(status) << number;
    EXPECT_FALSE(status.getMessage().empty()) << number;
    ++number;
  }
  EXPECT_EQ(world.hash(), before);
  EXPECT_THROW((void)world.motion(9), Error);
  EXPECT_THROW((void)world.mass(9), Error);
}

}  // namespace
}  // namespace abut
