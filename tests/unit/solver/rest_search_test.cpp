// SPDX-License-Identifier: MIT
// Bodies that slide slowly though impulses exist that hold them, and such that nothing holds.
#include "solver/rest_search.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "math/pose.hpp"

namespace abut {
namespace {

constexpr double kFall = 9.81 / 60, kMass = 700.0, kFriction = 0.4, kError = 1e-9;

/// A cube between two walls, pressed by them a little less than holds it: it slides down at
/// `speed`, as a part of kFall.
struct Pressed {
  std::vector<BodyMobility> bodies;
  std::vector<BodyVelocity> free, velocities;
  std::vector<SolverContact> contacts;
  std::vector<Vec3> impulses;
  SolverReport report;
  RestSearch search;

  explicit Pressed(double speed) : bodies(2), free(2) {
    const double i = 6.0 / kMass;
    bodies[1] = {{1 / kMass, 1 / kMass, 1 / kMass}, {{i, 0, 0}, {0, i, 0}, {0, 0, i}}};
    bodies[0] = {{}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    free[1].linear = {0, 0, -kFall};
    for (const double side : {-0.5, 0.5}) {
      for (const Vec3& at :
           {Vec3{side, -0.3, -0.4}, Vec3{side, 0.3, -0.4}, Vec3{side, 0.1, 0.45}}) {
        add(1, 0, {side < 0 ? 1.0 : -1.0, 0, 0}, at);
      }
    }
    push(speed);
  }
  void add(std::uint32_t body1, std::uint32_t body2, const Vec3& normal, const Vec3& arm) {
    SolverContact c;
    c.body1 = body1;
    c.body2 = body2;
    c.normal = normal;
    c.tangent1 = {0, 0, 1};
    c.tangent2 = cross(normal, c.tangent1);
    c.arm1 = body1 == 1 ? arm : arm + Vec3{0.2, -0.1, 3.0};
    c.arm2 = body1 == 1 ? arm + Vec3{0.2, -0.1, 3.0} : arm;
    c.friction = kFriction;
    contacts.push_back(c);
  }
  /// The same loads on both sides, so that the cube does not turn; friction at its bound.
  void push(double speed) {
    const double all = kMass * kFall * (1.0 - speed) / (2.0 * kFriction);
    const double share[3] = {0.25, 0.25, 0.5};
    impulses.clear();
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const double n = all * share[k % 3];
      impulses.push_back({n, kFriction * n, 0.0});
    }
    velocities = free;
    velocities[1].linear = {0, 0, -kFall * speed};
    report = {};
    report.error = 0.5;
  }
  bool run() {
    return search.run({bodies, contacts}, free, kError, nullptr, impulses, velocities, report);
  }
};

double fastest(const Pressed& p) {
  return norm(p.velocities[1].linear) + norm(p.velocities[1].angular);
}

TEST(RestSearch, WhatSlidesSlowlyBetweenWallsIsHeldByThem) {
  for (const double speed : {1e-8, 3e-6, 4e-4}) {
    Pressed p(speed);
    ASSERT_TRUE(p.run()) << speed;
    EXPECT_LT(fastest(p), 1e-11 * kFall);
    EXPECT_LT(p.report.error, kError);
    EXPECT_TRUE(p.report.converged);
    EXPECT_GT(p.report.newtonSteps, 0);
    Vec3 sum{};
    for (std::size_t k = 0; k < p.contacts.size(); ++k) {
      const Vec3& r = p.impulses[k];
      EXPECT_GE(kFriction * r.x * (1.0 + 1e-14), std::sqrt(r.y * r.y + r.z * r.z));
      const SolverContact& c = p.contacts[k];
      sum += (c.normal * r.x + c.tangent1 * r.y) + c.tangent2 * r.z;
    }
    EXPECT_NEAR(sum.z, kMass * kFall, 1e-10 * kMass * kFall);
    EXPECT_NEAR(sum.x, 0.0, 1e-10 * kMass * kFall);
  }
}

TEST(RestSearch, BodiesMayBeNamedInAnyOrder) {
  Pressed p(1e-5);
  for (SolverContact& c : p.contacts) {
    std::swap(c.body1, c.body2);
    std::swap(c.arm1, c.arm2);
    c.normal = -c.normal;
    c.tangent1 = -c.tangent1;
    c.tangent2 = -c.tangent2;
  }
  ASSERT_TRUE(p.run());
  EXPECT_LT(fastest(p), 1e-11 * kFall);
}

/// Nothing may change where the answer is no.
void expectNoRest(Pressed& p) {
  const std::vector<Vec3> impulses = p.impulses;
  const Vec3 velocity = p.velocities[1].linear;
  EXPECT_FALSE(p.run());
  EXPECT_EQ(p.impulses, impulses);
  EXPECT_EQ(p.velocities[1].linear, velocity);
  EXPECT_EQ(p.report.error, 0.5);
}

TEST(RestSearch, WhatMovesAtAllOrNotAtAllIsLeft) {
  Pressed fast(1e-2), still(1e-10);
  expectNoRest(fast);
  EXPECT_EQ(fast.report.newtonSteps, 0);
  expectNoRest(still);
  EXPECT_EQ(still.report.newtonSteps, 0);
}

TEST(RestSearch, MovingSurfacesAndDriversAreLeft) {
  Pressed belt(1e-5), driver(1e-5), bound(1e-5);
  belt.contacts[3].offset = {0, 0, 1e-6};
  expectNoRest(belt);
  driver.free[0].linear = driver.velocities[0].linear = {0, 1e-6, 0};
  expectNoRest(driver);
  bound.contacts[2].bound = 1e-6;  // Has to open.
  expectNoRest(bound);
  EXPECT_EQ(belt.report.newtonSteps + driver.report.newtonSteps + bound.report.newtonSteps, 0);
}

TEST(RestSearch, OneWallAloneHoldsNothing) {
  Pressed p(1e-5);
  for (std::size_t k = 3; k < 6; ++k) p.contacts[k].bound = -1e-3;  // A gap.
  expectNoRest(p);
  EXPECT_GT(p.report.newtonSteps, 0);
}

TEST(RestSearch, SlopesSteeperThanFrictionHoldNothing) {
  // A cube on a slope that is a little too steep, and on one that is a little less.
  for (const double steep : {1.0 + 3e-4, 1.0 - 3e-4}) {
    Pressed p(1e-5);
    const double angle = std::atan(kFriction * steep);
    const Vec3 up{std::sin(angle), 0, std::cos(angle)};
    p.contacts.clear();
    p.impulses.clear();
    for (const Vec3& at : {Vec3{-0.4, -0.4, -0.5}, Vec3{-0.4, 0.4, -0.5}, Vec3{0.4, -0.4, -0.5},
                           Vec3{0.4, 0.4, -0.5}}) {
      const Vec3 along{std::cos(angle), 0, -std::sin(angle)};
      p.add(1, 0, up, along * at.x + Vec3{0, at.y, 0} + up * at.z);
      p.contacts.back().tangent1 = along;
      p.contacts.back().tangent2 = cross(up, along);
      const double n = 0.25 * kMass * kFall * std::cos(angle);
      p.impulses.push_back({n, -kFriction * n, 0.0});
    }
    // Not its answer, but near: the search may begin anywhere.
    p.velocities[1].linear = {1e-5 * kFall, 0, -1e-5 * kFall};
    EXPECT_EQ(p.run(), steep < 1.0) << steep;
  }
}

}  // namespace
}  // namespace abut
