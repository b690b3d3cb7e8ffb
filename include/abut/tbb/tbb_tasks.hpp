// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <abut/core/tasks.hpp>

namespace abut::inline v0_1 {

/// Runs the chunks of a world's steps on threads of oneTBB. Link abut::tbb.
///
/// One runner serves any number of worlds, one step at a time or several from different threads.
class TbbTasks final : public TaskRunner {
public:
  /// At most so many threads together with the one that calls; 0 is as many as the machine has.
  /// Throws abut::Error for a number below 0 or above kMaxThreads.
  explicit TbbTasks(int threads = 0);
  ~TbbTasks() override;
  TbbTasks(const TbbTasks&) = delete;
  TbbTasks& operator=(const TbbTasks&) = delete;

  static constexpr int kMaxThreads = 4096;

  [[nodiscard]] int numThreads() const override;
  void run(std::size_t count, Task task, void* context) override;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace abut::inline v0_1
