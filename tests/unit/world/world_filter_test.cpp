// SPDX-License-Identifier: MIT
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/inspect.hpp>
#include <abut/world/world.hpp>

#include "support/allocations.hpp"
#include "support/schemes.hpp"

namespace abut {
namespace {

using test::bothSchemes;
using test::schemeName;

constexpr double kStep = 1.0 / 60.0;

void addGround(World& world, ObjectId id) {
  BodyDescription d;
  d.id = id;
  d.type = BodyType::Static;
  world.addBody(d, PlaneShape({0, 0, 1}));
}

/// A cube of half a metre of half width.
BodyDescription cubeAt(ObjectId id, const Eigen::Vector3d& position) {
  BodyDescription d;
  d.id = id;
  d.position = position;
  return d;
}

void addCube(World& world, const BodyDescription& d) {
  world.addBody(d, BoxShape({0.5, 0.5, 0.5}));
}

void run(World& world, int steps) {
  for (int i = 0; i < steps; ++i) {
    world.step(kStep).orThrow();
    const EnergyAccount& books = world.getStepLedger();
    ASSERT_LE(std::fabs(books.residual()), 1e-12 * books.largestEntry());
  }
}

double heightOf(const World& world, ObjectId id) {
  return world.motion(id).centerOfMass.z();
}

class Filter : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, Filter, bothSchemes(), schemeName);

TEST(BodyFilter, AllowsWhereEachHasTheOthersCategory) {
  const BodyFilter a{1, 2, 0}, b{2, 1, 0}, c{2, 4, 0};
  EXPECT_TRUE(BodyFilter::allows(a, b));
  EXPECT_FALSE(BodyFilter::allows(a, c));
  EXPECT_FALSE(BodyFilter::allows(c, a));
  const BodyFilter never{1, 0xffffffffu, -3}, always{8, 0, 3};
  EXPECT_FALSE(BodyFilter::allows(never, never));
  EXPECT_TRUE(BodyFilter::allows(always, always));
  EXPECT_FALSE(BodyFilter::allows(always, b));
}

/// A cube that may not touch the other falls through it on the ground; ids exchanged as well.
TEST_P(Filter, BodiesThatMayNotTouchPassThroughEachOther) {
  for (const bool swap : {false, true}) {
    for (const int way : {0, 1, 2, 3}) {  // Mask, group, excluded pair, sensor.
      World world(options());
      const ObjectId lower = swap ? 3 : 1, upper = swap ? 1 : 3;
      addGround(world, 2);
      BodyDescription d = cubeAt(lower, {0, 0, 0.5});
      BodyDescription e = cubeAt(upper, {0.1, 0.1, 2.5});
      if (way == 0) d.filter.category = 4, e.filter.mask = ~4u;
      if (way == 1) d.filter.group = e.filter.group = -7;
      if (way == 3) d.filter.mask = 1, d.type = BodyType::Static, d.sensor = true;
      addCube(world, d);
      addCube(world, e);
      if (way == 2) world.excludePair(upper, lower).orThrow();
      run(world, 120);
      EXPECT_NEAR(heightOf(world, upper), 0.5, 2e-3) << way << swap;
      EXPECT_NEAR(heightOf(world, lower), 0.5, 2e-3) << way << swap;
      for (const WorldContact& c : world.getContacts()) {
        EXPECT_TRUE(c.object1 == 2 || c.object2 == 2);
      }
    }
  }
}

TEST_P(Filter, BodiesOfOnePositiveGroupTouchWhateverTheirMasks) {
  World world(options());
  addGround(world, 1);
  BodyDescription d = cubeAt(2, {0, 0, 0.5}), e = cubeAt(3, {0, 0, 1.5});
  d.filter = {2, 1, 5};
  e.filter = {2, 1, 5};
  addCube(world, d);
  addCube(world, e);
  run(world, 60);
  EXPECT_NEAR(heightOf(world, 3), 1.5, 2e-3);
}

/// A ball that crosses the other within a step, on the way of fast pairs and held-back bodies.
TEST_P(Filter, FastBodiesPassTooAndOthersDoNot) {
  for (const bool excluded : {true, false}) {
    World world(weightless());
    BodyDescription d = cubeAt(2, {0, 0, 0});
    addCube(world, d);
    BodyDescription ball;
    ball.id = 1;
    ball.position = {-3, 0.1, 0};
    ball.linearVelocity = {300, 0, 0};
    world.addBody(ball, SphereShape(0.1));
    if (excluded) world.excludePair(1, 2).orThrow();
    run(world, 3);
    const double x = world.motion(1).centerOfMass.x();
    if (excluded) {
      EXPECT_NEAR(x, -3 + 300 * 3 * kStep, 1e-9);
      EXPECT_EQ(world.motion(2).linearVelocity, Eigen::Vector3d(0, 0, 0));
    } else {
      EXPECT_GT(world.motion(2).linearVelocity.x(), 0.0);
      EXPECT_LT(x, world.motion(2).centerOfMass.x());
    }
  }
}

TEST_P(Filter, ChangesWhileRunningHoldFromTheNextStepOn) {
  World world(options());
  addGround(world, 1);
  addCube(world, cubeAt(2, {0, 0, 0.5}));
  addCube(world, cubeAt(3, {0.2, 0, 1.5}));
  run(world, 30);
  EXPECT_NEAR(heightOf(world, 3), 1.5, 2e-3);
  BodyFilter ghost;
  ghost.mask = 1;
  ghost.category = 2;
  world.setFilter(2, {1, 1, 0}).orThrow();
  world.setFilter(3, ghost).orThrow();
  world.step(kStep).orThrow();
  EXPECT_EQ(world.getEndedPairs().size(), 1u);
  run(world, 59);
  EXPECT_NEAR(heightOf(world, 3), 0.5, 2e-3);
  // Now that they overlap they may touch again: they are pushed apart.
  world.setFilter(3, {}).orThrow();
  world.setFilter(2, {}).orThrow();
  world.step(kStep).orThrow();
  EXPECT_GT(world.getReport().greatestDepth, 0.5);
}

TEST_P(Filter, WakesWhatItConcernsAndNothingElse) {
  WorldOptions sleepy = options();
  sleepy.sleeping = true;
  World world(sleepy);
  addGround(world, 1);
  addCube(world, cubeAt(2, {0, 0, 0.5}));
  addCube(world, cubeAt(3, {0, 0, 1.5}));
  addCube(world, cubeAt(4, {9, 0, 0.5}));
  run(world, 120);
  ASSERT_TRUE(world.isAsleep(2) && world.isAsleep(3) && world.isAsleep(4));
  // A ghost that drifts through them wakes nobody.
  BodyDescription ghost = cubeAt(5, {-3, 0, 1.0});
  ghost.filter.mask = 0;
  ghost.gravityScale = 0.0;
  ghost.linearVelocity = {2, 0, 0};
  addCube(world, ghost);
  run(world, 120);
  EXPECT_TRUE(world.isAsleep(2) && world.isAsleep(3) && world.isAsleep(4));
  world.excludePair(3, 2).orThrow();
  EXPECT_FALSE(world.isAsleep(2) || world.isAsleep(3));
  EXPECT_TRUE(world.isAsleep(4));
  run(world, 120);
  EXPECT_NEAR(heightOf(world, 3), 0.5, 2e-3);
  ASSERT_TRUE(world.isAsleep(2) && world.isAsleep(3));
  // The floor lets one of them go.
  world.setFilter(1, {2, 0xffffffffu, 0}).orThrow();
  run(world, 120);
  world.setFilter(4, {1, 1, 0}).orThrow();
  EXPECT_FALSE(world.isAsleep(4));
  run(world, 60);
  EXPECT_LT(heightOf(world, 4), -1.0);
  EXPECT_NEAR(heightOf(world, 3), 0.5, 2e-3);
}

TEST_P(Filter, AreInSnapshotAndHash) {
  const auto build = [](bool shuffled) {
    World world(options());
    const std::vector<ObjectId> order =
        shuffled ? std::vector<ObjectId>{4, 2, 1, 3} : std::vector<ObjectId>{1, 2, 3, 4};
    for (const ObjectId id : order) {
      if (id == 1) {
        addGround(world, 1);
        continue;
      }
      BodyDescription d =
          cubeAt(id, {0.1 * static_cast<double>(id), 0, 1.1 * static_cast<double>(id)});
      if (id == 4) d.filter = {2, ~0u, -1};
      if (id == 3) d.sensor = true;
      addCube(world, d);
    }
    world.excludePair(shuffled ? 4 : 2, shuffled ? 2 : 4).orThrow();
    return world;
  };
  World world = build(false), shuffled = build(true);
  EXPECT_EQ(world.hash(), shuffled.hash());
  run(world, 40);
  run(shuffled, 40);
  EXPECT_EQ(world.hash(), shuffled.hash());
  World copy = build(false);
  copy.restore(world.snapshot()).orThrow();
  EXPECT_EQ(copy.hash(), world.hash());
  run(world, 40);
  run(copy, 40);
  EXPECT_EQ(copy.hash(), world.hash());
  EXPECT_EQ(copy.getSensorEvents().size(), world.getSensorEvents().size());
  // Each change is a change of state, and taking it back restores the hash.
  const std::uint64_t before = world.hash();
  world.includePair(2, 4).orThrow();
  EXPECT_NE(world.hash(), before);
  world.excludePair(2, 4).orThrow();
  EXPECT_EQ(world.hash(), before);
  world.setFilter(2, {8, 8, 0}).orThrow();
  EXPECT_NE(world.hash(), before);
}

TEST_P(Filter, AnExclusionEndsWithItsBody) {
  World world(options());
  addGround(world, 1);
  addCube(world, cubeAt(2, {0, 0, 0.5}));
  addCube(world, cubeAt(3, {0, 0, 1.5}));
  world.excludePair(2, 3).orThrow();
  world.removeBody(3).orThrow();
  addCube(world, cubeAt(3, {0, 0, 1.5}));
  run(world, 60);
  EXPECT_NEAR(heightOf(world, 3), 1.5, 2e-3);
  EXPECT_EQ(world.includePair(2, 3).getCode(), StatusCode::UnknownObject);
}

TEST_P(Filter, DefaultsChangeNoBit) {
  World plain(options()), given(options());
  for (World* world : {&plain, &given}) {
    addGround(*world, 1);
    for (int i = 2; i < 6; ++i) {
      addCube(*world, cubeAt(static_cast<ObjectId>(i), {0.3 * i, 0, 1.2 * i}));
    }
  }
  given.setFilter(3, {1, ~0u, 0}).orThrow();
  run(plain, 60);
  run(given, 60);
  EXPECT_EQ(plain.hash(), given.hash());
}

TEST_P(Filter, BadCallsAreRefusedAndChangeNothing) {
  World world(options());
  addGround(world, 1);
  addCube(world, cubeAt(2, {0, 0, 0.5}));
  const std::uint64_t before = world.hash();
  EXPECT_EQ(world.setFilter(9, {}).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(world.excludePair(2, 2).getCode(), StatusCode::SelfPair);
  EXPECT_EQ(world.excludePair(2, 9).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(world.includePair(1, 2).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(world.setSensor(9, true).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(world.hash(), before);
}

TEST_P(Filter, AllocateNothingInASteadyStep) {
  World world(options());
  addGround(world, 1);
  for (ObjectId id = 2; id < 10; ++id) {
    BodyDescription d = cubeAt(id, {0, 0, 0.4 + 0.1 * static_cast<double>(id)});
    d.filter.group = -1;
    d.sensor = id == 9;
    addCube(world, d);
  }
  world.excludePair(1, 9).orThrow();
  for (int i = 0; i < 200; ++i) world.step(kStep).orThrow();
  const std::size_t before = test::countAllocations();
  for (int i = 0; i < 20; ++i) world.step(kStep).orThrow();
  EXPECT_EQ(test::countAllocations(), before);
}

class Sensor : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, Sensor, bothSchemes(), schemeName);

/// A ball that falls through a gate: it begins, persists and ends; the gate feels nothing.
TEST_P(Sensor, ReportsWhatComesAndGoesWithoutForce) {
  for (const ObjectId gate : {ObjectId{1}, ObjectId{7}}) {
    World world(options());
    BodyDescription d = cubeAt(gate, {0, 0, 0});
    d.type = BodyType::Static;
    d.sensor = true;
    addCube(world, d);
    BodyDescription ball;
    ball.id = 4;
    ball.position = {0, 0, 2};
    world.addBody(ball, SphereShape(0.25));
    int begun = 0, ended = 0, persisted = 0;
    double since = 0.0;
    for (int i = 0; i < 120; ++i) {
      world.step(kStep).orThrow();
      EXPECT_TRUE(world.getContacts().empty());
      for (const SensorEvent& e : world.getSensorEvents()) {
        EXPECT_EQ(e.sensor, gate);
        EXPECT_EQ(e.body, 4u);
        begun += e.kind == SensorEvent::Kind::Begin ? 1 : 0;
        persisted += e.kind == SensorEvent::Kind::Persist ? 1 : 0;
        ended += e.kind == SensorEvent::Kind::End ? 1 : 0;
        const bool inside = e.kind != SensorEvent::Kind::End;
        EXPECT_EQ(inside, std::fabs(heightOf(world, 4)) <= 0.75);
        if (e.kind == SensorEvent::Kind::Begin) since = world.getTime();
        EXPECT_EQ(e.since, since);
      }
    }
    EXPECT_EQ(begun, 1);
    EXPECT_EQ(ended, 1);
    EXPECT_GT(persisted, 5);
    // Free fall, as if nothing were there: exact, or g dt t / 2 ahead at the end of each step.
    const double t = world.getTime();
    EXPECT_NEAR(world.motion(4).linearVelocity.z(), -9.81 * t, 1e-9);
  }
}

TEST_P(Sensor, SeesWhatPassesWithinAStep) {
  World world(weightless());
  BodyDescription d = cubeAt(5, {0, 0, 0});
  d.type = BodyType::Static;
  d.sensor = true;
  addCube(world, d);
  BodyDescription ball;
  ball.id = 2;
  ball.position = {-3, 0, 0};
  ball.linearVelocity = {400, 0, 0};
  world.addBody(ball, SphereShape(0.1));
  ball.id = 3;
  ball.position = {-3, 2, 0};  // Misses it.
  world.addBody(ball, SphereShape(0.1));
  world.step(kStep).orThrow();
  ASSERT_EQ(world.getSensorEvents().size(), 2u);
  EXPECT_EQ(world.getSensorEvents()[0].kind, SensorEvent::Kind::Begin);
  EXPECT_EQ(world.getSensorEvents()[1].kind, SensorEvent::Kind::End);
  EXPECT_EQ(world.getSensorEvents()[1].body, 2u);
  world.step(kStep).orThrow();
  EXPECT_TRUE(world.getSensorEvents().empty());
}

TEST_P(Sensor, HeedsFiltersAndSleepersAndRemovedBodies) {
  WorldOptions sleepy = options();
  sleepy.sleeping = true;
  World world(sleepy);
  addGround(world, 1);
  addCube(world, cubeAt(2, {0, 0, 0.5}));
  BodyDescription other = cubeAt(3, {3, 0, 0.5});
  other.filter.category = 2;
  addCube(world, other);
  run(world, 120);
  ASSERT_TRUE(world.isAsleep(2));
  // A sensor comes over the sleepers: it sees the one it may, and wakes none.
  BodyDescription d = cubeAt(9, {-2, 0, 0.6});
  d.type = BodyType::Kinematic;
  d.linearVelocity = {6, 0, 0};
  d.sensor = true;
  d.filter.mask = 1;
  addCube(world, d);
  std::vector<ObjectId> seen;
  for (int i = 0; i < 60; ++i) {
    world.step(kStep).orThrow();
    for (const SensorEvent& e : world.getSensorEvents()) {
      if (e.kind == SensorEvent::Kind::Begin) seen.push_back(e.body);
    }
  }
  EXPECT_EQ(seen, std::vector<ObjectId>{2});  // It hovers over the floor.
  EXPECT_TRUE(world.isAsleep(2) && world.isAsleep(3));
  world.setPose(9, {0, 0, 0.6}, {}).orThrow();
  world.step(kStep).orThrow();
  world.removeBody(2).orThrow();
  world.step(kStep).orThrow();
  bool ended = false;
  for (const SensorEvent& e : world.getSensorEvents()) {
    ended = ended || (e.body == 2 && e.kind == SensorEvent::Kind::End);
  }
  EXPECT_TRUE(ended);
  // A sensor no more: it pushes.
  world.setSensor(9, false).orThrow();
  world.step(kStep).orThrow();
  EXPECT_TRUE(world.getSensorEvents().empty());
}

}  // namespace
}  // namespace abut
