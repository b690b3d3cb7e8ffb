// SPDX-License-Identifier: MIT
// Exact bounce times, Galperin's collision counts, Newton's cradle: impacts located in time.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <abut/hybrid/compliant_system.hpp>
#include <abut/hybrid/impact_simulation.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/box_shape.hpp>

#include "support/hybrid_scene.hpp"

namespace abut {
namespace {

using test::Drop;
constexpr double kG = 9.81;

TEST(ImpactSimulation, BallDroppedOneMetreLandsAtTheExactTime) {
  Drop drop(1.0, 0.0, 0.8, 1e9);
  ImpactSimulation simulation(drop.world);
  simulation.advance(0.5).orThrow();
  ASSERT_EQ(simulation.getRecord().events.size(), 1u);
  EXPECT_NEAR(simulation.getRecord().events[0].time, std::sqrt(2.0 / kG), 1e-13);
  EXPECT_NEAR(simulation.getRecord().events[0].normalSpeed, -std::sqrt(2.0 * kG), 1e-12);
}

TEST(ImpactSimulation, BouncesFormTheGeometricSeriesAndEndAsAContact) {
  // Fall sqrt(2 h/g), then flights of 2 e^n sqrt(2 h/g): all over at sqrt(2 h/g) (1+e)/(1-e).
  const double e = 0.8, fall = std::sqrt(2.0 / kG);
  Drop drop(1.0, 0.0, e, 1e9);
  ImpactSimulation simulation(drop.world);
  simulation.advance(6.0).orThrow();
  const std::vector<HybridEvent>& events = simulation.getRecord().events;
  double time = fall, flight = 2 * fall;
  std::size_t impacts = 0;
  for (const HybridEvent& event : events) {
    if (event.kind != HybridEventKind::Impact) break;
    EXPECT_NEAR(event.time, time, 1e-10) << impacts;
    flight *= e;
    time += flight;
    ++impacts;
  }
  EXPECT_GT(impacts, 80u);
  EXPECT_LT(impacts, 120u);
  EXPECT_NEAR(events[impacts - 1].time, 4.063712769, 1e-6);
  ASSERT_EQ(events.size(), impacts + 1);
  EXPECT_EQ(events.back().kind, HybridEventKind::ContactBegin);
  EXPECT_NEAR(events.back().time, 4.063712769, 1e-6);
  ASSERT_EQ(simulation.getRestingPairs().size(), 1u);
  BodyMotion motion;
  simulation.getMotion(drop.ball, motion).orThrow();
  EXPECT_NEAR(motion.centerOfMass.z(), 0.1, 1e-9);
  EXPECT_LT(std::fabs(motion.linearVelocity.z()), 1e-12);
}

TEST(ImpactSimulation, ApexesShrinkByTheSquareOfRestitution) {
  const double e = 0.8, fall = std::sqrt(2.0 / kG);
  Drop drop(1.0, 0.0, e, 1e9);
  ImpactSimulation simulation(drop.world);
  double time = fall, height = 1.0;
  for (int i = 1; i <= 20; ++i) {
    height *= e * e;
    time += std::sqrt(2 * height / kG);
    simulation.advance(time).orThrow();
    BodyMotion motion;
    simulation.getMotion(drop.ball, motion).orThrow();
    EXPECT_NEAR(motion.centerOfMass.z() - 0.1, height, 1e-9) << i;
    time += std::sqrt(2 * height / kG);
  }
}

TEST(ImpactSimulation, ElasticBouncesKeepTheEnergyToRounding) {
  Drop drop(1.0, 0.0, 1.0, 1e9);
  ImpactSimulation simulation(drop.world);
  const double before = simulation.energy();
  simulation.advance(900.0).orThrow();
  EXPECT_GT(simulation.numImpacts(), 990);
  EXPECT_NEAR(simulation.energy() / before, 1.0, 1e-12);
}

TEST(ImpactSimulation, CollisionsOfTwoBlocksAndAWallCountTheDigitsOfPi) {
  // Galperin: 1 kg between a wall and 100^k kg that comes in: floor(pi 10^k) collisions.
  const long expected[] = {3, 31, 314, 3141, 31415};
  for (int k = 0; k <= 4; ++k) {
    World world(test::gravityAlongZ(0.0));
    const MaterialId id = test::addMaterial(world, 1.0, 0.0);
    world.addBody(test::fixedBody(), std::make_shared<PlaneShape>(Eigen::Vector3d(1, 0, 0)), id);
    BodyDescription small = test::movingBody({1.0, 0, 0});
    small.mass = 1.0;
    const ObjectId light = world.addBody(small, std::make_shared<SphereShape>(0.1), id);
    BodyDescription large = test::movingBody({2.0, 0, 0}, {-1, 0, 0});
    large.mass = std::pow(100.0, k);
    const ObjectId heavy = world.addBody(large, std::make_shared<SphereShape>(0.1), id);
    ImpactOptions options;
    options.longestFlight = 1e6;
    ImpactSimulation simulation(world, options);
    simulation.advance(1e6).orThrow();
    EXPECT_EQ(simulation.numImpacts(), expected[k]) << k;
    BodyMotion a, b;
    simulation.getMotion(light, a).orThrow();
    simulation.getMotion(heavy, b).orThrow();
    EXPECT_GE(a.linearVelocity.x(), 0.0);
    EXPECT_GE(b.linearVelocity.x(), a.linearVelocity.x());
    EXPECT_NEAR(simulation.energy() / (0.5 * large.mass), 1.0, 1e-11);
  }
}

TEST(ImpactSimulation, FiveTouchingBallsPassTheBlowOn) {
  World world(test::gravityAlongZ(0.0));
  const MaterialId id = test::addMaterial(world, 1.0, 0.0);
  std::vector<ObjectId> balls;
  for (int i = 0; i < 5; ++i) {
    const double x = i == 0 ? -0.5 : 0.2 * i;
    balls.push_back(world.addBody(test::movingBody({x, 0, 0}, {i == 0 ? 1.0 : 0.0, 0, 0}),
                                  std::make_shared<SphereShape>(0.1), id));
  }
  ImpactSimulation simulation(world);
  simulation.advance(1.0).orThrow();
  const double expected[] = {0, 0, 0, 0, 1};
  for (std::size_t i = 0; i < balls.size(); ++i) {
    BodyMotion motion;
    simulation.getMotion(balls[i], motion).orThrow();
    EXPECT_NEAR(motion.linearVelocity.x(), expected[i], 1e-12) << i;
  }
  EXPECT_EQ(simulation.numImpacts(), 4);
  EXPECT_NEAR(simulation.getRecord().events[0].time, 0.5, 1e-13);
}

TEST(ImpactSimulation, ObliqueImpactOfBallsIsLocatedToRounding) {
  // Centres 0.6 apart across the motion, radii 0.5: they meet 0.8 apart along it, after 2 - 0.8.
  World world(test::gravityAlongZ(0.0));
  const MaterialId id = test::addMaterial(world, 1.0, 0.0);
  world.addBody(test::movingBody({0, 0, 0}), std::make_shared<SphereShape>(0.5), id);
  world.addBody(test::movingBody({-2, 0.6, 0}, {1, 0, 0}), std::make_shared<SphereShape>(0.5), id);
  ImpactSimulation simulation(world);
  const double before = simulation.energy();
  simulation.advance(3.0).orThrow();
  ASSERT_EQ(simulation.getRecord().events.size(), 1u);
  EXPECT_NEAR(simulation.getRecord().events[0].time, 1.2, 1e-13);
  EXPECT_NEAR(simulation.energy() / before, 1.0, 1e-14);
}

TEST(ImpactSimulation, TumblingBoxBouncesWithoutEverOverlapping) {
  World world(test::gravityAlongZ(-kG));
  const MaterialId id = test::addMaterial(world, 0.6, 0.4);
  world.addBody(test::fixedBody(), std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)), id);
  BodyDescription d = test::movingBody({0, 0, 1.0}, {0.3, 0, 0});
  d.angularVelocity = {3, 2, 1};
  const auto shape = std::make_shared<BoxShape>(Eigen::Vector3d(0.1, 0.2, 0.3));
  const ObjectId box = world.addBody(d, shape, id);
  ImpactSimulation simulation(world);
  double energy = simulation.energy();
  const PlaneShape floor(Eigen::Vector3d(0, 0, 1));
  for (int i = 1; i <= 60; ++i) {
    simulation.advance(0.01 * i).orThrow();
    BodyMotion motion;
    simulation.getMotion(box, motion).orThrow();
    DistanceResult gap;
    distance({shape.get(), motion.pose, 2}, {&floor, {}, 1}, gap).orThrow();
    EXPECT_GE(gap.distance, -1e-12);
    EXPECT_LE(simulation.energy(), energy * (1 + 1e-12));
    energy = simulation.energy();
  }
  EXPECT_GE(simulation.numImpacts(), 1);
  // Later it rocks on its edges, which touch all the time, and comes to rest on a face: m g 0.1 m.
  simulation.advance(3.0).orThrow();
  EXPECT_NEAR(simulation.energy(), 48.0 * kG * 0.1, 1e-5);
  EXPECT_EQ(simulation.getRestingPairs().size(), 1u);
}

TEST(ImpactSimulation, OrderOfInsertionChangesNoBit) {
  const auto run = [](bool reversed) {
    World world(test::gravityAlongZ(-kG));
    const MaterialId id = test::addMaterial(world, 0.9, 0.3);
    std::vector<BodyDescription> bodies;
    for (int i = 0; i < 12; ++i) {
      BodyDescription d = test::movingBody({0.15 * (i % 3), 0.16 * (i / 3 % 2), 0.3 + 0.22 * i});
      d.id = static_cast<ObjectId>(i) + 2;
      bodies.push_back(d);
    }
    if (reversed) std::reverse(bodies.begin(), bodies.end());
    BodyDescription floor = test::fixedBody();
    floor.id = 1;
    world.addBody(floor, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)), id);
    for (const BodyDescription& d : bodies) {
      world.addBody(d, std::make_shared<SphereShape>(0.1), id);
    }
    ImpactSimulation simulation(world);
    simulation.advance(1.0).orThrow();
    EXPECT_GT(simulation.numImpacts(), 10);
    return simulation.energy();
  };
  EXPECT_EQ(run(false), run(true));
}

TEST(ImpactSimulation, BodyThatDoesNotBounceSlidesToRestOnTheFloor) {
  // 1 m/s against mu = 0.3: v^2/(2 mu g) = 0.16989 m.
  Drop drop(0.0, 0.0, 0.0, 1e9, kG, 0.3);
  BodyDescription d = test::movingBody({0, 0, 0.1}, {1, 0, 0});
  d.locks = kLockRotation;
  World world(test::gravityAlongZ(-kG));
  const MaterialId id = test::addMaterial(world, 0.0, 0.3);
  world.addBody(test::fixedBody(), std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)), id);
  const ObjectId ball = world.addBody(d, std::make_shared<SphereShape>(0.1), id);
  ImpactSimulation simulation(world);
  simulation.advance(1.0).orThrow();
  BodyMotion motion;
  simulation.getMotion(ball, motion).orThrow();
  EXPECT_NEAR(motion.centerOfMass.x(), 1.0 / (2 * 0.3 * kG), 1e-5);
  EXPECT_NEAR(motion.centerOfMass.z(), 0.1, 1e-9);
  EXPECT_NEAR(motion.linearVelocity.x(), 0.0, 1e-12);
}

TEST(ImpactSimulation, SamplesLieOnTheParabola) {
  Drop drop(1.0, 0.0, 0.8, 1e9);
  ImpactOptions options;
  options.recordInterval = 0.05;
  ImpactSimulation simulation(drop.world, options);
  simulation.advance(0.4).orThrow();
  const HybridRecord& record = simulation.getRecord();
  ASSERT_EQ(record.times.size(), 9u);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_NEAR(record.getSample(i)[2], 1.1 - 0.5 * kG * record.times[i] * record.times[i], 1e-14);
  }
}

TEST(ImpactSimulation, ABodyThatIsCrushedStopsTheRunWithTimePairAndRemedy) {
  // A driven ball pushes another into a wall at x = 0: nothing can give way from t = 0.6 s on.
  World world(test::gravityAlongZ(0.0));
  const MaterialId id = test::addMaterial(world, 0.0, 0.0);
  world.addBody(test::fixedBody(), std::make_shared<PlaneShape>(Eigen::Vector3d(1, 0, 0)), id);
  world.addBody(test::movingBody({0.4, 0, 0}), std::make_shared<SphereShape>(0.1), id);
  BodyDescription piston = test::movingBody({0.9, 0, 0}, {-1, 0, 0});
  piston.type = BodyType::Kinematic;
  world.addBody(piston, std::make_shared<SphereShape>(0.1), id);
  ImpactOptions options;
  options.recordInterval = 0.01;
  ImpactSimulation simulation(world, options);
  const Status status = simulation.advance(1.0);
  EXPECT_EQ(status.getCode(), StatusCode::NotConverged);
  for (const char* part : {"t = 0.", "pair ", "raise"}) {
    EXPECT_NE(status.getMessage().find(part), std::string::npos) << status.getMessage();
  }
  EXPECT_NEAR(simulation.getTime(), 0.6, 1e-9);
  EXPECT_GE(simulation.getRecord().times.size(), 60u);
  EXPECT_FALSE(simulation.getRecord().events.empty());
}

TEST(ImpactSimulation, BadRequestsAreRefused) {
  Drop drop(1.0, 0.0, 0.8, 1e9);
  ImpactOptions options;
  options.slowestImpact = 0.0;
  EXPECT_THROW(ImpactSimulation(drop.world, options), Error);
  ImpactSimulation simulation(drop.world);
  EXPECT_EQ(simulation.advance(-1.0).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(simulation.advance(std::nan("")).getCode(), StatusCode::NonFinite);
  BodyMotion motion;
  EXPECT_EQ(simulation.getMotion(99, motion).getCode(), StatusCode::UnknownObject);
}

TEST(ImpactSimulation, WhatItWouldIgnoreIsRefused) {
  Drop rolling(1.0, 0.0, 0.8, 1e9);
  Material m;
  m.rollingResistance = 1e-3;
  MaterialId id = 0;
  rolling.world.materials().add(m, id).orThrow();
  EXPECT_THROW(ImpactSimulation{rolling.world}, Error);
  // Not for ever.
  Drop smooth(1.0, 0.0, 0.8, 1e9);
  const PairMaterial plain = smooth.world.materials().between(0, 0);
  PairMaterial rough = plain;
  rough.rollingResistance = 1e-3;
  smooth.world.materials().setPair(0, 0, rough).orThrow();
  EXPECT_THROW(ImpactSimulation{smooth.world}, Error);
  smooth.world.materials().setPair(0, 0, plain).orThrow();
  EXPECT_NO_THROW(ImpactSimulation{smooth.world});
  Drop driven(1.0, 0.0, 0.8, 1e9);
  BodyDescription d = test::movingBody({5, 0, 1});
  d.type = BodyType::Kinematic;
  const ObjectId carrier = driven.world.addBody(d, std::make_shared<SphereShape>(0.1));
  EXPECT_NO_THROW(ImpactSimulation{driven.world});
  PathPoint start, end;
  start.position = {5, 0, 1};
  end.position = {6, 0, 1};
  end.time = 1.0;
  const PathPoint path[] = {start, end};
  driven.world.setPath(carrier, path).orThrow();
  EXPECT_THROW(ImpactSimulation{driven.world}, Error);
  EXPECT_THROW(CompliantSystem{driven.world}, Error);
}

}  // namespace
}  // namespace abut
