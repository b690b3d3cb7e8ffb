// SPDX-License-Identifier: MIT
//
// Compliant contacts of heaps give back in one step what they took up in others. That was taken for
// a gain of energy, and all bodies of the heap were slowed down for it, so that in such steps the
// reported forces did not make the change of velocity: by up to 9e-2 of the largest force on a body
// in these heaps of balls with masses of 1 to 100.
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "support/force_balance.hpp"

namespace abut {
namespace {

constexpr double kStep = 1.0 / 60;
constexpr ObjectId kBalls = 60;

class Draw {
public:
  explicit Draw(std::uint32_t seed) : state_(seed) {}
  double unit() {
    state_ = state_ * 1664525u + 1013904223u;
    return (state_ >> 8) / 16777216.0;
  }
  double about(double size) { return (2 * unit() - 1) * size; }

private:
  std::uint32_t state_;
};

/// A bin of 3.4 m and balls of 1 m in layers of nine above its floor, or where they are in another
/// world.
void fill(World& world, std::uint32_t seed, const World* like = nullptr) {
  const auto wall = [&world](const Eigen::Vector3d& at, const Eigen::Vector3d& half) {
    BodyDescription d;
    d.type = BodyType::Static;
    d.position = at;
    d.id = 100000 + world.numBodies();
    world.addBody(d, BoxShape(half));
  };
  wall({0, 0, -1}, {3.7, 3.7, 1});
  for (const double side : {-2.7, 2.7}) wall({side, 0, 40}, {1, 3.7, 40});
  for (const double side : {-2.7, 2.7}) wall({0, side, 40}, {3.7, 1, 40});
  Draw draw(seed);
  for (ObjectId i = 0; i < kBalls; ++i) {
    const double x = static_cast<double>(i % 3) - 1, y = static_cast<double>(i / 3 % 3) - 1;
    const double share = draw.unit();
    BodyDescription d;
    d.id = i + 1;
    d.mass = 1000 * (1 + 99 * share * share * share);
    d.position = {1.1 * x + draw.about(0.05), 1.1 * y + draw.about(0.05),
                  1 + 1.1 * static_cast<double>(i / 9)};
    if (like != nullptr) {
      BodyMotion m;
      like->getMotion(d.id, m).orThrow();
      d.position = m.position;
      d.orientation = m.orientation;
      d.linearVelocity = m.linearVelocity;
      d.angularVelocity = m.angularVelocity;
    }
    world.addBody(d, SphereShape(0.5));
  }
}

class CompliantHeap : public testing::TestWithParam<std::uint32_t> {};

TEST_P(CompliantHeap, ForcesMakeTheChangeOfVelocityInEveryStep) {
  World loose(WorldOptions::realTime()), world;
  fill(loose, GetParam());
  for (int i = 0; i < 240; ++i) loose.step(kStep).orThrow();
  fill(world, GetParam(), &loose);
  int compliant = 0;
  for (int i = 1; i <= 60; ++i) {
    // Sums of some ten forces, each rounded, of which the largest counts.
    EXPECT_LT(test::missingForceIn(world, kBalls, kStep), 1e-12) << "in step " << i;
    const EnergyAccount& books = world.getStepLedger();
    EXPECT_LE(std::fabs(books.residual()), 1e-12 * books.largestEntry()) << "in step " << i;
    compliant += world.getReport().compliantIslands > 0 ? 1 : 0;
  }
  EXPECT_GT(compliant, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CompliantHeap, testing::Values(1u, 3u, 7u));

}  // namespace
}  // namespace abut
