// SPDX-License-Identifier: MIT
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <string>

#include <abut/core/status.hpp>
#include <abut/tbb/tbb_tasks.hpp>

namespace abut {
namespace {

int checkedThreads(int threads) {
  if (threads < 0 || threads > TbbTasks::kMaxThreads) {
    throw Error(StatusCode::OutOfRange, "TbbTasks: expected 0 (all there are) to " +
                                            std::to_string(TbbTasks::kMaxThreads) +
                                            " threads, got " + std::to_string(threads));
  }
  return threads == 0 ? oneapi::tbb::info::default_concurrency() : threads;
}

}  // namespace

struct TbbTasks::Impl {
  explicit Impl(int wanted)
      : threads(wanted),
        most(oneapi::tbb::global_control::max_allowed_parallelism, atLeast(wanted)),
        arena(wanted) {}

  /// More threads than the machine has cores are given only to those who ask for them.
  static std::size_t atLeast(int wanted) {
    const std::size_t allowed = oneapi::tbb::global_control::active_value(
        oneapi::tbb::global_control::max_allowed_parallelism);
    const auto asked = static_cast<std::size_t>(wanted);
    return asked > allowed ? asked : allowed;
  }

  int threads;
  oneapi::tbb::global_control most;
  oneapi::tbb::task_arena arena;
};

TbbTasks::TbbTasks(int threads) : impl_(std::make_unique<Impl>(checkedThreads(threads))) {}
TbbTasks::~TbbTasks() = default;

int TbbTasks::numThreads() const {
  return impl_->threads;
}

void TbbTasks::run(std::size_t count, Task task, void* context) {
  const auto each = [&](const oneapi::tbb::blocked_range<std::size_t>& range) {
    for (std::size_t i = range.begin(); i != range.end(); ++i) task(context, i);
  };
  impl_->arena.execute([&] {
    // Whoever waits takes up no tasks but those of this call.
    oneapi::tbb::this_task_arena::isolate([&] {
      oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, count, 1), each,
                                oneapi::tbb::simple_partitioner());
    });
  });
}

}  // namespace abut
