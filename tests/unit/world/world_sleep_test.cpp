// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

#include "support/allocations.hpp"

namespace abut {
namespace {

constexpr double kStep = 1.0 / 60.0, kG = 9.81;
constexpr ObjectId kGround = 1, kFirst = 2, kFar = 100;

std::shared_ptr<const Shape> cube() {
  static const auto shape = std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5));
  return shape;
}

void addGround(World& world) {
  BodyDescription d;
  d.id = kGround;
  d.type = BodyType::Static;
  world.addBody(d, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
}

void addCube(World& world, ObjectId id, const Eigen::Vector3d& at) {
  BodyDescription d;
  d.id = id;
  d.position = at;
  d.mass = 1.0;
  world.addBody(d, cube());
}

/// Options of either scheme with sleeping.
WorldOptions withSleep(bool realTime) {
  WorldOptions options = realTime ? WorldOptions::realTime() : WorldOptions{};
  options.sleeping = true;
  return options;
}

/// A step whose books close, in which nothing gives energy to bodies.
void step(World& world, double dt = kStep) {
  world.step(dt).orThrow();
  const EnergyAccount& books = world.getStepLedger();
  ASSERT_LE(std::fabs(books.residual()), 1e-12 * books.largestEntry());
  const double gain = (books.kineticAfter + books.potentialAfter) -
                      (books.kineticBefore + books.potentialBefore) - books.drivers - books.forces -
                      books.correction;
  ASSERT_LE(gain, 1e-12 * books.largestEntry());
}

void run(World& world, int steps) {
  for (int i = 0; i < steps; ++i) step(world);
}

BodyMotion motionOf(const World& world, ObjectId id) {
  BodyMotion motion;
  world.getMotion(id, motion).orThrow();
  return motion;
}

bool sameBits(const BodyMotion& a, const BodyMotion& b) {
  return std::memcmp(&a.pose, &b.pose, sizeof a.pose) == 0 &&
         std::memcmp(&a.orientation, &b.orientation, sizeof a.orientation) == 0 &&
         a.linearVelocity == b.linearVelocity && a.angularVelocity == b.angularVelocity;
}

class Sleep : public testing::TestWithParam<bool> {
protected:
  /// Four cubes on each other, ids 2 to 5, dropped by 2 cm each.
  World tower() {
    World world(withSleep(GetParam()));
    addGround(world);
    for (ObjectId i = 0; i < 4; ++i) {
      addCube(world, kFirst + i, {0.01 * static_cast<double>(i), 0, 0.5 + static_cast<double>(i)});
    }
    return world;
  }
  World sleepingTower() {
    World world = tower();
    run(world, 120);
    EXPECT_EQ(world.getReport().asleep, 4u);
    return world;
  }
};

INSTANTIATE_TEST_SUITE_P(Schemes, Sleep, testing::Bool(),
                         [](const auto& scheme) { return scheme.param ? "RealTime" : "Exact"; });

TEST_P(Sleep, TowerFallsAsleepAsAWholeAndStaysToTheBit) {
  World world = tower();
  int asleepAt = -1;
  for (int i = 0; i < 300 && asleepAt < 0; ++i) {
    step(world);
    const std::size_t asleep = world.getReport().asleep;
    ASSERT_TRUE(asleep == 0 || asleep == 4);
    if (asleep == 4) asleepAt = i;
  }
  // Never before it has been still for half a second.
  ASSERT_GE(asleepAt, 29);
  ASSERT_EQ(world.getSleepEvents().size(), 4u);
  for (ObjectId i = 0; i < 4; ++i) {
    EXPECT_EQ(world.getSleepEvents()[i].body, kFirst + i);
    EXPECT_EQ(world.getSleepEvents()[i].kind, SleepEvent::Kind::FallAsleep);
    EXPECT_TRUE(world.isAsleep(kFirst + i));
  }
  std::vector<BodyMotion> before;
  for (ObjectId i = 0; i < 4; ++i) before.push_back(motionOf(world, kFirst + i));
  for (int i = 0; i < 100; ++i) {
    step(world);
    EXPECT_TRUE(world.getSleepEvents().empty());
    const EnergyAccount& books = world.getStepLedger();
    EXPECT_EQ(books.kineticAfter, 0.0);
    EXPECT_EQ(books.potentialAfter, books.potentialBefore);
    EXPECT_EQ(books.impact, 0.0);
  }
  for (ObjectId i = 0; i < 4; ++i) {
    EXPECT_TRUE(sameBits(before[i], motionOf(world, kFirst + i)));
    EXPECT_EQ(before[i].linearVelocity.norm(), 0.0);
  }
}

TEST_P(Sleep, ContactsAndForcesOfWhatSleepsCanBeRead) {
  World world = tower();
  while (world.getReport().asleep == 0) step(world);
  const std::vector<WorldContact> last(world.getContacts().begin(), world.getContacts().end());
  const std::vector<ContactEvent> events(world.getEvents().begin(), world.getEvents().end());
  for (int i = 0; i < 3; ++i) {
    step(world);
    ASSERT_EQ(world.getContacts().size(), last.size());
    ASSERT_EQ(world.getReport().contacts, last.size());
    double onGround = 0.0;
    for (std::size_t k = 0; k < last.size(); ++k) {
      const WorldContact& c = world.getContacts()[k];
      EXPECT_EQ(c.id, last[k].id);
      EXPECT_EQ(c.normalForce, last[k].normalForce);
      EXPECT_EQ(c.frictionForce, last[k].frictionForce);
      EXPECT_EQ(c.position, last[k].position);
      EXPECT_EQ(c.friction, last[k].friction);
      EXPECT_EQ(c.slip.norm(), 0.0);
      EXPECT_EQ(c.island, kNoIsland);
      if (c.object1 == kGround) onGround += c.normalForce;
    }
    EXPECT_NEAR(onGround, 4 * kG, 4 * kG * (GetParam() ? 1e-2 : 1e-8));
    ASSERT_EQ(world.getEvents().size(), events.size());
    for (std::size_t k = 0; k < events.size(); ++k) {
      EXPECT_EQ(world.getEvents()[k].kind, ContactEvent::Kind::Persist);
      EXPECT_EQ(world.getEvents()[k].since, events[k].since);
      EXPECT_LE((world.getEvents()[k].impulse - events[k].impulse).norm(), 1e-12);
    }
  }
}

TEST_P(Sleep, ABodyThatHitsWakesTheTower) {
  World world = sleepingTower();
  BodyDescription d;
  d.id = 50;
  d.position = {0, 0, 8};
  world.addBody(d, std::make_shared<SphereShape>(0.2));
  int woken = 0;
  for (int i = 0; i < 120 && woken == 0; ++i) {
    ASSERT_TRUE(world.isAsleep(kFirst));
    step(world);
    for (const SleepEvent& e : world.getSleepEvents()) {
      woken += e.kind == SleepEvent::Kind::WakeUp ? 1 : 0;
    }
  }
  EXPECT_EQ(woken, 4);
  // It waited until the ball was there: 8 m - 0.2 m, down to the top at 4 m, and what it covers in
  // a step, sqrt(2 g h) dt = 0.15 m, with the margin of 1 cm.
  EXPECT_LT(motionOf(world, 50).centerOfMass.z(), 4.2 + 0.2);
}

TEST_P(Sleep, FastBodyDoesNotPassThroughWhatSleeps) {
  World world = sleepingTower();
  BodyDescription d;
  d.id = 50;
  d.position = {-30, 0, 2.5};
  d.linearVelocity = {900, 0, 0};
  d.mass = 0.01;
  world.addBody(d, std::make_shared<SphereShape>(0.05));
  run(world, 10);
  EXPECT_FALSE(world.isAsleep(kFirst + 2));
  // In front of the cube, wherever it pushed it to.
  const double face = motionOf(world, kFirst + 2).centerOfMass.x() - 0.5;
  EXPECT_LT(motionOf(world, 50).centerOfMass.x(), face);
}

TEST_P(Sleep, RemovingOrMovingASupportWakesWhatRestsOnIt) {
  for (const bool remove : {true, false}) {
    World world = sleepingTower();
    const double top = motionOf(world, kFirst + 3).centerOfMass.z();
    if (remove) {
      ASSERT_TRUE(world.removeBody(kFirst));
    } else {
      ASSERT_TRUE(world.setPose(kFirst, {20, 0, 0.5}, Quat{}));
    }
    for (ObjectId i = 1; i < 4; ++i) EXPECT_FALSE(world.isAsleep(kFirst + i));
    run(world, 10);
    // Free fall of 10 steps: g t^2 / 2 = 0.136 m.
    EXPECT_NEAR(motionOf(world, kFirst + 3).centerOfMass.z(), top - 0.136, 0.02);
  }
  World world = sleepingTower();
  ASSERT_TRUE(world.removeBody(kGround));
  EXPECT_FALSE(world.isAsleep(kFirst + 3));
}

TEST_P(Sleep, CallsThatChangeABodyWakeItsIslandOnly) {
  const auto wakes = [this](auto call) {
    World world = tower();
    addCube(world, kFar, {50, 0, 0.5});
    run(world, 120);
    EXPECT_EQ(world.getReport().asleep, 5u);
    call(world);
    EXPECT_TRUE(world.isAsleep(kFar));
    const bool woken = !world.isAsleep(kFirst) && !world.isAsleep(kFirst + 3);
    step(world);
    EXPECT_EQ(world.getSleepEvents().size(), woken ? 4u : 0u);
    return woken;
  };
  const Eigen::Vector3d zero{0, 0, 0}, x{1, 0, 0};
  EXPECT_TRUE(wakes([&](World& w) { w.wake(kFirst + 1).orThrow(); }));
  EXPECT_TRUE(wakes([&](World& w) { w.applyForce(kFirst + 3, x, zero).orThrow(); }));
  EXPECT_FALSE(wakes([&](World& w) { w.applyForce(kFirst + 3, zero, zero).orThrow(); }));
  EXPECT_TRUE(wakes([&](World& w) { w.setVelocity(kFirst + 2, x, zero).orThrow(); }));
  EXPECT_TRUE(wakes([&](World& w) { w.setPose(kFirst + 3, {0, 5, 3.5}, Quat{}).orThrow(); }));
  EXPECT_TRUE(wakes([&](World& w) {  // A wall that is put into the tower.
    BodyDescription d;
    d.type = BodyType::Static;
    d.position = {0.9, 0, 2};
    w.addBody(d, cube());
  }));
  EXPECT_FALSE(wakes([&](World& w) {
    BodyDescription d;
    d.type = BodyType::Static;
    d.position = {5, 0, 2};
    w.addBody(d, cube());
  }));
  World world = sleepingTower();
  EXPECT_EQ(world.wake(999).getCode(), StatusCode::UnknownObject);
  EXPECT_FALSE(world.isAsleep(999));
  EXPECT_FALSE(world.isAsleep(kGround));
}

TEST_P(Sleep, ChangedMaterialsWakeThoseWhoseContactsTheyConcern) {
  World world(withSleep(GetParam()));
  MaterialId other = 0;
  world.materials().add(Material{}, other).orThrow();
  addGround(world);
  addCube(world, kFirst, {0, 0, 0.5});
  BodyDescription d;
  d.id = kFar;
  d.position = {50, 0, 0.5};
  world.addBody(d, cube(), other);
  run(world, 120);
  ASSERT_EQ(world.getReport().asleep, 2u);
  PairMaterial pair;
  pair.friction = 0.1;
  world.materials().setPair(0, other, pair).orThrow();
  step(world);
  EXPECT_TRUE(world.isAsleep(kFirst));
  EXPECT_FALSE(world.isAsleep(kFar));
}

TEST_P(Sleep, WhatTouchesADriverStaysAwakeAndADriverThatSetsOffWakes) {
  World world(withSleep(GetParam()));
  addGround(world);
  BodyDescription d;
  d.id = 10;
  d.type = BodyType::Kinematic;
  d.position = {0, 0, 0.5};
  world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(3, 3, 0.5)));
  addCube(world, kFirst, {0, 0, 1.5});
  d.id = 11;
  d.position = {50, 0, 0.5};
  d.surfaceVelocity = {1, 0, 0};
  world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(3, 3, 0.5)));
  d = {};
  d.id = kFar;  // Held on the belt.
  d.position = {50, 0, 1.5};
  d.locks = kLockX | kLockRotation;
  world.addBody(d, cube());
  run(world, 120);
  EXPECT_TRUE(world.isAsleep(kFirst));
  EXPECT_FALSE(world.isAsleep(kFar));
  ASSERT_TRUE(world.setVelocity(10, {0, 0, 0.1}, {0, 0, 0}));
  world.step(kStep).orThrow();
  EXPECT_FALSE(world.isAsleep(kFirst));
  EXPECT_NEAR(motionOf(world, kFirst).linearVelocity.z(), 0.1, 1e-6);
}

TEST_P(Sleep, LossOfFallingAsleepIsBooked) {
  World world(withSleep(GetParam()));
  addGround(world);
  // A ball that rolls slower than what counts as motion: 1e-3 g dt, in real time 0.3 g dt.
  const double v = (GetParam() ? 0.1 : 2e-4) * kG * kStep;
  BodyDescription d;
  d.id = kFirst;
  d.mass = 1.0;
  d.position = {0, 0, 0.5};
  d.linearVelocity = {v, 0, 0};
  d.angularVelocity = {0, v / 0.5, 0};
  world.addBody(d, std::make_shared<SphereShape>(0.5));
  while (!world.isAsleep(kFirst)) step(world);
  const EnergyAccount& books = world.getStepLedger();
  // Linear and rotational: 7/10 m v^2.
  EXPECT_NEAR(books.impact, -0.7 * v * v, 1e-4 * v * v);
  EXPECT_EQ(books.kineticAfter, 0.0);
  const EnergyAccount& total = world.getLedger();
  EXPECT_LE(std::fabs(total.residual()), 1e-12 * total.largestEntry());
}

/// A heap that comes to rest in three islands.
World heap(const WorldOptions& options, const std::vector<int>& order, bool withFarBodies) {
  World world(options);
  if (withFarBodies) {
    for (ObjectId id = 200; id < 210; ++id) {
      addCube(world, id,
              {1000.0 + 1.5 * static_cast<double>(id), 0, 0.5 + 0.3 * static_cast<double>(id % 3)});
    }
  }
  for (const int i : order) {
    if (i == 0) {
      addGround(world);
    } else {
      addCube(world, static_cast<ObjectId>(i) + 1,
              {4.0 * (i % 3) + 0.1 * (i % 2), 0.05 * (i % 5), 0.5 + 1.01 * (i / 3)});
    }
  }
  return world;
}

TEST_P(Sleep, OrderOfInsertionAndBodiesFarAwayChangeNoBit) {
  std::vector<int> order;
  for (int i = 0; i < 13; ++i) order.push_back(i);
  World forward = heap(withSleep(GetParam()), order, false);
  World far = heap(withSleep(GetParam()), order, true);
  std::reverse(order.begin(), order.end());
  World backward = heap(withSleep(GetParam()), order, false);
  std::size_t most = 0, least = 100;
  for (int i = 0; i < 130; ++i) {
    if (i == 80) {
      for (World* w : {&forward, &backward, &far}) {
        w->setVelocity(5, {0, 0, 2}, {0, 1, 0}).orThrow();
      }
    }
    for (World* w : {&forward, &backward, &far}) step(*w);
    ASSERT_EQ(forward.hash(), backward.hash()) << "step " << i;
    for (ObjectId id = 2; id < 14; ++id) {
      ASSERT_TRUE(sameBits(motionOf(forward, id), motionOf(far, id))) << i << " body " << id;
      ASSERT_EQ(forward.isAsleep(id), far.isAsleep(id));
    }
    most = std::max(most, forward.getReport().asleep);
    if (i > 80) least = std::min(least, forward.getReport().asleep);
  }
  EXPECT_GE(most, 8u);
  EXPECT_LT(least, most);
}

TEST_P(Sleep, SnapshotOfWhatSleepsGoesOnBitForBit) {
  std::vector<int> order;
  for (int i = 0; i < 13; ++i) order.push_back(i);
  for (const int steps : {20, 40, 100}) {
    World first = heap(withSleep(GetParam()), order, false);
    run(first, steps);
    if (steps == 100) first.wake(5).orThrow();
    World second = heap(WorldOptions{}, {3, 0, 1}, false);
    const std::vector<std::byte> bytes = first.snapshot();
    ASSERT_TRUE(second.restore(bytes));
    EXPECT_EQ(first.hash(), second.hash());
    EXPECT_EQ(second.snapshot(), bytes);
    for (int i = 0; i < 60; ++i) {
      if (i == 30) {
        first.setVelocity(4, {0, 0, 1}, {0, 0, 0}).orThrow();
        second.setVelocity(4, {0, 0, 1}, {0, 0, 0}).orThrow();
      }
      step(first);
      step(second);
      ASSERT_EQ(first.hash(), second.hash()) << "step " << i << " after " << steps;
      ASSERT_EQ(first.getContacts().size(), second.getContacts().size());
      ASSERT_EQ(first.getEvents().size(), second.getEvents().size());
      ASSERT_EQ(first.getSleepEvents().size(), second.getSleepEvents().size());
    }
  }
}

TEST_P(Sleep, StepThatFailsPutsWhatItWokeBackToSleep) {
  World world = sleepingTower();
  BodyDescription d;
  d.id = 50;
  d.position = {0, 0, 4.205};
  d.mass = 1e-6;
  world.addBody(d, std::make_shared<SphereShape>(0.2));
  // Far beyond the speed that a body may have.
  ASSERT_TRUE(world.applyForce(50, {1e25, 0, 0}, {0, 0, 0}));
  const std::uint64_t before = world.hash();
  EXPECT_FALSE(world.step(kStep));
  EXPECT_EQ(world.hash(), before);
  EXPECT_TRUE(world.isAsleep(kFirst));
  ASSERT_TRUE(world.applyForce(50, {-1e25, 0, 0}, {0, 0, 0}));
  step(world);
  EXPECT_FALSE(world.isAsleep(kFirst));
}

TEST_P(Sleep, StepAllocatesNothingWhileThingsSleep) {
  World world = sleepingTower();
  addCube(world, kFar, {50, 0, 30});
  run(world, 20);
  const std::size_t before = test::countAllocations();
  run(world, 20);
  EXPECT_EQ(test::countAllocations(), before);
}

TEST_P(Sleep, IsOffUnlessAskedFor) {
  WorldOptions options = withSleep(GetParam());
  options.sleeping = false;
  World world(options);
  addGround(world);
  addCube(world, kFirst, {0, 0, 0.5});
  run(world, 120);
  EXPECT_EQ(world.getReport().asleep, 0u);
  EXPECT_FALSE(WorldOptions{}.sleeping);
  EXPECT_FALSE(WorldOptions::realTime().sleeping);
}

/// With v = n g dt at the start the ball stands still to the bit after n steps, at the top; and
/// with the greatest sleepSpeed it counts as still a step before and a step after too.
TEST_P(Sleep, ABallAtTheTopOfItsFlightDoesNotFallAsleep) {
  const double dt = 1.0 / 64;
  for (const double share : {1e-3, 1.0}) {
    WorldOptions options = withSleep(GetParam());
    options.gravity = {0, 0, -8};
    options.sleepAfter = 1e-12;
    options.sleepSpeed = share;
    World world(options);
    addGround(world);
    addCube(world, kFirst, {0, 0, 50});
    world.setVelocity(kFirst, {0, 0, 4 * 8 * dt}, {0, 0, 0}).orThrow();
    BodyMotion m;
    for (int i = 1; i <= 12; ++i) {
      step(world, dt);
      ASSERT_FALSE(world.isAsleep(kFirst)) << share << ", step " << i;
      world.getMotion(kFirst, m).orThrow();
      ASSERT_EQ(m.linearVelocity[2], (4 - i) * 8 * dt);
    }
  }
}

/// Two cubes side by side that rise together touch, but nothing holds them.
TEST_P(Sleep, CubesThatTouchInFlightDoNotFallAsleep) {
  const double dt = 1.0 / 64;
  WorldOptions options = withSleep(GetParam());
  options.gravity = {0, 0, -8};
  options.sleepAfter = 1e-12;
  options.sleepSpeed = 1.0;
  World world(options);
  for (const ObjectId id : {kFirst, kFirst + 1}) {
    addCube(world, id, {id == kFirst ? 0.0 : 1.0, 0, 50});
    world.setVelocity(id, {0, 0, 4 * 8 * dt}, {0, 0, 0}).orThrow();
  }
  for (int i = 1; i <= 12; ++i) {
    step(world, dt);
    ASSERT_FALSE(world.getContacts().empty());
    ASSERT_FALSE(world.isAsleep(kFirst)) << i;
  }
}

/// What nothing pulls may sleep without support.
TEST_P(Sleep, ABodyAtRestWithoutGravityFallsAsleep) {
  WorldOptions options = withSleep(GetParam());
  options.gravity = {0, 0, 0};
  World world(options);
  addCube(world, kFirst, {0, 0, 0});
  run(world, 60);
  EXPECT_TRUE(world.isAsleep(kFirst));
}

TEST(SleepOptions, ImpossibleOnesAreRefused) {
  WorldOptions options;
  options.sleepAfter = 0.0;
  EXPECT_THROW(World{options}, Error);
  options = {};
  options.sleepSpeed = std::nan("");
  EXPECT_THROW(World{options}, Error);
}

}  // namespace
}  // namespace abut
