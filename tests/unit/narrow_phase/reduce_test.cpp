// SPDX-License-Identifier: MIT
#include "narrow_phase/dispatch/reduce.hpp"

#include <gtest/gtest.h>

namespace abut {
namespace {

void addPoint(PairManifold& m, double x, double y, double depth, std::uint32_t id) {
  m.add({x, y, 0.0}, depth, {Feature::Kind::Vertex, id}, {Feature::Kind::Face, 0});
}

bool contains(const PairManifold& m, double x, double y) {
  for (int i = 0; i < m.count; ++i) {
    if (m.points[i].position == Vec3{x, y, 0.0}) return true;
  }
  return false;
}

TEST(ReduceManifold, KeepsTheCornersOfASquareAmongItsOtherPoints) {
  PairManifold m;
  m.normal = {0, 0, 1};
  const double corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  addPoint(m, 0.1, 0, 0.01, 9);
  for (std::uint32_t i = 0; i < 4; ++i)
    addPoint(m, corners[i][0], corners[i][1], i == 2 ? 0.02 : 0.01, i);
  addPoint(m, 0, 1, 0.01, 8);
  reduceManifold(m);
  ASSERT_EQ(m.count, 4);
  for (const auto& c : corners) EXPECT_TRUE(contains(m, c[0], c[1]));
  EXPECT_EQ(m.points[0].depth, 0.02);
}

TEST(ReduceManifold, KeepsBothEndsOfALineThoughTheDeepestLiesBetween) {
  PairManifold m;
  m.normal = {0, 0, 1};
  for (std::uint32_t i = 0; i < 6; ++i) {
    // Off the line by rounding, so that areas are noise.
    addPoint(m, -1.0 + 0.4 * i, (i & 1) != 0 ? 1e-17 : -1e-17, i == 2 ? 0.02 : 0.01, i);
  }
  reduceManifold(m);
  EXPECT_EQ(m.count, 3);
  EXPECT_EQ(m.points[0].depth, 0.02);
  EXPECT_TRUE(contains(m, -1.0, -1e-17));
  EXPECT_TRUE(contains(m, -1.0 + 0.4 * 5, 1e-17));
}

TEST(ReduceManifold, ChoiceDoesNotDependOnTheOrderOfPoints) {
  PairManifold a, b;
  a.normal = b.normal = {0, 0, 1};
  for (std::uint32_t i = 0; i < 8; ++i) {
    const double x = i * 0.37 - 1.1, y = (i * 5 % 8) * 0.21, depth = 0.01 + (i * 3 % 8) * 1e-3;
    addPoint(a, x, y, depth, i);
  }
  for (int i = 7; i >= 0; --i) b.points[b.count++] = a.points[i];
  reduceManifold(a);
  reduceManifold(b);
  ASSERT_EQ(a.count, b.count);
  for (int i = 0; i < a.count; ++i) EXPECT_EQ(a.points[i].feature1, b.points[i].feature1);
}

}  // namespace
}  // namespace abut
