// SPDX-License-Identifier: MIT
// Symptom: elastic balls of 5 cm that go 3 cm a step overlapped by up to 2 cm, those that go 1 m a
// step by their whole width; a row of balls with gaps of 2 cm passed one blow on in each step.
// Cause: a blow was passed on among bodies whose boxes met at the beginning of the step, as long as
// those of the speeds of then are.
// Mechanism: bodies that a blow sends elsewhere are cast along their new ways; what they meet takes
// part in blows that are made anew. Each meeting of two balls is a contact of its own, with the
// geometry of its time.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

#include "support/random.hpp"

namespace abut {
namespace {

constexpr double kStep = 1.0 / 60, kRadius = 0.05;

struct Gas {
  World world;
  std::vector<ObjectId> balls;
};

World weightless(double restitution, MaterialId& id) {
  WorldOptions options;
  options.gravity = {0, 0, 0};
  World world(options);
  Material m;
  m.friction = 0.0;
  m.restitution = restitution;
  world.materials().add(m, id).orThrow();
  return world;
}

/// n^3 balls in a box of that side that go that way in each step.
Gas gasOf(int n, double side, double way, std::uint64_t seed) {
  MaterialId id = 0;
  Gas gas{weightless(1.0, id), {}};
  for (int i = 0; i < 6; ++i) {
    BodyDescription d;
    d.type = BodyType::Static;
    Eigen::Vector3d normal(0, 0, 0);
    normal[i / 2] = i % 2 == 0 ? 1.0 : -1.0;
    d.position = -0.5 * side * normal;
    gas.world.addBody(d, PlaneShape(normal, 0.0), id);
  }
  test::Random random(seed);
  const double cell = (side - 2 * kRadius) / n;
  for (int i = 0; i < n * n * n; ++i) {
    BodyDescription d;
    d.mass = 1.0;
    d.position = Eigen::Vector3d(i % n, i / n % n, i / n / n) * cell +
                 Eigen::Vector3d::Constant(kRadius + 0.5 * cell - 0.5 * side);
    const Vec3 v = random.direction() * (way / kStep);
    d.linearVelocity = {v.x, v.y, v.z};
    gas.balls.push_back(gas.world.addBody(d, SphereShape(kRadius), id));
  }
  return gas;
}

double worstOverlap(const Gas& gas) {
  std::vector<Eigen::Vector3d> at;
  for (const ObjectId id : gas.balls) {
    BodyMotion m;
    gas.world.getMotion(id, m).orThrow();
    at.push_back(m.position);
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    for (std::size_t j = i + 1; j < at.size(); ++j)
      worst = std::max(worst, 2 * kRadius - (at[i] - at[j]).norm());
  }
  return worst;
}

TEST(BlowsSentOn, BallsOfAGasDoNotOverlapMeanwhile) {
  for (const std::uint64_t seed : {2, 3}) {
    for (const double way : {0.01, 0.03, 0.05}) {
      Gas gas = gasOf(5, 0.9, way, seed);
      for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(gas.world.step(kStep));
        ASSERT_LT(worstOverlap(gas), 1e-9) << way << ' ' << i;
      }
      const EnergyAccount& a = gas.world.getLedger();
      EXPECT_NEAR(a.kineticAfter / a.kineticBefore, 1.0, 1e-9);
    }
  }
}

// Balls that go many times their size in a step meet again and again in it, along another direction
// each time. None overlaps another or a wall, and all energy is kept.
TEST(BlowsSentOn, BallsThatMeetTwiceInAStepDoNotOverlap) {
  for (const double way : {0.2, 0.5}) {
    Gas gas = gasOf(4, 0.8, way, 4);
    for (int i = 0; i < 8; ++i) {
      ASSERT_TRUE(gas.world.step(kStep));
      ASSERT_LT(worstOverlap(gas), 1e-9) << way << ' ' << i;
      for (const ObjectId id : gas.balls) {
        BodyMotion m;
        gas.world.getMotion(id, m).orThrow();
        ASSERT_LT(m.position.cwiseAbs().maxCoeff() + kRadius - 0.4, 1e-9) << way << ' ' << i;
      }
    }
    const EnergyAccount& a = gas.world.getLedger();
    EXPECT_NEAR(a.kineticAfter / a.kineticBefore, 1.0, 1e-9);
    EXPECT_LT(std::abs(a.residual()), 1e-12 * a.kineticBefore);
  }
}

// Symptom: a ball that went past another ball which it had struck before, behind a third, was held
// where it would have met it. Two balls run at a third one after the other: in one step the first
// strikes it, is struck by the second from behind and strikes the third again, off its first line.
TEST(BlowsSentOn, TwoBallsMeetTwiceInAStepAlongTheirOwnDirections) {
  const auto end = [](double step, int count) {
    MaterialId id = 0;
    World world = weightless(1.0, id);
    std::vector<ObjectId> balls;
    const auto add = [&](double mass, const Eigen::Vector3d& at, double speed) {
      BodyDescription d;
      d.mass = mass;
      d.position = at;
      d.linearVelocity = {speed, 0, 0};
      balls.push_back(world.addBody(d, SphereShape(kRadius), id));
    };
    add(8.0, {0.0, 0, 0}, 0.0);
    add(1.0, {-0.2, 0.03, 0}, 24.0);
    add(3.0, {-0.4, 0.035, 0}, 24.0);
    for (int i = 0; i < count; ++i) world.step(step).orThrow();
    std::vector<Eigen::Vector3d> at;
    for (const ObjectId ball : balls) {
      BodyMotion m;
      world.getMotion(ball, m).orThrow();
      at.push_back(m.position);
    }
    return at;
  };
  // Steps so short that no two meet twice in one are exact, blow by blow.
  const std::vector<Eigen::Vector3d> once = end(kStep, 2), often = end(kStep / 64, 128);
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_LT((once[i] - often[i]).norm(), 1e-9) << i;
}

// The blow goes through the row within the step, whatever the gaps: the last ball has gone on by
// what the first did not go.
TEST(BlowsSentOn, ARowWithWideGapsPassesItOnInOneStep) {
  for (const double gap : {0.02, 0.03, 0.11}) {
    for (const double way : {0.2, 0.5}) {
      for (const bool backwards : {false, true}) {
        MaterialId id = 0;
        World world = weightless(1.0, id);
        std::vector<ObjectId> balls(4);
        const auto number = [&](int i) { return backwards ? 3 - i : i; };
        for (int i = 0; i < 4; ++i) {
          const int k = number(i);
          BodyDescription d;
          d.mass = 2.0;
          d.position = {k * (2 * kRadius + gap), 0.3, 0};
          if (k == 0) d.linearVelocity = {way / kStep, 0, 0};
          balls[static_cast<std::size_t>(k)] = world.addBody(d, SphereShape(kRadius), id);
        }
        ASSERT_TRUE(world.step(kStep));
        double left = way;  // What is left of it for the ball at hand.
        for (int k = 0; k < 4; ++k) {
          const double goes = k < 3 ? std::min(left, gap) : left;
          BodyMotion m;
          world.getMotion(balls[static_cast<std::size_t>(k)], m).orThrow();
          EXPECT_NEAR(m.position.x(), k * (2 * kRadius + gap) + goes, 1e-12) << gap << ' ' << k;
          const bool moves = left > 0.0 && (k == 3 || left < gap);
          EXPECT_NEAR(m.linearVelocity.x(), moves ? way / kStep : 0.0, 1e-9) << gap << ' ' << k;
          left -= goes;
        }
      }
    }
  }
}

// A ball that a blow sends at a wall beyond its box comes back from it in the same step.
TEST(BlowsSentOn, WhatIsStruckComesBackFromAWall) {
  MaterialId id = 0;
  World world = weightless(1.0, id);
  BodyDescription d;
  d.mass = 1.0;
  d.position = {-0.2, 0, 0};
  d.linearVelocity = {0.55 / kStep, 0, 0};
  world.addBody(d, SphereShape(kRadius), id);
  d.position = {0, 0, 0};
  d.linearVelocity = {0, 0, 0};
  const ObjectId struck = world.addBody(d, SphereShape(kRadius), id);
  BodyDescription wall;
  wall.type = BodyType::Static;
  wall.position = {0.35, 0, 0};
  world.addBody(wall, BoxShape({0.1, 1, 1}), id);
  ASSERT_TRUE(world.step(kStep));
  BodyMotion m;
  world.getMotion(struck, m).orThrow();
  // 0.45 m of the way are left when it is struck: 0.2 to the wall, 0.2 back to the first ball,
  // which it strikes there and stops.
  EXPECT_NEAR(m.position.x(), 0.0, 1e-9);
  EXPECT_NEAR(m.linearVelocity.x(), 0.0, 1e-9);
}

}  // namespace
}  // namespace abut
