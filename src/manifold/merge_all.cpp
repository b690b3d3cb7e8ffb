// SPDX-License-Identifier: MIT
#include "manifold/merge_all.hpp"

#include <algorithm>
#include <compare>

namespace abut::inline v0_1 {
namespace {

/// Manifolds that a thread takes at once, about.
constexpr std::size_t kGrain = 128;

/// What becomes of an earlier manifold that no group has the key of.
struct Fate {
  const Pose *pose1 = nullptr, *pose2 = nullptr;
  bool isRecycled = false, isKept = false;
};

/// `again` goes along with the manifolds.
Fate fateOf(const MergeInput& in, const PersistentManifold& old, std::size_t& again) {
  Fate fate;
  fate.pose1 = findPose(in.poses, old.key.pair.first);
  fate.pose2 = findPose(in.poses, old.key.pair.second);
  while (again < in.recycled.size() && in.recycled[again] < old.key.pair) ++again;
  fate.isRecycled =
      old.framesSinceSeen == 0 && again < in.recycled.size() && in.recycled[again] == old.key.pair;
  const bool inTime = old.framesSinceSeen < in.options.maxSeparationFrames;
  fate.isKept = fate.pose1 != nullptr && fate.pose2 != nullptr && (fate.isRecycled || inTime);
  return fate;
}

/// First of a list sorted by pair that is not before one.
template <class PairOf>
std::size_t firstOf(std::size_t count, ObjectPair pair, PairOf&& pairOf) {
  std::size_t begin = 0, end = count;
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    if (pairOf(middle) < pair) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

void addTo(const CacheReport& part, CacheReport& sum) {
  sum.pairsAdded += part.pairsAdded;
  sum.pairsMatched += part.pairsMatched;
  sum.pairsRecycled += part.pairsRecycled;
  sum.pairsUnseen += part.pairsUnseen;
  sum.pairsDropped += part.pairsDropped;
  sum.pointsAdded += part.pointsAdded;
  sum.pointsMatched += part.pointsMatched;
  sum.pointsByFeature += part.pointsByFeature;
  sum.pointsReplaced += part.pointsReplaced;
  sum.pointsRejected += part.pointsRejected;
  sum.impulsesDropped += part.impulsesDropped;
}

}  // namespace

void ManifoldMerge::run(const MergeInput& in, TaskRunner* tasks, Slots<PersistentManifold>& next,
                        CacheReport& report) {
  const std::size_t groups = in.raw.size();
  const std::size_t limit = in.options.maxPairs;
  const std::size_t room = limit == 0 ? in.old.size() : limit - groups;
  if (tasks == nullptr || limit != 0 || groups + in.old.size() <= kGrain) {
    if (parts_.empty()) parts_.resize(1);
    Part& all = parts_[0];
    all.firstGroup = all.firstOld = all.firstRecycled = 0;
    all.endGroup = groups;
    all.endOld = in.old.size();
    all.report = {};
    // As many as there are likely to be; more are appended.
    const std::size_t likely = std::max(groups, in.old.size());
    next.fit(likely);
    next.resize(likely);
    std::size_t at = 0;
    merge(in, all, room, [&]() -> PersistentManifold& {
      return at < likely ? next[at++] : (++at, next.append());
    });
    next.truncate(at);
    addTo(all.report, report);
    return;
  }
  cut(in);
  forChunks(tasks, num_parts_, 1,
            [&](std::size_t begin, std::size_t) { count(in, parts_[begin]); });
  std::size_t total = 0;
  for (std::size_t i = 0; i < num_parts_; ++i) {
    parts_[i].firstOut = total;
    total += parts_[i].numOut;
  }
  next.fit(total);
  next.resize(total);
  forChunks(tasks, num_parts_, 1, [&](std::size_t begin, std::size_t) {
    Part& part = parts_[begin];
    part.report = {};
    std::size_t at = part.firstOut;
    merge(in, part, in.old.size(), [&]() -> PersistentManifold& { return next[at++]; });
    part.numOut = at - part.firstOut;
  });
  closeGaps(next);
  for (std::size_t i = 0; i < num_parts_; ++i) addTo(parts_[i].report, report);
}

/// By pairs of the longer list.
void ManifoldMerge::cut(const MergeInput& in) {
  const std::size_t groups = in.raw.size();
  const bool byGroups = groups >= in.old.size();
  const std::size_t longer = byGroups ? groups : in.old.size();
  const auto pairOfGroup = [&](std::size_t i) { return in.raw.pairOf(i); };
  const auto pairOfOld = [&](std::size_t i) { return in.old[i].key.pair; };
  num_parts_ = (longer + kGrain - 1) / kGrain;
  if (parts_.size() < num_parts_) parts_.resize(num_parts_);
  std::size_t group = 0, old = 0, recycled = 0;
  for (std::size_t i = 0; i < num_parts_; ++i) {
    Part& part = parts_[i];
    part.firstGroup = group;
    part.firstOld = old;
    part.firstRecycled = recycled;
    if (i + 1 == num_parts_) {
      group = groups;
      old = in.old.size();
    } else {
      const std::size_t next = (i + 1) * kGrain;
      const ObjectPair pair = byGroups ? pairOfGroup(next) : pairOfOld(next);
      group = firstOf(groups, pair, pairOfGroup);
      old = firstOf(in.old.size(), pair, pairOfOld);
      recycled = static_cast<std::size_t>(
          std::lower_bound(in.recycled.begin(), in.recycled.end(), pair) - in.recycled.begin());
    }
    part.endGroup = group;
    part.endOld = old;
  }
}

/// How many manifolds a part gives if no point is rejected.
void ManifoldMerge::count(const MergeInput& in, Part& part) {
  std::size_t group = part.firstGroup, again = part.firstRecycled;
  part.numOut = part.endGroup - part.firstGroup;
  ManifoldKey next;
  const auto look = [&] {
    if (group < part.endGroup) next = in.raw.keyOf(group);
  };
  look();
  for (std::size_t old = part.firstOld; old < part.endOld; ++old) {
    const ManifoldKey& key = in.old[old].key;
    while (group < part.endGroup && next < key) {
      ++group;
      look();
    }
    if (group < part.endGroup && next == key) continue;
    if (fateOf(in, in.old[old], again).isKept) ++part.numOut;
  }
}

template <class Append>
void ManifoldMerge::merge(const MergeInput& in, Part& part, std::size_t room, Append&& append) {
  CacheReport& report = part.report;
  std::size_t group = part.firstGroup, old = part.firstOld, again = part.firstRecycled;
  RawGroup next;
  const auto look = [&] {
    if (group < part.endGroup) in.raw.get(group, next);
  };
  for (look(); group < part.endGroup || old < part.endOld;) {
    const auto order = group == part.endGroup ? std::strong_ordering::less
                       : old == part.endOld   ? std::strong_ordering::greater
                                              : in.old[old].key <=> next.key;
    if (order < 0) {
      const Fate fate = fateOf(in, in.old[old], again);
      if (room != 0 && fate.isKept) {
        PersistentManifold& carried = append();
        copyManifold(in.old[old], part.scratch, carried);
        carryOver(carried, *fate.pose1, *fate.pose2, fate.isRecycled, in.options, in.frame);
        ++(fate.isRecycled ? report.pairsRecycled : report.pairsUnseen);
        --room;
      } else {
        ++report.pairsDropped;
      }
      ++old;
      continue;
    }
    const bool isKnown = order == 0;
    const PersistentManifold* before = isKnown ? &in.old[old] : nullptr;
    const ContactPoint* only = in.options.accumulate ? nullptr : in.raw.onlyPoint(group);
    bool isSeen = true;
    if (only != nullptr) {
      RawPoint& point = part.scratch.only;
      point.contact = *only;
      isSeen = admit(point.contact, in.options);
      if (isSeen) {
        mergeOne(next, point.contact, before, in.options, in.frame, part.scratch, append(), report);
      } else {
        ++report.pointsRejected;
      }
    } else {
      in.raw.load(next, in.options, part.scratch.points, report);
      isSeen = !part.scratch.points.empty();
      if (isSeen) {
        mergeSeen(next, before, in.options, in.frame, part.scratch, append(), report);
      }
    }
    // All rejected: the pair counts as unseen.
    if (isSeen) ++(isKnown ? report.pairsMatched : report.pairsAdded);
    if (isSeen && isKnown) ++old;
    ++group;
    look();
  }
  ManifoldPoints::Spare& spare = part.scratch.spare;
  const std::size_t most = (part.endGroup - part.firstGroup) / 16 + 8;
  if (spare.size() > most) spare.resize(most);
}

/// Where all points of a group were rejected, a part gave less than was counted.
void ManifoldMerge::closeGaps(Slots<PersistentManifold>& next) const {
  std::size_t end = 0;
  for (std::size_t i = 0; i < num_parts_; ++i) {
    const Part& part = parts_[i];
    if (part.firstOut != end) {
      std::move(next.begin() + part.firstOut, next.begin() + part.firstOut + part.numOut,
                next.begin() + end);
    }
    end += part.numOut;
  }
  next.truncate(end);
}

}  // namespace abut::inline v0_1
