// SPDX-License-Identifier: MIT
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#if ABUT_HAS_TBB
#include <abut/tbb/tbb_tasks.hpp>
#endif

#include "core/crew.hpp"
#include "support/thread_tasks.hpp"

namespace abut {
namespace {

/// Phases that build on each other: every part of one sees all parts of those before.
void expectPhasesInOrder(TaskRunner* tasks) {
  constexpr std::uint32_t kParts = 37;
  constexpr int kPhases = 200;
  std::vector<int> now(kParts, 0), next(kParts, 0);
  Crew::run(tasks, [&](Crew& crew) {
    for (int phase = 0; phase < kPhases; ++phase) {
      crew.share(kParts, [&](std::uint32_t i) {
        next[i] = now[i] + (now[(i + 1) % kParts] == phase ? 1 : 1000);
      });
      now.swap(next);
    }
  });
  for (const int value : now) EXPECT_EQ(value, kPhases);
}

TEST(Crew, goesThroughPhasesTogether) {
  SerialTasks serial;
  ShuffledTasks shuffled(3);
  expectPhasesInOrder(nullptr);
  expectPhasesInOrder(&serial);
  expectPhasesInOrder(&shuffled);
  for (const int threads : {2, 3, 8}) {
    test::ThreadTasks tasks(threads);
    expectPhasesInOrder(&tasks);
  }
#if ABUT_HAS_TBB
  for (const int threads : {2, 3, 8}) {
    TbbTasks tasks(threads);
    for (int i = 0; i < 20; ++i) expectPhasesInOrder(&tasks);
  }
#endif
}

TEST(Crew, helpersGoHomeWhenTheLeaderFails) {
  ShuffledTasks shuffled(3);
  const auto fail = [](Crew&) { throw std::runtime_error("stop"); };
  EXPECT_THROW(Crew::run(&shuffled, fail), std::runtime_error);
  test::ThreadTasks threads(4);
  EXPECT_THROW(Crew::run(&threads, fail), std::runtime_error);
#if ABUT_HAS_TBB
  TbbTasks tasks(4);
  EXPECT_THROW(Crew::run(&tasks, fail), std::runtime_error);
#endif
}

}  // namespace
}  // namespace abut
