// SPDX-License-Identifier: MIT
#include "integration/mean_rotation.hpp"

#include <gtest/gtest.h>

namespace abut {
namespace {

LocalInertia inertiaOf(double a, double b, double c) {
  return {{{a, 0, 0}, {0, b, 0}, {0, 0, c}}, {{1 / a, 0, 0}, {0, 1 / b, 0}, {0, 0, 1 / c}}};
}

double energy(const LocalInertia& inertia, const Quat& q, const Vec3& w) {
  const Vec3 own = transposeTimes(toMatrix(q), w);
  return 0.5 * dot(own, inertia.tensor * own);
}

Vec3 momentumOf(const LocalInertia& inertia, const Quat& q, const Vec3& w) {
  const Mat3 r = toMatrix(q);
  return r * (inertia.tensor * transposeTimes(r, w));
}

/// mean . (L1 - L0) = T1 - T0 by construction; rounding of a dozen products of that size is left.
TEST(MeanRotation, CouplesDoTheirWorkOnTheMeanVelocity) {
  const LocalInertia inertia = inertiaOf(1.0, 2.5, 0.7);
  for (int i = 0; i < 200; ++i) {
    const double t = 0.37 * i;
    const Quat q = normalized(Quat{1.0, 0.3 * t, -0.2, 0.5 - 0.1 * t});
    const Vec3 w{3.0 - 0.02 * i, 0.05 * i, -2.0 + 0.03 * i};
    const Vec3 kick{0.01 * i, 1.0 - 0.01 * i, 0.5};
    const Vec3 start = momentumOf(inertia, q, w);
    const MeanRotation r = rotateByMean(inertia, 0.01, q, w, start + kick);
    ASSERT_TRUE(r.settled) << i;
    const double change = energy(inertia, r.orientation, r.velocity) - energy(inertia, q, w);
    const double size = energy(inertia, q, w) + norm(r.mean) * norm(kick);
    EXPECT_NEAR(dot(r.mean, kick), change, 1e-14 * size) << i;
  }
}

TEST(MeanRotation, KeepsTheMomentumGiven) {
  const LocalInertia inertia = inertiaOf(0.2, 1.0, 1.1);
  const Quat q = normalized(Quat{0.8, 0.1, -0.5, 0.3});
  const Vec3 momentum{0.3, -2.0, 1.0};
  const MeanRotation r = rotateByMean(inertia, 0.02, q, {1.0, 2.0, -3.0}, momentum);
  ASSERT_TRUE(r.settled);
  EXPECT_LE(norm(momentumOf(inertia, r.orientation, r.velocity) - momentum),
            4e-15 * norm(momentum));
}

/// About a principal axis the mean is the velocity itself: the angle is w h, to rounding.
TEST(MeanRotation, SpinAboutAPrincipalAxisKeepsItsPhase) {
  const LocalInertia inertia = inertiaOf(1.0, 1.0, 3.0);
  const Vec3 w{0.0, 0.0, 7.0};
  const MeanRotation r = rotateByMean(inertia, 0.1, Quat{}, w, Vec3{0.0, 0.0, 21.0});
  const Quat expected = quatFromRotationVector({0.0, 0.0, 0.7});
  EXPECT_NEAR(r.orientation.w, expected.w, 2e-16);
  EXPECT_NEAR(r.orientation.z, expected.z, 2e-16);
}

/// Symmetric in time: going back from the end ends at the start.
TEST(MeanRotation, GoesBackWhereItCameFrom) {
  const LocalInertia inertia = inertiaOf(1.0, 2.0, 2.7);
  const Quat q = normalized(Quat{0.5, 0.5, -0.1, 0.7});
  const Vec3 w{4.0, -1.0, 2.0};
  const Vec3 start = momentumOf(inertia, q, w);
  const MeanRotation there = rotateByMean(inertia, 0.05, q, w, start + Vec3{0.2, -0.3, 0.1});
  const MeanRotation back = rotateByMean(inertia, -0.05, there.orientation, there.velocity, start);
  EXPECT_LE(norm(back.velocity - w), 1e-13);
  EXPECT_NEAR(back.orientation.w, q.w, 1e-14);
  EXPECT_NEAR(back.orientation.x, q.x, 1e-14);
}

}  // namespace
}  // namespace abut
