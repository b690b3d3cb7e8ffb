// SPDX-License-Identifier: MIT
#include "math/exact_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace abut {
namespace {

double sumOf(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double x : terms) sum.add(x);
  return sum.value();
}

/// Terms with exponents from 2^-range to 2^range.
std::vector<double> randomTerms(std::mt19937_64& random, std::size_t count, int range) {
  std::vector<double> terms(count);
  for (double& x : terms) {
    const int exponent = static_cast<int>(random() % static_cast<unsigned>(2 * range + 1)) - range;
    x = std::ldexp(static_cast<double>(random() >> 11u), exponent - 53);
    if ((random() & 1u) != 0) x = -x;
  }
  return terms;
}

TEST(ExactSum, OfTwoTermsIsTheirSumAsTheMachineRoundsIt) {
  // Addition of doubles rounds the exact sum to nearest, ties to even: the same demand.
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const std::vector<double> t = randomTerms(random, 2, i % 3 == 0 ? 2 : 60);
    ASSERT_EQ(sumOf(t), t[0] + t[1]) << t[0] << " " << t[1];
  }
}

TEST(ExactSum, EveryDoubleIsItsOwnSum) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; ++i) {
    const double x = std::bit_cast<double>(random());
    if (!std::isfinite(x)) continue;
    ASSERT_EQ(sumOf({x}), x);
  }
  const double least = std::numeric_limits<double>::denorm_min();
  const double most = std::numeric_limits<double>::max();
  for (const double x :
       {0.0, least, -least, 3 * least, most, -most, 0x1p-1022, 0x1p-1022 - least}) {
    EXPECT_EQ(sumOf({x}), x);
  }
}

TEST(ExactSum, DependsNeitherOnOrderNorOnParts) {
  std::mt19937_64 random(3);
  std::vector<double> terms = randomTerms(random, 5000, 300);
  const double whole = sumOf(terms);
  for (int round = 0; round < 10; ++round) {
    std::shuffle(terms.begin(), terms.end(), random);
    EXPECT_EQ(sumOf(terms), whole);
    std::vector<ExactSum> parts(1 + random() % 64);
    for (const double x : terms) parts[random() % parts.size()].add(x);
    ExactSum sum;
    for (const ExactSum& part : parts) sum.merge(part);
    EXPECT_EQ(sum.value(), whole);
  }
}

TEST(ExactSum, KeepsWhatCancellationLeaves) {
  EXPECT_EQ(sumOf({1e300, 1.0, -1e300}), 1.0);
  EXPECT_EQ(sumOf({1e300, 1e-300, -1e300, -1e-300}), 0.0);
  EXPECT_FALSE(std::signbit(sumOf({1.0, -1.0})));
  EXPECT_FALSE(std::signbit(sumOf({-0.0})));
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(sumOf({1.0, -least, -1.0}), -least);
  // A term and its negative in pairs, and one term more.
  std::mt19937_64 random(4);
  std::vector<double> terms = randomTerms(random, 1000, 900);
  const std::size_t count = terms.size();
  for (std::size_t i = 0; i < count; ++i) terms.push_back(-terms[i]);
  terms.push_back(0.1);
  std::shuffle(terms.begin(), terms.end(), random);
  EXPECT_EQ(sumOf(terms), 0.1);
}

TEST(ExactSum, RoundsToNearestAndTiesToEven) {
  const double ulp = 0x1p-52;
  EXPECT_EQ(sumOf({1.0, ulp / 2}), 1.0);
  EXPECT_EQ(sumOf({1.0 + ulp, ulp / 2}), 1.0 + 2 * ulp);
  EXPECT_EQ(sumOf({1.0, ulp / 2, 1e-300}), 1.0 + ulp);
  EXPECT_EQ(sumOf({1.0, ulp / 2, -1e-300}), 1.0);
  EXPECT_EQ(sumOf({-1.0, -ulp / 2, -1e-300}), -1.0 - ulp);
}

TEST(ExactSum, OfAMillionTermsIsThatOfIntegers) {
  // Multiples of 2^-20 below 2^20: their sum is exact in 64 bits.
  std::mt19937_64 random(5);
  ExactSum sum;
  std::int64_t whole = 0;
  for (int i = 0; i < 1000000; ++i) {
    const auto k = static_cast<std::int64_t>(random() >> 24u) - (std::int64_t{1} << 39u);
    whole += k;
    sum.add(static_cast<double>(k) * 0x1p-20);
  }
  EXPECT_EQ(sum.value(), static_cast<double>(whole) * 0x1p-20);
}

TEST(ExactSum, SaysWhatIsNotFinite) {
  const double inf = std::numeric_limits<double>::infinity();
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(sumOf({1.0, inf}), inf);
  EXPECT_EQ(sumOf({-inf, 1.0}), -inf);
  EXPECT_TRUE(std::isnan(sumOf({inf, -inf})));
  EXPECT_TRUE(std::isnan(sumOf({std::nan(""), 1.0})));
  EXPECT_EQ(sumOf({most, most}), inf);
  EXPECT_EQ(sumOf({most, most, -most}), most);
}

TEST(ExactSum, StartsAnewWhenCleared) {
  ExactSum sum;
  sum.add(1e200);
  sum.add(-1e-200);
  sum.clear();
  EXPECT_EQ(sum.value(), 0.0);
  sum.add(0.3);
  EXPECT_EQ(sum.value(), 0.3);
}

}  // namespace
}  // namespace abut
