// SPDX-License-Identifier: MIT
// Another integrator behind the same interface, and what happens when things go wrong.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <abut/hybrid/compliant_system.hpp>
#include <abut/hybrid/cvode_driver.hpp>

#include "../examples/runge_kutta.hpp"
#include "support/hybrid_scene.hpp"

namespace abut {
namespace {

using test::Drop;

TEST(HybridExternal, RungeKuttaFromOutsideFindsTheSameEventsAsCvode) {
  Drop drop(0.1, 0.0, 0.6, 1e7);
  CompliantSystem inside(drop.world), outside(drop.world);
  CvodeOptions options;
  options.relativeTolerance = 1e-11;
  options.absoluteTolerance = 1e-13;
  CvodeDriver driver(inside, options);
  driver.advance(0.6).orThrow();
  RungeKutta integrator(outside, 2e-5);
  integrator.advance(0.6);
  const std::vector<HybridEvent>& a = driver.getRecord().events;
  const std::vector<HybridEvent>& b = integrator.events;
  ASSERT_EQ(a.size(), b.size());
  ASSERT_GE(a.size(), 6u);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].kind, b[i].kind);
    EXPECT_EQ(a[i].pair, b[i].pair);
    EXPECT_NEAR(a[i].time, b[i].time, 1e-8);
    EXPECT_NEAR(a[i].normalSpeed, b[i].normalSpeed, 1e-6);
  }
}

TEST(HybridExternal, AggregateRootsGiveTheSameEvents) {
  const auto eventsOf = [](bool aggregate) {
    Drop drop(0.1, 0.0, 0.6, 1e7);
    CompliantOptions options;
    options.aggregateRoots = aggregate;
    CompliantSystem system(drop.world, options);
    EXPECT_EQ(system.numRoots(), aggregate ? 4u : 300u);
    CvodeDriver driver(system);
    driver.advance(0.6).orThrow();
    return driver.getRecord().events;
  };
  const std::vector<HybridEvent> a = eventsOf(false), b = eventsOf(true);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].kind, b[i].kind);
    EXPECT_NEAR(a[i].time, b[i].time, 1e-7);
  }
}

TEST(HybridExternal, DenseOutputFollowsTheParabola) {
  Drop drop(1.0, 0.0, 0.6, 1e7);
  CompliantSystem system(drop.world);
  CvodeOptions options;
  options.recordInterval = 0.01;
  CvodeDriver driver(system, options);
  driver.advance(0.4).orThrow();
  const HybridRecord& record = driver.getRecord();
  ASSERT_EQ(record.times.size(), 41u);
  for (std::size_t i = 0; i < record.times.size(); ++i) {
    EXPECT_NEAR(record.times[i], 0.01 * static_cast<double>(i), 1e-14);
    EXPECT_NEAR(record.getSample(i)[2], 1.1 - 0.5 * 9.81 * record.times[i] * record.times[i], 1e-7);
  }
}

TEST(HybridExternal, TooManyContactsStopWithTimePairAndRemedyAndKeepTheRecord) {
  World world(test::gravityAlongZ(-9.81));
  const MaterialId id = test::addMaterial(world, 0.5, 0.0, 1e6);
  world.addBody(test::fixedBody(), std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)), id);
  for (int i = 0; i < 3; ++i) {
    world.addBody(test::movingBody({i * 1.0, 0, 0.1 + 0.01 * (i + 1)}),
                  std::make_shared<SphereShape>(0.1), id);
  }
  CompliantOptions options;
  options.events.nzMax = 1;
  CompliantSystem system(world, options);
  CvodeOptions cvode;
  cvode.recordInterval = 1e-3;
  CvodeDriver driver(system, cvode);
  const Status status = driver.advance(1.0);
  EXPECT_EQ(status.getCode(), StatusCode::LimitExceeded);
  for (const char* part : {"t = 0.0", "pair 1/", "nzMax is 1", "raise nzMax"}) {
    EXPECT_NE(status.getMessage().find(part), std::string::npos) << status.getMessage();
  }
  EXPECT_EQ(driver.getRecord().events.size(), 1u);
  EXPECT_NEAR(driver.getRecord().events[0].touchTime, std::sqrt(2 * 0.01 / 9.81), 1e-6);
  EXPECT_GT(driver.getRecord().times.size(), 40u);
  EXPECT_GT(driver.getTime(), 0.045);
}

/// y' = 1. Either with a wall at t = 1 behind which nothing is finite, or with a root at t = 0.5
/// that is there again after each event.
struct Broken : HybridSystem {
  bool chatters = false;
  [[nodiscard]] std::size_t numStates() const override { return 1; }
  [[nodiscard]] std::size_t numRoots() const override { return 1; }
  [[nodiscard]] double getStartTime() const override { return 0.0; }
  void getState(std::span<double> y) const override { y[0] = 0.0; }
  Status initialize(double, std::span<const double>) override { return {}; }
  Status computeDerivatives(double t, std::span<const double>, std::span<double> d) override {
    d[0] = 1.0;
    if (chatters || t <= 1.0) return {};
    return Status::failure(StatusCode::NonFinite, "the wall");
  }
  Status computeRoots(double, std::span<const double> y, std::span<double> z) override {
    z[0] = chatters ? 0.5 - y[0] : 1.0;
    return {};
  }
  Status handleEvent(double, std::span<double> y, std::vector<HybridEvent>& events) override {
    y[0] = 0.5 - 1e-16;  // Back to where it came from: z = 0.5 - y is positive, barely.
    events.emplace_back();
    return {};
  }
  [[nodiscard]] ObjectPair getRootPair(std::size_t) const override { return {7, 9}; }
};

TEST(HybridExternal, AFailingIntegratorStopsWithTimePairAndRemedy) {
  Broken system;
  CvodeOptions options;
  options.recordInterval = 0.1;
  CvodeDriver driver(system, options);
  const Status status = driver.advance(2.0);
  EXPECT_FALSE(status.isOk());
  for (const char* part : {"t = ", "pair 7/9", "the wall"}) {
    EXPECT_NE(status.getMessage().find(part), std::string::npos) << status.getMessage();
  }
  EXPECT_GE(driver.getRecord().times.size(), 9u);
  EXPECT_LE(driver.getTime(), 1.0 + 1e-12);
}

TEST(HybridExternal, TooMuchWorkStopsWithTheRemedy) {
  Drop drop(0.08, 0.0, 0.5, 1e7);
  CompliantSystem system(drop.world);
  CvodeOptions options;
  options.maxStepsBetweenEvents = 20;
  options.maxStep = 1e-3;
  CvodeDriver driver(system, options);
  const Status status = driver.advance(1.0);
  EXPECT_EQ(status.getCode(), StatusCode::NotConverged);
  for (const char* part : {"t = 0.0", "pair 1/2", "20 steps", "raise maxStepsBetweenEvents"}) {
    EXPECT_NE(status.getMessage().find(part), std::string::npos) << status.getMessage();
  }
}

TEST(HybridExternal, AnEventThatCannotBeLocatedStopsWithTimePairAndRemedy) {
  Broken system;
  system.chatters = true;
  CvodeDriver driver(system);
  const Status status = driver.advance(2.0);
  EXPECT_EQ(status.getCode(), StatusCode::NotConverged);
  for (const char* part : {"t = 0.5", "pair 7/9", "cannot be located", "raise zEps"}) {
    EXPECT_NE(status.getMessage().find(part), std::string::npos) << status.getMessage();
  }
  EXPECT_GT(driver.getRecord().events.size(), 99u);
}

TEST(HybridExternal, BadRequestsAreRefused) {
  Drop drop(1.0, 0.0, 0.5, 1e7);
  CompliantSystem system(drop.world);
  CvodeOptions bad;
  bad.relativeTolerance = 0.0;
  EXPECT_THROW(CvodeDriver(system, bad), Error);
  bad = {};
  bad.recordInterval = std::nan("");
  EXPECT_THROW(CvodeDriver(system, bad), Error);
  CvodeDriver driver(system);
  EXPECT_EQ(driver.advance(-1.0).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(driver.advance(std::nan("")).getCode(), StatusCode::NonFinite);
  EXPECT_EQ(system.setForce(99, {0, 0, 0}, {0, 0, 0}).getCode(), StatusCode::UnknownObject);
  CompliantOptions options;
  options.frictionVelocity = 0.0;
  EXPECT_THROW(CompliantSystem(drop.world, options), Error);
}

}  // namespace
}  // namespace abut
