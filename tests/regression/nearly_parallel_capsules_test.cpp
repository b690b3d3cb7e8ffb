// SPDX-License-Identifier: MIT
// Symptom: two capsules at one place whose axes differ by 1e-9 rad reported a depth that was too
// small by 2e-6 of their size. Cause: the common perpendicular of the axes leaned along them.
// Mechanism: its deviation, rounding error of 1e-17, was divided by the squared sine, 1e-18.
#include <cmath>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/capsule_shape.hpp>

namespace abut {
namespace {

TEST(NearlyParallelCapsules, DepthIsTheSupportDepthAlongTheNormal) {
  const CapsuleShape a(0.3, 1.0), b(0.2, 0.7);
  for (int e = 3; e <= 15; ++e) {
    const double angle = std::pow(10.0, -e);
    for (const double yaw : {0.0, 0.4, 2.0}) {
      const Pose one = poseFromRollPitchYaw({0, 0, 0}, 0.3, 0.2, yaw);
      const Pose two = poseFromRollPitchYaw({0, 0, 0}, 0.3 + angle, 0.2, yaw);
      DistanceResult d;
      ASSERT_TRUE(distance({&a, one, 1}, {&b, two, 2}, d));
      // Support of a capsule along n: half length times |n . axis|, plus the radius.
      const Eigen::Vector3d axis1(one.rotation.z.x, one.rotation.z.y, one.rotation.z.z);
      const Eigen::Vector3d axis2(two.rotation.z.x, two.rotation.z.y, two.rotation.z.z);
      const double overlap =
          0.5 + 0.5 * std::fabs(d.normal.dot(axis1)) + 0.35 * std::fabs(d.normal.dot(axis2));
      EXPECT_NEAR(-d.distance, overlap, 1e-15) << "angle 1e-" << e;
      EXPECT_NEAR(-d.distance, 0.5, 1e-15) << "angle 1e-" << e;  // The radii: the axes meet.
    }
  }
}

}  // namespace
}  // namespace abut
