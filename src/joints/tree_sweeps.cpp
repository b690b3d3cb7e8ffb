// SPDX-License-Identifier: MIT
#include "joints/tree_sweeps.hpp"

#include <cmath>

namespace abut {
namespace {

/// Share of the rate at which sweeps come closer, by which they are carried on.
constexpr double kShare = 0.9;

/// Response of directions a to impulses along directions b through a block.
double through(const Vec6& a, const Mat6& block, const Vec6& b) {
  return dot(a, plusTransposedProduct(Vec6{}, block, b));
}

Vec6 along(const IslandRow::Side& side, const Vec3& p, int directions) {
  Vec6 sum = side.rate[0] * p.x;
  if (directions == 3) sum = (sum + side.rate[1] * p.y) + side.rate[2] * p.z;
  return sum;
}

Vec3 seen(const IslandRow::Side& side, const Vec6& v, int directions) {
  if (directions == 1) return {dot(side.rate[0], v), 0.0, 0.0};
  return {dot(side.rate[0], v), dot(side.rate[1], v), dot(side.rate[2], v)};
}

}  // namespace

const Mat6& TreeSweeps::between(std::uint32_t node, std::uint32_t pushed,
                                std::uint32_t answers) const {
  const Node& n = nodes_[node];
  return n.response[(pushed - n.first) * n.size() + (answers - n.first)];
}

void TreeSweeps::begin(std::span<const IslandRow> rows, std::span<MeanStep> steps,
                       std::span<const double> softness) {
  rows_ = rows;
  steps_ = steps;
  softness_ = softness;
  findNodes();
  block_.resize(rows.size());
  alpha_.assign(rows.size(), 0.0);
  findGroups();
  for (std::uint32_t k = 0; k < rows.size(); ++k) prepare(k);
}

/// Bodies that rows push, and how they answer each other.
void TreeSweeps::findNodes() {
  if (nodes_.size() < steps_.size()) nodes_.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    nodes_[i].bodies.clear();
    nodes_[i].place.assign(steps_[i].numBodies(), kWorldBody);
  }
  for (const IslandRow& row : rows_) {
    for (const IslandRow::Side& s : row.side) {
      if (s.mechanism != kWorldBody) nodes_[s.mechanism].place[s.body] = 0;
    }
  }
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    Node& n = nodes_[i];
    n.first = count;
    for (std::uint32_t b = 0; b < n.place.size(); ++b) {
      if (n.place[b] == kWorldBody) continue;
      n.place[b] = count++;
      n.bodies.push_back(b);
    }
    if (n.bodies.empty()) continue;
    steps_[i].respond(between_);
    n.response.resize(n.bodies.size() * n.bodies.size());
    Mat6* out = n.response.data();
    for (const std::uint32_t pushed : n.bodies) {
      for (const std::uint32_t answers : n.bodies) {
        *out++ = between_[pushed * n.place.size() + answers];
      }
    }
  }
  now_.resize(count);
  was_.resize(count);
  way_.resize(count);
}

void TreeSweeps::findGroups() {
  groups_.clear();
  for (std::uint32_t k = 0; k < rows_.size(); ++k) {
    Group g{k, 1, {kWorldBody, kWorldBody}, {kWorldBody, kWorldBody}};
    for (std::size_t s = 0; s < 2; ++s) {
      const IslandRow::Side& side = rows_[k].side[s];
      g.node[s] = side.mechanism;
      if (side.mechanism != kWorldBody) g.body[s] = placeOf(side);
    }
    const bool joins = !groups_.empty() && groups_.back().body[0] == g.body[0] &&
                       groups_.back().body[1] == g.body[1] &&
                       rows_[groups_.back().first].directions == rows_[k].directions;
    if (joins) {
      ++groups_.back().count;
    } else {
      groups_.push_back(g);
    }
  }
}

/// The response of a row to itself.
void TreeSweeps::prepare(std::uint32_t k) {
  const IslandRow& row = rows_[k];
  double w[3][3] = {};
  for (int s = 0; s < 2; ++s) {
    const IslandRow::Side& a = row.side[s];
    if (a.mechanism == kWorldBody) continue;
    for (int t = 0; t < 2; ++t) {
      const IslandRow::Side& b = row.side[t];
      if (b.mechanism != a.mechanism) continue;
      const Mat6& block = between(a.mechanism, placeOf(b), placeOf(a));
      for (int d = 0; d < row.directions; ++d) {
        for (int e = 0; e <= d; ++e) w[d][e] += through(a.rate[d], block, b.rate[e]);
      }
    }
  }
  ContactBlock& block = block_[k];
  block = {};
  const double soft = softness_[k];
  block.a = soft > 0.0 ? w[0][0] + soft : 0.0;
  if (row.directions == 3) {
    block.b1 = w[1][0];
    block.b2 = w[2][0];
    block.t11 = w[1][1] + soft;
    block.t12 = w[2][1];
    block.t22 = w[2][2] + soft;
    finishBlock(block);
  }
}

/// An impulse on a body of a node, for all its bodies.
void TreeSweeps::push(std::uint32_t node, std::uint32_t body, const Vec6& impulse) {
  const Node& n = nodes_[node];
  const std::uint32_t count = n.size();
  const Mat6* block = &n.response[(body - n.first) * count];
  Vec6* v = &now_[n.first];
  for (std::uint32_t i = 0; i < count; ++i) {
    v[i] = plusTransposedProduct(v[i], block[i], impulse);
  }
}

void TreeSweeps::relax(const Group& g, double beta, std::span<const double> friction) {
  const bool has[2] = {g.node[0] != kWorldBody, g.node[1] != kWorldBody};
  const bool isOne = g.node[0] == g.node[1];
  Vec6 v[2] = {}, sum[2] = {};
  for (int s = 0; s < 2; ++s) {
    if (has[s]) v[s] = now_[g.body[s]];
  }
  bool any = false;
  for (std::uint32_t k = g.first; k < g.first + g.count; ++k) {
    const IslandRow& row = rows_[k];
    if (value_[k] == Vec3{} && direction_[k] == Vec3{}) {
      // What is open and stays so.
      double normal = constant_[k].x;
      for (int s = 0; s < 2; ++s) {
        if (has[s]) normal += dot(row.side[s].rate[0], v[s]);
      }
      if (normal >= 0.0) {
        change_[k] = size_[k] = 0.0;
        continue;
      }
    }
    Vec3 u = constant_[k];
    for (int s = 0; s < 2; ++s) {
      if (has[s]) u += seen(row.side[s], v[s], row.directions);
    }
    const Vec3 shift = direction_[k] * beta, start = value_[k] + shift;
    const Vec3 next =
        solveOneContact(block_[k], u - times(block_[k], start), friction[k], alpha_[k]);
    const Vec3 d = next - start;
    value_[k] = next;
    direction_[k] = shift + d;
    change_[k] = block_[k].a * squaredNorm(d);
    size_[k] = block_[k].a * squaredNorm(next);
    if (d == Vec3{}) continue;
    any = true;
    Vec6 w[2] = {};
    for (int s = 0; s < 2; ++s) {
      if (!has[s]) continue;
      w[s] = along(row.side[s], d, row.directions);
      sum[s] = sum[s] + w[s];
    }
    if (k + 1 == g.first + g.count) continue;
    for (int s = 0; s < 2; ++s) {
      if (!has[s]) continue;
      v[s] = plusTransposedProduct(v[s], between(g.node[s], g.body[s], g.body[s]), w[s]);
      if (isOne) {
        v[s] = plusTransposedProduct(v[s], between(g.node[s], g.body[1 - s], g.body[s]), w[1 - s]);
      }
    }
  }
  if (!any) return;
  for (int s = 0; s < 2; ++s) {
    if (has[s]) push(g.node[s], g.body[s], sum[s]);
  }
}

/// Velocities are carried on as impulses will be.
void TreeSweeps::carryOn(double beta) {
  for (std::size_t i = 0; i < now_.size(); ++i) {
    const Vec6 further = (way_[i] + (now_[i] - was_[i])) * beta;
    now_[i] = now_[i] + further;
    was_[i] = now_[i];
    way_[i] = further;
  }
}

SolverReport TreeSweeps::solve(std::span<const Vec3> present, std::span<const double> bounds,
                               std::span<const double> friction, const SolverOptions& options,
                               std::span<Vec3> impulses) {
  SolverReport report;
  report.stage = SolverStage::Sweeps;
  const std::size_t n = rows_.size();
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    std::uint32_t at = nodes_[i].first;
    for (const std::uint32_t b : nodes_[i].bodies) now_[at++] = steps_[i].predicted(b);
  }
  was_ = now_;
  way_.assign(now_.size(), Vec6{});
  constant_.resize(n);
  value_.assign(impulses.begin(), impulses.end());
  direction_.assign(n, Vec3{});
  change_.assign(n, 0.0);
  size_.assign(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    const IslandRow& row = rows_[k];
    Vec3 u = present[k];
    u.x -= bounds[k];
    if (row.directions == 1) u.y = u.z = 0.0;
    for (const IslandRow::Side& s : row.side) {
      if (s.mechanism == kWorldBody) continue;
      u -= seen(s, now_[placeOf(s)], row.directions);
    }
    constant_[k] = u;
  }
  double last = 0.0, beta = 0.0;
  for (int i = 0; i < options.maxSweeps; ++i) {
    for (const Group& g : groups_) relax(g, beta, friction);
    ++report.sweeps;
    double change = 0.0, size = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      change += change_[k];
      size += size_[k];
    }
    report.error = size > 0.0 ? std::sqrt(change / size) : 0.0;
    if (change <= options.tolerance * options.tolerance * size) break;
    if (i + 1 == options.maxSweeps) break;
    beta = last > 0.0 && change <= last ? kShare * std::sqrt(change / last) : 0.0;
    last = change;
    carryOn(beta);
  }
  for (std::uint32_t k = 1; k < n; ++k) {
    if (change_[k] > change_[report.worstContact]) report.worstContact = k;
  }
  report.converged = report.error <= options.tolerance;
  report.rigidError = report.error;
  for (std::size_t k = 0; k < n; ++k) impulses[k] = value_[k];
  return report;
}

}  // namespace abut
