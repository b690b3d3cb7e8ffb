// SPDX-License-Identifier: MIT
// A ball on a floor, integrated by CVODE with compliant contact.
#include <cmath>

#include <gtest/gtest.h>

#include <abut/hybrid/compliant_system.hpp>
#include <abut/hybrid/cvode_driver.hpp>
#include <abut/shapes/box_shape.hpp>

#include "support/hybrid_scene.hpp"

namespace abut {
namespace {

using test::Drop;
constexpr double kG = 9.81;

double total(CompliantSystem& system, const CvodeDriver& driver) {
  CompliantEnergy e;
  system.computeEnergy(driver.getTime(), driver.getState(), e).orThrow();
  return e.kinetic + e.potential + e.elastic;
}

TEST(HybridBounce, BallDroppedOneMetreLandsAtTheExactTime) {
  // sqrt(2 h / g). The event itself comes 2 zEps deeper, 2e-8 / 4.43 = 4.5e-9 s later.
  for (const CvodeMethod method : {CvodeMethod::Bdf, CvodeMethod::Adams}) {
    Drop drop(1.0, 0.0, 0.5, 1e7);
    CompliantSystem system(drop.world);
    CvodeOptions options;
    options.method = method;
    options.relativeTolerance = 1e-12;
    options.absoluteTolerance = 1e-13;
    CvodeDriver driver(system, options);
    driver.advance(0.46).orThrow();
    ASSERT_FALSE(driver.getRecord().events.empty());
    const HybridEvent& event = driver.getRecord().events.front();
    EXPECT_EQ(event.kind, HybridEventKind::ContactBegin);
    EXPECT_NEAR(event.touchTime, std::sqrt(2.0 / kG), 1e-10);
    EXPECT_NEAR(event.time - event.touchTime, 2e-8 / std::sqrt(2.0 * kG), 1e-10);
    EXPECT_NEAR(event.normalSpeed, -std::sqrt(2.0 * kG), 1e-7);
  }
}

TEST(HybridBounce, DeliveredRestitutionIsTheOneAskedFor) {
  for (const double e : {0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0}) {
    for (const double speed : {0.1, 3.0}) {
      Drop drop(0.01, speed, e, 1e7, 0.0);
      CompliantSystem system(drop.world);
      CvodeOptions options;
      options.relativeTolerance = 1e-10;
      options.absoluteTolerance = 1e-13;
      CvodeDriver driver(system, options);
      driver.advance(0.02 / speed + 0.2 / speed).orThrow();
      ASSERT_EQ(driver.getRecord().events.size(), 2u) << e;
      EXPECT_EQ(driver.getRecord().events[1].kind, HybridEventKind::ContactEnd);
      EXPECT_NEAR(driver.getState()[9] / speed, e, 1e-6) << "speed " << speed;
    }
  }
}

TEST(HybridBounce, ConservativeBouncesKeepTheEnergyWithinTheTolerance) {
  // 1000 bounces from 0.05 m. Each step may err by the tolerance in the speed, so by twice that in
  // the energy; half the tolerance, less error.
  struct Drift {
    double energy, bound;
  };
  const auto drift = [](double tolerance) {
    Drop drop(0.05, 0.0, 1.0, 1e6);
    CompliantSystem system(drop.world);
    CvodeOptions options;
    options.method = CvodeMethod::Adams;
    options.relativeTolerance = options.absoluteTolerance = tolerance;
    CvodeDriver driver(system, options);
    const double before = total(system, driver);
    double until = 0.0;
    while (driver.getRecord().events.size() < 2000) driver.advance(until += 1.0).orThrow();
    return Drift{std::fabs(total(system, driver) / before - 1.0),
                 2.0 * tolerance * static_cast<double>(driver.getStatistics().steps)};
  };
  const Drift coarse = drift(1.25e-10), fine = drift(0.625e-10);
  EXPECT_LT(coarse.energy, coarse.bound);
  EXPECT_LT(fine.energy, fine.bound);
  EXPECT_LT(fine.energy, 0.7 * coarse.energy);
}

TEST(HybridBounce, ForceNeverPullsAndItsSignIsAnEvent) {
  // Closing at 1 m/s with e = 0.3: the law would pull above 1/k = 0.32 m/s of separation. A force
  // of 100 weights throws the ball out faster than that.
  Drop drop(0.01, 1.0, 0.3, 1e6, 0.0);
  CompliantSystem system(drop.world);
  CvodeDriver driver(system);
  while (driver.getRecord().events.empty()) driver.advance(driver.getTime() + 1e-4).orThrow();
  driver.advance(driver.getTime() + 2e-3).orThrow();
  system.setForce(drop.ball, {0, 0, 100 * 9.81 * 4.19}, {0, 0, 0}).orThrow();
  driver.restart().orThrow();
  std::vector<double> rates(driver.getState().size());
  while (driver.getRecord().events.back().kind != HybridEventKind::ContactEnd) {
    driver.advance(driver.getTime() + 1e-5).orThrow();
    system.computeDerivatives(driver.getTime(), driver.getState(), rates).orThrow();
    for (const CompliantForce& f : system.getForces()) EXPECT_GE(f.normalForce, 0.0);
    ASSERT_LT(driver.getTime(), 0.1);
  }
  const std::vector<HybridEvent>& events = driver.getRecord().events;
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1].kind, HybridEventKind::ForceVanishes);
  EXPECT_NEAR(events[1].normalSpeed, 1.0 / 3.087082, 1e-5);
}

TEST(HybridBounce, BoxComesToRestOnItsFourCorners) {
  World world(test::gravityAlongZ(-9.81));
  const MaterialId id = test::addMaterial(world, 0.1, 0.3, 1e6);
  world.addBody(test::fixedBody(), std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)), id);
  world.addBody(test::movingBody({0, 0, 0.12}),
                std::make_shared<BoxShape>(Eigen::Vector3d(0.1, 0.1, 0.1)), id);
  CompliantOptions compliant;
  compliant.slowestImpact = 0.05;
  CompliantSystem system(world, compliant);
  CvodeDriver driver(system);
  driver.advance(3.0).orThrow();
  std::vector<double> rates(driver.getState().size());
  system.computeDerivatives(driver.getTime(), driver.getState(), rates).orThrow();
  double sum = 0.0;
  EXPECT_EQ(system.getForces().size(), 4u);
  for (const CompliantForce& f : system.getForces()) sum += f.normalForce;
  EXPECT_NEAR(sum, 8.0 * 9.81, 1e-4);  // 0.2^3 m^3 of density 1000.
}

}  // namespace
}  // namespace abut
