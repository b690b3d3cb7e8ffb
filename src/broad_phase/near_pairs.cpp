// SPDX-License-Identifier: MIT
#include "broad_phase/near_pairs.hpp"

#include <algorithm>
#include <cstring>

#include <abut/core/float_environment.hpp>

#include "broad_phase/box_store.hpp"

namespace abut::inline v0_1 {
namespace {

/// Objects and candidates that a thread takes at once.
constexpr std::size_t kObjectGrain = 256, kCandidateGrain = 1024;
/// As many boxes may have left the wider ones, of this many.
constexpr std::size_t kLooseOf = 64, kLeastLoose = 4;
/// Wider boxes that lasted no longer than this are not worth it, for some steps.
constexpr int kShort = 1, kPause = 8;

bool contains(const Box& outer, const Aabb& inner) {
  const Box box = toBox(inner);
  return (outer.lo.x <= box.lo.x) & (outer.lo.y <= box.lo.y) & (outer.lo.z <= box.lo.z) &
         (box.hi.x <= outer.hi.x) & (box.hi.y <= outer.hi.y) & (box.hi.z <= outer.hi.z);
}

/// Room for so many items, to be written anew, and not for far more: there are many while things
/// fly about, and few once they lie.
template <class Item>
void makeRoom(std::size_t count, std::vector<Item>& items) {
  constexpr std::size_t kFew = 1024;
  if (items.capacity() > count + count / 2 + kFew) std::vector<Item>().swap(items);
  if (items.capacity() < count) {
    items.clear();
    items.reserve(count + count / 8);
  }
}

std::uint32_t indexOf(std::span<const ObjectId> ids, ObjectId id) {
  const ObjectId guess = id - ids.front();
  if (guess < ids.size() && ids[static_cast<std::size_t>(guess)] == id) {
    return static_cast<std::uint32_t>(guess);
  }
  return static_cast<std::uint32_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
}

}  // namespace

bool NearPairs::isOfSameObjects(const Boxes& now) const {
  return std::equal(ids_.begin(), ids_.end(), now.ids.begin(), now.ids.end()) &&
         std::equal(present_.begin(), present_.end(), now.present.begin(), now.present.end());
}

/// Whether all but few boxes do; these are noted.
bool NearPairs::stayWithin(const Boxes& now, TaskRunner* tasks) {
  const std::size_t n = now.ids.size();
  is_loose_.resize(n);
  forChunks(tasks, n, kObjectGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      is_loose_[i] = now.present[i] != 0 && !contains(wide_[i], now.boxes[i]) ? 1 : 0;
    }
  });
  const std::size_t most = kLeastLoose + n / kLooseOf;
  loose_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    if (is_loose_[i] == 0) continue;
    if (loose_.size() == most) return false;
    loose_.push_back(static_cast<std::uint32_t>(i));
  }
  return true;
}

/// The tree holds the boxes, or the wider ones, of all that is there.
Status NearPairs::fillTree(const Boxes& now, bool widened) {
  const std::size_t n = now.ids.size();
  const bool isSame = isOfSameObjects(now);
  is_valid_ = false;
  if (!isSame) {
    tree_.clear();
    ids_.clear();  // Not those of the tree until all are in it.
  }
  wide_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (now.present[i] == 0) continue;
    Aabb box = now.boxes[i];
    if (widened) box.expand(now.slack[i]);
    wide_[i] = toBox(box);
    const Status status = isSame ? tree_.update(now.ids[i], box) : tree_.add(now.ids[i], box);
    if (!status) return status;
  }
  present_.assign(now.present.begin(), now.present.end());
  ids_.assign(now.ids.begin(), now.ids.end());
  return {};
}

Status NearPairs::remember(const Boxes& now, TaskRunner* tasks) {
  const Status status = fillTree(now, true);
  if (!status) return status;
  tree_.computePotentialPairs(merged_, tasks);
  makeRoom(merged_.size(), candidates_);
  candidates_.resize(merged_.size());
  forChunks(tasks, merged_.size(), kCandidateGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      candidates_[k] = {indexOf(now.ids, merged_[k].first), indexOf(now.ids, merged_[k].second)};
    }
  });
  makeRoom(merged_.size(), merged_);
  merged_.clear();
  is_loose_.assign(now.ids.size(), 0);
  loose_.clear();
  age_ = 0;
  is_valid_ = true;
  return {};
}

/// Those of some candidates that meet, without those of loose boxes; returns how many.
std::size_t NearPairs::filterPart(const Boxes& now, std::size_t begin, std::size_t end,
                                  ObjectPair* pairs) const {
  std::size_t count = 0;
  const bool skips = !loose_.empty();
  while (begin < end) {
    const std::uint32_t first = candidates_[begin].first;
    const Box box = toBox(now.boxes[first]);
    const bool isLoose = skips && is_loose_[first] != 0;
    const ObjectId id = now.ids[first];
    for (; begin < end && candidates_[begin].first == first; ++begin) {
      const std::uint32_t second = candidates_[begin].second;
      if (isLoose || (skips && is_loose_[second] != 0)) continue;
      const Aabb& other = now.boxes[second];
      // No short cuts: the answer is mostly yes.
      const auto one = [](bool b) { return static_cast<std::size_t>(b); };
      const std::size_t meet = one(box.lo.x <= other.max_.x()) & one(other.min_.x() <= box.hi.x) &
                               one(box.lo.y <= other.max_.y()) & one(other.min_.y() <= box.hi.y) &
                               one(box.lo.z <= other.max_.z()) & one(other.min_.z() <= box.hi.z);
      pairs[count] = {id, now.ids[second]};
      count += meet;
    }
  }
  return count;
}

void NearPairs::filter(const Boxes& now, TaskRunner* tasks, std::vector<ObjectPair>& pairs) {
  const std::size_t n = candidates_.size();
  makeRoom(n, pairs);
  pairs.resize(n);
  if (tasks == nullptr) return pairs.resize(filterPart(now, 0, n, pairs.data()));
  kept_.resize((n + kCandidateGrain - 1) / kCandidateGrain);
  forChunks(tasks, n, kCandidateGrain, [&](std::size_t begin, std::size_t end) {
    kept_[begin / kCandidateGrain] = filterPart(now, begin, end, pairs.data() + begin);
  });
  std::size_t count = 0;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const ObjectPair* const from = pairs.data() + i * kCandidateGrain;
    if (from != pairs.data() + count) std::copy(from, from + kept_[i], pairs.data() + count);
    count += kept_[i];
  }
  pairs.resize(count);
}

/// The pairs of boxes that left the wider ones: with those that did not by the tree, which holds
/// more than these fill, and with each other one by one.
Status NearPairs::addLoose(const Boxes& now, std::vector<ObjectPair>& pairs) {
  if (loose_.empty()) return {};
  more_.clear();
  const auto add = [&](std::uint32_t i, std::uint32_t j) {
    if (!overlaps(toBox(now.boxes[i]), toBox(now.boxes[j]))) return;
    more_.push_back({now.ids[std::min(i, j)], now.ids[std::max(i, j)]});
  };
  for (std::size_t a = 0; a < loose_.size(); ++a) {
    const Aabb& box = now.boxes[loose_[a]];
    Status status = checkBox("BroadPhase::update", toBox(box), now.ids[loose_[a]]);
    if (status) status = tree_.overlap(box, near_);
    if (!status) return status;
    for (const ObjectId id : near_) {
      const std::uint32_t j = indexOf(now.ids, id);
      if (is_loose_[j] == 0) add(loose_[a], j);
    }
    for (std::size_t b = 0; b < a; ++b) add(loose_[a], loose_[b]);
  }
  std::sort(more_.begin(), more_.end());
  makeRoom(pairs.size() + more_.size(), merged_);
  merged_.resize(pairs.size() + more_.size());
  std::merge(pairs.begin(), pairs.end(), more_.begin(), more_.end(), merged_.begin());
  pairs.swap(merged_);
  return {};
}

void NearPairs::reset() {
  is_valid_ = false;
  age_ = pause_ = 0;
  tree_.reset();
  ids_.clear();
  present_.clear();
  candidates_.clear();
  more_.clear();
  merged_.clear();
}

Status NearPairs::find(const Boxes& now, TaskRunner* tasks, std::vector<ObjectPair>& pairs) {
  const FloatEnvironment environment;
  const bool holds = is_valid_ && isOfSameObjects(now) && stayWithin(now, tasks);
  if (holds) {
    ++age_;
  } else {
    if (is_valid_ && age_ <= kShort) pause_ = kPause;
    if (pause_ > 0) {
      --pause_;
      const Status status = fillTree(now, false);
      if (status) tree_.computePotentialPairs(pairs, tasks);
      return status;
    }
    const Status status = remember(now, tasks);
    if (!status) return status;
  }
  filter(now, tasks, pairs);
  return addLoose(now, pairs);
}

}  // namespace abut::inline v0_1
