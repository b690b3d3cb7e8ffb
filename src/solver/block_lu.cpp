// SPDX-License-Identifier: MIT
#include "solver/block_lu.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "solver/dense_front.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;
/// A node joins the front before it while at most this share of the entries would be zeros that
/// need not be stored: dense work on them costs less than another front. More in small fronts.
constexpr double kZerosAllowed = 0.15, kZerosInSmall = 0.6;
constexpr std::uint32_t kSmallFront = 4;
/// A branch costs at most this share of all: a few threads have enough of them, and what joins them
/// is left to be shared front by front. Below this cost [multiplications] all is one branch.
constexpr double kBranchShare = 1.0 / 12.0, kWorthBranches = 2e6;

}  // namespace

/// Elimination tree and the rows below each node, nodes numbered by their place in the order.
struct BlockLu::Symbolic {
  std::vector<std::uint32_t> order;   // Node at each place.
  std::vector<std::uint32_t> parent;  // kNone for roots.
  std::vector<std::vector<std::uint32_t>> below;

  void find(const Neighbours& graph);
  void sortDepthFirst();
  /// First places of the fronts, and the end.
  [[nodiscard]] std::vector<std::uint32_t> frontStarts() const;
};

void BlockLu::Symbolic::find(const Neighbours& graph) {
  const std::uint32_t count = graph.count();
  std::vector<std::uint32_t> placeOf(count), mark(count, kNone);
  for (std::uint32_t i = 0; i < count; ++i) placeOf[order[i]] = i;
  std::vector<std::vector<std::uint32_t>> children(count);
  parent.assign(count, kNone);
  below.assign(count, {});
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto note = [&](std::uint32_t place) {
      if (place <= i || mark[place] == i) return;
      mark[place] = i;
      below[i].push_back(place);
    };
    for (const std::uint32_t node : graph.of(order[i])) note(placeOf[node]);
    for (const std::uint32_t child : children[i]) {
      for (const std::uint32_t place : below[child]) note(place);
    }
    std::sort(below[i].begin(), below[i].end());
    if (below[i].empty()) continue;
    parent[i] = below[i].front();
    children[parent[i]].push_back(i);
  }
}

/// Renumbers so that every node follows the last of its children.
void BlockLu::Symbolic::sortDepthFirst() {
  const std::uint32_t count = static_cast<std::uint32_t>(order.size());
  std::vector<std::vector<std::uint32_t>> children(count);
  std::vector<std::uint32_t> stack, reversed;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (parent[i] != kNone) children[parent[i]].push_back(i);
    if (parent[i] == kNone) stack.push_back(i);
  }
  while (!stack.empty()) {
    const std::uint32_t i = stack.back();
    stack.pop_back();
    reversed.push_back(order[i]);
    for (const std::uint32_t child : children[i]) stack.push_back(child);
  }
  order.assign(reversed.rbegin(), reversed.rend());
}

std::vector<std::uint32_t> BlockLu::Symbolic::frontStarts() const {
  const std::uint32_t count = static_cast<std::uint32_t>(order.size());
  std::vector<std::uint32_t> starts;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t first = i;
    starts.push_back(first);
    double zeros = 0.0;
    while (i + 1 < count && parent[i] == i + 1) {
      const double added =
          static_cast<double>(below[i + 1].size() + 1 - below[i].size()) * (i - first + 1);
      const double size = i + 2 - first;
      const double all =
          0.5 * size * (size + 1.0) + size * static_cast<double>(below[i + 1].size());
      const double allowed = size > kSmallFront ? kZerosAllowed : kZerosInSmall;
      if (zeros + added > allowed * all) break;
      zeros += added;
      ++i;
    }
  }
  starts.push_back(count);
  return starts;
}

bool BlockLu::isKnown(std::span<const std::uint8_t> sizes, std::span<const Edge> edges) {
  sorted_.clear();
  for (const auto& [a, b] : edges) sorted_.emplace_back(std::min(a, b), std::max(a, b));
  std::sort(sorted_.begin(), sorted_.end());
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
  return sorted_ == edges_ && std::equal(sizes.begin(), sizes.end(), sizes_.begin(), sizes_.end());
}

void BlockLu::analyse(std::span<const std::uint8_t> sizes, std::span<const Edge> edges) {
  if (isKnown(sizes, edges)) return;
  sizes_.assign(sizes.begin(), sizes.end());
  edges_ = sorted_;
  findGraph();
  placeBlocks();
  Symbolic symbolic;
  dissection_.find(graph_, symbolic.order);
  symbolic.find(graph_);
  symbolic.sortDepthFirst();
  symbolic.find(graph_);
  buildFronts(symbolic);
}

void BlockLu::findGraph() {
  const std::uint32_t count = static_cast<std::uint32_t>(sizes_.size());
  graph_.start.assign(count + 1, 0);
  for (const auto& [a, b] : edges_) {
    ++graph_.start[a + 1];
    ++graph_.start[b + 1];
  }
  for (std::uint32_t i = 0; i < count; ++i) graph_.start[i + 1] += graph_.start[i];
  graph_.node.resize(2 * edges_.size());
  std::vector<std::uint32_t> next(graph_.start.begin(), graph_.start.end() - 1);
  // Ascending: first the smaller neighbours, by the order of the edges, then the larger ones.
  for (const auto& [a, b] : edges_) graph_.node[next[b]++] = a;
  for (const auto& [a, b] : edges_) graph_.node[next[a]++] = b;
}

void BlockLu::placeBlocks() {
  const std::uint32_t count = static_cast<std::uint32_t>(sizes_.size());
  first_of_.resize(count);
  diagonal_.resize(count);
  block_.resize(graph_.node.size());
  unknowns_ = 0;
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    first_of_[i] = unknowns_;
    unknowns_ += sizes_[i];
    diagonal_[i] = next;
    next += std::size_t{sizes_[i]} * sizes_[i];
    for (std::uint32_t k = graph_.start[i]; k < graph_.start[i + 1]; ++k) {
      block_[k] = next;
      next += std::size_t{sizes_[i]} * sizes_[graph_.node[k]];
    }
  }
  entries_.assign(next, 0.0);
}

std::size_t BlockLu::blockAt(std::uint32_t i, std::uint32_t j) const {
  if (i == j) return diagonal_[i];
  const auto others = graph_.of(i);
  const auto found = std::lower_bound(others.begin(), others.end(), j);
  ABUT_ASSERT(found != others.end() && *found == j);
  return block_[graph_.start[i] + static_cast<std::uint32_t>(found - others.begin())];
}

void BlockLu::clear() {
  std::fill(entries_.begin(), entries_.end(), 0.0);
}

double BlockLu::costOf(const Front& front) {
  const double pivots = front.numPivots, rest = front.size - front.numPivots;
  return pivots * (pivots * pivots / 3.0 + pivots * rest + rest * rest);
}

/// Everything that depends on the pattern alone, nodes by their place in the order of elimination.
void BlockLu::buildFronts(const Symbolic& symbolic) {
  const std::uint32_t count = static_cast<std::uint32_t>(sizes_.size());
  const std::vector<std::uint32_t> starts = symbolic.frontStarts();
  first_unknown_.assign(count + 1, 0);
  place_of_.assign(count, 0);
  place_.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t node = symbolic.order[i];
    place_of_[node] = i;
    first_unknown_[i + 1] = first_unknown_[i] + sizes_[node];
    for (std::uint32_t k = 0; k < sizes_[node]; ++k) {
      place_.push_back(static_cast<std::uint32_t>(first_of_[node]) + k);
    }
  }
  fronts_.assign(starts.size() - 1, {});
  rows_.clear();
  parts_.clear();
  cost_ = 0.0;
  std::vector<std::uint32_t> local(count), frontOf(count), parentOf(fronts_.size(), kNone);
  for (std::uint32_t f = 0; f < fronts_.size(); ++f) {
    for (std::uint32_t i = starts[f]; i < starts[f + 1]; ++i) frontOf[i] = f;
  }
  std::size_t factorSize = 0;
  for (std::uint32_t f = 0; f < fronts_.size(); ++f) {
    Front& front = fronts_[f];
    const auto& border = symbolic.below[starts[f + 1] - 1];
    setFront(symbolic.order, starts[f], starts[f + 1], border, local, front);
    front.upper = factorSize;
    factorSize += front.numPivots * front.stride;
    front.lower = factorSize;
    factorSize += std::size_t{front.size - front.numPivots} * front.numPivots;
    cost_ += costOf(front);
    if (!border.empty()) parentOf[f] = frontOf[border.front()];
  }
  room_.factors = factorSize;
  exchanged_.assign(unknowns_, 0);
  placeChildren(parentOf);
  findBranches(parentOf);
  reserve();
}

/// Unknowns of a front of the nodes at places [begin, end), and where their blocks go in it.
void BlockLu::setFront(const std::vector<std::uint32_t>& order, std::uint32_t begin,
                       std::uint32_t end, const std::vector<std::uint32_t>& border,
                       std::vector<std::uint32_t>& local, Front& front) {
  front.firstPivot = first_unknown_[begin];
  front.numPivots = first_unknown_[end] - front.firstPivot;
  front.rows = rows_.size();
  std::uint32_t size = 0;
  for (std::uint32_t i = begin; i < end; ++i) {
    local[i] = size;
    size += sizes_[order[i]];
  }
  for (const std::uint32_t i : border) {
    local[i] = size;
    size += sizes_[order[i]];
    for (std::uint32_t k = first_unknown_[i]; k < first_unknown_[i + 1]; ++k) rows_.push_back(k);
  }
  front.size = size;
  front.stride = frontStride(size);
  front.firstPart = static_cast<std::uint32_t>(parts_.size());
  for (std::uint32_t i = begin; i < end; ++i) {
    const std::uint32_t a = order[i];
    parts_.push_back({diagonal_[a], local[i], local[i], sizes_[a], sizes_[a]});
    for (const std::uint32_t b : graph_.of(a)) {
      const std::uint32_t j = place_of_[b];
      if (j < i) continue;
      parts_.push_back({blockAt(a, b), local[i], local[j], sizes_[a], sizes_[b]});
      parts_.push_back({blockAt(b, a), local[j], local[i], sizes_[b], sizes_[a]});
    }
  }
  front.endPart = static_cast<std::uint32_t>(parts_.size());
}

/// Where a child's border lies in its parent, and who the children of each front are.
void BlockLu::placeChildren(const std::vector<std::uint32_t>& parentOf) {
  const std::uint32_t count = static_cast<std::uint32_t>(fronts_.size());
  child_places_.clear();
  for (std::uint32_t f = 0; f < count; ++f) {
    Front& front = fronts_[f];
    front.child = child_places_.size();
    if (parentOf[f] == kNone) continue;
    Front& parent = fronts_[parentOf[f]];
    ++parent.endChild;
    const std::uint32_t* border = rows_.data() + parent.rows;
    const std::uint32_t* end = border + (parent.size - parent.numPivots);
    for (std::uint32_t k = 0; k < front.size - front.numPivots; ++k) {
      const std::uint32_t row = rows_[front.rows + k];
      const bool isPivot = row < parent.firstPivot + parent.numPivots;
      child_places_.push_back(
          isPivot ? row - parent.firstPivot
                  : parent.numPivots +
                        static_cast<std::uint32_t>(std::lower_bound(border, end, row) - border));
    }
  }
  std::uint32_t next = 0;
  for (Front& front : fronts_) {
    front.firstChild = next;
    next += front.endChild;
    front.endChild = front.firstChild;
  }
  children_.resize(next);
  for (std::uint32_t f = count; f-- > 0;) {
    if (parentOf[f] != kNone) children_[fronts_[parentOf[f]].endChild++] = f;
  }
}

/// Cuts the tree of fronts into branches, by the pattern alone, and what joins them.
void BlockLu::findBranches(const std::vector<std::uint32_t>& parentOf) {
  const std::uint32_t count = static_cast<std::uint32_t>(fronts_.size());
  const double most = cost_ > kWorthBranches ? kBranchShare * cost_ : cost_;
  std::vector<Branch> below(count);  // Each front with all that lie below it.
  for (std::uint32_t f = 0; f < count; ++f) {
    below[f] = {f, f + 1, costOf(fronts_[f])};
    for (std::uint32_t k = fronts_[f].firstChild; k < fronts_[f].endChild; ++k) {
      const Branch& child = below[children_[k]];
      below[f].first = std::min(below[f].first, child.first);
      below[f].cost += child.cost;
    }
  }
  sharing_.branches.clear();
  sharing_.top.clear();
  for (std::uint32_t f = 0; f < count; ++f) {
    const std::uint32_t parent = parentOf[f];
    if (below[f].cost > most && fronts_[f].endChild > fronts_[f].firstChild) {
      sharing_.top.push_back(f);
    } else if (parent == kNone || below[parent].cost > most) {
      sharing_.branches.push_back(below[f]);
    }
  }
  std::sort(sharing_.branches.begin(), sharing_.branches.end(),
            [](const Branch& a, const Branch& b) {
              return a.cost != b.cost ? a.cost > b.cost : a.first < b.first;
            });
  sharing_.sound.assign(sharing_.branches.size(), 0);
}

/// Room for the matrix of a front and for what fronts leave: branches have their own, in which the
/// rest of children is on a stack until their parent takes it.
void BlockLu::reserve() {
  std::size_t workSize = 0, leftSize = 0;
  const auto restOf = [](const Front& f) { return std::size_t{f.size} - f.numPivots; };
  const auto place = [&](std::span<const std::uint32_t> fronts, const std::vector<bool>& own) {
    std::size_t top = leftSize, most = leftSize, work = 0;
    for (const std::uint32_t f : fronts) {
      Front& front = fronts_[f];
      for (std::uint32_t k = front.firstChild; k < front.endChild; ++k) {
        const std::size_t rest = restOf(fronts_[children_[k]]);
        if (own[children_[k]]) top -= rest * rest;
      }
      front.work = workSize;
      front.left = top;
      top += restOf(front) * restOf(front);
      most = std::max(most, top);
      work = std::max(work, front.size * front.stride);
    }
    leftSize = most;
    workSize += work;
  };
  std::vector<bool> own(fronts_.size(), true);
  std::vector<std::uint32_t> members;
  for (const Branch& branch : sharing_.branches) {
    members.clear();
    for (std::uint32_t f = branch.first; f < branch.end; ++f) members.push_back(f);
    place(members, own);
  }
  own.assign(fronts_.size(), false);
  for (const std::uint32_t f : sharing_.top) own[f] = true;
  place(sharing_.top, own);
  room_.work = workSize;
  room_.left = leftSize;
}

}  // namespace abut::inline v0_1
