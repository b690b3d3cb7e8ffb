// SPDX-License-Identifier: MIT
#include "threads.hpp"

#include <CLI/CLI.hpp>

#include "io/core/text.hpp"
#if ABUT_HAS_TBB
#include <abut/tbb/tbb_tasks.hpp>
#endif
#include "options.hpp"

namespace abut::tool {
namespace {
constexpr int kMostThreads = 4096;
}

void addThreadsOption(CLI::App& app, int& threads) {
  app.add_option(
         "--threads", threads,
         "Threads to work on, 0 for all there are; without it those of the scene. The results are "
         "the same bits for any")
      ->check(wholeNumber(0, kMostThreads));
}

bool hasThreads() {
#if ABUT_HAS_TBB
  return true;
#else
  return false;
#endif
}

std::unique_ptr<TaskRunner> makeTasks(const CLI::App& app, int threads, int sceneThreads) {
  if (app.count("--threads") > 0) return makeTasks(threads);
  return hasThreads() ? makeTasks(sceneThreads) : nullptr;
}

std::unique_ptr<TaskRunner> makeTasks(int threads) {
  if (threads == 1) return nullptr;
#if ABUT_HAS_TBB
  return std::make_unique<TbbTasks>(threads);
#else
  throw io::InputError(
      io::concat("abut: --threads: this tool was built without oneTBB (libtbb-dev), so it has one "
                 "thread; leave the option out"));
#endif
}

}  // namespace abut::tool
