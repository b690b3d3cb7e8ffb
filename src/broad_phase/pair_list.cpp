// SPDX-License-Identifier: MIT
#include "broad_phase/pair_list.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace abut {
namespace {

/// Groups up to this size are sorted by insertion.
constexpr std::ptrdiff_t kSmallGroup = 24;

void sortGroup(std::uint32_t* begin, std::uint32_t* end) {
  if (end - begin > kSmallGroup) {
    std::sort(begin, end);
    return;
  }
  for (std::uint32_t* i = begin + 1; i < end; ++i) {
    const std::uint32_t value = *i;
    std::uint32_t* j = i;
    for (; j > begin && j[-1] > value; --j) *j = j[-1];
    *j = value;
  }
}

}  // namespace

void PairList::grow(std::size_t count) {
  if (size_ + count > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("BroadPhase: more than 2^32 pairs overlap");
  }
  pairs_.resize(2 * (size_ + count) + 1024);
}

/// The decision in double precision. Puts the smaller slot first, and counts pairs by it. Without
/// branches, so that the next boxes are fetched while these are compared.
void PairList::keepOverlapping(const std::vector<Box>& boxes) {
  ends_.assign(boxes.size(), 0);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const SlotPair pair = pairs_[i];
    const std::uint32_t first = pair.first < pair.second ? pair.first : pair.second;
    const std::uint32_t second = pair.first ^ pair.second ^ first;
    const bool overlap = overlapsUnbranched(boxes[first], boxes[second]);
    pairs_[kept] = {first, second};
    kept += overlap;
    ends_[first] += overlap;
  }
  size_ = kept;
}

void PairList::finish(const std::vector<ObjectId>& ids, const std::vector<Box>& boxes,
                      std::vector<ObjectPair>& pairs) {
  keepOverlapping(boxes);
  if (seconds_.size() < size_) seconds_.resize(pairs_.size());
  pairs.resize(size_);
  std::uint32_t sum = 0;
  for (std::uint32_t& end : ends_) {
    const std::uint32_t start = sum;
    sum += end;
    end = start;
  }
  for (std::size_t i = 0; i < size_; ++i) seconds_[ends_[pairs_[i].first]++] = pairs_[i].second;
  std::uint32_t begin = 0;
  for (std::size_t first = 0; first < ends_.size(); ++first) {
    const std::uint32_t end = ends_[first];
    if (begin == end) continue;
    sortGroup(&seconds_[begin], &seconds_[begin] + (end - begin));
    for (; begin < end; ++begin) pairs[begin] = {ids[first], ids[seconds_[begin]]};
  }
}

}  // namespace abut
