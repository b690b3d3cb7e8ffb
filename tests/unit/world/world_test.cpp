// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

#include "support/schemes.hpp"

namespace abut {
namespace {

constexpr double kG = 9.81, kPi = 3.14159265358979323846;

std::shared_ptr<const Shape> ground() {
  return std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1));
}
std::shared_ptr<const Shape> cube() {
  return std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5));
}
BodyMotion motionOf(const World& world, ObjectId id) {
  BodyMotion motion;
  world.getMotion(id, motion).orThrow();
  return motion;
}

/// Steps, and checks at every step that the books close to 1e-12 of the largest entry.
void run(World& world, double dt, int steps) {
  for (int i = 0; i < steps; ++i) {
    ASSERT_TRUE(world.step(dt));
    const EnergyAccount& books = world.getStepLedger();
    ASSERT_LE(std::fabs(books.residual()), 1e-12 * books.largestEntry()) << "step " << i;
  }
}

/// Two capsules of radius 0.2 and length 1 along x: one spins at 2 pi rad/s about z at the origin,
/// the other stands at (0.7, 0.7, 0) and can only rotate. No gravity.
struct CapsuleSpin {
  World world;
  ObjectId rotor = kNoObject, lever = kNoObject;

  CapsuleSpin(double friction, double density, double baumgarte)
      : world([&] {
          WorldOptions options;
          options.gravity = {0, 0, 0};
          options.speculative = false;
          options.baumgarte = baumgarte;
          return options;
        }()) {
    MaterialId material = 0;
    Material m;
    m.friction = friction;
    m.density = density;
    world.materials().add(m, material).orThrow();
    const auto capsule = std::make_shared<CapsuleShape>(0.2, 1.0);
    const Pose alongX = poseFromRollPitchYaw({0, 0, 0}, 0, kPi / 2, 0);
    BodyDescription spinning;
    spinning.type = BodyType::Kinematic;
    spinning.angularVelocity = {0, 0, 2 * kPi};
    world.addBody(spinning, {{capsule, alongX, material}}, rotor).orThrow();
    BodyDescription held;
    held.position = {0.7, 0.7, 0};
    held.locks = kLockTranslation;
    world.addBody(held, {{capsule, alongX, material}}, lever).orThrow();
  }
  /// Steps until the lever turns; returns the number of steps.
  int untilHit(double dt) {
    for (int i = 1; i < 200000; ++i) {
      world.step(dt).orThrow();
      if (motionOf(world, lever).angularVelocity.z() != 0.0) return i;
    }
    return -1;
  }
};

TEST(CapsuleSpin, FirstContactIsTheOneOfTheSeed) {
  CapsuleSpin scene(0.0, 7.874, 0.0);
  EXPECT_EQ(scene.untilHit(1e-3), 104);
  ASSERT_EQ(scene.world.getContacts().size(), 1u);
  const WorldContact& c = scene.world.getContacts()[0];
  // The contact stands midway between the surfaces; body 1's own is half the depth lower.
  EXPECT_NEAR(c.position.x(), 0.398897, 5e-7);
  EXPECT_NEAR(c.position.y() + 0.5 * c.depth, 0.500732 + 0.5 * 1.465e-3, 5e-6);
  EXPECT_NEAR(c.normal.y(), -1.0, 1e-12);
  EXPECT_NEAR(c.depth, 1.465e-3, 5e-7);
  EXPECT_NEAR(motionOf(scene.world, scene.lever).angularVelocity.z(), -8.3239, 5e-5);
}

TEST(CapsuleSpin, BaumgarteActsAsAnAccidentalRestitution) {
  CapsuleSpin scene(0.0, 7.874, 0.7);
  EXPECT_EQ(scene.untilHit(1e-3), 104);
  EXPECT_NEAR(motionOf(scene.world, scene.lever).angularVelocity.z(), -11.7292, 5e-5);
}

TEST(CapsuleSpin, AngularVelocityDoesNotDependOnFrictionOrDensity) {
  for (const double friction : {0.0, 0.2, 0.9}) {
    for (const double density : {7.874, 2800.0}) {
      CapsuleSpin scene(friction, density, 0.0);
      scene.untilHit(1e-3);
      EXPECT_NEAR(motionOf(scene.world, scene.lever).angularVelocity.z(), -8.3239, 5e-5)
          << friction << " " << density;
    }
  }
}

TEST(CapsuleSpin, SmallStepsApproachFourThirdsOfTheDriver) {
  // First touch at 0.1024164 s; the lever arms are then as 4 to 3.
  CapsuleSpin scene(0.2, 7.874, 0.0);
  const int steps = scene.untilHit(1e-5);
  EXPECT_NEAR(steps * 1e-5, 0.1024164, 2e-5);
  EXPECT_NEAR(motionOf(scene.world, scene.lever).angularVelocity.z(), -4.0 / 3.0 * 2 * kPi, 2e-3);
}

TEST(CapsuleSpin, DriverPaysForMotionAndLoss) {
  // Moment of inertia about z 0.18233 kg m^2. Without friction exactly half of the work is lost.
  CapsuleSpin smooth(0.0, 7.874, 0.0);
  smooth.untilHit(1e-3);
  const EnergyAccount& a = smooth.world.getStepLedger();
  EXPECT_NEAR(a.drivers, 12.6329, 5e-5);
  EXPECT_NEAR(a.kineticAfter, 6.3165, 5e-5);
  EXPECT_NEAR(a.impact, -6.3165, 5e-5);
  EXPECT_EQ(a.friction, 0.0);
  CapsuleSpin rough(0.2, 7.874, 0.0);
  rough.untilHit(1e-3);
  const EnergyAccount& b = rough.world.getStepLedger();
  EXPECT_NEAR(b.drivers, 13.9572, 5e-5);
  EXPECT_NEAR(b.kineticAfter, 6.3165, 5e-5);
  EXPECT_NEAR(b.impact + b.friction, -7.6407, 5e-5);
  EXPECT_LE(std::fabs(b.residual()), 1e-12 * b.largestEntry());
  ASSERT_EQ(rough.world.getDrivers().size(), 1u);
  EXPECT_NEAR(rough.world.getDrivers()[0].work, 13.9572, 5e-5);
}

class Worlds : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, Worlds, test::bothSchemes(), test::schemeName);

TEST_P(Worlds, CubeDroppedOnAPlaneComesToRestUnderItsWeight) {
  World world(options());
  BodyDescription fixed;
  fixed.type = BodyType::Static;
  world.addBody(fixed, ground());
  BodyDescription falling;
  falling.position = {0, 0, 2};
  const ObjectId id = world.addBody(falling, cube());
  run(world, 1.0 / 240, 480);
  double force = 0.0;
  for (const WorldContact& c : world.getContacts()) force += std::fabs(c.normalForce);
  EXPECT_NEAR(force, 1000 * kG, 1e-6);
  EXPECT_NEAR(motionOf(world, id).centerOfMass.z(), 0.5, isExact() ? 1e-9 : 1e-8);
  EXPECT_LT(motionOf(world, id).linearVelocity.norm(), 1e-12);
  // All that gravity gave, m g (2 - 0.5), was lost in the impact. In real time the velocity that is
  // lost has fallen for half a step more than the body has: m v g dt / 2, which is booked.
  const EnergyAccount& books = world.getLedger();
  const double early = isExact() ? 0.0 : 1000 * std::sqrt(2 * kG * 1.5) * kG / 240 / 2;
  EXPECT_NEAR(books.impact, -1000 * kG * 1.5 - early, isExact() ? 1e-6 : 0.01 * early);
  EXPECT_NEAR(books.impact + books.integrator + books.correction, -1000 * kG * 1.5, 1e-4);
}

TEST_P(Worlds, FreeFlightIsExact) {
  World world(options());
  BodyDescription thrown;
  thrown.linearVelocity = {3, 4, 5};
  thrown.angularVelocity = {1, 2, 3};
  const ObjectId id = world.addBody(thrown, std::make_shared<BoxShape>(Eigen::Vector3d(1, 2, 3)));
  run(world, 1.0 / 64, 64);
  const Eigen::Vector3d x = motionOf(world, id).centerOfMass;
  EXPECT_NEAR(x.x(), 3.0, 1e-14);
  EXPECT_NEAR(x.z(), 5.0 - 0.5 * kG, 1e-14);
  EXPECT_NEAR(world.getLedger().integrator / world.getLedger().kineticBefore, 0.0, 1e-13);
}

TEST_P(Worlds, SlidingCubeLosesSpeedByFrictionAloneAtEveryHeading) {
  World world(options());
  BodyDescription fixed;
  fixed.type = BodyType::Static;
  world.addBody(fixed, ground());
  for (int i = 0; i < 12; ++i) {
    BodyDescription d;
    const double heading = 0.3 * i;
    d.position = {0, 40.0 * i, 0.5};
    d.linearVelocity = {10 * std::cos(heading), 10 * std::sin(heading), 0};
    d.mass = 1.0;
    d.id = 100 + static_cast<ObjectId>(i);
    world.addBody(d, cube());
  }
  run(world, 0.016, 60);
  for (int i = 0; i < 12; ++i) {
    const BodyMotion m = motionOf(world, 100 + static_cast<ObjectId>(i));
    const double c = std::cos(0.3 * i), s = std::sin(0.3 * i);
    // 10 - mu g t with mu = 0.5, t = 0.96 s.
    EXPECT_NEAR(m.linearVelocity.x() * c + m.linearVelocity.y() * s, 5.2912, 1e-11);
    EXPECT_NEAR((m.centerOfMass.y() - 40.0 * i) * c - m.centerOfMass.x() * s, 0.0,
                isExact() ? 1e-11 : 1e-8);
  }
}

TEST_P(Worlds, SlidingBoxStopsWhereItShould) {
  // v0^2 / (2 mu g) = 9 / (0.6 * 9.81) = 1.529052 m.
  World world(options());
  MaterialId material = 0;
  Material m;
  m.friction = 0.3;
  world.materials().add(m, material).orThrow();
  BodyDescription fixed;
  fixed.type = BodyType::Static;
  world.addBody(fixed, ground(), material);
  BodyDescription d;
  d.position = {0, 0, 0.05};
  d.linearVelocity = {3, 0, 0};
  const ObjectId id =
      world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(0.25, 0.25, 0.05)), material);
  run(world, 1.0 / 60, 120);
  // In real time it moves with its velocity after friction: v0 dt / 2 less, and the last, partial
  // step of braking ends up to mu g dt^2 / 8 elsewhere.
  const double less = isExact() ? 0.0 : 3.0 / 60 / 2;
  EXPECT_NEAR(motionOf(world, id).centerOfMass.x(), 9.0 / (0.6 * kG) - less,
              isExact() ? 1e-6 : 0.3 * kG / 3600 / 8);
}

TEST_P(Worlds, TowerCarriesTheWeightAboveAtEveryStep) {
  constexpr int kCubes = 12;
  World world(options());
  BodyDescription fixed;
  fixed.type = BodyType::Static;
  world.addBody(fixed, ground());
  for (int i = 0; i < kCubes; ++i) {
    BodyDescription d;
    d.position = {0, 0, 0.5 + i};
    d.mass = 1.0;
    world.addBody(d, cube());
  }
  for (int step = 0; step < 50; ++step) {
    ASSERT_TRUE(world.step(1.0 / 60));
    ASSERT_TRUE(world.getReport().converged);
    double force[kCubes + 2] = {};
    for (const WorldContact& c : world.getContacts()) force[c.object1] += c.normalForce;
    for (int i = 1; i <= kCubes; ++i) {
      ASSERT_NEAR(force[i] / ((kCubes + 1 - i) * kG), 1.0, isExact() ? 1e-10 : 1e-2)
          << "step " << step;
    }
  }
  EXPECT_NEAR(motionOf(world, kCubes + 1).centerOfMass.z(), kCubes - 0.5, isExact() ? 1e-9 : 1e-3);
}

TEST(WorldImpacts, RowOfTouchingBallsPassesTheMomentumOn) {
  WorldOptions options;  // In real time all contacts of a row are thrown back at once.
  options.gravity = {0, 0, 0};
  World world(options);
  MaterialId elastic = 0;
  Material m;
  m.friction = 0.0;
  m.restitution = 1.0;
  world.materials().add(m, elastic).orThrow();
  for (int i = 0; i < 5; ++i) {
    BodyDescription d;
    d.position = {1.0 * i, 0, 0};
    if (i == 0) d.linearVelocity = {1, 0, 0};
    world.addBody(d, std::make_shared<SphereShape>(0.5), elastic);
  }
  run(world, 1.0 / 60, 1);
  for (ObjectId i = 1; i <= 5; ++i) {
    EXPECT_NEAR(motionOf(world, i).linearVelocity.x(), i == 5 ? 1.0 : 0.0, 1e-12);
  }
}

TEST_P(Worlds, OrderOfInsertionChangesNoBit) {
  const auto build = [](bool reversed) {
    World world(options());
    for (int k = 0; k < 7; ++k) {
      const int i = reversed ? 6 - k : k;
      BodyDescription d;
      d.id = 10 + static_cast<ObjectId>(i);
      d.type = i == 0 ? BodyType::Static : BodyType::Dynamic;
      d.position = {0.05 * i, 0.02 * i * i, i == 0 ? 0.0 : 1.0 * i - 0.4};
      world.addBody(d, i == 0 ? ground() : cube());
    }
    for (int i = 0; i < 30; ++i) world.step(1.0 / 60).orThrow();
    return world.hash();
  };
  EXPECT_EQ(build(false), build(true));
}

TEST_P(Worlds, BodiesFarAwayChangeNoBit) {
  const auto build = [](bool withNeighbour) {
    World world(options());
    BodyDescription fixed;
    fixed.type = BodyType::Static;
    world.addBody(fixed, ground());
    BodyDescription d;
    d.position = {0, 0, 0.9};
    d.angularVelocity = {1, 2, 0};
    const ObjectId id = world.addBody(d, cube());
    if (withNeighbour) {
      d.position = {100, 0, 0.7};
      world.addBody(d, cube());
    }
    for (int i = 0; i < 60; ++i) world.step(1.0 / 60).orThrow();
    return motionOf(world, id).centerOfMass;
  };
  EXPECT_EQ(build(false), build(true));
}

TEST_P(Worlds, BadCallsAreRefusedAndChangeNothing) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  World world(options());
  const ObjectId id = world.addBody({}, cube());
  const std::uint64_t before = world.hash();
  EXPECT_TRUE(world.step(0.0));
  for (const double dt : {-1.0, kNan, std::numeric_limits<double>::infinity(), 1e10}) {
    const Status status = world.step(dt);
    EXPECT_FALSE(status);
    EXPECT_NE(status.getMessage().find("dt"), std::string::npos);
  }
  EXPECT_EQ(world.setVelocity(id, {kNan, 0, 0}, {0, 0, 0}).getCode(), StatusCode::NonFinite);
  EXPECT_EQ(world.setVelocity(99, {0, 0, 0}, {0, 0, 0}).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(world.setPose(id, {0, 0, 0}, Quat{0, 0, 0, 0}).getCode(), StatusCode::NotARotation);
  EXPECT_EQ(world.applyForce(id, {0, 0, 0}, {0, kNan, 0}).getCode(), StatusCode::NonFinite);
  BodyDescription bad;
  ObjectId unused = kNoObject;
  bad.mass = -1.0;
  EXPECT_EQ(world.addBody(bad, {{cube(), {}, 0}}, unused).getCode(), StatusCode::OutOfRange);
  bad.mass = 1.0;
  bad.inertia = {1, 1, 3};  // No solid has Izz > Ixx + Iyy.
  EXPECT_EQ(world.addBody(bad, {{cube(), {}, 0}}, unused).getCode(), StatusCode::OutOfRange);
  bad = {};
  bad.position = {kNan, 0, 0};
  EXPECT_EQ(world.addBody(bad, {{cube(), {}, 0}}, unused).getCode(), StatusCode::NonFinite);
  bad = {};
  bad.id = id;
  EXPECT_EQ(world.addBody(bad, {{cube(), {}, 0}}, unused).getCode(), StatusCode::DuplicateObject);
  EXPECT_EQ(world.addBody({}, {{ground(), {}, 0}}, unused).getCode(), StatusCode::NotSolid);
  EXPECT_EQ(world.addBody({}, {{nullptr, {}, 0}}, unused).getCode(), StatusCode::NullObject);
  EXPECT_EQ(world.hash(), before);
  EXPECT_TRUE(world.removeBody(id));
  EXPECT_EQ(world.removeBody(id).getCode(), StatusCode::UnknownObject);
}

TEST_P(Worlds, TakesShapesByValue) {
  World world(options());
  world.addBody({.type = BodyType::Static}, PlaneShape({0, 0, 1}));
  const ObjectId id = world.addBody({.position = {0, 0, 2}}, BoxShape({0.5, 0.5, 0.5}));
  run(world, 1.0 / 240, 480);
  EXPECT_NEAR(motionOf(world, id).centerOfMass.z(), 0.5, 1e-6);
}

}  // namespace
}  // namespace abut
