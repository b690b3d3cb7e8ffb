// SPDX-License-Identifier: MIT
// Symptom: an L of 11 200 triangles dropped on another overlapped it by 44 mm and jumped by 2.2 mm
// in a step, a U of 4400 by 60 and 4.8 mm; a drop of an L of 44 800 took 17 s.
// Cause: solids of more than 4096 triangles were not taken apart into convex pieces, although flat
// faces that are divided finely have as few planes as coarse ones. Mechanism: the number of faces
// decides; then what the pieces are does not depend on how their faces are divided.
#include <cmath>

#include <gtest/gtest.h>

#include <abut/world/world.hpp>

#include "unit/narrow_phase/composite_support.hpp"

namespace abut {
namespace {

using test::ShapePtr;
using test::Vector;

constexpr double kArm = 0.5;  // Width of an arm [m]; both are twice as long.

/// An L of three cubes, each face of which is n x n squares.
ShapePtr letterL(int n) {
  constexpr int kCubes[3][2] = {{0, 0}, {1, 0}, {0, 1}};
  const auto isIn = [&](int x, int y, int z) {
    for (const auto& c : kCubes) {
      if (c[0] == x && c[1] == y && z == 0) return true;
    }
    return false;
  };
  test::Soup all;
  const test::Soup cube = test::boxSoup({0.5 * kArm, 0.5 * kArm, 0.5 * kArm}, n);
  const std::size_t perFace = cube.triangles.size() / 6;
  for (const auto& c : kCubes) {
    const auto base = static_cast<std::uint32_t>(all.vertices.size());
    for (const Vector& v : cube.vertices) {
      // On a grid, so that cubes that meet have the same bits there.
      Vector p = n * (v / kArm + Vector(c[0] + 0.5, c[1] + 0.5, 0.5));
      for (double& x : p) x = kArm * (std::round(x) / n - 0.8);
      all.vertices.push_back(p);
    }
    for (std::size_t t = 0; t < cube.triangles.size(); ++t) {
      const std::size_t face = t / perFace;
      int at[3] = {c[0], c[1], 0};
      at[face / 2] += face % 2 == 0 ? -1 : 1;
      if (isIn(at[0], at[1], at[2])) continue;
      const auto& k = cube.triangles[t];
      all.triangles.push_back({base + k[0], base + k[1], base + k[2]});
    }
  }
  return all.shape();
}

TEST(FineFlatFaces, AreAsDeepAsCoarseOnes) {
  constexpr std::uint64_t kSeed = 91;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  const ShapePtr coarse = letterL(1), fine = letterL(20);
  for (int i = 0; i < 300; ++i) {
    const Pose pose = random.pose(0.9);
    DistanceResult truth, found;
    ASSERT_TRUE(distance({coarse.get(), {}, 1}, {coarse.get(), pose, 2}, truth));
    ASSERT_TRUE(distance({fine.get(), {}, 1}, {fine.get(), pose, 2}, found));
    EXPECT_NEAR(found.distance, truth.distance, 1e-12) << i;
  }
}

TEST(FineFlatFaces, DoNotTeleportWhenDropped) {
  const ShapePtr fine = letterL(20);
  for (const bool realTime : {false, true}) {
    const double dt = realTime ? 1.0 / 60 : 1.0 / 240;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      SCOPED_TRACE(seed);
      test::Random random(seed);
      World world(realTime ? WorldOptions::realTime() : WorldOptions{});
      world.addBody({.type = BodyType::Static, .orientation = random.quaternion(), .id = 1}, fine);
      const Vector spin = toEigen(random.vector(3.0));
      world.addBody({.position = {random.between(-0.4, 0.4), 0.1, 1.8},
                     .orientation = random.quaternion(),
                     .angularVelocity = spin,
                     .mass = 1.0,
                     .id = 2},
                    fine);
      BodyMotion before, after;
      ASSERT_TRUE(world.getMotion(2, before));
      for (int i = 0; i * dt < 1.2; ++i) {
        ASSERT_TRUE(world.step(dt));
        ASSERT_TRUE(world.getMotion(2, after));
        const double moved = (after.centerOfMass - before.centerOfMass).norm();
        const double speed = std::max(before.linearVelocity.norm(), after.linearVelocity.norm());
        EXPECT_LE(moved - speed * dt, realTime ? 2e-3 : 1e-3) << i;
        before = after;
      }
    }
  }
}

}  // namespace
}  // namespace abut
