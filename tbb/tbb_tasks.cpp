// SPDX-License-Identifier: MIT
#include <atomic>
#include <exception>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <string>

#include <abut/core/share_out.hpp>
#include <abut/core/status.hpp>
#include <abut/tbb/tbb_tasks.hpp>

namespace abut::inline v0_1 {
namespace {

int checkedThreads(int threads) {
  if (threads < 0 || threads > TbbTasks::kMaxThreads) {
    throw Error(StatusCode::OutOfRange, "TbbTasks: expected 0 (all there are) to " +
                                            std::to_string(TbbTasks::kMaxThreads) +
                                            " threads, got " + std::to_string(threads));
  }
  return threads == 0 ? oneapi::tbb::info::default_concurrency() : threads;
}

/// What the threads of a runner share. Those that help hold it, so that they may end after it.
struct Team {
  ShareOut work;
  std::atomic<bool> isBusy{false};  ///< Someone shares out work.
  std::atomic<bool> isOver{false};
  std::unique_ptr<std::atomic<bool>[]> isThere;  ///< Of each thread that helps: whether it looks.

  explicit Team(int threads) : isThere(new std::atomic<bool>[static_cast<std::size_t>(threads)]) {
    for (int i = 0; i < threads; ++i) isThere[static_cast<std::size_t>(i)] = false;
    work.setThreads(static_cast<std::uint32_t>(threads));
  }

  /// Looks for work, until there has been none for a while: about a millisecond. The stages of a
  /// step follow each other sooner, and threads that went to sleep take long to come back.
  void help(std::uint32_t number) {
    constexpr int kPatience = 4000;
    std::uint64_t seen = 0;
    for (int waits = 0; waits < kPatience && !isOver.load(std::memory_order_acquire); ++waits) {
      if (work.help(number, seen)) {
        waits = 0;
      } else {
        ShareOut::rest(waits);
      }
    }
    isThere[number].store(false, std::memory_order_release);
  }
};

/// Tasks of one call, and what the first that failed threw.
struct Work {
  TaskRunner::Task task;
  void* context;
  std::atomic<bool> hasFailed{false};
  std::exception_ptr failure;

  static void run(void* self, std::uint32_t i) noexcept {
    Work& work = *static_cast<Work*>(self);
    try {
      work.task(work.context, i);
    } catch (...) {
      if (!work.hasFailed.exchange(true)) work.failure = std::current_exception();
    }
  }
};

}  // namespace

struct TbbTasks::Impl {
  explicit Impl(int wanted)
      : threads(wanted),
        most(oneapi::tbb::global_control::max_allowed_parallelism, atLeast(wanted)),
        arena(wanted),
        team(std::make_shared<Team>(wanted)) {}
  ~Impl() { team->isOver.store(true, std::memory_order_release); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  /// More threads than the machine has cores are given only to those who ask for them.
  static std::size_t atLeast(int wanted) {
    const std::size_t allowed = oneapi::tbb::global_control::active_value(
        oneapi::tbb::global_control::max_allowed_parallelism);
    const auto asked = static_cast<std::size_t>(wanted);
    return asked > allowed ? asked : allowed;
  }

  /// While another call has the team.
  void runAside(std::size_t count, Task task, void* context) {
    const auto each = [&](const oneapi::tbb::blocked_range<std::size_t>& range) {
      for (std::size_t i = range.begin(); i != range.end(); ++i) task(context, i);
    };
    arena.execute([&] {
      // Whoever waits takes up no tasks but those of this call.
      oneapi::tbb::this_task_arena::isolate([&] {
        oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, count, 1), each,
                                  oneapi::tbb::simple_partitioner());
      });
    });
  }
  /// Has those look for work that are not there.
  void callHelpers() {
    for (std::uint32_t i = 1; i < static_cast<std::uint32_t>(threads); ++i) {
      if (team->isThere[i].exchange(true, std::memory_order_acq_rel)) continue;
      arena.enqueue([i, held = team] { held->help(i); });
    }
  }

  int threads;
  oneapi::tbb::global_control most;
  oneapi::tbb::task_arena arena;
  std::shared_ptr<Team> team;
};

TbbTasks::TbbTasks(int threads) : impl_(std::make_unique<Impl>(checkedThreads(threads))) {}
TbbTasks::~TbbTasks() = default;

int TbbTasks::numThreads() const {
  return impl_->threads;
}

void TbbTasks::run(std::size_t count, Task task, void* context) {
  constexpr std::size_t kMost = 0xffffffffu;
  Team& team = *impl_->team;
  if (impl_->threads == 1 || count < 2) {
    for (std::size_t i = 0; i < count; ++i) task(context, i);
    return;
  }
  if (count > kMost || team.isBusy.exchange(true, std::memory_order_acquire)) {
    return impl_->runAside(count, task, context);
  }
  Work work{task, context, {}, {}};
  const auto end = [&team] { team.isBusy.store(false, std::memory_order_release); };
  try {
    impl_->callHelpers();
  } catch (...) {  // Out of memory.
    end();
    throw;
  }
  team.work.run(static_cast<std::uint32_t>(count), 0, &Work::run, &work);
  end();
  if (work.failure) std::rethrow_exception(work.failure);
}

}  // namespace abut::inline v0_1
