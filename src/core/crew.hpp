// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>

#include <abut/core/tasks.hpp>

namespace abut {

/// Threads that go through many short phases of work together, without going back to the runner
/// between them: a phase may last microseconds.
///
/// Whoever comes first leads: it does all there is to do, from beginning to end, and shares out
/// phases; the others help as far as they are there. Nothing waits for helpers that never come.
class Crew {
public:
  Crew() = default;
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Calls lead(crew) once, on one thread of the runner; the others help in share().
  template <class Lead>
  static void run(TaskRunner* tasks, Lead&& lead) {
    Crew crew;
    if (tasks == nullptr || tasks->numThreads() < 2) return lead(crew);
    struct Call {
      Crew& crew;
      Lead& lead;
    } call{crew, lead};
    crew.has_helpers_ = true;
    tasks->run(
        static_cast<std::size_t>(tasks->numThreads()),
        [](void* context, std::size_t) {
          const FloatEnvironment environment;
          const Call& c = *static_cast<const Call*>(context);
          if (c.crew.is_led_.exchange(true)) return c.crew.help();
          const End end{c.crew};
          c.lead(c.crew);
        },
        &call);
  }

  /// For the one that leads: calls f(i) for each i below `count`, in any order, on any threads, and
  /// returns when all are done. f throws nothing.
  template <class F>
  void share(std::uint32_t count, F&& f) {
    if (!has_helpers_ || count < 2) {
      for (std::uint32_t i = 0; i < count; ++i) f(i);
      return;
    }
    using Work = std::remove_reference_t<F>;
    call_ = [](void* context, std::uint32_t i) noexcept { (*static_cast<Work*>(context))(i); };
    context_ = const_cast<void*>(static_cast<const void*>(&f));
    done_.store(0, std::memory_order_relaxed);
    todo_.store(static_cast<std::uint64_t>(count) << 32u, std::memory_order_release);
    while (work()) {
    }
    for (int waits = 0; done_.load(std::memory_order_acquire) != count; ++waits) rest(waits);
  }

private:
  /// Sends helpers home, whatever happens.
  struct End {
    Crew& crew;
    ~End() { crew.is_over_.store(true, std::memory_order_release); }
  };

  void help() {
    for (int waits = 0; !is_over_.load(std::memory_order_acquire); ++waits) {
      if (work()) {
        waits = 0;
      } else {
        rest(waits);
      }
    }
  }
  /// Does one part of the phase; false if none is left. What a phase consists of does not change
  /// before all its parts are done, so whoever took a part may read it.
  bool work() {
    std::uint64_t todo = todo_.load(std::memory_order_acquire);
    do {
      if (static_cast<std::uint32_t>(todo) >= static_cast<std::uint32_t>(todo >> 32u)) return false;
    } while (!todo_.compare_exchange_weak(todo, todo + 1, std::memory_order_acq_rel,
                                          std::memory_order_acquire));
    call_(context_, static_cast<std::uint32_t>(todo));
    done_.fetch_add(1, std::memory_order_release);
    return true;
  }
  /// Phases follow each other closely; who waits longer leaves the core to others.
  static void rest(int waits) {
    constexpr int kSpins = 2000;
    if (waits > kSpins) {
      std::this_thread::yield();
      return;
    }
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  using Call = void (*)(void* context, std::uint32_t i) noexcept;
  Call call_ = nullptr;
  void* context_ = nullptr;
  bool has_helpers_ = false;
  std::atomic<bool> is_led_{false}, is_over_{false};
  alignas(64) std::atomic<std::uint64_t> todo_{0};  // How many parts; the next one.
  alignas(64) std::atomic<std::uint32_t> done_{0};
};

/// f(begin, end) for parts of [0, count) of `grain` each, by a crew.
template <class F>
void shareChunks(Crew& crew, std::size_t count, std::size_t grain, F&& f) {
  const auto part = [&](std::uint32_t i) {
    const std::size_t begin = i * grain;
    f(begin, count - begin > grain ? begin + grain : count);
  };
  crew.share(static_cast<std::uint32_t>((count + grain - 1) / grain), part);
}

}  // namespace abut
