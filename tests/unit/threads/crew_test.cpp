// SPDX-License-Identifier: MIT
#include <atomic>
#include <stdexcept>
#include <thread>
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

/// The same where parts go together as they come, in phases of other lengths each.
void expectSomeInOrder(TaskRunner* tasks) {
  constexpr std::size_t kMost = 101;
  constexpr int kPhases = 300;
  std::vector<int> now(kMost, 0), next(kMost, 0);
  Crew::run(tasks, [&](Crew& crew) {
    for (int phase = 0; phase < kPhases; ++phase) {
      const auto step = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          next[i] = now[i] + (now[(i + 1) % kMost] == phase ? 1 : 1000);
        }
      };
      const std::size_t cut = static_cast<std::size_t>(phase * 7) % (kMost + 1);
      crew.shareSome(cut, 1 + static_cast<std::uint32_t>(phase % 5), step);
      crew.shareSome(kMost - cut, 3,
                     [&](std::size_t begin, std::size_t end) { step(cut + begin, cut + end); });
      now.swap(next);
    }
  });
  for (const int value : now) EXPECT_EQ(value, kPhases);
}

TEST(Crew, goesThroughPhasesTogether) {
  SerialTasks serial;
  ShuffledTasks shuffled(3);
  expectPhasesInOrder(nullptr);
  expectSomeInOrder(nullptr);
  expectPhasesInOrder(&serial);
  expectPhasesInOrder(&shuffled);
  expectSomeInOrder(&shuffled);
  for (const int threads : {2, 3, 8}) {
    test::ThreadTasks tasks(threads);
    expectPhasesInOrder(&tasks);
    expectSomeInOrder(&tasks);
  }
#if ABUT_HAS_TBB
  for (const int threads : {2, 3, 8}) {
    TbbTasks tasks(threads);
    for (int i = 0; i < 20; ++i) expectPhasesInOrder(&tasks);
    for (int i = 0; i < 10; ++i) expectSomeInOrder(&tasks);
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

/// Threads that look for work from phase to phase, as those of a runner do.
TEST(ShareOut, everyPartIsDoneOnceInEveryPhase) {
  constexpr std::uint32_t kThreads = 3;
  constexpr int kPhases = 300;
  ShareOut work;
  work.setThreads(kThreads);
  std::atomic<bool> isOver{false};
  std::vector<std::thread> helpers;
  for (std::uint32_t own = 1; own < kThreads; ++own) {
    helpers.emplace_back([&work, &isOver, own] {
      std::uint64_t seen = 0;
      for (int waits = 0; !isOver.load(std::memory_order_acquire); ++waits) {
        if (work.help(own, seen)) {
          waits = 0;
        } else {
          ShareOut::rest(waits);
        }
      }
    });
  }
  for (const std::uint32_t parts : {0u, 1u, 2u, 7u, 64u}) {
    std::vector<int> visits(parts, 0);
    for (int phase = 0; phase < kPhases; ++phase) {
      work.run(
          parts, 0,
          [](void* list, std::uint32_t i) noexcept {
            ++(*static_cast<std::vector<int>*>(list))[i];
          },
          &visits);
    }
    for (const int count : visits) EXPECT_EQ(count, kPhases);
  }
  isOver.store(true, std::memory_order_release);
  for (std::thread& helper : helpers) helper.join();
}

#if ABUT_HAS_TBB
TEST(ShareOut, oneRunnerServesTwoCallersAtOnce) {
  TbbTasks tasks(3);
  std::vector<std::thread> callers;
  for (int i = 0; i < 2; ++i) {
    callers.emplace_back([&tasks] {
      for (int round = 0; round < 10; ++round) expectPhasesInOrder(&tasks);
      std::vector<int> visits(1000, 0);
      for (int round = 0; round < 50; ++round) {
        forChunks(&tasks, visits.size(), 8, [&](std::size_t begin, std::size_t end) {
          for (std::size_t k = begin; k < end; ++k) ++visits[k];
        });
      }
      for (const int count : visits) EXPECT_EQ(count, 50);
    });
  }
  for (std::thread& caller : callers) caller.join();
}
#endif

}  // namespace
}  // namespace abut
