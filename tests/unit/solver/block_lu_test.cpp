// SPDX-License-Identifier: MIT
#include "solver/block_lu.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

/// A matrix on a graph with a heavy diagonal, and the same as a dense one.
struct Sample {
  std::vector<std::uint8_t> sizes;
  std::vector<BlockLu::Edge> edges;
  std::vector<std::vector<double>> dense;
  std::vector<double> right;

  void fill(BlockLu& lu, std::uint64_t seed) {
    test::Random random(seed);
    lu.analyse(sizes, edges);
    lu.clear();
    dense.assign(lu.numUnknowns(), std::vector<double>(lu.numUnknowns(), 0.0));
    const auto add = [&](std::uint32_t i, std::uint32_t j) {
      double* block = lu.entries() + lu.blockAt(i, j);
      for (std::uint32_t m = 0; m < sizes[i]; ++m) {
        for (std::uint32_t n = 0; n < sizes[j]; ++n) {
          double x = random.between(-1.0, 1.0);
          if (i == j && m == n) x += 4.0;
          block[m * sizes[j] + n] = x;
          dense[lu.firstOf(i) + m][lu.firstOf(j) + n] = x;
        }
      }
    };
    for (std::uint32_t i = 0; i < sizes.size(); ++i) add(i, i);
    std::vector<BlockLu::Edge> once = edges;
    for (auto& [a, b] : once) {
      if (a > b) std::swap(a, b);
    }
    std::sort(once.begin(), once.end());
    once.erase(std::unique(once.begin(), once.end()), once.end());
    for (const auto& [a, b] : once) {
      add(a, b);
      add(b, a);
    }
    right.resize(lu.numUnknowns());
    for (double& x : right) x = random.between(-1.0, 1.0);
  }
};

/// A box of nodes, each joined to those next to it.
Sample boxOf(std::uint32_t nx, std::uint32_t ny, std::uint32_t nz, std::uint8_t size) {
  Sample s;
  s.sizes.assign(std::size_t{nx} * ny * nz, size);
  const auto at = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return (z * ny + y) * nx + x;
  };
  for (std::uint32_t z = 0; z < nz; ++z) {
    for (std::uint32_t y = 0; y < ny; ++y) {
      for (std::uint32_t x = 0; x < nx; ++x) {
        if (x + 1 < nx) s.edges.emplace_back(at(x, y, z), at(x + 1, y, z));
        if (y + 1 < ny) s.edges.emplace_back(at(x, y + 1, z), at(x, y, z));
        if (z + 1 < nz) s.edges.emplace_back(at(x, y, z), at(x, y, z + 1));
      }
    }
  }
  return s;
}

/// Solution by elimination with pivots, in long double.
std::vector<double> denseSolution(const Sample& s) {
  const std::size_t n = s.right.size();
  std::vector<std::vector<long double>> a(n, std::vector<long double>(n + 1));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i][j] = s.dense[i][j];
    a[i][n] = s.right[i];
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k; i < n; ++i) {
      if (std::fabs(a[i][k]) > std::fabs(a[best][k])) best = i;
    }
    std::swap(a[k], a[best]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const long double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j <= n; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  std::vector<double> x(n);
  for (std::size_t i = n; i-- > 0;) {
    long double sum = a[i][n];
    for (std::size_t j = i + 1; j < n; ++j) sum -= a[i][j] * static_cast<long double>(x[j]);
    x[i] = static_cast<double>(sum / a[i][i]);
  }
  return x;
}

double differenceFromDense(Sample& s, std::uint64_t seed) {
  BlockLu lu;
  s.fill(lu, seed);
  EXPECT_TRUE(lu.factorise());
  std::vector<double> x = s.right;
  lu.solve(x);
  const std::vector<double> expected = denseSolution(s);
  double worst = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::fabs(x[i] - expected[i]));
  return worst;
}

// Unknowns are of order 1, the matrix has a condition of some hundreds at most.
constexpr double kAccuracy = 1e-11;

TEST(BlockLu, SolvesAsADenseSolverDoes) {
  Sample box = boxOf(4, 3, 5, 6);
  EXPECT_LT(differenceFromDense(box, 1), kAccuracy);
  Sample chain = boxOf(30, 1, 1, 6);
  EXPECT_LT(differenceFromDense(chain, 2), kAccuracy);
  Sample one = boxOf(1, 1, 1, 6);
  EXPECT_LT(differenceFromDense(one, 3), kAccuracy);
  Sample contacts = boxOf(5, 5, 3, 3);
  EXPECT_LT(differenceFromDense(contacts, 4), kAccuracy);
}

/// Rough factors: units of any size, since the diagonal is scaled; what they miss, residuals in
/// double precision bring.
TEST(BlockLu, RoughFactorsAreRefinedToTheSameAnswer) {
  for (const double unit : {1.0, 1e-60, 1e90}) {
    Sample s = boxOf(4, 3, 5, 6);
    BlockLu lu;
    s.fill(lu, 7);
    const std::size_t n = s.right.size();
    // The second half of the unknowns in other units, which squares the range of the entries.
    const auto unitOf = [&](std::size_t i) { return 2 * i < n ? 1.0 : unit; };
    const auto scale = [&](std::uint32_t a, std::uint32_t b) {
      double* block = lu.entries() + lu.blockAt(a, b);
      for (std::size_t m = 0; m < 36; ++m) {
        block[m] *= unitOf(lu.firstOf(a) + m / 6) * unitOf(lu.firstOf(b) + m % 6);
      }
    };
    for (std::uint32_t i = 0; i < s.sizes.size(); ++i) scale(i, i);
    for (const auto& [a, b] : s.edges) {
      scale(a, b);
      scale(b, a);
    }
    for (std::size_t i = 0; i < n; ++i) {
      s.right[i] *= unitOf(i);
      for (std::size_t j = 0; j < n; ++j) s.dense[i][j] *= unitOf(i) * unitOf(j);
    }
    const std::vector<double> expected = denseSolution(s);
    ASSERT_TRUE(lu.factorise(nullptr, true));
    std::vector<double> x(n, 0.0), left = s.right;
    const auto error = [&] {
      double worst = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        worst = std::max(worst, std::fabs(x[i] - expected[i]) * unitOf(i));
      }
      return worst;
    };
    const double allowed[] = {1e-4, 1e-9, kAccuracy};
    for (const double most : allowed) {
      lu.solve(left);
      for (std::size_t i = 0; i < n; ++i) x[i] += left[i];
      EXPECT_LT(error(), most) << unit;
      for (std::size_t i = 0; i < n; ++i) {
        left[i] = s.right[i];
        for (std::size_t j = 0; j < n; ++j) left[i] -= s.dense[i][j] * x[j];
      }
    }
    ASSERT_TRUE(lu.factorise());
    x = s.right;
    lu.solve(x);
    EXPECT_LT(error(), 100.0 * kAccuracy) << unit;
  }
}

TEST(BlockLu, RoughFactorsTakeAnyDiagonalThatIsFinite) {
  Sample s = boxOf(3, 3, 3, 6);
  BlockLu lu;
  s.fill(lu, 8);
  double* block = lu.entries() + lu.blockAt(5, 5);
  for (const double good : {4.0, -4.0, 0.0}) {
    block[0] = good;
    EXPECT_TRUE(lu.factorise(nullptr, true)) << good;
  }
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    block[0] = bad;
    EXPECT_FALSE(lu.factorise(nullptr, true)) << bad;
  }
  for (int k = 0; k < 36; ++k) block[k] = 0.0;
  EXPECT_FALSE(lu.factorise(nullptr, true));
}

TEST(BlockLu, TakesNodesOfUnequalSizeAndPartsThatDoNotHangTogether) {
  test::Random random(5);
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    Sample s;
    const std::uint32_t count = 2 + static_cast<std::uint32_t>(random.below(40));
    for (std::uint32_t i = 0; i < count; ++i) {
      s.sizes.push_back(static_cast<std::uint8_t>(1 + random.below(6)));
    }
    for (std::uint32_t k = 0; k < 2 * count; ++k) {
      const auto any = [&] {
        return static_cast<std::uint32_t>(random.below(static_cast<int>(count)));
      };
      const std::uint32_t a = any(), b = any();
      if (a != b && (a < count / 2) == (b < count / 2)) s.edges.emplace_back(a, b);
    }
    EXPECT_LT(differenceFromDense(s, 100 + trial), 1e-9) << "trial " << trial;
  }
}

TEST(BlockLu, AnswersTheSameBitsForEdgesInAnyOrder) {
  Sample s = boxOf(5, 4, 4, 6);
  BlockLu lu;
  s.fill(lu, 7);
  ASSERT_TRUE(lu.factorise());
  std::vector<double> x = s.right;
  lu.solve(x);
  Sample reversed = s;
  std::reverse(reversed.edges.begin(), reversed.edges.end());
  for (auto& [a, b] : reversed.edges) std::swap(a, b);
  BlockLu other;
  reversed.fill(other, 7);
  ASSERT_TRUE(other.factorise());
  std::vector<double> y = reversed.right;
  other.solve(y);
  EXPECT_EQ(x, y);
}

TEST(BlockLu, ReportsAMatrixWithoutAnInverse) {
  Sample s = boxOf(3, 1, 1, 2);
  BlockLu lu;
  s.fill(lu, 8);
  lu.clear();
  EXPECT_FALSE(lu.factorise());
}

TEST(BlockLu, AllocatesNothingWhileThePatternStays) {
  Sample s = boxOf(6, 6, 4, 6);
  BlockLu lu;
  s.fill(lu, 9);
  ASSERT_TRUE(lu.factorise());
  std::vector<double> x = s.right;
  const std::size_t before = test::countAllocations();
  lu.analyse(s.sizes, s.edges);
  EXPECT_TRUE(lu.factorise());
  lu.solve(x);
  EXPECT_EQ(test::countAllocations(), before);
}

// Nested dissection of a cube of n nodes costs O(n^2), a band O(n^(7/3)); a chain O(n).
TEST(BlockLu, CostGrowsAsThatOfNestedDissection) {
  const auto costOf = [](const Sample& s) {
    BlockLu lu;
    lu.analyse(s.sizes, s.edges);
    return lu.cost();
  };
  const double small = costOf(boxOf(6, 6, 6, 6)), large = costOf(boxOf(12, 12, 12, 6));
  EXPECT_LT(large / small, 8.0 * 8.0 * 1.3);
  const double shortChain = costOf(boxOf(100, 1, 1, 6)), longChain = costOf(boxOf(1000, 1, 1, 6));
  EXPECT_LT(longChain / shortChain, 12.0);
}

}  // namespace
}  // namespace abut
