// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <abut/core/tasks.hpp>

namespace abut::test {

/// Threads of the standard library, started anew for each call: slow, and all of it is seen by the
/// thread sanitizer, which does not see into oneTBB.
class ThreadTasks final : public TaskRunner {
public:
  explicit ThreadTasks(int threads) : threads_(threads) {}

  [[nodiscard]] int numThreads() const override { return threads_; }
  void run(std::size_t count, Task task, void* context) override {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex mutex;
    const auto work = [&] {
      for (std::size_t i = next++; i < count; i = next++) {
        try {
          task(context, i);
        } catch (...) {
          const std::lock_guard<std::mutex> lock(mutex);
          failure = std::current_exception();
        }
      }
    };
    std::vector<std::thread> helpers;
    for (int i = 1; i < threads_; ++i) helpers.emplace_back(work);
    work();
    for (std::thread& helper : helpers) helper.join();
    if (failure) std::rethrow_exception(failure);
  }

private:
  int threads_;
};

}  // namespace abut::test
