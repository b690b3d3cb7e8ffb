// SPDX-License-Identifier: MIT
//
// Loaded contacts of heaps keep gaps below the slop. Where such a gap was opening, the force that
// held it lifted what it bore, the gain was taken back by slowing all bodies down, and in single
// steps before rest the reported forces did not make the change of velocity: by 8e-4 of the largest
// force on a box in the 35th step of this heap.
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "support/force_balance.hpp"

namespace abut {
namespace {

constexpr double kStep = 1.0 / 60;
constexpr ObjectId kBoxes = 24;

class Draw {
public:
  double unit() {
    state_ = state_ * 1664525u + 1013904223u;
    return (state_ >> 8) / 16777216.0;
  }
  double about(double size) { return (2 * unit() - 1) * size; }

private:
  std::uint32_t state_ = 1;
};

/// A bin of 3.2 m, and boxes of 1 m in layers of four above its floor, or where they are in another
/// world.
void fill(World& world, const World* like = nullptr) {
  const auto wall = [&world](const Eigen::Vector3d& at, const Eigen::Vector3d& half) {
    BodyDescription d;
    d.type = BodyType::Static;
    d.position = at;
    d.id = 100000 + world.numBodies();
    world.addBody(d, BoxShape(half));
  };
  wall({0, 0, -1}, {3.6, 3.6, 1});
  for (const double side : {-2.6, 2.6}) wall({side, 0, 40}, {1, 3.6, 40});
  for (const double side : {-2.6, 2.6}) wall({0, side, 40}, {3.6, 1, 40});
  Draw draw;
  for (ObjectId i = 0; i < kBoxes; ++i) {
    const double layer = static_cast<double>(i / 4), shift = i / 4 % 2 == 0 ? 0.25 : -0.25;
    const double x = (static_cast<double>(i % 2) - 0.5) * 1.5 + draw.about(0.04);
    const double up = 1 + layer * 1.5 + draw.about(0.04);
    const double y = (static_cast<double>(i / 2 % 2) - 0.5) * 1.5 + draw.about(0.04);
    const double angle = draw.unit() * 3.14159265358979;
    BodyDescription d;
    d.id = i + 1;
    d.position = {x + shift, y + shift, up};
    d.orientation = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
    if (like != nullptr) {
      BodyMotion m;
      like->getMotion(d.id, m).orThrow();
      d.position = m.position;
      d.orientation = m.orientation;
      d.linearVelocity = m.linearVelocity;
      d.angularVelocity = m.angularVelocity;
    }
    world.addBody(d, BoxShape(Eigen::Vector3d(0.5, 0.5, 0.5)));
  }
}

TEST(HeldGapsLift, NothingSoThatForcesBalanceInEveryStep) {
  World loose(WorldOptions::realTime()), world;
  fill(loose);
  for (int i = 0; i < 240; ++i) loose.step(kStep).orThrow();
  fill(world, &loose);
  // Sums of some ten forces, each rounded, of which the largest counts: some 1e-15.
  for (int i = 1; i <= 70; ++i) {
    EXPECT_LT(test::missingForceIn(world, kBoxes, kStep), 1e-12) << "in step " << i;
    EXPECT_TRUE(world.getReport().converged) << "in step " << i;
  }
}

}  // namespace
}  // namespace abut
