// SPDX-License-Identifier: MIT
//
// Contacts that give way: stiffness and dissipation of materials in steps of fixed length.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

#include "support/random.hpp"

namespace abut {
namespace {

constexpr double kGravity = 9.81;

struct Ball {
  World world;
  ObjectId id = kNoObject;

  Ball(double stiffness, double dissipation, double mass, double height, double friction = 0.0,
       bool box = false) {
    Material m;
    m.friction = friction;
    m.stiffness = stiffness;
    m.dissipation = dissipation;
    const MaterialId soft = world.materials().add(m);
    Material hard;
    hard.friction = friction;
    const MaterialId rigid = world.materials().add(hard);
    BodyDescription ground;
    ground.type = BodyType::Static;
    world.addBody(ground, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)), rigid);
    BodyDescription d;
    d.position = {0, 0, height};
    d.mass = mass;
    if (box) {
      id = world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(0.1, 0.1, 0.1)), soft);
    } else {
      id = world.addBody(d, std::make_shared<SphereShape>(0.1), soft);
    }
  }
  [[nodiscard]] BodyMotion motion() const {
    BodyMotion m;
    world.getMotion(id, m).orThrow();
    return m;
  }
  [[nodiscard]] double height() const { return motion().centerOfMass.z(); }
};

void expectClosed(const World& world) {
  const EnergyAccount &step = world.getStepLedger(), &all = world.getLedger();
  EXPECT_LE(std::fabs(step.residual()), 1e-12 * step.largestEntry());
  EXPECT_LE(std::fabs(all.residual()), 1e-12 * all.largestEntry());
}

TEST(Springs, WeightSinksInByItselfOverTheStiffness) {
  const double k = 2e4, m = 3.0;
  Ball ball(k, 0.05, m, 0.1);
  for (int i = 0; i < 300; ++i) ball.world.step(1.0 / 60.0).orThrow();
  EXPECT_TRUE(ball.world.getReport().converged);
  EXPECT_NEAR(0.1 - ball.height(), m * kGravity / k, 1e-12);
  ASSERT_EQ(ball.world.getContacts().size(), 1u);
  EXPECT_NEAR(ball.world.getContacts()[0].normalForce, m * kGravity, 1e-9);
  EXPECT_NEAR(ball.world.getStepLedger().elasticAfter, 0.5 * m * kGravity * m * kGravity / k,
              1e-12);
  expectClosed(ball.world);
}

TEST(Springs, ABoxStandsOnOneSpringAtEachCorner) {
  const double k = 5e3, m = 2.0;
  Ball box(k, 0.05, m, 0.1, 0.5, true);
  for (int i = 0; i < 300; ++i) box.world.step(1.0 / 100.0).orThrow();
  EXPECT_NEAR(0.1 - box.height(), m * kGravity / (4.0 * k), 1e-11);
  expectClosed(box.world);
}

TEST(Springs, OscillationKeepsItsEnergyAndItsPeriodIsOfSecondOrder) {
  // Pressed in by 1.5 times the sag it swings about the sag without leaving: w^2 = k / m.
  const double k = 3e3, m = 3.0, sag = m * kGravity / k;
  const double period = 2.0 * std::numbers::pi * std::sqrt(m / k);
  const auto errorOf = [&](double dt) {
    Ball ball(k, 0.0, m, 0.1 - 1.5 * sag);
    double last = ball.height(), t = 0.0, first = -1.0, latest = 0.0;
    int crossings = 0;
    while (crossings < 11) {
      ball.world.step(dt).orThrow();
      t += dt;
      const double now = ball.height(), middle = 0.1 - sag;
      if (last < middle && now >= middle) {
        latest = t - dt * (now - middle) / (now - last);
        if (first < 0.0) first = latest;
        ++crossings;
      }
      last = now;
      expectClosed(ball.world);
      EXPECT_NEAR(ball.world.getLedger().dampers, 0.0, 1e-12);
      EXPECT_NEAR(ball.world.getLedger().integrator, 0.0, 1e-12);
    }
    return (latest - first) / 10.0 / period - 1.0;
  };
  // Implicit midpoint: w dt / 2 = tan(w' dt / 2), so the period grows by (w dt)^2 / 12.
  const double w = std::sqrt(k / m);
  const double coarse = errorOf(1e-3), fine = errorOf(5e-4);
  EXPECT_NEAR(coarse, w * w * 1e-6 / 12.0, 1e-5);
  EXPECT_LT(fine, 0.4 * coarse);
}

TEST(Springs, BounceWithoutDissipationKeepsTheEnergy) {
  // From 20 cm, touched at no particular time in a step, again and again.
  Ball ball(4e4, 0.0, 1.7, 0.3);
  const double all = 1.7 * kGravity * 0.3;
  for (int i = 0; i < 2000; ++i) {
    ball.world.step(1.0 / 500.0).orThrow();
    const EnergyAccount& a = ball.world.getLedger();
    ASSERT_NEAR(a.kineticAfter + a.potentialAfter + a.elasticAfter, all, 1e-10) << i;
    expectClosed(ball.world);
  }
  EXPECT_EQ(ball.world.getLedger().impact, 0.0);
}

TEST(Springs, DissipationOnlyTakes) {
  Ball ball(4e4, 3e-3, 1.7, 0.3);
  double last = 0.0;
  for (int i = 0; i < 1000; ++i) {
    ball.world.step(1.0 / 240.0).orThrow();
    const EnergyAccount& a = ball.world.getLedger();
    EXPECT_LE(a.dampers, last + 1e-15);
    last = a.dampers;
    EXPECT_GE(ball.world.getContacts().empty() ? 0.0 : ball.world.getContacts()[0].normalForce,
              0.0);
    expectClosed(ball.world);
  }
  EXPECT_NEAR(0.1 - ball.height(), 1.7 * kGravity / 4e4, 1e-9);
}

TEST(Springs, StiffOnesThatNoStepResolvesComeToRestByDissipation) {
  for (const double k : {1e7, 1e9, 1e12}) {
    for (const double dissipation : {0.01, 1.0}) {
      Ball box(k, dissipation, 2.0, 0.25, 0.3, true);
      const double all = 2.0 * kGravity * 0.25;
      for (int i = 0; i < 120; ++i) {
        box.world.step(1.0 / 60.0).orThrow();
        const EnergyAccount& a = box.world.getLedger();
        ASSERT_LE(a.kineticAfter + a.potentialAfter + a.elasticAfter, all * (1 + 1e-9))
            << k << " " << dissipation << " " << i;
        expectClosed(box.world);
      }
      EXPECT_NEAR(box.height(), 0.1, 1e-3) << k;
    }
  }
}

/// Boxes and cylinders that tumble onto a floor and each other, without dissipation.
struct Tumble {
  World world;
  std::vector<ObjectId> ids;

  Tumble(double stiffness, double density, double friction, int count, std::uint64_t seed) {
    test::Random random(seed);
    Material m;
    m.stiffness = stiffness;
    m.density = density;
    m.friction = friction;
    const MaterialId soft = world.materials().add(m);
    BodyDescription floor;
    floor.type = BodyType::Static;
    floor.position = {0, 0, -0.5};
    world.addBody(floor, std::make_shared<BoxShape>(Eigen::Vector3d(5, 5, 0.5)), soft);
    for (int i = 0; i < count; ++i) {
      BodyDescription d;
      d.position = {0, 0, 0.3 + 0.45 * i};
      d.orientation = random.quaternion();
      d.angularVelocity = toEigen(random.direction() * random.between(0, 20));
      if (i % 2 == 0) {
        ids.push_back(
            world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(.1, .08, .1)), soft));
      } else {
        ids.push_back(world.addBody(d, std::make_shared<CylinderShape>(.1, .1), soft));
      }
    }
  }
};

// What springs are left with at the end of a step is all that they give back in the next.
TEST(Springs, NeverGainWhateverStiffnessMassAndStep) {
  for (const double stiffness : {1e2, 1e4, 1e6, 1e8, 1e10, 1e12}) {
    for (const double density : {10.0, 20000.0}) {
      for (const double dt : {1.0 / 60, 1e-3}) {
        Tumble t(stiffness, density, density < 100 ? 0.0 : 0.5, 2, 5);
        double least = 0.0, first = 0.0;
        for (int i = 0; i < 60; ++i) {
          t.world.step(dt).orThrow();
          const EnergyAccount& e = t.world.getStepLedger();
          if (i == 0) least = first = e.kineticBefore + e.potentialBefore;
          const double now = e.kineticAfter + e.potentialAfter + e.elasticAfter;
          EXPECT_LE(now - least, 1e-9 * std::fabs(first)) << stiffness << ' ' << dt << ' ' << i;
          least = std::min(least, now);
          // Overlaps are known to rounding of coordinates, which the stiffness multiplies.
          EXPECT_LE(std::fabs(e.residual()), 1e-9 * std::fabs(first));
        }
      }
    }
  }
}

// Faster than a step can follow, they are as surfaces without restitution: bodies end where rigid
// ones do. Without dissipation of their own they go on trembling: to and fro from step to step.
TEST(Springs, BodiesLieStillOnThoseThatNoStepResolves) {
  for (const double stiffness : {1e7, 1e10}) {
    Tumble t(stiffness, 1000.0, 0.5, 1, 11);
    for (int i = 0; i < 240; ++i) t.world.step(1.0 / 60).orThrow();
    const BodyMotion m = t.world.motion(t.ids[0]);
    EXPECT_LT(m.linearVelocity.norm() + m.angularVelocity.norm(), 0.03) << stiffness;
    EXPECT_GT(m.centerOfMass.z(), 0.0795) << stiffness;
    EXPECT_LT(m.centerOfMass.z(), 0.1005) << stiffness;
  }
}

TEST(Springs, SurfacesGiveWayOneAfterTheOther) {
  World world;
  Material m;
  m.stiffness = 3e3;
  m.dissipation = 0.1;
  const MaterialId a = world.materials().add(m);
  m.stiffness = 6e3;
  m.dissipation = 0.4;
  const MaterialId b = world.materials().add(m);
  const PairMaterial pair = world.materials().between(a, b);
  EXPECT_NEAR(pair.stiffness, 2e3, 1e-9);
  EXPECT_NEAR(pair.dissipation, 0.2, 1e-12);  // Two thirds of the way are the first one's.
  EXPECT_NEAR(world.materials().between(b, 0).stiffness, 6e3, 1e-9);
}

TEST(Springs, FrictionHoldsAndSlidesAsOnRigidGround) {
  // tan 20 degrees = .364: with mu .4 it stays, with mu .3 it slides with g (sin - mu cos).
  for (const double mu : {0.4, 0.3}) {
    WorldOptions options;
    const double angle = 20.0 * std::numbers::pi / 180.0;
    options.gravity = {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)};
    World world(options);
    Material m;
    m.friction = mu;
    m.stiffness = 1e5;
    m.dissipation = 0.02;
    const MaterialId id = world.materials().add(m);
    BodyDescription ground;
    ground.type = BodyType::Static;
    world.addBody(ground, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)), id);
    BodyDescription d;
    d.position = {0, 0, 0.1};
    const ObjectId box =
        world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(0.2, 0.2, 0.1)), id);
    for (int i = 0; i < 200; ++i) world.step(1.0 / 200.0).orThrow();
    BodyMotion before, after;
    world.getMotion(box, before).orThrow();
    for (int i = 0; i < 200; ++i) world.step(1.0 / 200.0).orThrow();
    world.getMotion(box, after).orThrow();
    const double a = mu > 0.36 ? 0.0 : kGravity * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR(after.linearVelocity.x() - before.linearVelocity.x(), a, 1e-5) << mu;
    expectClosed(world);
  }
}

TEST(Springs, ASnapshotHoldsThem) {
  Ball ball(2e4, 0.01, 3.0, 0.15), other(2e4, 0.01, 3.0, 0.15);
  for (int i = 0; i < 40; ++i) ball.world.step(1.0 / 120.0).orThrow();
  other.world.restore(ball.world.snapshot()).orThrow();
  EXPECT_EQ(other.world.hash(), ball.world.hash());
  for (int i = 0; i < 40; ++i) {
    ball.world.step(1.0 / 120.0).orThrow();
    other.world.step(1.0 / 120.0).orThrow();
    ASSERT_EQ(other.world.hash(), ball.world.hash());
    ASSERT_EQ(other.world.getStepLedger().elasticBefore, ball.world.getStepLedger().elasticBefore);
  }
}

TEST(Springs, WhatIsNotDoneYetIsRefused) {
  WorldOptions realTime = WorldOptions::realTime(), sleeping;
  sleeping.sleeping = true;
  for (const WorldOptions& options : {realTime, sleeping}) {
    World world(options);
    Material m;
    m.stiffness = 1e4;
    world.materials().add(m);
    const std::uint64_t before = world.hash();
    const Status status = world.step(0.01);
    EXPECT_EQ(status.getCode(), StatusCode::OutOfRange);
    EXPECT_NE(status.getMessage().find("stiffness"), std::string::npos) << status.getMessage();
    EXPECT_EQ(world.hash(), before);
  }
  World world;
  Material m;
  m.stiffness = -1.0;
  MaterialId id = 0;
  EXPECT_EQ(world.materials().add(m, id).getCode(), StatusCode::OutOfRange);
}

}  // namespace
}  // namespace abut
