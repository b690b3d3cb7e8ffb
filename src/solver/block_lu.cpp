// SPDX-License-Identifier: MIT
#include "solver/block_lu.hpp"

#include <algorithm>

#include "solver/dense_front.hpp"

namespace abut {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;
/// A node joins the front before it while at most this share of the entries would be zeros that
/// need not be stored: dense work on them costs less than another front. More in small fronts.
constexpr double kZerosAllowed = 0.25, kZerosInSmall = 0.6;
constexpr std::uint32_t kSmallFront = 4;

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
  firstOf_.resize(count);
  diagonal_.resize(count);
  block_.resize(graph_.node.size());
  unknowns_ = 0;
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    firstOf_[i] = unknowns_;
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
  return block_[graph_.start[i] + static_cast<std::uint32_t>(found - others.begin())];
}

void BlockLu::clear() {
  std::fill(entries_.begin(), entries_.end(), 0.0);
}

/// Everything that depends on the pattern alone, nodes by their place in the order of elimination.
void BlockLu::buildFronts(const Symbolic& symbolic) {
  const std::uint32_t count = static_cast<std::uint32_t>(sizes_.size());
  const std::vector<std::uint32_t> starts = symbolic.frontStarts();
  firstUnknown_.assign(count + 1, 0);
  placeOf_.assign(count, 0);
  place_.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t node = symbolic.order[i];
    placeOf_[node] = i;
    firstUnknown_[i + 1] = firstUnknown_[i] + sizes_[node];
    for (std::uint32_t k = 0; k < sizes_[node]; ++k) {
      place_.push_back(static_cast<std::uint32_t>(firstOf_[node]) + k);
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
  std::size_t factorSize = 0, workSize = 0;
  for (std::uint32_t f = 0; f < fronts_.size(); ++f) {
    Front& front = fronts_[f];
    const auto& border = symbolic.below[starts[f + 1] - 1];
    setFront(symbolic.order, starts[f], starts[f + 1], border, local, front);
    front.upper = factorSize;
    factorSize += front.numPivots * front.stride;
    front.lower = factorSize;
    factorSize += std::size_t{front.size - front.numPivots} * front.numPivots;
    workSize = std::max(workSize, front.size * front.stride);
    const double pivots = front.numPivots, rest = front.size - front.numPivots;
    cost_ += pivots * (pivots * pivots / 3.0 + pivots * rest + rest * rest);
    if (!border.empty()) parentOf[f] = frontOf[border.front()];
  }
  factors_.assign(factorSize, 0.0);
  work_.assign(workSize, 0.0);
  exchanged_.assign(unknowns_, 0);
  permuted_.assign(unknowns_, 0.0);
  gathered_.assign(unknowns_, 0.0);
  placeChildren(parentOf);
}

/// Unknowns of a front of the nodes at places [begin, end), and where their blocks go in it.
void BlockLu::setFront(const std::vector<std::uint32_t>& order, std::uint32_t begin,
                       std::uint32_t end, const std::vector<std::uint32_t>& border,
                       std::vector<std::uint32_t>& local, Front& front) {
  front.firstPivot = firstUnknown_[begin];
  front.numPivots = firstUnknown_[end] - front.firstPivot;
  front.rows = rows_.size();
  std::uint32_t size = 0;
  for (std::uint32_t i = begin; i < end; ++i) {
    local[i] = size;
    size += sizes_[order[i]];
  }
  for (const std::uint32_t i : border) {
    local[i] = size;
    size += sizes_[order[i]];
    for (std::uint32_t k = firstUnknown_[i]; k < firstUnknown_[i + 1]; ++k) rows_.push_back(k);
  }
  front.size = size;
  front.stride = frontStride(size);
  front.firstPart = static_cast<std::uint32_t>(parts_.size());
  for (std::uint32_t i = begin; i < end; ++i) {
    const std::uint32_t a = order[i];
    parts_.push_back({diagonal_[a], local[i], local[i], sizes_[a], sizes_[a]});
    for (const std::uint32_t b : graph_.of(a)) {
      const std::uint32_t j = placeOf_[b];
      if (j < i) continue;
      parts_.push_back({blockAt(a, b), local[i], local[j], sizes_[a], sizes_[b]});
      parts_.push_back({blockAt(b, a), local[j], local[i], sizes_[b], sizes_[a]});
    }
  }
  front.endPart = static_cast<std::uint32_t>(parts_.size());
}

/// Where a child's border lies in its parent, and the room for what is left to eliminate.
void BlockLu::placeChildren(const std::vector<std::uint32_t>& parentOf) {
  childPlaces_.clear();
  for (std::uint32_t f = 0; f < fronts_.size(); ++f) {
    Front& front = fronts_[f];
    front.child = childPlaces_.size();
    if (parentOf[f] == kNone) continue;
    Front& parent = fronts_[parentOf[f]];
    ++parent.numChildren;
    const std::uint32_t* border = rows_.data() + parent.rows;
    const std::uint32_t* end = border + (parent.size - parent.numPivots);
    for (std::uint32_t k = 0; k < front.size - front.numPivots; ++k) {
      const std::uint32_t row = rows_[front.rows + k];
      const bool isPivot = row < parent.firstPivot + parent.numPivots;
      childPlaces_.push_back(
          isPivot ? row - parent.firstPivot
                  : parent.numPivots +
                        static_cast<std::uint32_t>(std::lower_bound(border, end, row) - border));
    }
  }
  children_.clear();
  children_.reserve(fronts_.size());
  std::size_t top = 0, most = 0;
  const auto restOf = [](const Front& f) { return std::size_t{f.size} - f.numPivots; };
  for (std::uint32_t f = 0; f < fronts_.size(); ++f) {
    for (std::uint32_t k = 0; k < fronts_[f].numChildren; ++k) {
      const std::size_t rest = restOf(fronts_[children_.back()]);
      top -= rest * rest;
      children_.pop_back();
    }
    const std::size_t rest = restOf(fronts_[f]);
    if (rest == 0) continue;
    top += rest * rest;
    most = std::max(most, top);
    children_.push_back(f);
  }
  stack_.assign(most, 0.0);
}

/// Fills work_ with the front's own entries and what its children left.
void BlockLu::assemble(const Front& front, std::size_t& stackTop) {
  std::fill_n(work_.begin(), front.size * front.stride, 0.0);
  for (std::uint32_t k = front.firstPart; k < front.endPart; ++k) {
    const Part& part = parts_[k];
    const double* from = entries_.data() + part.block;
    double* to = work_.data() + part.row * front.stride + part.column;
    for (std::uint32_t i = 0; i < part.rows; ++i) {
      for (std::uint32_t j = 0; j < part.columns; ++j) {
        to[i * front.stride + j] = from[i * part.columns + j];
      }
    }
  }
  for (std::uint32_t c = 0; c < front.numChildren; ++c) {
    const Front& child = fronts_[children_.back()];
    children_.pop_back();
    const std::size_t rest = child.size - child.numPivots;
    stackTop -= rest * rest;
    const double* from = stack_.data() + stackTop;
    const std::uint32_t* at = childPlaces_.data() + child.child;
    for (std::size_t i = 0; i < rest; ++i) {
      double* row = work_.data() + at[i] * front.stride;
      for (std::size_t j = 0; j < rest; ++j) row[at[j]] += from[i * rest + j];
    }
  }
}

bool BlockLu::factorise() {
  std::size_t stackTop = 0;
  children_.clear();
  for (std::uint32_t f = 0; f < fronts_.size(); ++f) {
    const Front& front = fronts_[f];
    assemble(front, stackTop);
    const std::size_t pivots = front.numPivots, rest = front.size - pivots;
    const std::span<std::uint32_t> rowAt(exchanged_.data() + front.firstPivot, pivots);
    if (!eliminate(work_.data(), front.size, pivots, front.stride, rowAt)) return false;
    std::copy_n(work_.begin(), pivots * front.stride, factors_.begin() + front.upper);
    if (rest == 0) continue;
    for (std::size_t i = 0; i < rest; ++i) {
      const auto row = work_.begin() + (pivots + i) * front.stride;
      std::copy_n(row, pivots, factors_.begin() + front.lower + i * pivots);
      std::copy_n(row + pivots, rest, stack_.begin() + stackTop + i * rest);
    }
    stackTop += rest * rest;
    children_.push_back(f);
  }
  return true;
}

void BlockLu::solve(std::span<double> x) {
  for (std::size_t i = 0; i < unknowns_; ++i) permuted_[i] = x[place_[i]];
  for (const Front& front : fronts_) {
    double* own = permuted_.data() + front.firstPivot;
    const std::uint32_t* rowAt = exchanged_.data() + front.firstPivot;
    for (std::uint32_t i = 0; i < front.numPivots; ++i) gathered_[i] = own[rowAt[i]];
    for (std::uint32_t i = 0; i < front.numPivots; ++i) {
      const double* row = factors_.data() + front.upper + i * front.stride;
      own[i] = gathered_[i] - interleavedDot(row, own, i);
    }
    const std::uint32_t* rows = rows_.data() + front.rows;
    const double* lower = factors_.data() + front.lower;
    for (std::uint32_t i = 0; i < front.size - front.numPivots; ++i) {
      permuted_[rows[i]] -=
          interleavedDot(lower + std::size_t{i} * front.numPivots, own, front.numPivots);
    }
  }
  for (auto it = fronts_.rbegin(); it != fronts_.rend(); ++it) {
    const Front& front = *it;
    double* own = permuted_.data() + front.firstPivot;
    const std::uint32_t rest = front.size - front.numPivots;
    const std::uint32_t* rows = rows_.data() + front.rows;
    for (std::uint32_t i = 0; i < rest; ++i) gathered_[i] = permuted_[rows[i]];
    for (std::uint32_t i = front.numPivots; i-- > 0;) {
      const double* row = factors_.data() + front.upper + i * front.stride;
      const double outer = interleavedDot(row + front.numPivots, gathered_.data(), rest);
      const double inner = interleavedDot(row + i + 1, own + i + 1, front.numPivots - i - 1);
      own[i] = ((own[i] - outer) - inner) / row[i];
    }
  }
  for (std::size_t i = 0; i < unknowns_; ++i) x[place_[i]] = permuted_[i];
}

}  // namespace abut
