// SPDX-License-Identifier: MIT
#include "joints/block_elimination.hpp"

#include <random>

#include <gtest/gtest.h>

namespace abut {
namespace {

class Numbers {
public:
  explicit Numbers(unsigned seed) : engine_(seed) {}
  double next() { return 2.0 * (static_cast<double>(engine_()) / 4294967295.0) - 1.0; }
  Vec6 vector() {
    double e[6];
    for (double& v : e) v = next();
    return makeVec6(e[0], e[1], e[2], e[3], e[4], e[5]);
  }

private:
  std::mt19937 engine_;
};

void setEntry(Mat6& m, int i, int j, double value) {
  m.row[i].part[j >> 1][j & 1] = value;
}

/// A graph of bodies with masses, and what its elimination leaves of the equations.
struct System {
  MechanismGraph graph;
  std::vector<Mat6> diagonal, edges;

  System(std::uint32_t bodies, const std::vector<std::vector<std::uint32_t>>& constraints,
         unsigned seed) {
    Numbers numbers(seed);
    graph.numBodies = bodies;
    graph.numNodes = bodies + static_cast<std::uint32_t>(constraints.size());
    graph.isLocked.assign(bodies, 0);
    diagonal.assign(graph.numNodes, Mat6{});
    for (std::uint32_t i = 0; i < graph.numNodes; ++i) {
      for (int k = 0; k < 6; ++k)
        setEntry(diagonal[i], k, k, i < bodies ? 2.0 + numbers.next() : -1e-9);
    }
    for (std::uint32_t c = 0; c < constraints.size(); ++c) {
      for (const std::uint32_t body : constraints[c]) {
        graph.edges.push_back({bodies + c, body});
        Mat6 j;
        for (Vec6& row : j.row) row = numbers.vector();
        edges.push_back(j);
      }
    }
  }

  [[nodiscard]] std::vector<Vec6> defectOf(std::vector<Vec6> right,
                                           const std::vector<Vec6>& x) const {
    for (std::uint32_t i = 0; i < graph.numNodes; ++i) {
      right[i] = minusProduct(right[i], diagonal[i], x[i]);
    }
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
      const auto [c, b] = graph.edges[e];
      right[c] = minusProduct(right[c], edges[e], x[b]);
      right[b] = minusTransposedProduct(right[b], edges[e], x[c]);
    }
    return right;
  }

  /// Greatest defect of the answer, in parts of the greatest of its terms.
  double defect(BlockElimination& elimination) {
    elimination.prepare(graph);
    elimination.clear();
    for (std::uint32_t i = 0; i < graph.numNodes; ++i) elimination.diagonal(i) = diagonal[i];
    for (std::uint32_t e = 0; e < edges.size(); ++e) elimination.setEdge(e, edges[e]);
    EXPECT_TRUE(elimination.factorise());
    Numbers numbers(99);
    std::vector<Vec6> right(graph.numNodes), x(graph.numNodes, Vec6{}), left;
    for (Vec6& r : right) r = numbers.vector();
    // Twice, as Newton's method does: the first answer is as good as the regularisation.
    for (int pass = 0; pass < 2; ++pass) {
      left = defectOf(right, x);
      elimination.solve(left);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] + left[i];
    }
    double size = 1.0;
    for (const Vec6& v : x) {
      for (int k = 0; k < 6; ++k) size = std::max(size, std::abs(v[k]));
    }
    right = defectOf(right, x);
    double worst = 0.0;
    for (const Vec6& r : right) {
      for (int k = 0; k < 6; ++k) worst = std::max(worst, std::abs(r[k]));
    }
    return worst / size;
  }
};

TEST(BlockElimination, SolvesTrees) {
  // Node 0 with three limbs of two.
  System tree(7, {{0, 1}, {1, 2}, {0, 3}, {3, 4}, {0, 5}, {5, 6}}, 1);
  BlockElimination elimination;
  EXPECT_LT(tree.defect(elimination), 1e-12);
}

/// A tree has no blocks but those of its joints.
TEST(BlockElimination, TreesHaveNoFill) {
  std::vector<std::vector<std::uint32_t>> chain;
  for (std::uint32_t i = 0; i + 1 < 200; ++i) chain.push_back({i, i + 1});
  System system(200, chain, 2);
  BlockElimination elimination;
  system.defect(elimination);
  EXPECT_EQ(elimination.numBlocks(), 2u * 199u);
}

TEST(BlockElimination, SolvesLoopsAndCouplings) {
  System loop(6, {{0}, {0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {1, 2, 3, 4}}, 3);
  BlockElimination elimination;
  EXPECT_LT(loop.defect(elimination), 1e-12);
}

/// Two constraints that demand the same: each bears half of what one would.
TEST(BlockElimination, SharesWhatIsHeldTwice) {
  System once(2, {{0, 1}}, 4), twice(2, {{0, 1}, {0, 1}}, 4);
  for (Mat6& j : once.edges) j = {};
  for (std::size_t e = 0; e < 4; ++e) {
    for (int k = 0; k < 6; ++k) {
      const double sign = e % 2 == 0 ? 1.0 : -1.0;
      if (e < 2) setEntry(once.edges[e], k, k, sign);
      if (k == 0) twice.edges[e] = {};
      setEntry(twice.edges[e], k, k, sign);
    }
  }
  const auto solve = [](System& s) {
    BlockElimination elimination;
    s.defect(elimination);
    std::vector<Vec6> x(s.graph.numNodes, Vec6{});
    x[0] = makeVec6(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    elimination.solve(x);
    return x;
  };
  const std::vector<Vec6> a = solve(once), b = solve(twice);
  for (int k = 0; k < 6; ++k) {
    EXPECT_NEAR(a[0][k], b[0][k], 1e-8);
    EXPECT_NEAR(a[2][k], b[2][k] + b[3][k], 1e-6);
    EXPECT_NEAR(b[2][k], b[3][k], 1e-6);
  }
}

/// Each block of the inverse is what solve() makes of a unit right side, in trees and in loops.
TEST(BlockElimination, InverseIsWhatSolvesUnitSides) {
  const std::vector<std::vector<std::uint32_t>> graphs[] = {
      {{0, 1}, {1, 2}, {2, 3}, {3, 4}},          // A chain.
      {{0, 2}, {1, 2}, {2, 3}, {2, 4}, {4}},     // A star that something holds.
      {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}},  // A loop with a tail.
      {{1, 0}, {1, 2}, {1, 3}, {3, 4}},          // A tree.
      {{0, 1}, {2}, {3}, {3, 4}},                // Three, two of them held.
  };
  int trees = 0;
  constexpr double kSingle = 2e-6;  // Some sums of numbers of about one, in single precision.
  for (const auto& constraints : graphs) {
    System system(5, constraints, 7);
    // Three rows hold, three are off: five bodies are not to be rigid.
    for (Mat6& j : system.edges) {
      for (int r = 3; r < 6; ++r) j.row[r] = Vec6{};
    }
    for (std::uint32_t c = 5; c < system.graph.numNodes; ++c) {
      for (int r = 0; r < 6; ++r) setEntry(system.diagonal[c], r, r, r < 3 ? -1e-6 : -1.0);
    }
    BlockElimination elimination;
    system.defect(elimination);
    std::vector<Mat6> between;
    elimination.invert(between);
    ASSERT_EQ(between.size(), 25u);
    SingleInverse single;
    const bool isTree = elimination.invertSingly(single);
    trees += isTree ? 1 : 0;
    for (std::uint32_t b = 0; b < 5; ++b) {
      for (int d = 0; d < 6; ++d) {
        std::vector<Vec6> x(system.graph.numNodes, Vec6{});
        x[b].part[d >> 1][d & 1] = 1.0;
        elimination.solve(x);
        for (std::uint32_t i = 0; i < 5; ++i) {
          for (int r = 0; r < 6; ++r) {
            EXPECT_NEAR(between[i * 5 + b].row[r][d], x[i][r], 1e-9) << i << ' ' << b;
            if (!isTree) continue;
            EXPECT_NEAR(single.get(i, b).row[r][d], x[i][r], kSingle) << i << ' ' << b;
            if (i == b) continue;
            EXPECT_EQ(single.get(i, b).row[r][d], single.get(b, i).row[d][r]) << i << ' ' << b;
          }
        }
      }
    }
  }
  EXPECT_GE(trees, 2);
}

}  // namespace
}  // namespace abut
