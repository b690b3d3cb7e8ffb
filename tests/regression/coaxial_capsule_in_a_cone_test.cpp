// SPDX-License-Identifier: MIT
// Symptom: a capsule inside a cone on the same axis was pushed out through the base or sideways,
// up to 0.1 of the size deeper than through the cone's side.
// Cause: the side was tried only against vertices off the axis, which have an azimuth.
// Mechanism: a vertex on the axis is as far from the side all around: any azimuth serves.
#include <gtest/gtest.h>

#include "support/judge.hpp"

namespace abut::test {
namespace {

TEST(CoaxialCapsuleInACone, LeavesThroughTheNearestSurface) {
  for (const double height : {0.5, 1.0, 2.0}) {
    for (const double length : {0.2, 0.5, 1.0}) {
      for (const double shift : {0.0, 0.1, -0.2}) {
        const Body cone(Specimen::cone(0.5, height));
        const Body capsule(Specimen::capsule(0.3, length), Matrix::Identity(), {0.0, 0.0, shift});
        EXPECT_EQ(judge(cone, capsule).message, "") << height << ' ' << length << ' ' << shift;
      }
    }
  }
}

}  // namespace
}  // namespace abut::test
