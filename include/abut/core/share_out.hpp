// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace abut::inline v0_1 {

/// Short pieces of work that one thread shares out to others, which are there and look for it: a
/// few hundred nanoseconds a phase, no lock, and nothing waits for who never comes. For runners of
/// tasks (TaskRunner) with threads of their own.
///
/// Parts of a phase that lie next to each other go to the same thread, in each phase anew, as far
/// as it keeps pace: what it worked on in the last phase is then still in its cache. Who has no
/// more of its own takes from the others.
class ShareOut {
public:
  using Call = void (*)(void* context, std::uint32_t i) noexcept;
  /// Parts from `begin` to before `end`.
  using CallOfSome = void (*)(void* context, std::uint32_t begin, std::uint32_t end) noexcept;

  /// For so many threads, the one that shares out among them; at least 1. Not while anyone works.
  void setThreads(std::uint32_t threads) { threads_ = threads < 1 ? 1 : threads; }

  /// For the one that shares out, number `own` of the threads: calls call(context, i) for each i
  /// below `count`, in any order, on any threads, and returns when all are done.
  void run(std::uint32_t count, std::uint32_t own, Call call, void* context);
  /// The same for parts that are short, so that several are taken at once: half of those that are
  /// left of a thread's own, `least` or more, at least 1. Few calls, and all threads end at about
  /// the same time. How parts go together differs from call to call.
  void runSome(std::uint32_t count, std::uint32_t least, std::uint32_t own, CallOfSome call,
               void* context);

  /// For the others, each with a number of its own below that of the threads: works as long as
  /// there is work in a phase that `seen`, 0 at first, does not know of. True if there was one.
  bool help(std::uint32_t own, std::uint64_t& seen) {
    const std::uint64_t phase = phase_.load(std::memory_order_acquire);
    if (phase == seen) return false;
    seen = phase;
    work(own, phase & kRangesMask);
    return true;
  }

  /// For who waits, for the so manieth time in a row. Phases follow each other closely; who waits
  /// longer leaves the core to others.
  static void rest(int waits);

private:
  static constexpr std::uint32_t kMaxRanges = 64;
  static constexpr std::uint64_t kRangesMask = 0xff, kNextPhase = 0x100;

  struct alignas(64) Range {
    std::atomic<std::uint64_t> todo{0};  ///< Where it ends; the next part.
  };

  [[nodiscard]] std::uint32_t rangesOf(std::uint32_t count) const;
  void share(std::uint32_t count, std::uint32_t own);
  void work(std::uint32_t own, std::uint64_t ranges);
  std::uint32_t workOn(Range& range);

  Call call_ = nullptr;
  CallOfSome call_of_some_ = nullptr;  // Null: one by one.
  void* context_ = nullptr;
  std::atomic<std::uint32_t> least_{0};  // Of parts that are taken at once; 0: one by one.
  std::uint32_t threads_ = 1;
  alignas(64) std::atomic<std::uint64_t> phase_{0};  // Its number; how many ranges.
  alignas(64) std::atomic<std::uint32_t> done_{0};
  std::array<Range, kMaxRanges> ranges_;
};

}  // namespace abut::inline v0_1
