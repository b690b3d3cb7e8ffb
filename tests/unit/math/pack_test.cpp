// SPDX-License-Identifier: MIT
#include "math/pack.hpp"

#include <bit>

#include <gtest/gtest.h>

#include "support/random.hpp"

namespace abut {
namespace {

bool sameBits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

TEST(Pack, EveryLaneHasTheBitsOfThePlainExpression) {
  constexpr std::uint64_t kSeed = 77;
  test::Random random(kSeed);
  for (int i = 0; i < 1000; ++i) {
    double a[4], b[4];
    for (int k = 0; k < 4; ++k) {
      a[k] = random.between(-3.0, 3.0);
      b[k] = random.between(-3.0, 3.0);
    }
    const Pack4d p = makePack(a[0], a[1], a[2], a[3]), q = makePack(b[0], b[1], b[2], b[3]);
    const Pack4d value = absOf(p * q - q) + p * 0.3;
    const Mask4 less = p < q;
    for (int k = 0; k < 4; ++k) {
      EXPECT_TRUE(sameBits(value[k], absOf(a[k] * b[k] - b[k]) + a[k] * 0.3)) << "seed " << kSeed;
      const long long mask = k < 2 ? less.low[k] : less.high[k - 2];
      EXPECT_EQ(mask, a[k] < b[k] ? -1 : 0);
    }
  }
}

TEST(Pack, ShufflesTurnTheAxes) {
  const Pack4d p = makePack(0.0, 1.0, 2.0, 3.0);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(nextAxis(p)[k], (k + 1) % 3);
    EXPECT_EQ(afterNextAxis(p)[k], (k + 2) % 3);
  }
  EXPECT_EQ(nextAxis(p)[3], 3.0);
  EXPECT_EQ(afterNextAxis(p)[3], 3.0);
}

TEST(Pack, TransposeExchangesRowsAndColumns) {
  const Rows3 m{makePack(1, 2, 3, 0), makePack(4, 5, 6, 0), makePack(7, 8, 9, 0)};
  const Rows3 t = transpose(m);
  const Pack4d rows[3] = {m.row0, m.row1, m.row2}, columns[3] = {t.row0, t.row1, t.row2};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_EQ(rows[i][j], columns[j][i]);
    EXPECT_EQ(columns[i][3], 0.0);
  }
}

TEST(Pack, AnyFindsASingleLane) {
  for (int lane = 0; lane < 4; ++lane) {
    const Pack4d p = makePack(lane == 0, lane == 1, lane == 2, lane == 3);
    EXPECT_TRUE(anyOf(splat(0.5) < p));
  }
  EXPECT_FALSE(anyOf(splat(0.5) < splat(0.5)));
}

}  // namespace
}  // namespace abut
