// SPDX-License-Identifier: MIT
#include "solver/nested_dissection.hpp"

#include <algorithm>

namespace abut::inline v0_1 {
namespace {

/// Parts up to this size are not cut further.
constexpr std::uint32_t kLeaf = 10;
constexpr std::uint32_t kUnreached = 0xffffffffu;
/// Corners that cuts start from, and the best of those cuts that are made better.
constexpr std::size_t kCorners = 8, kRefined = 12;
/// Of parts of fewer nodes than this, which are many, fewer.
constexpr std::uint32_t kLarge = 30;
constexpr std::size_t kFewCorners = 4, kFewRefined = 4;
/// Passes over a cut, each moving nodes until nothing has been gained for a while.
constexpr int kMaxPasses = 6;
constexpr std::uint32_t kMaxIdleMoves = 30;
/// A half may grow to this share, in hundredths, of all nodes.
constexpr std::uint64_t kMostOfHundred = 62;

}  // namespace

/// What makes a cut bad: its size, and a little that the halves differ.
std::uint64_t NestedDissection::Cut::cost() const {
  const std::uint64_t apart = left > right ? left - right : right - left;
  return static_cast<std::uint64_t>(separator) * 16 + apart / 8;
}

void NestedDissection::find(const Neighbours& graph, std::vector<std::uint32_t>& order) {
  graph_ = &graph;
  const std::uint32_t count = graph.count();
  nodes_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) nodes_[i] = i;
  part_.assign(count, 0);
  level_.assign(count, kUnreached);
  side_.assign(count, kOutside);
  moved_.assign(count, 0);
  best_.assign(count, kOutside);
  mark_ = 0;
  dissect(0, count);
  order = nodes_;
}

/// Orders nodes_[begin, end), a part of the graph.
void NestedDissection::dissect(std::uint32_t begin, std::uint32_t end) {
  std::sort(nodes_.begin() + begin, nodes_.begin() + end);
  if (end - begin <= kLeaf) return orderLeaf(begin, end);
  ++mark_;
  for (std::uint32_t i = begin; i < end; ++i) {
    part_[nodes_[i]] = mark_;
    level_[nodes_[i]] = kUnreached;
  }
  std::uint32_t middle = 0;
  if (cutOffComponent(begin, end, middle)) {
    dissect(begin, middle);
    dissect(middle, end);
    return;
  }
  const Cut cut = halve(begin, end);
  if (cut.left == 0 || cut.right == 0) return orderLeaf(begin, end);
  scratch_.assign(nodes_.begin() + begin, nodes_.begin() + end);
  std::uint32_t place = begin;
  for (const Side side : {kLeft, kRight, kSeparator}) {
    for (const std::uint32_t node : scratch_) {
      if (side_[node] == side) nodes_[place++] = node;
    }
  }
  for (const std::uint32_t node : scratch_) side_[node] = kOutside;
  const std::uint32_t right = begin + cut.left, last = right + cut.right;
  orderLeaf(last, end);
  dissect(begin, right);
  dissect(right, last);
}

/// Few neighbours first.
void NestedDissection::orderLeaf(std::uint32_t begin, std::uint32_t end) {
  std::sort(nodes_.begin() + begin, nodes_.begin() + end, [this](std::uint32_t a, std::uint32_t b) {
    const std::size_t na = graph_->of(a).size(), nb = graph_->of(b).size();
    return na != nb ? na < nb : a < b;
  });
}

/// Distances from a root within the part; queue_ then holds what can be reached, nearest first.
std::uint32_t NestedDissection::levelsFrom(std::uint32_t root, std::uint32_t begin) {
  for (const std::uint32_t node : queue_) level_[node] = kUnreached;
  queue_.clear();
  queue_.push_back(root);
  level_[root] = 0;
  const std::uint32_t part = part_[nodes_[begin]];
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const std::uint32_t node = queue_[next];
    for (const std::uint32_t other : graph_->of(node)) {
      if (part_[other] != part || level_[other] != kUnreached) continue;
      level_[other] = level_[node] + 1;
      queue_.push_back(other);
    }
  }
  return level_[queue_.back()];
}

/// If the part is not connected: puts what hangs together with its first node first.
bool NestedDissection::cutOffComponent(std::uint32_t begin, std::uint32_t end,
                                       std::uint32_t& middle) {
  queue_.clear();
  levelsFrom(nodes_[begin], begin);
  if (queue_.size() == end - begin) return false;
  middle = static_cast<std::uint32_t>(
      std::stable_partition(nodes_.begin() + begin, nodes_.begin() + end,
                            [this](std::uint32_t node) { return level_[node] != kUnreached; }) -
      nodes_.begin());
  return true;
}

/// Nodes far from each other, and the distances from them. The first is one of the two that are
/// farthest apart, nearly; each other one is the farthest from those before.
void NestedDissection::findCorners(std::uint32_t begin, std::uint32_t end) {
  std::uint32_t root = nodes_[begin], height = levelsFrom(root, begin);
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t far = queue_.back();
    const std::uint32_t next = levelsFrom(far, begin);
    root = far;
    if (next <= height) break;
    height = next;
  }
  num_corners_ = end - begin < kLarge ? kFewCorners : kCorners;
  distance_.resize(kCorners);
  for (std::size_t k = 0; k < num_corners_; ++k) {
    levelsFrom(root, begin);
    distance_[k].resize(level_.size());
    std::uint32_t farthest = 0;
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint32_t node = nodes_[i];
      distance_[k][node] = level_[node];
      std::uint32_t nearest = level_[node];
      for (std::size_t m = 0; m < k; ++m) nearest = std::min(nearest, distance_[m][node]);
      if (nearest <= farthest) continue;
      farthest = nearest;
      root = node;
    }
  }
}

/// The half that is nearer to one corner than to the other (the nearer one if they are the same),
/// and of the rest what touches it as the separator.
NestedDissection::Cut NestedDissection::cutBy(std::size_t corner, std::size_t other,
                                              std::uint32_t begin, std::uint32_t end) {
  keys_.clear();
  for (std::uint32_t i = begin; i < end; ++i) {
    const std::uint32_t node = nodes_[i];
    const std::int64_t own = distance_[corner][node], its = distance_[other][node];
    keys_.emplace_back(corner == other ? own : (own - its) * 1024 + own, node);
  }
  const std::uint32_t half = (end - begin) / 2;
  // Keys are all different, and what follows knows of the halves alone.
  std::nth_element(keys_.begin(), keys_.begin() + half, keys_.end());  // deny-ok: see above
  for (std::uint32_t i = 0; i < keys_.size(); ++i) {
    side_[keys_[i].second] = i < half ? kLeft : kRight;
  }
  Cut cut{0, half, end - begin - half};
  for (std::size_t i = half; i < keys_.size(); ++i) {
    const auto others = graph_->of(keys_[i].second);
    const bool touches = std::any_of(others.begin(), others.end(),
                                     [this](std::uint32_t o) { return side_[o] == kLeft; });
    if (!touches) continue;
    side_[keys_[i].second] = kSeparator;
    ++cut.separator;
    --cut.right;
  }
  return cut;
}

/// Cuts a connected part: side_ tells where each node is.
NestedDissection::Cut NestedDissection::halve(std::uint32_t begin, std::uint32_t end) {
  findCorners(begin, end);
  starts_.clear();
  for (std::size_t a = 0; a < num_corners_; ++a) {
    for (std::size_t b = 0; b < num_corners_; ++b) {
      starts_.push_back({cutBy(a, b, begin, end).cost(), a, b});
    }
  }
  std::stable_sort(starts_.begin(), starts_.end(),
                   [](const Start& a, const Start& b) { return a.cost < b.cost; });
  starts_.resize(end - begin < kLarge ? kFewRefined : kRefined);
  Cut best;
  bool hasBest = false;
  for (const Start& start : starts_) {
    const Cut cut = refine(begin, end, cutBy(start.corner, start.other, begin, end));
    if (hasBest && cut.cost() >= best.cost()) continue;
    hasBest = true;
    best = cut;
    for (std::uint32_t i = begin; i < end; ++i) best_[nodes_[i]] = side_[nodes_[i]];
  }
  for (std::uint32_t i = begin; i < end; ++i) side_[nodes_[i]] = best_[nodes_[i]];
  return best;
}

NestedDissection::Cut NestedDissection::refine(std::uint32_t begin, std::uint32_t end, Cut cut) {
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    if (!improve(begin, end, cut)) break;
  }
  return cut;
}

/// Moves a node of the separator to a side; its neighbours on the other one take its place.
void NestedDissection::moveOut(std::uint32_t node, Side to, Cut& cut) {
  const Side other = to == kLeft ? kRight : kLeft;
  trail_.push_back({node, side_[node]});
  side_[node] = to;
  moved_[node] = 1;
  --cut.separator;
  ++(to == kLeft ? cut.left : cut.right);
  for (const std::uint32_t o : graph_->of(node)) {
    if (side_[o] != other) continue;
    trail_.push_back({o, side_[o]});
    side_[o] = kSeparator;
    separator_.push_back(o);
    ++cut.separator;
    --(to == kLeft ? cut.right : cut.left);
  }
}

/// One pass of moves, taken back to the best cut met; whether that is better than before.
bool NestedDissection::improve(std::uint32_t begin, std::uint32_t end, Cut& cut) {
  separator_.clear();
  for (std::uint32_t i = begin; i < end; ++i) {
    moved_[nodes_[i]] = 0;
    if (side_[nodes_[i]] == kSeparator) separator_.push_back(nodes_[i]);
  }
  const std::uint64_t most = kMostOfHundred * (end - begin) / 100;
  const Cut start = cut;
  Cut best = cut;
  trail_.clear();
  std::size_t keep = 0;
  for (std::uint32_t idle = 0; idle < kMaxIdleMoves; ++idle) {
    std::uint32_t chosen = kUnreached;
    Side to = kLeft;
    std::int64_t gain = 0;
    std::size_t kept = 0;
    for (const std::uint32_t node : separator_) {
      if (side_[node] != kSeparator) continue;
      separator_[kept++] = node;
      if (moved_[node] != 0) continue;
      std::int64_t onLeft = 0, onRight = 0;
      for (const std::uint32_t o : graph_->of(node)) {
        onLeft += side_[o] == kLeft ? 1 : 0;
        onRight += side_[o] == kRight ? 1 : 0;
      }
      for (const Side side : {kLeft, kRight}) {
        if ((side == kLeft ? cut.left : cut.right) + 1 > most) continue;
        // A separator smaller by 1 is worth 16 nodes of imbalance; among equals the smaller side.
        const std::int64_t apart =
            side == kLeft ? std::int64_t{cut.left} - cut.right : std::int64_t{cut.right} - cut.left;
        const std::int64_t g = (1 - (side == kLeft ? onRight : onLeft)) * 4096 - apart;
        if (chosen != kUnreached && (g < gain || (g == gain && node >= chosen))) continue;
        chosen = node;
        to = side;
        gain = g;
      }
    }
    separator_.resize(kept);
    if (chosen == kUnreached) break;
    moveOut(chosen, to, cut);
    if (cut.cost() < best.cost()) {
      best = cut;
      keep = trail_.size();
      idle = 0;
    }
  }
  while (trail_.size() > keep) {
    side_[trail_.back().node] = trail_.back().from;
    trail_.pop_back();
  }
  cut = best;
  return best.cost() < start.cost();
}

}  // namespace abut::inline v0_1
