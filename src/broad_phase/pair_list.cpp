// SPDX-License-Identifier: MIT
#include "broad_phase/pair_list.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace abut {
namespace {

/// Groups up to this size are sorted by insertion.
constexpr std::ptrdiff_t kSmallGroup = 24;

/// Sorts pairs with the same first slot by the second.
template <typename SlotPair>
void sortGroup(SlotPair* begin, SlotPair* end) {
  if (end - begin > kSmallGroup) {
    std::sort(begin, end, [](const SlotPair& a, const SlotPair& b) { return a.second < b.second; });
    return;
  }
  for (SlotPair* i = begin + 1; i < end; ++i) {
    const SlotPair pair = *i;
    SlotPair* j = i;
    for (; j > begin && j[-1].second > pair.second; --j) *j = j[-1];
    *j = pair;
  }
}

}  // namespace

void PairList::start(std::size_t numSlots) {
  size_ = 0;
  starts_.assign(numSlots, 0);
}

void PairList::grow(std::size_t count) {
  if (size_ + count > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("BroadPhase: more than 2^32 pairs overlap");
  }
  pairs_.resize(2 * (size_ + count) + 1024);
}

void PairList::sortByFirst() {
  if (sorted_.size() < size_) sorted_.resize(pairs_.size());
  std::uint32_t sum = 0;
  for (std::uint32_t& start : starts_) {
    const std::uint32_t count = start;
    start = sum;
    sum += count;
  }
  for (std::size_t i = 0; i < size_; ++i) sorted_[starts_[pairs_[i].first]++] = pairs_[i];
}

void PairList::finish(const std::vector<ObjectId>& ids, std::vector<ObjectPair>& pairs) {
  sortByFirst();
  pairs.resize(size_);
  for (std::size_t i = 0, end = 0; i < size_; i = end) {
    const std::uint32_t first = sorted_[i].first;
    end = starts_[first];
    sortGroup(&sorted_[i], &sorted_[i] + (end - i));
    for (std::size_t j = i; j < end; ++j) pairs[j] = {ids[first], ids[sorted_[j].second]};
  }
}

}  // namespace abut
