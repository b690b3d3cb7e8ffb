// SPDX-License-Identifier: MIT
// Faces of 32 corners that nearly coincide have corners and crossings apart: up to 128 points, of
// which the buffer took the first 64.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/convex_shape.hpp>

namespace abut {
namespace {

ConvexShape prism(int sides) {
  std::vector<Eigen::Vector3d> points;
  for (int i = 0; i < sides; ++i) {
    const double a = 6.283185307179586 * i / sides;
    for (const double z : {-0.25, 0.25}) points.emplace_back(std::cos(a), std::sin(a), z);
  }
  return ConvexShape(points);
}

TEST(CrowdedFaces, KeepAManifoldThatHoldsTheFace) {
  const ConvexShape shape = prism(32);
  for (double turn = 1e-15; turn < 0.2; turn *= 1.7) {
    for (const double depth : {-1e-4, 0.0, 1e-9, 1e-3}) {
      const double c = std::cos(turn), s = std::sin(turn);
      const Pose upper{{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}, {0, 0, 0.5 - depth}};
      CollisionResult result;
      CollisionOption option;
      option.margin = 1e-2;
      ASSERT_TRUE(collide({&shape, Pose{}, 1}, {&shape, upper, 2}, option, result));
      ASSERT_TRUE(result.isCollision() || depth < 0.0) << turn << " " << depth;
      double reach = 0.0;
      for (std::size_t i = 0; i < result.numContacts(); ++i) {
        const ContactPoint& p = result.getContact(i);
        EXPECT_NEAR(p.depth, depth, 1e-12) << turn;
        reach = std::max(reach, p.position.head<2>().norm());
      }
      EXPECT_NEAR(reach, 1.0, 1e-2) << turn << " " << depth;
    }
  }
}

}  // namespace
}  // namespace abut
