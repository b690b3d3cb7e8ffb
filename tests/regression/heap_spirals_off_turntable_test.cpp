// SPDX-License-Identifier: MIT
//
// A wall of 21 boxes with 204 contacts on a turntable ran off in a spiral: contacts of heaps are
// not followed through a step, and their kinetic energy grew by a sixth in five seconds at 60 Hz.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

namespace abut {
namespace {

/// A triangular wall of six rows on a table that turns; returns the greatest relative change of a
/// box's distance from the axis.
double runWall(double spin, double dt, double seconds) {
  World world;
  BodyDescription table;
  table.type = BodyType::Kinematic;
  table.position = {0.3, -0.2, -0.05};
  table.angularVelocity = {0, 0, spin};
  Material rough;
  rough.friction = 0.8;
  MaterialId grip = 0;
  world.materials().add(rough, grip).orThrow();
  world.addBody(table, CylinderShape(3.0, 0.1), grip);
  std::vector<ObjectId> boxes;
  for (int row = 0; row < 6; ++row) {
    for (int i = 0; i < 6 - row; ++i) {
      const double x = 0.8, y = (i - (5 - row) / 2.0) * 0.22;
      BodyDescription box;
      box.position = {table.position.x() + x, table.position.y() + y, 0.1 + 0.2 * row};
      box.linearVelocity = {-spin * y, spin * x, 0};
      box.angularVelocity = {0, 0, spin};
      boxes.push_back(world.addBody(box, BoxShape({0.1, 0.1, 0.1}), grip));
    }
  }
  const auto radius = [&](ObjectId id) {
    BodyMotion m;
    world.getMotion(id, m).orThrow();
    return std::hypot(m.position.x() - table.position.x(), m.position.y() - table.position.y());
  };
  std::vector<double> before;
  for (const ObjectId id : boxes) before.push_back(radius(id));
  for (int i = 0; i < seconds / dt; ++i) {
    world.step(dt).orThrow();
    EXPECT_LE(std::fabs(world.getStepLedger().residual()),
              1e-12 * world.getStepLedger().largestEntry());
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    worst = std::max(worst, std::fabs(radius(boxes[i]) / before[i] - 1.0));
  }
  return worst;
}

TEST(HeapSpiralsOffTurntable, NotWhereTheTableTakesItAlong) {
  EXPECT_LT(runWall(1.0, 1.0 / 60, 0.75), 1e-6);
  EXPECT_LT(runWall(-1.2, 1.0 / 120, 0.25), 1e-6);
}

TEST(HeapSpiralsOffTurntable, BooksCloseWhereItTipsOver) {
  runWall(-1.7, 1.0 / 120, 0.25);
}

}  // namespace
}  // namespace abut
