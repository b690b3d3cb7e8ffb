// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <exception>
#include <vector>

#include "core/crew.hpp"

namespace abut::inline v0_1 {

/// Parts that mechanisms are shared out in, at most: as many as threads can have something to do.
inline constexpr std::size_t kMostShares = 64;

/// Calls f(i, scratch) for each i below `count` on the threads of a crew; scratch[k] belongs to one
/// thread at a time. What f throws is thrown here, after all are done.
template <class Scratch, class F>
void shareOut(Crew& crew, std::size_t count, std::vector<Scratch>& scratch, F&& f) {
  if (count == 0) return;
  if (scratch.size() < kMostShares) scratch.resize(kMostShares);
  const std::size_t grain = (count + kMostShares - 1) / kMostShares;
  std::atomic<bool> isThrown{false};
  std::exception_ptr thrown;
  shareChunks(crew, count, grain, [&](std::size_t begin, std::size_t end) {
    try {
      for (std::size_t i = begin; i < end; ++i) f(i, scratch[begin / grain]);
    } catch (...) {
      if (!isThrown.exchange(true)) thrown = std::current_exception();
    }
  });
  if (thrown != nullptr) std::rethrow_exception(thrown);
}

}  // namespace abut::inline v0_1
