// SPDX-License-Identifier: MIT
//
// Contacts of heaps give way a little, and remember: their springs are at rest under the last
// step's impulses. Couples against rolling were forgotten, so that every step loaded their springs
// anew: a heap of balls with rolling resistance rolled on by 2e-5 m/s, for ever, and took dozens of
// factorisations a step. What is kept goes into snapshots.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "regression/rolling_heap.hpp"

namespace abut {
namespace {

constexpr double kStep = 1.0 / 60;

struct Heap {
  ObjectId count;
  double radius, arm;  ///< [m]
  std::uint32_t seed;
  bool backwards;  ///< Ids from the top down.
};

/// A bin of eight radii, and balls in layers of nine above its floor, or where they are in another
/// world.
void fill(World& world, const Heap& heap, const World* like = nullptr) {
  Material m;
  m.rollingResistance = m.spinningResistance = heap.arm;
  MaterialId rough = 0;
  world.materials().add(m, rough).orThrow();
  const double r = heap.radius, far = 8 * r;
  const auto wall = [&](const Eigen::Vector3d& at, const Eigen::Vector3d& half) {
    BodyDescription d;
    d.type = BodyType::Static;
    d.position = at;
    d.id = 100000 + world.numBodies();
    world.addBody(d, BoxShape(half), rough);
  };
  wall({0, 0, -2 * r}, {far, far, 2 * r});
  for (const double side : {-6 * r, 6 * r}) wall({side, 0, 80 * r}, {2 * r, far, 80 * r});
  for (const double side : {-6 * r, 6 * r}) wall({0, side, 80 * r}, {far, 2 * r, 80 * r});
  test::Draw draw(heap.seed);
  for (ObjectId i = 0; i < heap.count; ++i) {
    const double x = static_cast<double>(i % 3) - 1, y = static_cast<double>(i / 3 % 3) - 1;
    const double layer = static_cast<double>(i / 9);
    BodyDescription d;
    d.id = heap.backwards ? heap.count - i : i + 1;
    d.position = {x * 2.2 * r + draw.about(0.1 * r), y * 2.2 * r + draw.about(0.1 * r),
                  (2 + 2.2 * layer) * r};
    if (like != nullptr) test::takeMotion(*like, d);
    world.addBody(d, SphereShape(r), rough);
  }
}

/// Greatest speed of a surface [m/s].
double fastest(const World& world, const Heap& heap) {
  double speed = 0.0;
  for (ObjectId id = 1; id <= heap.count; ++id) {
    BodyMotion m;
    world.getMotion(id, m).orThrow();
    speed = std::max(speed, m.linearVelocity.norm() + heap.radius * m.angularVelocity.norm());
  }
  return speed;
}

class RollingHeaps : public testing::TestWithParam<Heap> {};

TEST_P(RollingHeaps, LieStillWhenTheyHaveFallen) {
  const Heap heap = GetParam();
  World loose(WorldOptions::realTime()), world;
  fill(loose, heap);
  for (int i = 0; i < 300; ++i) loose.step(kStep).orThrow();
  fill(world, heap, &loose);
  for (int i = 0; i < 200; ++i) {
    world.step(kStep).orThrow();
    ASSERT_TRUE(world.getReport().converged) << "in step " << i;
  }
  const double one = 9.81 * kStep;  // What gravity adds in a step [m/s].
  int factorisations = 0;
  World again;
  fill(again, heap);
  for (int i = 0; i < 40; ++i) {
    if (i == 20) again.restore(world.snapshot()).orThrow();
    world.step(kStep).orThrow();
    if (i >= 20) again.step(kStep).orThrow();
    EXPECT_LT(fastest(world, heap), 1e-9 * one) << "in step " << i;
    factorisations += world.getReport().newtonSteps;
  }
  EXPECT_LE(factorisations, 40);
  EXPECT_EQ(world.hash(), again.hash());
}

INSTANTIATE_TEST_SUITE_P(Bins, RollingHeaps,
                         testing::Values(Heap{60, 0.5, 0.02, 1, false},
                                         Heap{70, 0.5, 0.02, 5, true},
                                         Heap{64, 0.05, 0.003, 9, false}));

}  // namespace
}  // namespace abut
