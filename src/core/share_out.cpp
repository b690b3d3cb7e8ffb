// SPDX-License-Identifier: MIT
#include <thread>

#include <abut/core/share_out.hpp>

namespace abut::inline v0_1 {

void ShareOut::run(std::uint32_t count, std::uint32_t own, Call call, void* context) {
  call_ = call;
  context_ = context;
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
    std::atomic<std::uint64_t>& range = ranges_[static_cast<std::size_t>(r)].todo;
    std::uint64_t todo = range.load(std::memory_order_acquire);
    while (static_cast<std::uint32_t>(todo) < static_cast<std::uint32_t>(todo >> 32u)) {
      if (!range.compare_exchange_weak(todo, todo + 1, std::memory_order_acq_rel,
                                       std::memory_order_acquire)) {
        continue;
      }
      call_(context_, static_cast<std::uint32_t>(todo));
      done_.fetch_add(1, std::memory_order_release);
      todo = range.load(std::memory_order_acquire);
    }
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
