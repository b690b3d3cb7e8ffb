// SPDX-License-Identifier: MIT
#include "broad_phase/pair_list.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include <abut/core/status.hpp>

namespace abut::inline v0_1 {
namespace {

/// Slots that a thread takes at once.
constexpr std::size_t kSlotGrain = 512;
/// Groups up to this size are sorted by insertion.
constexpr std::ptrdiff_t kSmallGroup = 24;

/// Sorts pairs with the same first object by the second.
void sortGroup(ObjectPair* begin, ObjectPair* end) {
  if (begin == end) return;  // Of a list without pairs, whose pointers are null.
  if (end - begin > kSmallGroup) {
    std::sort(begin, end,
              [](const ObjectPair& a, const ObjectPair& b) { return a.second < b.second; });
    return;
  }
  for (ObjectPair* i = begin + 1; i < end; ++i) {
    const ObjectPair pair = *i;
    ObjectPair* j = i;
    for (; j > begin && j[-1].second > pair.second; --j) *j = j[-1];
    *j = pair;
  }
}

[[noreturn]] void throwTooMany(std::size_t found, std::size_t limit) {
  throw Error(StatusCode::LimitExceeded, "at least " + std::to_string(found) +
                                             " pairs of boxes meet, and the limit is " +
                                             std::to_string(limit));
}

}  // namespace

void PairList::grow(std::size_t count) {
  if (size_ > limit_) throwTooMany(size_, limit_);
  pairs_.resize(size_ + size_ / 4 + count + 1024);
}

void PairList::trim() {
  constexpr std::size_t kFew = 2048;
  if (pairs_.size() <= size_ + size_ / 2 + kFew) return;
  const std::size_t room = size_ + size_ / 8;
  pairs_.resize(room);
  pairs_.shrink_to_fit();
}

void PairSorter::run(std::span<const PairList> lists, const std::vector<ObjectId>& ids,
                     TaskRunner* tasks, std::size_t limit, std::vector<ObjectPair>& pairs) {
  std::size_t total = 0;
  for (const PairList& list : lists) total += list.getPairs().size();
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (total > std::min(limit, kMost)) throwTooMany(total, std::min(limit, kMost));
  starts_.assign(ids.size(), 0);
  for (const PairList& list : lists) {
    for (const SlotPair& pair : list.getPairs()) ++starts_[pair.first];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& start : starts_) {
    const std::uint32_t count = start;
    start = sum;
    sum += count;
  }
  pairs.resize(total);
  for (const PairList& list : lists) {
    for (const SlotPair& pair : list.getPairs()) {
      pairs[starts_[pair.first]++] = {ids[pair.first], ids[pair.second]};
    }
  }
  forChunks(tasks, ids.size(), kSlotGrain, [&](std::size_t firstSlot, std::size_t endSlot) {
    std::size_t begin = firstSlot == 0 ? 0 : starts_[firstSlot - 1];
    for (std::size_t slot = firstSlot; slot < endSlot; ++slot) {
      const std::size_t end = starts_[slot];
      sortGroup(pairs.data() + begin, pairs.data() + end);
      begin = end;
    }
  });
}

}  // namespace abut::inline v0_1
