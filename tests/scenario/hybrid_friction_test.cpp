// SPDX-License-Identifier: MIT
// Friction, sticking and rolling resistance of compliant contacts under CVODE.
#include <cmath>

#include <gtest/gtest.h>

#include <abut/hybrid/compliant_system.hpp>
#include <abut/hybrid/cvode_driver.hpp>

#include "support/hybrid_scene.hpp"

namespace abut {
namespace {

constexpr double kG = 9.81, kRadius = 0.1;

/// A ball at its depth of rest on the floor, moving along x; gravity tilted by its tangent.
struct Slide {
  World world;
  ObjectId ball = kNoObject;
  double lever = 0.0;  // From the centre to the middle of the overlap.

  Slide(double speed, double friction, double rolling, std::uint8_t locks, double tangent = 0.0)
      : world(tilted(tangent)) {
    Material m;
    m.restitution = 0.1;
    m.friction = friction;
    m.rollingResistance = rolling;
    m.youngsModulus = 1e7;
    MaterialId id = 0;
    world.materials().add(m, id).orThrow();
    world.addBody(test::fixedBody(), std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)), id);
    // Hertz: m g = (4/3) E* sqrt(R) d^1.5 with E* = E/(2 (1 - nu^2)).
    const double mass = 4.0 / 3.0 * M_PI * 1000 * std::pow(kRadius, 3);
    const double stiffness = 4.0 / 3.0 * 1e7 / (2 * 0.91) * std::sqrt(kRadius);
    const double depth = std::pow(mass * kG / stiffness, 2.0 / 3.0);
    lever = kRadius - 0.5 * depth;
    BodyDescription d = test::movingBody({0, 0, kRadius - depth}, {speed, 0, 0});
    if (locks == kLockNone) d.angularVelocity = {0, speed / lever, 0};
    d.locks = locks;
    ball = world.addBody(d, std::make_shared<SphereShape>(kRadius), id);
  }
  static WorldOptions tilted(double tangent) {
    WorldOptions options;
    options.gravity = {kG * tangent, 0, -kG};
    return options;
  }
};

TEST(HybridFriction, SlidingBodyStopsAfterCoulombsDistance) {
  // v^2 / (2 mu g) = 0.16989 m after v / (mu g) = 0.33979 s; below the friction velocity the
  // regularised force is smaller, which adds about 2 v_s^2 / (mu g) = 7e-7 m and more with time.
  Slide slide(1.0, 0.3, 0.0, kLockRotation);
  CompliantSystem system(slide.world);
  CvodeDriver driver(system);
  driver.advance(0.5).orThrow();
  EXPECT_NEAR(driver.getState()[0], 1.0 / (2 * 0.3 * kG), 1e-5);
  EXPECT_NEAR(driver.getState()[7], 0.0, 1e-5);
}

TEST(HybridFriction, RollingResistanceSlowsABallAtTheRateOfItsLever) {
  // m a = -f and (2/5) m R^2 a/r = f r - rr m g give a = -rr g / (r (1 + 0.4 R^2/r^2)), r the
  // lever.
  Slide slide(1.0, 0.5, 0.005, kLockNone);
  CompliantSystem system(slide.world);
  CvodeDriver driver(system);
  driver.advance(1.0).orThrow();
  const double r = slide.lever, ratio = kRadius / r;
  EXPECT_NEAR(driver.getState()[7], 1.0 - 0.005 * kG / (r * (1 + 0.4 * ratio * ratio)), 1e-4);
  EXPECT_NEAR(driver.getState()[11] * r, driver.getState()[7], 1e-3);
}

TEST(HybridFriction, BallStartsToRollAtFiveSeventhsOfItsSpeed) {
  // v0 / (1 + 0.4 R^2/r^2), r the lever of friction: 5/7 v0 for a contact that does not give.
  Slide slide(7.0, 0.3, 0.0, kLockNone);
  slide.world.setVelocity(slide.ball, {7, 0, 0}, {0, 0, 0}).orThrow();
  CompliantSystem sliding(slide.world);
  CvodeDriver driver(sliding);
  driver.advance(1.0).orThrow();
  const double ratio = kRadius / slide.lever;
  EXPECT_NEAR(driver.getState()[7], 7.0 / (1 + 0.4 * ratio * ratio), 1e-5);
}

TEST(HybridFriction, StickHoldsOnAnInclineAndRegularisedFrictionCreeps) {
  // tan = 0.3 below mu = 0.5: Coulomb holds.
  const auto creep = [](FrictionLaw law) {
    Slide slide(0.0, 0.5, 0.0, kLockRotation, 0.3);
    CompliantOptions options;
    options.frictionLaw = law;
    CompliantSystem system(slide.world, options);
    CvodeDriver driver(system);
    driver.advance(1.0).orThrow();
    const double start = driver.getState()[0];
    driver.advance(3.0).orThrow();
    return std::fabs(driver.getState()[0] - start);
  };
  EXPECT_LT(creep(FrictionLaw::StickEvents), 1e-9);
  EXPECT_GT(creep(FrictionLaw::Regularised), 1e-4);
}

TEST(HybridFriction, SlidingEndsWithAStickEventAndExcessForceBeginsToSlip) {
  Slide slide(1.0, 0.3, 0.0, kLockRotation);
  CompliantOptions options;
  options.frictionLaw = FrictionLaw::StickEvents;
  CompliantSystem system(slide.world, options);
  CvodeDriver driver(system);
  driver.advance(1.0).orThrow();
  ASSERT_EQ(driver.getRecord().events.size(), 1u);
  EXPECT_EQ(driver.getRecord().events[0].kind, HybridEventKind::StickBegin);
  EXPECT_NEAR(driver.getRecord().events[0].time, (1.0 - 1e-3) / (0.3 * kG), 1e-5);
  // 0.7 of what friction holds, put on at once, does nothing; 1.1 moves it.
  const double most = 0.3 * 4.0 / 3.0 * M_PI * 1000 * std::pow(kRadius, 3) * kG;
  system.setForce(slide.ball, {0.7 * most, 0, 0}, {0, 0, 0}).orThrow();
  driver.restart().orThrow();
  driver.advance(2.0).orThrow();
  EXPECT_EQ(driver.getRecord().events.size(), 1u);
  EXPECT_NEAR(driver.getState()[7], 0.0, 1e-6);
  system.setForce(slide.ball, {1.1 * most, 0, 0}, {0, 0, 0}).orThrow();
  driver.restart().orThrow();
  driver.advance(3.0).orThrow();
  ASSERT_EQ(driver.getRecord().events.size(), 2u);
  EXPECT_EQ(driver.getRecord().events[1].kind, HybridEventKind::SlipBegin);
  EXPECT_NEAR(driver.getState()[7], 0.1 * 0.3 * kG, 0.02);
}

}  // namespace
}  // namespace abut
