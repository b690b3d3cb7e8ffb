// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include <abut/core/share_out.hpp>
#include <abut/core/tasks.hpp>

namespace abut::inline v0_1 {

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
    crew.work_.setThreads(static_cast<std::uint32_t>(tasks->numThreads()));
    tasks->run(
        static_cast<std::size_t>(tasks->numThreads()),
        [](void* context, std::size_t number) {
          const FloatEnvironment environment;
          const Call& c = *static_cast<const Call*>(context);
          const auto own = static_cast<std::uint32_t>(number);
          if (c.crew.is_led_.exchange(true)) return c.crew.help(own);
          const End end{c.crew};
          c.crew.leader_ = own;
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
    work_.run(
        count, leader_,
        [](void* context, std::uint32_t i) noexcept { (*static_cast<Work*>(context))(i); },
        const_cast<void*>(static_cast<const void*>(&f)));
  }

  /// The same for what takes less time than to share it out one by one: f(begin, end) for parts of
  /// [0, count), of about `least` or more each, which differ from call to call. No result may
  /// depend on them.
  template <class F>
  void shareSome(std::size_t count, std::uint32_t least, F&& f) {
    if (!has_helpers_ || count < 2 * std::size_t{least}) return f(std::size_t{0}, count);
    using Work = std::remove_reference_t<F>;
    work_.runSome(
        static_cast<std::uint32_t>(count), least, leader_,
        [](void* context, std::uint32_t begin, std::uint32_t end) noexcept {
          (*static_cast<Work*>(context))(std::size_t{begin}, std::size_t{end});
        },
        const_cast<void*>(static_cast<const void*>(&f)));
  }

private:
  /// Sends helpers home, whatever happens.
  struct End {
    Crew& crew;
    ~End() { crew.is_over_.store(true, std::memory_order_release); }
  };

  void help(std::uint32_t own) {
    std::uint64_t seen = 0;
    for (int waits = 0; !is_over_.load(std::memory_order_acquire); ++waits) {
      if (work_.help(own, seen)) {
        waits = 0;
      } else {
        ShareOut::rest(waits);
      }
    }
  }

  bool has_helpers_ = false;
  std::uint32_t leader_ = 0;
  std::atomic<bool> is_led_{false}, is_over_{false};
  ShareOut work_;
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

}  // namespace abut::inline v0_1
