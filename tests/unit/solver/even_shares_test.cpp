// SPDX-License-Identifier: MIT
#include "solver/even_shares.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "math/pose.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

struct Patch {
  std::vector<SolverContact> contacts;
  std::vector<ShareFreedom> freedoms;
  std::vector<Vec3> impulses;

  void add(const Vec3& arm, const Vec3& impulse, double friction = 0.6,
           ShareFreedom freedom = ShareFreedom::Inside) {
    SolverContact c;
    c.normal = {0, 0, 1};
    c.tangent1 = {1, 0, 0};
    c.tangent2 = {0, 1, 0};
    c.arm1 = c.arm2 = arm;
    c.friction = friction;
    contacts.push_back(c);
    freedoms.push_back(freedom);
    impulses.push_back(impulse);
  }
  bool share() { return EvenShares().share(contacts, freedoms, impulses); }
  [[nodiscard]] Vec3 force() const {
    Vec3 sum;
    for (const Vec3& p : impulses) sum += Vec3{p.y, p.z, p.x};
    return sum;
  }
  [[nodiscard]] Vec3 torque() const {
    Vec3 sum;
    for (std::size_t k = 0; k < impulses.size(); ++k)
      sum += cross(contacts[k].arm1, Vec3{impulses[k].y, impulses[k].z, impulses[k].x});
    return sum;
  }
  [[nodiscard]] double squares() const {
    double sum = 0.0;
    for (const Vec3& p : impulses) sum += dot(p, p);
    return sum;
  }
};

TEST(EvenShares, FourCornersCarryAQuarterEach) {
  Patch p;
  p.add({-1, -1, -1}, {40, 0, 0});
  p.add({1, -1, -1}, {10, 0, 0});
  p.add({-1, 1, -1}, {10, 0, 0});
  p.add({1, 1, -1}, {40, 0, 0});
  ASSERT_TRUE(p.share());
  for (const Vec3& i : p.impulses) EXPECT_NEAR(i.x, 25.0, 1e-12);
  EXPECT_FALSE(p.share());  // Nothing is left to do.
}

TEST(EvenShares, SqueezeAlongTheGroundIsTakenOff) {
  Patch p;  // Two feet that push against each other: friction without need.
  p.add({-1, 0, -1}, {10, 3, 0});
  p.add({1, 0, -1}, {10, -3, 0});
  ASSERT_TRUE(p.share());
  for (const Vec3& i : p.impulses) {
    EXPECT_NEAR(i.x, 10.0, 1e-12);
    EXPECT_NEAR(i.y, 0.0, 1e-12);
  }
}

TEST(EvenShares, WhatTheLawWouldNotAllowStays) {
  Patch p;  // Springs would pull at the first corner.
  p.add({-1, -1, -1}, {0, 0, 0});
  p.add({1, -1, -1}, {10, 0, 0});
  p.add({-1, 1, -1}, {10, 0, 0});
  p.add({1, 1, -1}, {70, 0, 0});
  const std::vector<Vec3> before = p.impulses;
  EXPECT_FALSE(p.share());
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_EQ(p.impulses[k].x, before[k].x);
}

TEST(EvenShares, OpenContactsStayOpenAndSlidingOnesInTheirDirection) {
  Patch p;
  const double mu = 0.5;
  p.add({-1, -1, -1}, {30, -mu * 30, 0}, mu, ShareFreedom::Size);
  p.add({1, -1, -1}, {50, -mu * 50, 0}, mu, ShareFreedom::Size);
  p.add({-1, 1, -1}, {10, -mu * 10, 0}, mu, ShareFreedom::Size);
  p.add({1, 1, -1}, {70, -mu * 70, 0}, mu, ShareFreedom::Size);
  p.add({0, 2, -1}, {0, 0, 0}, mu, ShareFreedom::None);
  ASSERT_TRUE(p.share());
  // Front and back keep their sums, and the two sides become equal.
  EXPECT_NEAR(p.impulses[0].x, 20.0, 1e-12);
  EXPECT_NEAR(p.impulses[2].x, 20.0, 1e-12);
  EXPECT_NEAR(p.impulses[1].x, 60.0, 1e-12);
  EXPECT_NEAR(p.impulses[3].x, 60.0, 1e-12);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(p.impulses[k].y, -mu * p.impulses[k].x, 1e-12);
  EXPECT_EQ(p.impulses[4].x, 0.0);
}

TEST(EvenShares, ForceAndTorqueStayAtAnyScale) {
  test::Random random(7);
  int changed = 0;
  for (int round = 0; round < 2000; ++round) {
    const double size = std::pow(10.0, random.between(-6, 3));
    const double load = std::pow(10.0, random.between(-9, 9));
    Patch p;
    const int count = 2 + round % 7;
    for (int k = 0; k < count; ++k) {
      const double n = load * random.between(0.5, 1.5);
      p.add(Vec3{random.between(-1, 1), random.between(-1, 1), random.between(-.1, .1)} * size,
            {n, n * random.between(-.1, .1), n * random.between(-.1, .1)});
    }
    const Vec3 force = p.force(), torque = p.torque();
    const double squares = p.squares();
    if (!p.share()) continue;
    ++changed;
    EXPECT_LE(norm(p.force() - force), 1e-13 * load * count);
    EXPECT_LE(norm(p.torque() - torque), 1e-13 * load * size * count);
    EXPECT_LE(p.squares(), squares * (1 + 1e-12));
    EXPECT_FALSE(p.share());
    for (const Vec3& i : p.impulses) {
      EXPECT_GE(i.x, 0.0);
      EXPECT_LE(std::hypot(i.y, i.z), 0.6 * i.x * (1 + 1e-12));
    }
  }
  EXPECT_GT(changed, 1000);
}

}  // namespace
}  // namespace abut
