// SPDX-License-Identifier: MIT
#include "solver/press.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "dynamics/point_velocity.hpp"
#include "math/pose.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

/// Bodies between driven ones.
struct Problem {
  std::vector<BodyMobility> bodies;
  std::vector<BodyVelocity> velocities;
  std::vector<SolverContact> contacts;
  PressFinder finder;

  std::uint32_t addDriven(const BodyVelocity& v) {
    bodies.push_back({{}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}});
    velocities.push_back(v);
    return static_cast<std::uint32_t>(bodies.size() - 1);
  }
  std::uint32_t addFree(double mass) {
    const double i = 6.0 / mass;
    bodies.push_back({{1 / mass, 1 / mass, 1 / mass}, {{i, 0, 0}, {0, i, 0}, {0, 0, i}}});
    velocities.emplace_back();
    return static_cast<std::uint32_t>(bodies.size() - 1);
  }
  void addContact(std::uint32_t body1, std::uint32_t body2, const Vec3& normal, const Vec3& arm1,
                  const Vec3& arm2, double bound = 0.0) {
    SolverContact c;
    c.body1 = body1;
    c.body2 = body2;
    c.normal = normal;
    c.tangent1 = anyPerpendicular(normal);
    c.tangent2 = cross(normal, c.tangent1);
    c.arm1 = arm1;
    c.arm2 = arm2;
    c.bound = bound;
    contacts.push_back(c);
  }
  [[nodiscard]] bool mayBePress() const {
    return PressFinder::mayBePress({bodies, contacts}, velocities);
  }
  PressReport find() { return finder.find({bodies, contacts}, velocities); }

  /// The certificate: l >= 0, in balance on every free body, and more than the driven bodies give.
  void expectCertificate(double tolerance) {
    std::vector<BodyVelocity> balance(bodies.size());
    double value = 0.0, size = 0.0;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const SolverContact& c = contacts[k];
      const double l = finder.getClosing()[k];
      EXPECT_GE(l, 0.0);
      size += l;
      value += l * (c.bound - dot(c.normal, relativeVelocity(velocities[c.body1], c.arm1,
                                                             velocities[c.body2], c.arm2, {})));
      balance[c.body1].linear += c.normal * l;
      balance[c.body2].linear -= c.normal * l;
      balance[c.body1].angular += cross(c.arm1, c.normal) * l;
      balance[c.body2].angular -= cross(c.arm2, c.normal) * l;
    }
    EXPECT_GT(value, 0.0);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      if (bodies[b].inverseMass == Vec3{}) continue;
      EXPECT_LE(norm(balance[b].linear), tolerance * size) << b;
      EXPECT_LE(norm(balance[b].angular), tolerance * size) << b;
    }
  }
};

constexpr Vec3 kUp{0, 0, 1};

/// Plates close on a stack of n bodies at v: each of the n + 1 contacts closes at v / (n + 1).
TEST(PressFinder, PlatesOnAStackCloseEvenly) {
  for (const int n : {1, 2, 7, 40}) {
    Problem p;
    const std::uint32_t ground = p.addDriven({});
    const std::uint32_t plate = p.addDriven({{0, 0, -2.0}, {}});
    std::uint32_t below = ground;
    for (int i = 0; i < n; ++i) {
      const std::uint32_t body = p.addFree(i % 2 == 0 ? 1.0 : 1e4);  // Masses play no part.
      p.addContact(body, below, kUp, {0, 0, -0.5}, {0, 0, 0.5});
      below = body;
    }
    p.addContact(plate, below, kUp, {}, {0, 0, 0.5});
    ASSERT_TRUE(p.mayBePress());
    const PressReport found = p.find();
    ASSERT_TRUE(found.found) << n;
    // The certificate is found to a millionth of the driven speed.
    EXPECT_NEAR(found.speed, 2.0 / (n + 1), 2e-6);
    for (const double closing : p.finder.getClosing()) EXPECT_NEAR(closing, 2.0 / (n + 1), 2e-6);
    p.expectCertificate(1e-6);
  }
}

/// A wedge of two planes that close on a ball from below: it goes up.
TEST(PressFinder, AWedgeThatBodiesCanLeaveIsNone) {
  Problem p;
  const std::uint32_t left = p.addDriven({{1.0, 0, 0}, {}});
  const std::uint32_t right = p.addDriven({{-0.3, 0, 0}, {}});
  const std::uint32_t ball = p.addFree(3.0);
  const double c = 0.8, s = 0.6;
  p.addContact(ball, left, {c, 0, s}, {-c, 0, -s}, {});
  p.addContact(ball, right, {-c, 0, s}, {c, 0, -s}, {});
  EXPECT_TRUE(p.mayBePress());
  EXPECT_FALSE(p.find().found);
  // Until something is above it.
  const std::uint32_t lid = p.addDriven({});
  p.addContact(ball, lid, {0, 0, -1}, {0, 0, 1}, {}, -1e-3);
  EXPECT_TRUE(p.find().found);
  p.expectCertificate(1e-6);
}

TEST(PressFinder, OneDrivenBodyAloneIsNotWorthALook) {
  Problem p;
  const std::uint32_t plate = p.addDriven({{0, 0, -1.0}, {}});
  const std::uint32_t body = p.addFree(1.0);
  p.addContact(plate, body, kUp, {}, {0, 0, 0.5});
  EXPECT_FALSE(p.mayBePress());
  const std::uint32_t ground = p.addDriven({});
  p.addContact(body, ground, kUp, {0, 0, -0.5}, {}, -2.0);  // Far below.
  EXPECT_TRUE(p.mayBePress());
  EXPECT_FALSE(p.find().found);
}

/// Bounds lowered by what is missing can be kept: no press is left.
TEST(PressFinder, WhatIsMissingIsEnough) {
  test::Random random(7);
  int presses = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Problem p;
    for (int i = 0; i < 3; ++i) {
      const Vec3 linear = random.vector(1.0), angular = random.vector(1.0);
      p.addDriven({linear, angular});
    }
    for (int i = 0; i < 3; ++i) p.addFree(1.0 + i);
    for (int k = 0; k < 90; ++k) {
      const auto free = 3 + static_cast<std::uint32_t>(k % 3);
      const auto other = static_cast<std::uint32_t>(k / 3 % 5);
      if (other == free) continue;
      const Vec3 normal = random.direction();
      const Vec3 arm1 = random.vector(1.0), arm2 = random.vector(1.0);
      p.addContact(free, other, normal, arm1, arm2, -0.05);
    }
    const PressReport found = p.find();
    if (!found.found) continue;
    ++presses;
    p.expectCertificate(1e-6);
    for (std::size_t k = 0; k < p.contacts.size(); ++k) {
      p.contacts[k].bound -= p.finder.getClosing()[k];
    }
    EXPECT_FALSE(p.find().found) << trial;
  }
  EXPECT_GT(presses, 50);
}

}  // namespace
}  // namespace abut
