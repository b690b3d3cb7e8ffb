// SPDX-License-Identifier: MIT
#include <limits>

#include <gtest/gtest.h>

#include "math/pose.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

constexpr std::uint64_t kSeed = 7;

TEST(Vec3, SumsRunFromTheLeft) {
  // (1e16 + 1) - 1e16 is 0 when evaluated from the left, 1 in exact arithmetic.
  EXPECT_EQ(dot({1e16, 1.0, -1e16}, {1.0, 1.0, 1.0}), 0.0);
}

TEST(Vec3, CrossProductIsRightHandedAndOrthogonal) {
  EXPECT_EQ(cross({1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}), (Vec3{0.0, 0.0, 1.0}));
  test::Random random(kSeed);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 a = random.vector(1.0), b = random.vector(1.0), c = cross(a, b);
    // Three products of numbers below 1, each rounded: a few ulp of 1.
    EXPECT_NEAR(dot(a, c), 0.0, 1e-15) << "seed " << kSeed;
    EXPECT_NEAR(dot(b, c), 0.0, 1e-15) << "seed " << kSeed;
  }
}

TEST(Vec3, AnyPerpendicularIsUnitAndOrthogonalForEveryDirection) {
  test::Random random(kSeed);
  for (int i = 0; i < 1000; ++i) {
    Vec3 n = random.direction();
    if (i < 3) n = {i == 0 ? 1.0 : 0.0, i == 1 ? -1.0 : 0.0, i == 2 ? 1.0 : 0.0};
    const Vec3 t = anyPerpendicular(n);
    EXPECT_NEAR(norm(t), 1.0, 4e-16) << "seed " << kSeed;
    EXPECT_NEAR(dot(t, n), 0.0, 4e-16) << "seed " << kSeed;
  }
}

TEST(Vec3, MinimumAndMaximumOfSignedZerosKeepTheFirst) {
  EXPECT_TRUE(std::signbit(minOf(-0.0, 0.0)));
  EXPECT_FALSE(std::signbit(minOf(0.0, -0.0)));
  EXPECT_TRUE(std::signbit(maxOf(-0.0, 0.0)));
}

TEST(Vec3, FinitenessSeesEveryComponent) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(isFinite(Vec3{1e308, -1e308, 0.0}));
  EXPECT_FALSE(isFinite(Vec3{nan, 0.0, 0.0}));
  EXPECT_FALSE(isFinite(Vec3{0.0, infinity, 0.0}));
  EXPECT_FALSE(isFinite(Vec3{0.0, 0.0, -infinity}));
}

TEST(Vec3, LexicographicOrderIsByXThenYThenZ) {
  EXPECT_TRUE(lexicographicLess({0.0, 9.0, 9.0}, {1.0, 0.0, 0.0}));
  EXPECT_TRUE(lexicographicLess({1.0, 0.0, 9.0}, {1.0, 1.0, 0.0}));
  EXPECT_TRUE(lexicographicLess({1.0, 1.0, 0.0}, {1.0, 1.0, 1.0}));
  EXPECT_FALSE(lexicographicLess({1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}));
}

}  // namespace
}  // namespace abut
