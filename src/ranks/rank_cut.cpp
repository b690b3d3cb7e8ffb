// SPDX-License-Identifier: MIT
#include "ranks/rank_cut.hpp"

#include <utility>

namespace abut::inline v0_1 {
namespace {

/// Places are counted in so many slices along the axis of a cut.
constexpr std::size_t kSlices = 1024;
/// Bodies rest on one another: a cut across the vertical has more contacts than its length tells.
constexpr double kVerticalShare = 0.5;

double along(const Vec3& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

}  // namespace

int RankCut::cut(Communicator& comm, std::span<const Vec3> places,
                 std::vector<std::uint32_t>& members, int firstRank, int endRank) {
  const int self = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  if (endRank - firstRank == 1) {
    nodes_[static_cast<std::size_t>(self)] = {-1, 0.0, firstRank, firstRank};
    return self;
  }
  constexpr double kNone = -1e300;
  double ends[6] = {kNone, kNone, kNone, kNone, kNone, kNone};  // Greatest x, y, z, -x, -y, -z.
  for (const std::uint32_t i : members) {
    for (int axis = 0; axis < 3; ++axis) {
      const double x = along(places[i], axis);
      ends[axis] = maxOf(ends[axis], x);
      ends[axis + 3] = maxOf(ends[axis + 3], -x);
    }
  }
  comm.greatest(ends);
  int axis = 0;
  double longest = -1.0;
  for (int k = 0; k < 3; ++k) {
    const double length = (ends[k] + ends[k + 3]) * (k == 2 ? kVerticalShare : 1.0);
    if (!(length > longest)) continue;
    longest = length;
    axis = k;
  }
  const double low = -ends[axis + 3], width = maxOf(0.0, ends[axis] - low);
  std::vector<std::uint64_t> counts(kSlices, 0);
  const auto sliceOf = [&](double x) -> std::size_t {
    const double share = width > 0.0 ? (x - low) / width * static_cast<double>(kSlices) : 0.0;
    if (!(share > 0.0)) return 0;
    const auto slice = static_cast<std::size_t>(minOf(share, static_cast<double>(kSlices)));
    return slice < kSlices ? slice : kSlices - 1;
  };
  for (const std::uint32_t i : members) ++counts[sliceOf(along(places[i], axis))];
  comm.add(counts);
  std::uint64_t total = 0, below = 0;
  for (const std::uint64_t c : counts) total += c;
  const int half = (endRank - firstRank) / 2;
  const double wanted = static_cast<double>(total) * static_cast<double>(half) /
                        static_cast<double>(endRank - firstRank);
  std::size_t slice = 0;
  while (slice + 1 < kSlices && static_cast<double>(below + counts[slice]) <= wanted) {
    below += counts[slice++];
  }
  if (slice == 0) slice = 1;
  const double at = low + width * (static_cast<double>(slice) / static_cast<double>(kSlices));
  std::vector<std::uint32_t> first, second;
  for (const std::uint32_t i : members) {
    (along(places[i], axis) < at ? first : second).push_back(i);
  }
  std::vector<std::uint32_t>().swap(members);
  const int child1 = cut(comm, places, first, firstRank, firstRank + half);
  const int child2 = cut(comm, places, second, firstRank + half, endRank);
  nodes_[static_cast<std::size_t>(self)] = {axis, at, child1, child2};
  return self;
}

void RankCut::build(Communicator& communicator, std::span<const Vec3> places) {
  nodes_.clear();
  std::vector<std::uint32_t> members(places.size());
  for (std::uint32_t i = 0; i < members.size(); ++i) members[i] = i;
  cut(communicator, places, members, 0, communicator.getSize());
}

int RankCut::ownerOf(const Vec3& place) const {
  std::size_t at = 0;
  while (nodes_[at].axis >= 0) {
    const Node& node = nodes_[at];
    at = static_cast<std::size_t>(along(place, node.axis) < node.at ? node.first : node.second);
  }
  return nodes_[at].first;
}

}  // namespace abut::inline v0_1
