// SPDX-License-Identifier: MIT
#include <cmath>
#include <memory>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

#include "support/schemes.hpp"

namespace abut {
namespace {

using Kind = ContactEvent::Kind;

constexpr double kG = 9.81;

ObjectId addGround(World& world) {
  BodyDescription d;
  d.type = BodyType::Static;
  return world.addBody(d, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
}

ObjectId addBall(World& world, const Eigen::Vector3d& at,
                 const Eigen::Vector3d& velocity = {0, 0, 0}) {
  BodyDescription d;
  d.position = at;
  d.linearVelocity = velocity;
  d.mass = 2.0;
  return world.addBody(d, std::make_shared<SphereShape>(0.1));
}

class ContactEvents : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, ContactEvents, test::bothSchemes(), test::schemeName);

class WorldStep : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, WorldStep, test::bothSchemes(), test::schemeName);

TEST_P(ContactEvents, BallThatLandsBeginsOnceAndThenPersistsUnderItsWeight) {
  World world(options());
  const ObjectId ground = addGround(world);
  const ObjectId ball = addBall(world, {0, 0, 0.6});
  // Free fall through 0.5 m: sqrt(2 h / g).
  const double landing = std::sqrt(2 * 0.5 / kG);
  int begun = 0;
  for (int i = 0; i < 60; ++i) {
    const double start = world.getTime();
    ASSERT_TRUE(world.step(1.0 / 60));
    for (const ContactEvent& e : world.getEvents()) {
      EXPECT_EQ(e.object1, ground);
      EXPECT_EQ(e.object2, ball);
      EXPECT_NEAR(e.since, landing, 1e-12);
      if (e.kind != Kind::Begin) continue;
      ++begun;
      EXPECT_GE(e.since, start);
      EXPECT_LE(e.since, world.getTime());
    }
  }
  EXPECT_EQ(begun, 1);
  ASSERT_EQ(world.getEvents().size(), 1u);
  const ContactEvent& e = world.getEvents()[0];
  EXPECT_EQ(e.kind, Kind::Persist);
  // On the ground, object 1, downwards.
  EXPECT_NEAR(e.impulse.z(), -2.0 * kG / 60, 1e-12);
  EXPECT_NEAR(e.normalImpulse, 2.0 * kG / 60, 1e-12);
}

TEST_P(ContactEvents, ImpulsesOfAnImpactAreTheChangeOfMomentum) {
  World world(weightless());
  const ObjectId first = addBall(world, {0, 0, 0}, {3, 0.5, 0});
  addBall(world, {0.3, 0.03, 0});
  Eigen::Vector3d total(0, 0, 0);
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(world.step(1.0 / 60));
    for (const ContactEvent& e : world.getEvents()) total += e.impulse;
  }
  BodyMotion m;
  ASSERT_TRUE(world.getMotion(first, m));
  EXPECT_GT(total.norm(), 1.0);
  EXPECT_LT((2.0 * (m.linearVelocity - Eigen::Vector3d(3, 0.5, 0)) - total).norm(), 1e-14);
}

TEST_P(ContactEvents, RemovedBodyEndsItsPairsInTheNextStep) {
  World world(options());
  addGround(world);
  const ObjectId ball = addBall(world, {0, 0, 0.1});
  addBall(world, {1, 0, 0.1});
  ASSERT_TRUE(world.step(1.0 / 60));
  ASSERT_EQ(world.getEvents().size(), 2u);
  ASSERT_TRUE(world.removeBody(ball));
  ASSERT_TRUE(world.step(1.0 / 60));
  ASSERT_EQ(world.getEvents().size(), 2u);
  EXPECT_EQ(world.getEvents()[0].kind, Kind::End);
  EXPECT_EQ(world.getEvents()[0].object2, ball);
  EXPECT_EQ(world.getEvents()[1].kind, Kind::Persist);
  ASSERT_EQ(world.getEndedPairs().size(), 1u);
  EXPECT_EQ(world.getEndedPairs()[0].second, ball);
  ASSERT_TRUE(world.step(1.0 / 60));
  EXPECT_EQ(world.getEvents().size(), 1u);
}

TEST_P(ContactEvents, TouchBeginsWhenTheSurfacesMeetInsideTheStep) {
  // From rest 10 um above the ground: sqrt(2 h / g), long before the step ends.
  World world(options());
  addGround(world);
  addBall(world, {0, 0, 0.1 + 1e-5});
  ASSERT_TRUE(world.step(1.0 / 60));
  ASSERT_EQ(world.getEvents().size(), 1u);
  EXPECT_NEAR(world.getEvents()[0].since, std::sqrt(2 * 1e-5 / kG), 1e-9);
}

TEST_P(ContactEvents, IslandsOfContactsAreNumberedInEveryStep) {
  WorldOptions sleepy = options();
  sleepy.sleeping = true;
  sleepy.sleepAfter = 0.2;
  World world(sleepy);
  addGround(world);
  ObjectId balls[3];
  for (int i = 0; i < 3; ++i) balls[i] = addBall(world, {2.0 * i, 0, 0.1});
  const auto expectNumbers = [&] {
    ASSERT_EQ(world.getContacts().size(), 3u);
    for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(world.getContacts()[i].island, i);
  };
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(world.step(1.0 / 60));
    expectNumbers();
  }
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(world.step(1.0 / 60));
  ASSERT_TRUE(world.isAsleep(balls[0]));
  EXPECT_EQ(world.getContacts()[0].island, kNoIsland);
  for (const ObjectId id : balls) ASSERT_TRUE(world.wake(id));
  ASSERT_TRUE(world.step(1.0 / 60));
  expectNumbers();
}

TEST_P(ContactEvents, NeighbourhoodWithoutTouchIsNoEvent) {
  World world(options());
  addGround(world);
  addBall(world, {0, 0, 0.105}, {0, 0, 1});  // A gap of 5 mm, well inside the margin, rising.
  ASSERT_TRUE(world.step(1.0 / 60));
  EXPECT_TRUE(world.getEvents().empty());
}

/// Copies of all that a world shows of its last step.
struct Views {
  StepReport report;
  EnergyAccount run, step;
  std::vector<WorldContact> contacts;
  std::vector<DriverReport> drivers;
  std::vector<ContactEvent> events;
  std::vector<ObjectPair> begun, ended;
  std::vector<SleepEvent> sleep;

  explicit Views(const World& w)
      : report(w.getReport()), run(w.getLedger()), step(w.getStepLedger()) {
    const auto copy = [](auto view, auto& to) { to.assign(view.begin(), view.end()); };
    copy(w.getContacts(), contacts);
    copy(w.getDrivers(), drivers);
    copy(w.getEvents(), events);
    copy(w.getBegunPairs(), begun);
    copy(w.getEndedPairs(), ended);
    copy(w.getSleepEvents(), sleep);
  }

  void expectShownBy(const World& w) const {
    const Views now(w);
    EXPECT_EQ(std::tie(report.contacts, report.islands, report.worstError, report.worst1,
                       report.sweeps, report.newtonSteps, report.greatestDepth, report.asleep),
              std::tie(now.report.contacts, now.report.islands, now.report.worstError,
                       now.report.worst1, now.report.sweeps, now.report.newtonSteps,
                       now.report.greatestDepth, now.report.asleep));
    EXPECT_EQ(report.converged, now.report.converged);
    expectSame(run, now.run);
    expectSame(step, now.step);
    ASSERT_EQ(contacts.size(), now.contacts.size());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      EXPECT_EQ(contacts[i].normalForce, now.contacts[i].normalForce);
      EXPECT_EQ(contacts[i].frictionForce, now.contacts[i].frictionForce);
      EXPECT_EQ(contacts[i].position, now.contacts[i].position);
      EXPECT_EQ(contacts[i].id, now.contacts[i].id);
    }
    ASSERT_EQ(drivers.size(), now.drivers.size());
    for (std::size_t i = 0; i < drivers.size(); ++i) {
      EXPECT_EQ(drivers[i].work, now.drivers[i].work);
      EXPECT_EQ(drivers[i].force, now.drivers[i].force);
      EXPECT_EQ(drivers[i].torque, now.drivers[i].torque);
    }
    ASSERT_EQ(events.size(), now.events.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
      EXPECT_EQ(events[i].kind, now.events[i].kind);
      EXPECT_EQ(events[i].impulse, now.events[i].impulse);
      EXPECT_EQ(events[i].since, now.events[i].since);
    }
    EXPECT_EQ(begun, now.begun);
    EXPECT_EQ(ended, now.ended);
    EXPECT_EQ(sleep.size(), now.sleep.size());
  }

  static void expectSame(const EnergyAccount& a, const EnergyAccount& b) {
    EXPECT_EQ(std::tie(a.kineticBefore, a.kineticAfter, a.potentialBefore, a.potentialAfter,
                       a.drivers, a.forces, a.impact, a.friction, a.correction, a.integrator),
              std::tie(b.kineticBefore, b.kineticAfter, b.potentialBefore, b.potentialAfter,
                       b.drivers, b.forces, b.impact, b.friction, b.correction, b.integrator));
  }
};

TEST_P(WorldStep, RefusedStepLeavesContactsAndImpulsesAsTheyWere) {
  World world(options());
  addGround(world);
  BodyDescription belt;
  belt.type = BodyType::Kinematic;
  belt.position = {10, 0, 0};
  belt.linearVelocity = {1, 0, 0};
  world.addBody(belt, std::make_shared<BoxShape>(Eigen::Vector3d(1, 1, 0.1)));
  addBall(world, {10, 0, 0.2});
  addBall(world, {0, 0, 0.1});
  const ObjectId runaway = addBall(world, {50, 0, 5});
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(world.step(1.0 / 60));
  const std::uint64_t before = world.hash();
  ASSERT_TRUE(world.applyForce(runaway, {1e29, 0, 0}, {0, 0, 0}));
  const std::uint64_t forced = world.hash();
  EXPECT_NE(before, forced);
  const Views views(world);
  for (int i = 0; i < 3; ++i) {
    const Status status = world.step(1.0);
    EXPECT_EQ(status.getCode(), StatusCode::OutOfRange) << status.getMessage();
    EXPECT_EQ(status.getObject(), runaway);
    EXPECT_EQ(world.hash(), forced);
    views.expectShownBy(world);
  }
}

}  // namespace
}  // namespace abut
