// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/cast.hpp>

#include "shapes/hull_data.hpp"
#include "shapes/quickhull.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

Mat3 turnBy(const Vec3& rotation) {
  Motion motion;
  motion.angular = toEigen(rotation);
  return poseAt({}, motion, 1.0).rotation;
}

/// The definition: the first of the highest.
std::uint32_t firstOfHighest(const HullData& hull, const Vec3& d) {
  std::uint32_t best = 0;
  double most = -1e300;
  for (std::uint32_t i = 0; i < hull.numVertices; ++i) {
    const double height = (hull.x[i] * d.x + hull.y[i] * d.y) + hull.z[i] * d.z;
    if (!(height > most)) continue;
    most = height;
    best = i;
  }
  return best;
}

/// A ball of random points, and a prism with rims and edges full of ties.
std::vector<HullData> largeHulls(test::Random& random) {
  std::vector<Vec3> ball, prism;
  for (int i = 0; i < 3000; ++i) ball.push_back(random.direction());
  constexpr int kSides = 512;
  for (int i = 0; i < kSides; ++i) {
    const Mat3 turn = turnBy(Vec3{0.0, 0.0, 6.283185307179586 * i / kSides});
    for (const double z : {-0.5, 0.5}) prism.push_back(turn * Vec3{1.0, 0.0, z});
  }
  return {buildHull(ball), buildHull(prism)};
}

TEST(HullSupport, ManyVerticesAnswerAsAScanDoes) {
  constexpr std::uint64_t kSeed = 51;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  for (const HullData& hull : largeHulls(random)) {
    ASSERT_GT(hull.numVertices, 1000u);
    ASSERT_FALSE(hull.grouping.nodes.empty());
    for (int i = 0; i < 20000; ++i) {
      Vec3 d = random.direction() * random.between(1e-6, 1e6);
      if (i % 4 == 1) d.z = 0.0;
      if (i % 4 == 2) d.x = d.y = 0.0;
      if (i % 4 == 3) d = hull.vertex(static_cast<std::uint32_t>(i) % hull.numVertices);
      ASSERT_EQ(supportVertex(hull, d), firstOfHighest(hull, d)) << i;
    }
    EXPECT_LT(supportVertex(hull, {0.0 / 0.0, 0.0, 0.0}), hull.numVertices);
    EXPECT_EQ(supportVertex(hull, {}), 0u);
  }
}

}  // namespace
}  // namespace abut
