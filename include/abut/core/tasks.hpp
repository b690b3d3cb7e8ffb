// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <abut/core/float_environment.hpp>

namespace abut::inline v0_1 {

/// Who does the work of a step, on as many threads as it likes.
///
/// Work comes in chunks. How it is cut into them depends on the data alone, every chunk writes to a
/// place of its own, and sums over chunks do not depend on their order: results are the same bits
/// for any runner, any number of threads, any order of the chunks. Implement it to have a world
/// work on the threads of a program's own; TbbTasks (abut_tbb) is one on oneTBB.
class TaskRunner {
public:
  using Task = void (*)(void* context, std::size_t chunk);

  virtual ~TaskRunner() = default;
  /// Threads that may work at once, 1 or more.
  [[nodiscard]] virtual int numThreads() const = 0;
  /// Calls task(context, i) for each i below `count`, once each, in any order, on any threads, and
  /// returns when all are done. What a task throws is thrown here, after no task runs any more. A
  /// thread that waits here must not take up tasks of other calls. Tasks make no such calls.
  virtual void run(std::size_t count, Task task, void* context) = 0;

protected:
  TaskRunner() = default;
  TaskRunner(const TaskRunner&) = default;
  TaskRunner& operator=(const TaskRunner&) = default;
};

/// One chunk after the other, on the thread that calls.
class SerialTasks final : public TaskRunner {
public:
  [[nodiscard]] int numThreads() const override { return 1; }
  void run(std::size_t count, Task task, void* context) override;
};

/// For tests: one chunk after the other, in an order that differs from call to call. What depends
/// on the order of chunks shows without a second thread.
class ShuffledTasks final : public TaskRunner {
public:
  explicit ShuffledTasks(std::uint64_t seed, int threads = 4) : state_(seed), threads_(threads) {}
  /// As many as it was told to say.
  [[nodiscard]] int numThreads() const override { return threads_; }
  void run(std::size_t count, Task task, void* context) override;

private:
  std::vector<std::size_t> order_;
  std::uint64_t state_;
  int threads_;
};

/// Calls f(begin, end) for parts of [0, count) of `grain` each, the last of what is left; in order
/// where there is no runner. f computes in the standard floating-point environment on any thread.
template <class F>
void forChunks(TaskRunner* tasks, std::size_t count, std::size_t grain, F&& f) {
  if (tasks == nullptr || count <= grain) {
    for (std::size_t begin = 0; begin < count;) {
      const std::size_t end = count - begin > grain ? begin + grain : count;  // deny-ok: integers
      f(begin, end);
      begin = end;
    }
    return;
  }
  struct Call {
    F& f;
    std::size_t count, grain;
  } call{f, count, grain};
  tasks->run((count - 1) / grain + 1,  // deny-ok: integers
             [](void* context, std::size_t chunk) {
               const FloatEnvironment environment;
               const Call& c = *static_cast<const Call*>(context);
               const std::size_t begin = chunk * c.grain;  // deny-ok: integers
               const std::size_t end =
                   c.count - begin > c.grain ? begin + c.grain : c.count;  // deny-ok: integers
               c.f(begin, end);
             },
             &call);
}

}  // namespace abut::inline v0_1
