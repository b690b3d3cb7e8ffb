// SPDX-License-Identifier: MIT
//
// What lies on a driver that accelerates is carried along by force.
#include <cmath>
#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/world/world.hpp>

#include "support/schemes.hpp"

namespace abut {
namespace {

constexpr double kGravity = 9.81, kMass = 3.0;
/// Lifts stand still so long, that boxes may rest on them [s].
constexpr double kRests = 0.1;

struct Ride {
  double worstForce = 0.0;  ///< Greatest relative error.
  double gap = 0.0;         ///< Greatest distance from where the box stood on the lift [m].
  double slip = 0.0;        ///< The same across.
  double books = 0.0;       ///< Greatest residual of a step over its largest entry.
  double work = 0.0;        ///< Of drivers [J].
  double impact = 0.0;      ///< Lost to impacts [J].
};

enum class By { Path, Velocity };

/// Boxes of 3 kg on each other on a lift; `count` of them, for `steps` steps.
Ride ride(const WorldOptions& options, By by, int steps, double frequency, double restitution,
          int count, const std::function<Eigen::Vector3d(double)>& place,
          const std::function<double(double)>& acceleration, double rests = kRests) {
  World world(options);
  Material m;
  m.restitution = restitution;
  const MaterialId material = world.materials().add(m);
  BodyDescription lift;
  lift.type = BodyType::Kinematic;
  lift.position = {0, 0, -0.5};
  const ObjectId driver =
      world.addBody(lift, std::make_shared<BoxShape>(Eigen::Vector3d(2, 2, 0.5)), material);
  ObjectId box = kNoObject;
  for (int i = 0; i < count; ++i) {
    BodyDescription d;
    d.position = {0.1 * i, 0, 0.5 + i};
    d.mass = kMass;
    const ObjectId id =
        world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5)), material);
    if (i == 0) box = id;
  }
  const double dt = 1.0 / frequency;
  std::vector<PathPoint> path;
  for (int i = 0; i <= steps; ++i) {
    PathPoint p;
    p.time = i * dt;
    p.position = place(std::max(0.0, p.time - rests)) + Eigen::Vector3d(0, 0, -0.5);
    path.push_back(p);
  }
  if (by == By::Path) world.setPath(driver, path).orThrow();
  Ride worst;
  for (int i = 0; i < steps; ++i) {
    if (by == By::Velocity) {
      const auto k = static_cast<std::size_t>(i);
      world.setVelocity(driver, (path[k + 1].position - path[k].position) / dt, {0, 0, 0})
          .orThrow();
    }
    world.step(dt).orThrow();
    const EnergyAccount& a = world.getStepLedger();
    worst.books = std::max(worst.books, std::fabs(a.residual()) / a.largestEntry());
    const double t = i * dt - rests;
    if (t < 2.5 * dt) continue;  // Half of the first change is before the beginning.
    double force = 0.0;
    for (const WorldContact& c : world.getContacts()) {
      if (c.object1 == driver || c.object2 == driver) force += c.normalForce;
    }
    const double truth = count * kMass * (kGravity + acceleration(t));
    worst.worstForce = std::max(worst.worstForce, std::fabs(force / truth - 1.0));
    BodyMotion at, on;
    world.getMotion(box, at).orThrow();
    world.getMotion(driver, on).orThrow();
    const Eigen::Vector3d apart = at.centerOfMass - on.centerOfMass - Eigen::Vector3d(0, 0, 1);
    worst.gap = std::max(worst.gap, std::fabs(apart.z()));
    worst.slip = std::max(worst.slip, std::fabs(apart.x()));
  }
  worst.work = world.getLedger().drivers;
  worst.impact = world.getLedger().impact;
  return worst;
}

class CarriedTest : public test::BothSchemes {};

TEST_P(CarriedTest, ForceOfAnAcceleratingLiftIsThatOfGravityAndAcceleration) {
  for (const By by : {By::Path, By::Velocity}) {
    for (const double e : {0.0, 0.5}) {
      for (const int count : {1, 3}) {
        for (const double a : {3.0, 0.7, -2.0, -7.0}) {
          const Ride r = ride(
              options(), by, 66, 60, e, count,
              [a](double t) { return Eigen::Vector3d(0, 0, 0.5 * a * t * t); },
              [a](double) { return a; });
          const std::string at =
              std::to_string(a) + " e " + std::to_string(e) + " boxes " + std::to_string(count);
          EXPECT_LT(r.worstForce, isExact() ? 1e-9 : 5e-3) << at;
          EXPECT_LT(r.books, 1e-12) << at;
          if (isExact()) {
            EXPECT_LT(r.gap, 1e-9) << at;
          }
        }
      }
    }
  }
}

TEST_P(CarriedTest, AlsoWhereItAcceleratesFromTheFirstStepOn) {
  for (const double a : {3.0, -2.0, -7.0}) {
    const Ride r = ride(
        options(), By::Path, 60, 60, 0.0, 1,
        [a](double t) { return Eigen::Vector3d(0, 0, 0.5 * a * t * t); }, [a](double) { return a; },
        0.0);
    EXPECT_LT(r.worstForce, isExact() ? 1e-9 : 5e-3) << a;
    EXPECT_LT(r.books, 1e-12) << a;
  }
}

TEST_P(CarriedTest, SmoothPathsGiveSmoothForces) {
  // z = A (1 - cos w t): a = A w^2 cos w t; the error is that of a second difference, (w dt)^2
  // / 12.
  const auto worst = [&](double frequency) {
    const double w = 5.0, most = 0.2;
    return ride(
               options(), By::Path, static_cast<int>(frequency), frequency, 0.5, 1,
               [=](double t) { return Eigen::Vector3d(0, 0, most * (1 - std::cos(w * t))); },
               [=](double t) { return most * w * w * std::cos(w * t); })
        .worstForce;
  };
  const double coarse = worst(60), fine = worst(120);
  EXPECT_LT(coarse, 1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Schemes, CarriedTest, test::bothSchemes(), test::schemeName);

TEST(Carried, WorkOfTheLiftIsEnergyAndNothingIsLost) {
  // m (g z + v^2 / 2) with the mean velocity of the last step.
  const double a = 2.0, dt = 1.0 / 60.0;
  const Ride r = ride(
      {}, By::Path, 66, 60, 0.0, 1,
      [a](double t) { return Eigen::Vector3d(0, 0, 0.5 * a * t * t); }, [a](double) { return a; });
  const double v = a * (1.0 - 0.5 * dt);
  EXPECT_NEAR(r.work, kMass * (kGravity * 0.5 * a + 0.5 * v * v), 1e-9);
  EXPECT_NEAR(r.impact, 0.0, 1e-9);
}

TEST(Carried, WhatFallsSlowerThanTheLiftStaysBehind) {
  // 15 m/s^2 downwards is more than gravity: the box falls freely.
  World world;
  BodyDescription lift;
  lift.type = BodyType::Kinematic;
  lift.position = {0, 0, -0.5};
  const ObjectId driver =
      world.addBody(lift, std::make_shared<BoxShape>(Eigen::Vector3d(2, 2, 0.5)), 0);
  BodyDescription d;
  d.position = {0, 0, 0.5};
  const ObjectId box =
      world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5)), 0);
  const double dt = 1.0 / 100.0;
  for (int i = 0; i < 10; ++i) world.step(dt).orThrow();
  for (int i = 1; i <= 30; ++i) {
    world.setVelocity(driver, {0, 0, -15.0 * dt * i}, {0, 0, 0}).orThrow();
    world.step(dt).orThrow();
  }
  BodyMotion m;
  world.getMotion(box, m).orThrow();
  EXPECT_NEAR(m.linearVelocity.z(), -kGravity * 0.3, 1e-9);
  EXPECT_NEAR(m.centerOfMass.z(), 0.5 - 0.5 * kGravity * 0.09, 1e-9);
}

TEST(Carried, WhatSticksToAPlateDoesNotCreepOverIt) {
  const double a = 0.4 * kGravity;  // Friction holds up to .5 g.
  const Ride r = ride(
      {}, By::Velocity, 66, 60, 0.0, 1,
      [a](double t) { return Eigen::Vector3d(0.5 * a * t * t, 0, 0); }, [](double) { return 0.0; });
  EXPECT_LT(r.slip, 1e-9);
  EXPECT_LT(r.worstForce, 1e-9);
}

TEST(Carried, ASnapshotBetweenSettingAndSteppingChangesNothing) {
  const auto make = [](World& world) {
    BodyDescription lift;
    lift.type = BodyType::Kinematic;
    lift.position = {0, 0, -0.5};
    lift.id = 7;
    world.addBody(lift, std::make_shared<BoxShape>(Eigen::Vector3d(2, 2, 0.5)), 0);
    BodyDescription d;
    d.position = {0, 0, 0.5};
    world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5)), 0);
  };
  World world, other;
  make(world);
  make(other);
  for (int i = 0; i < 20; ++i) {
    world.setVelocity(7, {0, 0, 0.02 * i}, {0, 0, 0}).orThrow();
    other.restore(world.snapshot()).orThrow();
    EXPECT_EQ(other.hash(), world.hash());
    world.step(0.01).orThrow();
    other.step(0.01).orThrow();
    EXPECT_EQ(other.hash(), world.hash()) << i;
  }
}

}  // namespace
}  // namespace abut
