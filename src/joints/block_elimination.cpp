// SPDX-License-Identifier: MIT
#include "joints/block_elimination.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace abut::inline v0_1 {
namespace {

bool insertSorted(std::vector<std::uint32_t>& list, std::uint32_t value) {
  const auto at = std::lower_bound(list.begin(), list.end(), value);
  if (at != list.end() && *at == value) return false;
  list.insert(at, value);
  return true;
}

}  // namespace

void BlockElimination::prepare(const MechanismGraph& graph) {
  if (!order_.empty() && graph == graph_) return;
  graph_ = graph;
  findOrder();
  findSlots();
}

/// Least degree first, then the least number. A constraint may come when a body that is free to
/// answer it has gone, or all of its bodies.
void BlockElimination::findOrder() {
  const std::uint32_t n = graph_.numNodes, bodies = graph_.numBodies;
  std::vector<std::vector<std::uint32_t>> near(n);
  std::vector<std::uint32_t> waiting(n, 0);  // Bodies of a constraint that have not gone.
  std::vector<std::uint8_t> isReady(n, 0), isGone(n, 0);
  for (const MechanismGraph::Edge& e : graph_.edges) {
    insertSorted(near[e.constraint], e.body);
    insertSorted(near[e.body], e.constraint);
    ++waiting[e.constraint];
  }
  for (std::uint32_t i = 0; i < bodies; ++i) isReady[i] = 1;
  for (std::uint32_t i = bodies; i < n; ++i) isReady[i] = waiting[i] == 0 ? 1 : 0;
  const std::vector<std::vector<std::uint32_t>> held = near;
  order_.clear();
  later_.assign(n, {});
  std::set<std::pair<std::size_t, std::uint32_t>> ready;  // Degrees and numbers of what may come.
  for (std::uint32_t i = 0; i < n; ++i) {
    if (isReady[i] != 0) ready.emplace(near[i].size(), i);
  }
  while (order_.size() < n) {
    const std::uint32_t best = ready.begin()->second;
    ready.erase(ready.begin());
    order_.push_back(best);
    isGone[best] = 1;
    later_[best] = near[best];
    for (const std::uint32_t i : later_[best]) {
      const std::size_t before = near[i].size();
      near[i].erase(std::find(near[i].begin(), near[i].end(), best));
      for (const std::uint32_t k : later_[best]) {
        if (k != i) insertSorted(near[i], k);
      }
      if (isReady[i] == 0 || near[i].size() == before) continue;
      ready.erase({before, i});
      ready.emplace(near[i].size(), i);
    }
    if (best >= bodies) continue;
    for (const std::uint32_t c : held[best]) {
      --waiting[c];
      if (isReady[c] != 0 || (graph_.isLocked[best] != 0 && waiting[c] != 0)) continue;
      isReady[c] = 1;
      ready.emplace(near[c].size(), c);
    }
  }
  place_.assign(n, 0);
  for (std::uint32_t i = 0; i < n; ++i) place_[order_[i]] = i;
}

void BlockElimination::findSlots() {
  const std::uint32_t n = graph_.numNodes;
  first_entry_.assign(n + 1, 0);
  entries_.clear();
  for (std::uint32_t k = 0; k < n; ++k) {
    first_entry_[k] = static_cast<std::uint32_t>(entries_.size());
    std::vector<std::uint32_t>& columns = later_[k];
    std::sort(columns.begin(), columns.end(),
              [this](std::uint32_t a, std::uint32_t b) { return place_[a] < place_[b]; });
    for (const std::uint32_t c : columns) {
      entries_.push_back({c, static_cast<std::uint32_t>(entries_.size())});
    }
  }
  first_entry_[n] = static_cast<std::uint32_t>(entries_.size());
  targets_.clear();
  first_target_.assign(n, 0);
  for (std::uint32_t k = 0; k < n; ++k) {
    first_target_[k] = static_cast<std::uint32_t>(targets_.size());
    for (std::uint32_t a = first_entry_[k]; a < first_entry_[k + 1]; ++a) {
      targets_.push_back({entries_[a].column, true});
      for (std::uint32_t b = a + 1; b < first_entry_[k + 1]; ++b) {
        targets_.push_back({blockAt(entries_[a].column, entries_[b].column), false});
      }
    }
  }
  slot_of_.clear();
  for (const MechanismGraph::Edge& e : graph_.edges) {
    const bool bodyFirst = place_[e.body] < place_[e.constraint];
    slot_of_.push_back(bodyFirst ? blockAt(e.body, e.constraint) : blockAt(e.constraint, e.body));
  }
  diagonal_.assign(n, Mat6{});
  factors_.assign(n, Factors6{});
  blocks_.assign(entries_.size(), Mat6{});
  products_.assign(entries_.size(), Mat6{});
}

/// Rows come before their columns.
std::uint32_t BlockElimination::blockAt(std::uint32_t row, std::uint32_t column) const {
  std::uint32_t at = first_entry_[row];
  while (entries_[at].column != column) ++at;
  return at;
}

void BlockElimination::clear() {
  std::fill(diagonal_.begin(), diagonal_.end(), Mat6{});
  std::fill(blocks_.begin(), blocks_.end(), Mat6{});
}

void BlockElimination::setEdge(std::uint32_t edge, const Mat6& j) {
  const MechanismGraph::Edge& e = graph_.edges[edge];
  const bool bodyFirst = place_[e.body] < place_[e.constraint];
  blocks_[slot_of_[edge]] = bodyFirst ? transpose(j) : j;
}

bool BlockElimination::factorise() {
  for (const std::uint32_t k : order_) {
    Mat6 block = diagonal_[k];
    const bool isBody = k < graph_.numBodies;
    if (!isBody) negate(block);
    if (!factors_[k].set(block)) return false;
    eliminate(k);
  }
  return true;
}

/// A_ij -= U_ki^T X_kj with X_kj = D_k^-1 U_kj.
void BlockElimination::eliminate(std::uint32_t k) {
  const bool isBody = k < graph_.numBodies;
  const std::uint32_t first = first_entry_[k], end = first_entry_[k + 1];
  for (std::uint32_t a = first; a < end; ++a) {
    products_[a] = blocks_[a];
    factors_[k].solve(products_[a]);
    if (!isBody) negate(products_[a]);
  }
  std::uint32_t next = first_target_[k];
  for (std::uint32_t a = first; a < end; ++a) {
    subtractSymmetricProduct(diagonal_[targets_[next++].block], blocks_[a], products_[a]);
    for (std::uint32_t b = a + 1; b < end; ++b) {
      subtractTransposedProduct(blocks_[targets_[next++].block], blocks_[a], products_[b]);
    }
  }
}

void BlockElimination::reach(std::span<const std::uint32_t> bodies,
                             std::span<const std::array<Vec6, 3>> sides, int directions,
                             Reach& out) const {
  out.nodes.clear();
  slot_of_place_.resize(order_.size(), 0);
  for (const std::uint32_t body : bodies) {
    // What comes after a node in the elimination is the path to the root and the fill on it.
    std::uint32_t k = body;
    while (slot_of_place_[place_[k]] == 0) {
      slot_of_place_[place_[k]] = 1;
      out.nodes.push_back(place_[k]);
      if (first_entry_[k] == first_entry_[k + 1]) break;
      k = entries_[first_entry_[k]].column;
    }
  }
  std::sort(out.nodes.begin(), out.nodes.end());
  const std::size_t n = out.nodes.size();
  for (std::uint32_t i = 0; i < n; ++i) slot_of_place_[out.nodes[i]] = i + 1;
  out.half.assign(n, {});
  out.scaled.resize(n);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    std::array<Vec6, 3>& sum = out.half[slot_of_place_[place_[bodies[i]]] - 1];
    for (std::size_t d = 0; d < 3; ++d) sum[d] = sum[d] + sides[i][d];
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t k = order_[out.nodes[i]];
    const std::array<Vec6, 3>& x = out.half[i];
    for (std::uint32_t a = first_entry_[k]; a < first_entry_[k + 1]; ++a) {
      std::array<Vec6, 3>& other = out.half[slot_of_place_[place_[entries_[a].column]] - 1];
      for (int d = 0; d < directions; ++d) {
        const auto at = static_cast<std::size_t>(d);
        other[at] = minusTransposedProduct(other[at], products_[a], x[at]);
      }
    }
    const double sign = k < graph_.numBodies ? 1.0 : -1.0;
    for (int d = 0; d < directions; ++d) {
      const auto at = static_cast<std::size_t>(d);
      out.scaled[i][at] = factors_[k].solve(x[at]) * sign;
    }
  }
  for (const std::uint32_t place : out.nodes) slot_of_place_[place] = 0;
}

void BlockElimination::solve(std::span<Vec6> x) const {
  for (const std::uint32_t k : order_) {
    for (std::uint32_t a = first_entry_[k]; a < first_entry_[k + 1]; ++a) {
      Vec6& other = x[entries_[a].column];
      other = minusTransposedProduct(other, products_[a], x[k]);
    }
  }
  for (std::size_t i = order_.size(); i-- > 0;) {
    const std::uint32_t k = order_[i];
    Vec6 sum = factors_[k].solve(x[k]);
    if (k >= graph_.numBodies) sum = sum * -1.0;
    for (std::uint32_t a = first_entry_[k]; a < first_entry_[k + 1]; ++a) {
      sum = minusProduct(sum, products_[a], x[entries_[a].column]);
    }
    x[k] = sum;
  }
}

}  // namespace abut::inline v0_1
