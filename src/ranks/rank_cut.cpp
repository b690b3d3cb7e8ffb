// SPDX-License-Identifier: MIT
#include "ranks/rank_cut.hpp"

#include <algorithm>
#include <utility>

namespace abut::inline v0_1 {
namespace {

/// Places are counted in so many slices along the axis of a cut, or fewer where many cuts are made
/// at once: all counts together are one message.
constexpr std::size_t kMostSlices = 1024, kLeastSlices = 32, kWords = std::size_t{1} << 19;
/// Bodies rest on one another: a cut across the vertical has more contacts than its length tells.
constexpr double kVerticalShare = 0.5;

double along(const Vec3& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// Ranks that are still together, their node, and places of theirs on this rank.
struct Group {
  int node = 0, firstRank = 0, endRank = 0;
  std::vector<std::uint32_t> members;
  int axis = 0;
  double low = 0.0, width = 0.0;

  [[nodiscard]] std::size_t sliceOf(double x, std::size_t slices) const {
    const double share = width > 0.0 ? (x - low) / width * static_cast<double>(slices) : 0.0;
    if (!(share > 0.0)) return 0;
    const auto slice = static_cast<std::size_t>(minOf(share, static_cast<double>(slices)));
    return slice < slices ? slice : slices - 1;
  }
};

/// The longest axis of each group, over all ranks.
void chooseAxes(Communicator& comm, std::span<const Vec3> places, std::vector<Group>& groups) {
  constexpr double kNone = -1e300;
  std::vector<double> ends(6 * groups.size(), kNone);  // Greatest x, y, z, -x, -y, -z of each.
  for (std::size_t g = 0; g < groups.size(); ++g) {
    double* const of = &ends[6 * g];
    for (const std::uint32_t i : groups[g].members) {
      for (int axis = 0; axis < 3; ++axis) {
        const double x = along(places[i], axis);
        of[axis] = maxOf(of[axis], x);
        of[axis + 3] = maxOf(of[axis + 3], -x);
      }
    }
  }
  comm.greatest(ends);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double* const of = &ends[6 * g];
    double longest = -1.0;
    for (int k = 0; k < 3; ++k) {
      const double length = (of[k] + of[k + 3]) * (k == 2 ? kVerticalShare : 1.0);
      if (!(length > longest)) continue;
      longest = length;
      groups[g].axis = k;
    }
    groups[g].low = -of[groups[g].axis + 3];
    groups[g].width = maxOf(0.0, of[groups[g].axis] - groups[g].low);
  }
}

/// The slice at which a group is cut, so that its halves have places as they have ranks.
std::size_t halve(std::span<const std::uint64_t> counts, int firstRank, int endRank) {
  std::uint64_t total = 0, below = 0;
  for (const std::uint64_t c : counts) total += c;
  const int half = (endRank - firstRank) / 2;
  const double wanted = static_cast<double>(total) * static_cast<double>(half) /
                        static_cast<double>(endRank - firstRank);
  std::size_t slice = 0;
  while (slice + 1 < counts.size() && static_cast<double>(below + counts[slice]) <= wanted) {
    below += counts[slice++];
  }
  return slice == 0 ? 1 : slice;
}

}  // namespace

/// Cuts groups in two, all at once: two messages among all ranks, however many groups there are.
void RankCut::build(Communicator& communicator, std::span<const Vec3> places) {
  nodes_.assign(1, {});
  std::vector<Group> groups(1);
  groups[0].endRank = communicator.getSize();
  groups[0].members.resize(places.size());
  for (std::uint32_t i = 0; i < places.size(); ++i) groups[0].members[i] = i;
  while (!groups.empty()) {
    std::vector<Group> open;
    for (Group& group : groups) {
      if (group.endRank - group.firstRank == 1) {
        nodes_[static_cast<std::size_t>(group.node)] = {-1, 0.0, group.firstRank, group.firstRank};
      } else {
        open.push_back(std::move(group));
      }
    }
    groups.clear();
    if (open.empty()) return;
    chooseAxes(communicator, places, open);
    const std::size_t slices =
        std::clamp(kWords / open.size(), kLeastSlices, kMostSlices);  // deny-ok: integers
    std::vector<std::uint64_t> counts(slices * open.size(), 0);
    for (std::size_t g = 0; g < open.size(); ++g) {
      for (const std::uint32_t i : open[g].members) {
        ++counts[slices * g + open[g].sliceOf(along(places[i], open[g].axis), slices)];
      }
    }
    communicator.add(counts);
    for (std::size_t g = 0; g < open.size(); ++g) {
      Group& group = open[g];
      const std::size_t slice =
          halve(std::span(counts).subspan(slices * g, slices), group.firstRank, group.endRank);
      const double at =
          group.low + group.width * (static_cast<double>(slice) / static_cast<double>(slices));
      const int half = group.firstRank + (group.endRank - group.firstRank) / 2;
      Group first, second;
      first.node = static_cast<int>(nodes_.size());
      second.node = first.node + 1;
      first.firstRank = group.firstRank;
      first.endRank = second.firstRank = half;
      second.endRank = group.endRank;
      nodes_.resize(nodes_.size() + 2);
      nodes_[static_cast<std::size_t>(group.node)] = {group.axis, at, first.node, second.node};
      for (const std::uint32_t i : group.members) {
        (along(places[i], group.axis) < at ? first : second).members.push_back(i);
      }
      groups.push_back(std::move(first));
      groups.push_back(std::move(second));
    }
  }
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
