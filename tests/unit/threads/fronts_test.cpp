// SPDX-License-Identifier: MIT
// The factorisation of large islands: what it gives does not depend on who does the work.
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/world/world.hpp>
#if ABUT_HAS_TBB
#include <abut/tbb/tbb_tasks.hpp>
#endif

#include "solver/block_lu.hpp"
#include "support/random.hpp"
#include "support/thread_tasks.hpp"

namespace abut {
namespace {

std::vector<std::unique_ptr<TaskRunner>> makeRunners() {
  std::vector<std::unique_ptr<TaskRunner>> runners;
  runners.push_back(std::make_unique<ShuffledTasks>(5));
  for (const int threads : {2, 5}) {
    runners.push_back(std::make_unique<test::ThreadTasks>(threads));
  }
#if ABUT_HAS_TBB
  for (const int threads : {2, 5}) runners.push_back(std::make_unique<TbbTasks>(threads));
#endif
  return runners;
}

/// A cube of nodes with six unknowns each, joined to those next to them.
void fill(BlockLu& lu, std::uint32_t side, double diagonal) {
  std::vector<BlockLu::Edge> edges;
  const std::uint32_t step[] = {1, side, side * side};
  const std::uint32_t count = side * side * side;
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const std::uint32_t s : step) {
      if (i / s % side + 1 < side) edges.emplace_back(i, i + s);
    }
  }
  const std::vector<std::uint8_t> sizes(count, 6);
  lu.analyse(sizes, edges);
  lu.clear();
  test::Random random(11);
  const auto set = [&](std::uint32_t i, std::uint32_t j) {
    double* block = lu.entries() + lu.blockAt(i, j);
    for (int k = 0; k < 36; ++k) {
      block[k] = random.between(-1.0, 1.0) + (i == j && k % 7 == 0 ? diagonal : 0.0);
    }
  };
  for (std::uint32_t i = 0; i < count; ++i) set(i, i);
  for (const auto& [a, b] : edges) {
    set(a, b);
    set(b, a);
  }
}

std::vector<double> solutionBy(BlockLu& lu, TaskRunner* tasks, bool rough) {
  EXPECT_TRUE(lu.factorise(tasks, rough));
  std::vector<double> x(lu.numUnknowns());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i % 17) - 8.0;
  lu.solve(x);
  return x;
}

TEST(Fronts, factorsAreTheSame) {
  for (const std::uint32_t side : {2u, 5u, 9u}) {
    BlockLu lu;
    fill(lu, side, 8.0);
    for (const bool rough : {false, true}) {
      const std::vector<double> expected = solutionBy(lu, nullptr, rough);
      for (const std::unique_ptr<TaskRunner>& runner : makeRunners()) {
        EXPECT_EQ(solutionBy(lu, runner.get(), rough), expected)
            << side << ", " << runner->numThreads() << " threads";
      }
    }
  }
}

TEST(Fronts, aMatrixWithoutAnInverseIsNoticedByAll) {
  BlockLu lu;
  fill(lu, 9, 8.0);
  double* block = lu.entries() + lu.blockAt(100, 100);
  block[0] = 1e308 * 10.0;
  EXPECT_FALSE(lu.factorise());
  for (const std::unique_ptr<TaskRunner>& runner : makeRunners()) {
    EXPECT_FALSE(lu.factorise(runner.get())) << runner->numThreads() << " threads";
  }
}

/// Boxes that fall on each other in a bin, so that compliant contacts answer.
std::uint64_t hashOfHeap(TaskRunner* tasks) {
  WorldOptions options;
  options.tasks = tasks;
  World world(options);
  const auto wall = [&world](const Eigen::Vector3d& at, const Eigen::Vector3d& half) {
    BodyDescription d;
    d.type = BodyType::Static;
    d.position = at;
    world.addBody(d, BoxShape(half));
  };
  wall({0, 0, -1}, {6, 6, 1});
  wall({-3.4, 0, 10}, {1, 6, 10});
  wall({3.4, 0, 10}, {1, 6, 10});
  wall({0, -3.4, 10}, {6, 1, 10});
  wall({0, 3.4, 10}, {6, 1, 10});
  test::Random random(3);
  for (int i = 0; i < 90; ++i) {
    const double angle = random.between(-1.5, 1.5), shift = i / 9 % 2 == 0 ? 0.15 : -0.15;
    BodyDescription d;
    d.position = {1.45 * (i % 3 - 1) + shift + random.between(-0.03, 0.03),
                  1.45 * (i / 3 % 3 - 1) + shift + random.between(-0.03, 0.03),
                  0.52 + 1.2 * (i / 9)};
    d.orientation = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
    world.addBody(d, BoxShape({0.5, 0.5, 0.5}));
  }
  int factorisations = 0;
  for (int i = 0; i < 40; ++i) {
    world.step(1.0 / 60).orThrow();
    factorisations += world.getReport().newtonSteps;
  }
  EXPECT_GT(factorisations, 0);
  return world.hash();
}

TEST(Fronts, heapsAreTheSame) {
  const std::uint64_t expected = hashOfHeap(nullptr);
  ShuffledTasks shuffled(7);
  EXPECT_EQ(hashOfHeap(&shuffled), expected);
  test::ThreadTasks threads(2);
  EXPECT_EQ(hashOfHeap(&threads), expected);
}

}  // namespace
}  // namespace abut
