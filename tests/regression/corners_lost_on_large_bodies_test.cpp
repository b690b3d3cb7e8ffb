// SPDX-License-Identifier: MIT
// A face counts as facing the other body up to an angle at which its far end is within the margin.
// That angle was taken from the size of the larger body: on a wall of four metres a hull of ten
// centimetres touched with one corner of its face where all three were inside, and sank in.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/convex_shape.hpp>

#include "support/random.hpp"

namespace abut {
namespace {

TEST(LargeBodies, TakeAllCornersOfASmallFaceThatIsInside) {
  const std::vector<Eigen::Vector3d> corners = {{.06, 0, 0},  {-.05, .01, 0}, {0, .04, 0},
                                                {0, -.04, 0}, {0, 0, .05},    {.01, 0, -.05}};
  const ConvexShape hull(corners);
  test::Random random(7);
  int tried = 0;
  for (int k = 0; k < 3000; ++k) {
    const Mat3 turn = random.rotation();
    double heights[6], least = 1.0;
    for (int i = 0; i < 6; ++i) {
      heights[i] = (turn * toVec3(corners[static_cast<std::size_t>(i)])).z;
      least = std::fmin(least, heights[i]);
    }
    int inside = 0;
    for (const double h : heights) inside += h - least < 0.003 ? 1 : 0;
    if (inside < 3) continue;
    ++tried;
    for (const double size : {0.1, 2.0, 50.0}) {
      const BoxShape wall(Eigen::Vector3d(size, size, 0.005));
      const Pose pose{turn, {0.01, 0.01, 0.005 - 0.0035 - least}};  // 3.5 mm deep.
      CollisionResult result;
      ASSERT_TRUE(collide({&wall, Pose{}, 1}, {&hull, pose, 2}, {}, result));
      EXPECT_EQ(result.numContacts(), static_cast<std::size_t>(inside)) << size;
      for (std::size_t i = 0; i < result.numContacts(); ++i) {
        EXPECT_GT(result.getContact(i).depth, 0.0004);
        EXPECT_LE(result.getContact(i).depth, 0.0035 + 1e-12);
      }
    }
  }
  EXPECT_GT(tried, 3);
}

}  // namespace
}  // namespace abut
