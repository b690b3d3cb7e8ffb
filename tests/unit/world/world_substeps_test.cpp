// SPDX-License-Identifier: MIT
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
constexpr int kParts = 4;

WorldOptions withSubsteps(bool realTime, int substeps) {
  WorldOptions options = realTime ? WorldOptions::realTime() : WorldOptions{};
  options.substeps = substeps;
  return options;
}

/// A plane, a belt, a kinematic pusher and cubes that fall on them.
World scene(const WorldOptions& options) {
  World world(options);
  BodyDescription d;
  d.type = BodyType::Static;
  world.addBody(d, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
  d.position = {0, 0, 0.25};
  d.surfaceVelocity = {0.5, 0, 0};
  world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(2, 1, 0.25)));
  d = {};
  d.type = BodyType::Kinematic;
  d.position = {3, 0, 0.6};
  d.linearVelocity = {-0.3, 0, 0};
  world.addBody(d, std::make_shared<SphereShape>(0.5));
  for (int i = 0; i < 6; ++i) {
    BodyDescription b;
    b.position = {0.3 * i, 0.1 * (i % 2), 0.9 + 0.65 * i};
    b.angularVelocity = {0.1 * i, 0.5, 0};
    b.mass = 1.0 + i;
    world.addBody(b, std::make_shared<BoxShape>(Eigen::Vector3d(0.3, 0.25, 0.3)));
  }
  return world;
}

/// A plane and three cubes of 1 kg on each other, ids 1 to 4.
std::shared_ptr<const Shape> addTower(World& world) {
  BodyDescription d;
  d.type = BodyType::Static;
  world.addBody(d, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
  d = {};
  d.mass = 1.0;
  const auto cube = std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5));
  for (int i = 0; i < 3; ++i) {
    d.position = {0.02 * i, 0, 0.5 + i};
    world.addBody(d, cube);
  }
  return cube;
}

bool sameBits(const World& a, const World& b) {
  for (ObjectId id = 1; id <= 9; ++id) {
    BodyMotion p, q;
    a.getMotion(id, p).orThrow();
    b.getMotion(id, q).orThrow();
    if (std::memcmp(&p.pose, &q.pose, sizeof p.pose) != 0) return false;
    if (p.linearVelocity != q.linearVelocity || p.angularVelocity != q.angularVelocity)
      return false;
  }
  return true;
}

class Substeps : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(Schemes, Substeps, testing::Bool(),
                         [](const auto& scheme) { return scheme.param ? "RealTime" : "Exact"; });

TEST_P(Substeps, AStepIsThatManyStepsOfAFractionBitForBit) {
  World whole = scene(withSubsteps(GetParam(), kParts));
  World parts = scene(withSubsteps(GetParam(), 1));
  for (int i = 0; i < 45; ++i) {
    double drivers = 0.0, impact = 0.0;
    int sweeps = 0;
    whole.step(kStep).orThrow();
    for (int k = 0; k < kParts; ++k) {
      parts.step(kStep / kParts).orThrow();
      drivers += parts.getStepLedger().drivers;
      impact += parts.getStepLedger().impact;
      sweeps += parts.getReport().sweeps;
    }
    ASSERT_TRUE(sameBits(whole, parts)) << "step " << i;
    ASSERT_EQ(whole.getTime(), parts.getTime());
    ASSERT_EQ(whole.getReport().sweeps, sweeps);
    const EnergyAccount& books = whole.getStepLedger();
    ASSERT_EQ(books.drivers, drivers);
    ASSERT_EQ(books.impact, impact);
    ASSERT_LE(std::fabs(books.residual()), 1e-12 * books.largestEntry());
    ASSERT_EQ(whole.getLedger().friction, parts.getLedger().friction);
    double work = 0.0;
    for (const DriverReport& d : whole.getDrivers()) work += d.work;
    ASSERT_NEAR(work, books.drivers, 1e-12 * books.largestEntry());
  }
}

TEST_P(Substeps, ForcesOfContactsAreMeansOverTheStep) {
  // A ball of 1 kg meets the ground within a step: what the contact carried in it, impact and
  // force, is the change of momentum less the weight's impulse m g dt.
  World world(withSubsteps(GetParam(), kParts));
  BodyDescription d;
  d.type = BodyType::Static;
  world.addBody(d, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
  d = {};
  d.mass = 1.0;
  d.position = {0, 0, 0.61};
  d.linearVelocity = {0, 0, -2};
  const ObjectId ball = world.addBody(d, std::make_shared<SphereShape>(0.5));
  double before = -2.0;
  for (int i = 0; i < 10; ++i) {
    world.step(kStep).orThrow();
    double carried = 0.0, reported = 0.0;
    for (const WorldContact& c : world.getContacts()) {
      carried -= c.normalForce * kStep + c.impactImpulse.z() * c.normal.z();
    }
    for (const ContactEvent& e : world.getEvents()) reported -= e.impulse.z();
    BodyMotion m;
    world.getMotion(ball, m).orThrow();
    const double gained = m.linearVelocity.z() - before + kG * kStep;
    ASSERT_NEAR(-carried, gained, 1e-12) << "step " << i;
    ASSERT_NEAR(reported, gained, 1e-12);
    before = m.linearVelocity.z();
  }
  EXPECT_NEAR(world.getContacts()[0].normalForce, kG, 1e-9);
}

TEST_P(Substeps, GivenForcesActForTheWholeStep) {
  WorldOptions options = withSubsteps(GetParam(), 5);
  options.gravity = {0, 0, 0};
  World world(options);
  BodyDescription d;
  d.mass = 2.0;
  const ObjectId id = world.addBody(d, std::make_shared<SphereShape>(0.5));
  world.applyForce(id, {3, 0, 0}, {0, 0, 0}).orThrow();
  world.step(0.1).orThrow();
  world.step(0.1).orThrow();  // Not in the next.
  BodyMotion m;
  world.getMotion(id, m).orThrow();
  EXPECT_NEAR(m.linearVelocity.x(), 1.5 * 0.1, 1e-15);
  // Exact for a constant force: a t^2 / 2, then at constant speed.
  EXPECT_NEAR(m.centerOfMass.x(), 0.5 * 1.5 * 0.01 + 0.15 * 0.1, 1e-15);
  EXPECT_NEAR(world.getLedger().forces, 0.5 * 2.0 * 0.15 * 0.15, 1e-15);
}

TEST_P(Substeps, ATouchWithinAStepIsOneEventThenEnds) {
  WorldOptions options = withSubsteps(GetParam(), 10);
  options.gravity = {0, 0, 0};
  World world(options);
  Material m;
  m.restitution = 1.0;
  MaterialId elastic = 0;
  world.materials().add(m, elastic).orThrow();
  BodyDescription d;
  d.type = BodyType::Static;
  world.addBody(d, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)), elastic);
  d = {};
  d.mass = 1.0;
  d.position = {0, 0, 0.55};
  d.linearVelocity = {0, 0, -1};
  world.addBody(d, std::make_shared<SphereShape>(0.5), elastic);
  // Reaches the ground after 0.05 s, half of the step, and is as far away again at its end.
  world.step(0.1).orThrow();
  ASSERT_EQ(world.getEvents().size(), 1u);
  EXPECT_EQ(world.getEvents()[0].kind, ContactEvent::Kind::Begin);
  EXPECT_NEAR(world.getEvents()[0].since, 0.05, 0.0101);
  EXPECT_NEAR(world.getEvents()[0].normalImpulse, 2.0, 1e-9);
  EXPECT_EQ(world.getBegunPairs().size(), 1u);
  world.step(0.1).orThrow();
  ASSERT_EQ(world.getEvents().size(), 1u);
  EXPECT_EQ(world.getEvents()[0].kind, ContactEvent::Kind::End);
  world.step(0.1).orThrow();
  EXPECT_TRUE(world.getEvents().empty());
}

TEST_P(Substeps, AFailureInALaterSubstepTakesAllBack) {
  for (const bool sleeping : {false, true}) {
    WorldOptions options = withSubsteps(GetParam(), kParts);
    options.sleeping = sleeping;
    World world = scene(options);
    for (int i = 0; i < 25; ++i) world.step(kStep).orThrow();
    BodyDescription d;
    d.position = {500, 0, 10};
    d.mass = 1.0;
    const ObjectId id = world.addBody(d, std::make_shared<SphereShape>(0.5));
    world.step(kStep).orThrow();
    // Too fast after three quarters of the step, and not after two.
    const double force = 0.9 * kMaxBodySpeed / (0.5 * kStep);
    world.applyForce(id, {0, 0, force}, {0, 0, 0}).orThrow();
    const std::uint64_t before = world.hash();
    const std::size_t contacts = world.getContacts().size(), events = world.getEvents().size();
    const double friction = world.getStepLedger().friction;
    const Status status = world.step(kStep);
    ASSERT_EQ(status.getCode(), StatusCode::OutOfRange) << status.getMessage();
    EXPECT_EQ(world.hash(), before);
    EXPECT_EQ(world.getContacts().size(), contacts);
    EXPECT_EQ(world.getEvents().size(), events);
    EXPECT_EQ(world.getStepLedger().friction, friction);
    world.applyForce(id, {0, 0, -force}, {0, 0, 0}).orThrow();
    World other = scene(options);
    ASSERT_TRUE(other.restore(world.snapshot(), {}));
    for (int i = 0; i < 10; ++i) {
      world.step(kStep).orThrow();
      other.step(kStep).orThrow();
      ASSERT_EQ(world.hash(), other.hash()) << i;
    }
  }
}

TEST_P(Substeps, SleepAndSnapshotsWorkWithThem) {
  WorldOptions options = withSubsteps(GetParam(), kParts);
  options.sleeping = true;
  World world(options);
  const auto cube = addTower(world);
  int steps = 0;
  for (; world.getReport().asleep == 0 && steps < 200; ++steps) world.step(kStep).orThrow();
  ASSERT_EQ(world.getReport().asleep, 3u);
  ASSERT_GE(steps, 29);  // Half a second.
  World other = scene({});
  const std::shared_ptr<const Shape> shapes[] = {cube};
  ASSERT_TRUE(other.restore(world.snapshot(), shapes));
  for (int i = 0; i < 60; ++i) {
    if (i == 5) {
      world.applyForce(3, {1, 0, 0}, {0, 0, 0}).orThrow();
      other.applyForce(3, {1, 0, 0}, {0, 0, 0}).orThrow();
    }
    world.step(kStep).orThrow();
    other.step(kStep).orThrow();
    ASSERT_EQ(world.hash(), other.hash()) << i;
    double onGround = 0.0;
    for (const WorldContact& c : world.getContacts())
      onGround += c.object1 == 1 ? c.normalForce : 0;
    EXPECT_NEAR(onGround, 3 * kG, 3 * kG * (GetParam() ? 0.02 : 1e-8)) << i;
  }
}

TEST_P(Substeps, ASteadyStepAllocatesNothing) {
  World world(withSubsteps(GetParam(), kParts));
  addTower(world);
  for (int i = 0; i < 60; ++i) world.step(kStep).orThrow();
  const std::size_t before = test::countAllocations();
  for (int i = 0; i < 5; ++i) world.step(kStep).orThrow();
  EXPECT_EQ(test::countAllocations(), before);
}

TEST(SubstepOptions, ImpossibleNumbersAreRefused) {
  for (const int n : {0, -1, kMaxSubsteps + 1}) {
    EXPECT_THROW(World{withSubsteps(false, n)}, Error) << n;
  }
  World world(withSubsteps(false, kMaxSubsteps));
  EXPECT_EQ(world.step(5e-324).getCode(), StatusCode::OutOfRange);
  EXPECT_TRUE(world.step(0.0));
}

}  // namespace
}  // namespace abut
