// SPDX-License-Identifier: MIT
#include <algorithm>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include <abut/core/status.hpp>
#include <abut/core/tasks.hpp>
#if ABUT_HAS_TBB
#include <abut/tbb/tbb_tasks.hpp>
#endif

namespace abut {
namespace {

/// Every index once, in parts of the grain, whoever runs them.
void expectEachOnce(TaskRunner* tasks) {
  for (const std::size_t count : {0u, 1u, 7u, 64u, 65u, 1000u}) {
    std::vector<int> visits(count, 0);
    std::vector<std::size_t> begins(count, 0);
    forChunks(tasks, count, 8, [&](std::size_t begin, std::size_t end) {
      EXPECT_TRUE(FloatEnvironment::isStandardHere());
      for (std::size_t i = begin; i < end; ++i) {
        ++visits[i];
        begins[i] = begin;
      }
    });
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(visits[i], 1) << i;
      EXPECT_EQ(begins[i], i / 8 * 8) << i;
    }
  }
}

TEST(Tasks, everyChunkIsRunOnceByEveryRunner) {
  SerialTasks serial;
  ShuffledTasks shuffled(7);
  expectEachOnce(nullptr);
  expectEachOnce(&serial);
  expectEachOnce(&shuffled);
}

TEST(Tasks, theShuffledOrderIsNotTheirs) {
  ShuffledTasks shuffled(1);
  std::vector<std::size_t> first, second;
  for (std::vector<std::size_t>* order : {&first, &second}) {
    forChunks(&shuffled, 100, 1, [&](std::size_t begin, std::size_t) { order->push_back(begin); });
  }
  EXPECT_FALSE(std::is_sorted(first.begin(), first.end()));
  EXPECT_NE(first, second);
}

TEST(Tasks, whatATaskThrowsArrives) {
  SerialTasks serial;
  const auto fail = [](std::size_t begin, std::size_t) {
    if (begin == 40) throw std::runtime_error("forty");
  };
  EXPECT_THROW(forChunks(&serial, 100, 8, fail), std::runtime_error);
  EXPECT_THROW(forChunks(nullptr, 100, 8, fail), std::runtime_error);
}

#if ABUT_HAS_TBB
TEST(Tasks, everyChunkIsRunOnceByTbb) {
  for (const int threads : {1, 2, 3, 8}) {
    TbbTasks tasks(threads);
    EXPECT_EQ(tasks.numThreads(), threads);
    expectEachOnce(&tasks);
    EXPECT_THROW(forChunks(&tasks, 100, 8,
                           [](std::size_t begin, std::size_t) {
                             if (begin == 40) throw std::runtime_error("forty");
                           }),
                 std::runtime_error);
  }
  EXPECT_GE(TbbTasks().numThreads(), 1);
  EXPECT_THROW(TbbTasks(-1), Error);
  EXPECT_THROW(TbbTasks(TbbTasks::kMaxThreads + 1), Error);
}
#endif

}  // namespace
}  // namespace abut
