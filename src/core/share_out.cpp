// SPDX-License-Identifier: MIT
#include <thread>

#include <abut/core/share_out.hpp>

namespace abut::inline v0_1 {

void ShareOut::run(std::uint32_t count, std::uint32_t own, Call call, void* context) {
  call_ = call;
  call_of_some_ = nullptr;
  context_ = context;
  least_.store(0, std::memory_order_relaxed);
  share(count, own);
}

void ShareOut::runSome(std::uint32_t count, std::uint32_t least, std::uint32_t own, CallOfSome call,
                       void* context) {
  call_of_some_ = call;
  context_ = context;
  least_.store(least < 1 ? 1 : least, std::memory_order_relaxed);
  share(count, own);
}

void ShareOut::share(std::uint32_t count, std::uint32_t own) {
  done_.store(0, std::memory_order_relaxed);
  const std::uint64_t ranges = rangesOf(count);
  for (std::uint64_t r = 0; r < ranges; ++r) {
    const std::uint64_t begin = r * count / ranges, end = (r + 1) * count / ranges;
    ranges_[static_cast<std::size_t>(r)].todo.store(end << 32u | begin, std::memory_order_release);
  }
  phase_.store((phase_.load(std::memory_order_relaxed) & ~kRangesMask) + kNextPhase + ranges,
               std::memory_order_release);
  work(own, ranges);
  for (int waits = 0; done_.load(std::memory_order_acquire) != count; ++waits) rest(waits);
}

/// Few parts are taken as they come.
std::uint32_t ShareOut::rangesOf(std::uint32_t count) const {
  constexpr std::uint32_t kLeastParts = 3;  // Of a range.
  std::uint32_t ranges = threads_ < kMaxRanges ? threads_ : kMaxRanges;
  if (count / kLeastParts < ranges) ranges = count / kLeastParts;
  return ranges < 1 ? 1 : ranges;
}

/// The own range first. What a phase consists of does not change before all its parts are done, so
/// whoever took a part may read it, in whatever phase it looked for one.
void ShareOut::work(std::uint32_t own, std::uint64_t ranges) {
  const std::uint64_t first = own * ranges / threads_;
  for (std::uint64_t k = 0; k < ranges; ++k) {
    const std::uint64_t r = first + k < ranges ? first + k : first + k - ranges;
    const std::uint32_t worked = workOn(ranges_[static_cast<std::size_t>(r)]);
    if (worked != 0) done_.fetch_add(worked, std::memory_order_release);
  }
}

/// How many parts of a range were done here. They are told of together: as long as they are not,
/// the phase does not end.
std::uint32_t ShareOut::workOn(Range& range) {
  std::uint32_t worked = 0;
  std::uint64_t todo = range.todo.load(std::memory_order_acquire);
  for (;;) {
    const auto begin = static_cast<std::uint32_t>(todo);
    const auto end = static_cast<std::uint32_t>(todo >> 32u);
    if (begin >= end) return worked;
    // Of another phase, if it is one that has begun since: all the same.
    const std::uint32_t least = least_.load(std::memory_order_relaxed), left = end - begin;
    std::uint32_t some = left / 2 < least ? least : left / 2;
    if (least == 0) some = 1;
    if (some > left) some = left;
    if (!range.todo.compare_exchange_weak(todo, todo + some, std::memory_order_acq_rel,
                                          std::memory_order_acquire)) {
      continue;
    }
    if (call_of_some_ != nullptr) {
      call_of_some_(context_, begin, begin + some);
    } else {
      for (std::uint32_t i = begin; i < begin + some; ++i) call_(context_, i);
    }
    worked += some;
    todo = range.todo.load(std::memory_order_acquire);
  }
}

void ShareOut::rest(int waits) {
  constexpr int kSpins = 2000;
  if (waits > kSpins) {
    std::this_thread::yield();
    return;
  }
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace abut::inline v0_1
