// SPDX-License-Identifier: MIT
//
// The order in which sweeps go through the rows of an island. What is known of a mechanism, some
// ten kilobytes, is read for each row that pushes it: rows of mechanisms that touch are taken
// together, so that it is read from near the processor. All of it follows from the order in which
// mechanisms and rows are given.
#include <algorithm>

#include "joints/tree_sweeps.hpp"

namespace abut::inline v0_1 {
namespace {

/// Most that a cluster's responses take [bytes], and mechanisms of it.
constexpr std::size_t kClusterBytes = std::size_t{128} << 10, kMostOfCluster = 64;
/// Colours that are told apart; batches beyond them are swept one after the other.
constexpr std::uint32_t kMostColours = 64;

constexpr std::uint32_t kNone = 0xffffffffu;

}  // namespace

void TreeSweeps::order() {
  findNeighbours();
  findClusters();
  findBatches();
  colourBatches();
  placeRows();
}

/// Mechanisms that groups join, in the order of these.
void TreeSweeps::findNeighbours() {
  neighbour_start_.assign(steps_.size() + 1, 0);
  const auto forEnds = [this](auto visit) {
    for (const Group& g : unsorted_) {
      const std::uint32_t a = g.at[0].node, b = g.at[1].node;
      if (a == kWorldBody || b == kWorldBody || a == b) continue;
      visit(a, b);
      visit(b, a);
    }
  };
  forEnds([this](std::uint32_t a, std::uint32_t) { ++neighbour_start_[a]; });
  std::uint32_t sum = 0;
  for (std::uint32_t& start : neighbour_start_) {
    const std::uint32_t count = start;
    start = sum;
    sum += count;
  }
  neighbours_.resize(sum);
  forEnds([this](std::uint32_t a, std::uint32_t b) { neighbours_[neighbour_start_[a]++] = b; });
  for (std::size_t i = neighbour_start_.size(); i-- > 1;) {
    neighbour_start_[i] = neighbour_start_[i - 1];
  }
  neighbour_start_[0] = 0;
}

/// Those next to the first that has no cluster yet, layer by layer, until it is full.
void TreeSweeps::findClusters() {
  cluster_of_.assign(steps_.size(), kNone);
  std::uint32_t cluster = 0;
  for (std::uint32_t seed = 0; seed < steps_.size(); ++seed) {
    if (cluster_of_[seed] != kNone) continue;
    queue_.assign(1, seed);
    cluster_of_[seed] = cluster;
    std::size_t bytes = sizeof(Float4) * nodes_[seed].response.size();
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      for (std::uint32_t k = neighbour_start_[queue_[i]]; k < neighbour_start_[queue_[i] + 1];
           ++k) {
        const std::uint32_t next = neighbours_[k];
        const std::size_t more = sizeof(Float4) * nodes_[next].response.size();
        if (cluster_of_[next] != kNone || bytes + more > kClusterBytes ||
            queue_.size() == kMostOfCluster) {
          continue;
        }
        cluster_of_[next] = cluster;
        bytes += more;
        queue_.push_back(next);
      }
    }
    ++cluster;
  }
  colours_.assign(cluster, 0);
}

/// Groups by their clusters, otherwise as they are.
void TreeSweeps::findBatches() {
  sorted_.clear();
  for (std::uint32_t i = 0; i < unsorted_.size(); ++i) {
    const Group& g = unsorted_[i];
    std::uint32_t a = g.at[0].node == kWorldBody ? g.at[1].node : g.at[0].node;
    std::uint32_t b = g.at[1].node == kWorldBody ? a : g.at[1].node;
    a = cluster_of_[a];
    b = cluster_of_[b];
    sorted_.push_back({{std::min(a, b), std::max(a, b)}, i});
  }
  std::sort(sorted_.begin(), sorted_.end(), [](const Sorted& a, const Sorted& b) {
    if (a.cluster[0] != b.cluster[0]) return a.cluster[0] < b.cluster[0];
    if (a.cluster[1] != b.cluster[1]) return a.cluster[1] < b.cluster[1];
    return a.group < b.group;
  });
  unsorted_batches_.clear();
  for (std::uint32_t i = 0; i < sorted_.size(); ++i) {
    const Sorted& s = sorted_[i];
    const bool isNew = unsorted_batches_.empty() ||
                       unsorted_batches_.back().cluster[0] != s.cluster[0] ||
                       unsorted_batches_.back().cluster[1] != s.cluster[1];
    if (isNew) unsorted_batches_.push_back({i, i, {s.cluster[0], s.cluster[1]}});
    unsorted_batches_.back().end = i + 1;
  }
}

/// Each batch in turn has the first colour that no batch of its clusters has.
void TreeSweeps::colourBatches() {
  colour_end_.assign(kMostColours + 1, 0);
  colour_of_.clear();
  for (const Batch& batch : unsorted_batches_) {
    std::uint64_t &mine = colours_[batch.cluster[0]], &other = colours_[batch.cluster[1]];
    const std::uint64_t used = mine | other;
    std::uint32_t colour = 0;
    while (colour < kMostColours && (used >> colour & 1) != 0) ++colour;
    if (colour < kMostColours) {
      mine |= std::uint64_t{1} << colour;
      other |= std::uint64_t{1} << colour;
    }
    colour_of_.push_back(colour);
    ++colour_end_[colour];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& end : colour_end_) {
    const std::uint32_t count = end;
    end = sum;
    sum += count;
  }
  batches_.resize(unsorted_batches_.size());
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    batches_[colour_end_[colour_of_[i]]++] = unsorted_batches_[i];
  }
}

/// Groups and rows in the order of the batches.
void TreeSweeps::placeRows() {
  groups_.clear();
  works_.resize(rows_.size());
  work_of_.resize(rows_.size());
  std::uint32_t next = 0;
  for (Batch& batch : batches_) {
    const auto begin = static_cast<std::uint32_t>(groups_.size());
    for (std::uint32_t i = batch.first; i < batch.end; ++i) {
      Group g = unsorted_[sorted_[i].group];
      const std::uint32_t first = g.first;
      g.first = next;
      for (std::uint32_t k = first; k < first + g.count; ++k) {
        work_of_[k] = next;
        works_[next++].row = k;
      }
      groups_.push_back(g);
    }
    batch.first = begin;
    batch.end = static_cast<std::uint32_t>(groups_.size());
  }
}

}  // namespace abut::inline v0_1
