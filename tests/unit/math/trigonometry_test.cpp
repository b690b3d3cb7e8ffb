// SPDX-License-Identifier: MIT
#include "math/trigonometry.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/random.hpp"

namespace abut {
namespace {

constexpr std::uint64_t kSeed = 20240607;
constexpr int kNumPoints = 200000;  // Five ranges: a million angles.

/// Error of `got` in units of the spacing of doubles at the true value.
double ulps(double got, long double truth) {
  const double magnitude = static_cast<double>(std::fabs(truth));
  const bool roundedUp = static_cast<long double>(magnitude) > std::fabs(truth);
  const double spacing = roundedUp ? magnitude - std::nextafter(magnitude, 0.0)
                                   : std::nextafter(magnitude, 1e300) - magnitude;
  return static_cast<double>(std::fabs(static_cast<long double>(got) - truth) / spacing);
}

/// The references below need more bits than a double has.
bool longDoubleIsWider() {
  return std::numeric_limits<long double>::digits >= 64;
}

#define ABUT_NEEDS_WIDE_REFERENCE() \
  if (!longDoubleIsWider()) GTEST_SKIP() << "long double is no wider than double here"

/// Bound promised by the header is 1; these are what the method's error analysis allows: half an
/// ulp for the last rounding, a quarter for the second largest term.
constexpr double kSinCosBound = 0.78;
constexpr double kArcBound = 0.68;

TEST(Trigonometry, SineAndCosineAreWithinOneUlpUpToABillion) {
  ABUT_NEEDS_WIDE_REFERENCE();
  test::Random random(kSeed);
  for (const double range : {0.8, 3.2, 100.0, 1e5, 1e9}) {
    double worst = 0.0;
    for (int i = 0; i < kNumPoints; ++i) {
      const double x = random.between(-range, range);
      const SinCos r = sinCos(x);
      const auto wide = static_cast<long double>(x);
      worst = std::max({worst, ulps(r.sin, std::sin(wide)), ulps(r.cos, std::cos(wide))});
    }
    EXPECT_LT(worst, kSinCosBound) << "range " << range << ", seed " << kSeed;
  }
}

TEST(Trigonometry, ReductionStaysExactNextToMultiplesOfHalfPi) {
  ABUT_NEEDS_WIDE_REFERENCE();
  test::Random random(kSeed);
  double worst = 0.0;
  for (int i = 0; i < kNumPoints; ++i) {
    const double k = std::floor(random.between(0.0, 6e8));
    const double x = k * (0.5 * kPi);
    const SinCos r = sinCos(x);
    const auto wide = static_cast<long double>(x);
    worst = std::max({worst, ulps(r.sin, std::sin(wide)), ulps(r.cos, std::cos(wide))});
  }
  EXPECT_LT(worst, kSinCosBound) << "seed " << kSeed;
}

TEST(Trigonometry, ArcTangentIsWithinOneUlpOverFortyBinades) {
  ABUT_NEEDS_WIDE_REFERENCE();
  test::Random random(kSeed);
  double worst = 0.0;
  for (int i = 0; i < kNumPoints; ++i) {
    const double scale = std::exp2(random.between(-20.0, 20.0));
    const double y = random.between(-scale, scale);
    const double x = random.between(-1.0, 1.0);
    const auto truth = std::atan2(static_cast<long double>(y), static_cast<long double>(x));
    worst = std::max(worst, ulps(atan2Of(y, x), truth));
  }
  EXPECT_LT(worst, kArcBound) << "seed " << kSeed;
}

TEST(Trigonometry, ArcCosineIsWithinOneUlpAlsoNextToOne) {
  ABUT_NEEDS_WIDE_REFERENCE();
  test::Random random(kSeed);
  double worst = 0.0;
  for (int i = 0; i < kNumPoints; ++i) {
    double x = random.between(-1.0, 1.0);
    if (i % 2 == 1) x = (x < 0.0 ? -1.0 : 1.0) * (1.0 - std::exp2(random.between(-53.0, 0.0)));
    worst = std::max(worst, ulps(acosOf(x), std::acos(static_cast<long double>(x))));
  }
  EXPECT_LT(worst, kArcBound) << "seed " << kSeed;
}

TEST(Trigonometry, SineIsOddAndCosineEvenToTheBit) {
  test::Random random(kSeed);
  for (int i = 0; i < 10000; ++i) {
    const double x = random.between(0.0, 1e4);
    const SinCos plus = sinCos(x), minus = sinCos(-x);
    ASSERT_EQ(plus.sin, -minus.sin);
    ASSERT_EQ(plus.cos, minus.cos);
    const double y = random.between(-1.0, 1.0);
    ASSERT_EQ(atan2Of(x, y), -atan2Of(-x, y));
  }
}

TEST(Trigonometry, SpecialAnglesAreExact) {
  EXPECT_EQ(sinCos(0.0).sin, 0.0);
  EXPECT_EQ(sinCos(0.0).cos, 1.0);
  EXPECT_TRUE(std::signbit(sinCos(-0.0).sin));
  EXPECT_EQ(sinCos(5e-324).sin, 5e-324);
  // kPi = pi - 1.2246467991473532e-16, so its sine is that difference, to the last bit.
  EXPECT_EQ(sinCos(kPi).sin, 1.2246467991473532e-16);
  EXPECT_EQ(sinCos(kPi).cos, -1.0);
  EXPECT_EQ(sinCos(0.5 * kPi).sin, 1.0);
  EXPECT_EQ(sinCos(0.5 * kPi).cos, 6.123233995736766e-17);
}

TEST(Trigonometry, SpecialArcsAreExact) {
  EXPECT_EQ(atan2Of(0.0, 0.0), 0.0);
  EXPECT_EQ(atan2Of(0.0, 1.0), 0.0);
  EXPECT_EQ(atan2Of(0.0, -1.0), kPi);
  EXPECT_EQ(atan2Of(-0.0, -1.0), -kPi);
  EXPECT_EQ(atan2Of(2.0, 0.0), 0.5 * kPi);
  EXPECT_EQ(atan2Of(-2.0, 0.0), -0.5 * kPi);
  EXPECT_EQ(atan2Of(3.0, 3.0), 0.25 * kPi);
  EXPECT_EQ(atan2Of(3.0, -3.0), 0.75 * kPi);
  EXPECT_EQ(atan2Of(1e300, 1e300), 0.25 * kPi);
  EXPECT_EQ(atan2Of(1e-300, 1e-300), 0.25 * kPi);
  EXPECT_EQ(atan2Of(1e-300, 1e300), 0.0);
  EXPECT_EQ(acosOf(1.0), 0.0);
  EXPECT_EQ(acosOf(0.0), 0.5 * kPi);
  EXPECT_EQ(acosOf(-1.0), kPi);
}

TEST(Trigonometry, ArcCosineClampsItsArgument) {
  EXPECT_EQ(acosOf(1.0 + 1e-15), 0.0);
  EXPECT_EQ(acosOf(-7.0), kPi);
}

TEST(Trigonometry, NaNInfinityAndAnglesBeyondTheRangeGiveNaN) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {infinity, -infinity, nan}) {
    EXPECT_TRUE(std::isnan(sinCos(bad).sin));
    EXPECT_TRUE(std::isnan(sinCos(bad).cos));
    EXPECT_TRUE(std::isnan(atan2Of(bad, 1.0)));
    EXPECT_TRUE(std::isnan(atan2Of(1.0, bad)));
  }
  EXPECT_TRUE(std::isnan(sinCos(1.1e9).sin));
  EXPECT_TRUE(std::isnan(acosOf(nan)));
}

}  // namespace
}  // namespace abut
