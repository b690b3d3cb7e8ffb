// SPDX-License-Identifier: MIT
#include "joints/tree_sweeps.hpp"

#include <cmath>
#include <cstring>

#include "joints/add_answers.hpp"
#include "joints/share_out.hpp"

namespace abut::inline v0_1 {
namespace {

/// Share of the rate at which sweeps come closer, by which they are carried on.
constexpr double kShare = 0.9;
/// A change that undoes so much of the last one is one too many: the next go half as far, at least
/// this part, and grow again by this factor.
constexpr double kToAndFro = 0.25, kLeastPart = 0.125, kGrowth = 1.2;
/// Parts of the work that threads take: groups, rows, numbers of four.
constexpr std::size_t kGroupGrain = 16, kRowGrain = 256, kNumberGrain = 2048;
/// Responses beyond this have no room in single precision once impulses are multiplied with them.
constexpr double kMostResponse = 1e24;

constexpr std::size_t kSixFloats = 6 * sizeof(float);

bool isSmall(const Float4& f) {
  constexpr auto kMost = static_cast<float>(kMostResponse);
  return absOf(f[0]) < kMost && absOf(f[1]) < kMost && absOf(f[2]) < kMost && absOf(f[3]) < kMost;
}

/// Six numbers from one on, of all that begin here.
Vec6 sixAt(const Float4* first, std::uint32_t at) {
  float f[6];
  std::memcpy(f, reinterpret_cast<const char*>(first) + sizeof(float) * at, sizeof f);
  return makeVec6(static_cast<double>(f[0]), static_cast<double>(f[1]), static_cast<double>(f[2]),
                  static_cast<double>(f[3]), static_cast<double>(f[4]), static_cast<double>(f[5]));
}

Vec3 pointVelocity(const Vec6& v, const Vec3& arm) {
  return linearPart(v) + cross(angularPart(v), arm);
}

}  // namespace

bool TreeSweeps::begin(std::span<const IslandRow> rows, std::span<MeanStep> steps,
                       std::span<const double> softness, std::span<const std::uint8_t> isNew,
                       Crew& crew) {
  rows_ = rows;
  steps_ = steps;
  softness_ = softness;
  findNodes();
  fits_.assign(steps.size(), 1);
  shareOut(crew, steps.size(), between_, [&](std::size_t i, Between& scratch) {
    if (!isNew.empty() && isNew[i] == 0 && nodes_[i].known == nodes_[i].bodies) return;
    fits_[i] = readResponse(static_cast<std::uint32_t>(i), scratch) ? 1 : 0;
  });
  for (const std::uint8_t fits : fits_) {
    if (fits == 0) return false;
  }
  prepareAll(crew);
  return true;
}

void TreeSweeps::restrictTo(std::span<const IslandRow> rows, Crew& crew) {
  rows_ = rows;
  prepareAll(crew);
}

void TreeSweeps::prepareAll(Crew& crew) {
  findGroups();
  order();
  shareChunks(crew, groups_.size(), kGroupGrain, [this](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      const Group& g = groups_[i];
      for (std::uint32_t k = g.first; k < g.first + g.count; ++k) prepare(g, works_[k]);
    }
  });
}

/// Bodies that rows push, and where what is known of them begins.
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
  std::size_t velocities = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    Node& n = nodes_[i];
    for (std::uint32_t b = 0; b < n.place.size(); ++b) {
      if (n.place[b] == kWorldBody) continue;
      n.place[b] = static_cast<std::uint32_t>(n.bodies.size());
      n.bodies.push_back(b);
    }
    n.width = (6 * n.bodies.size() + (kFloat4Lanes - 1)) / kFloat4Lanes;
    n.velocity = velocities;
    velocities += n.width;
  }
  now_.resize(velocities);
  was_.resize(velocities);
  way_.resize(velocities);
}

/// How the bodies of a node answer each other. False if that has no room in single precision.
bool TreeSweeps::readResponse(std::uint32_t node, Between& between) {
  Node& n = nodes_[node];
  n.known = n.bodies;
  n.response.resize(6 * n.bodies.size() * n.width);
  if (n.bodies.empty()) return true;
  Float4* out = n.response.data();
  bool fits = true;
  if (steps_[node].respondSingly(between.single)) {
    for (const std::uint32_t pushed : n.bodies) {
      for (std::size_t k = 0; k < 6; ++k, out += n.width) {
        out[n.width - 1] = Float4{};
        char* at = reinterpret_cast<char*>(out);
        for (const std::uint32_t answers : n.bodies) {
          std::memcpy(at, between.single.at(pushed, k, answers), kSixFloats);
          at += kSixFloats;
        }
        for (std::size_t j = 0; j < n.width; ++j) fits = fits && isSmall(out[j]);
      }
    }
    return fits;
  }
  steps_[node].respond(between.exact);
  const std::size_t count = n.place.size();
  for (const std::uint32_t pushed : n.bodies) {
    for (int k = 0; k < 6; ++k, out += n.width) {
      out[n.width - 1] = Float4{};
      char* at = reinterpret_cast<char*>(out);
      for (const std::uint32_t answers : n.bodies) {
        const Vec6& row = between.exact[pushed * count + answers].row[k];
        float six[6];
        for (int j = 0; j < 6; ++j) {
          fits = fits && absOf(row[j]) < kMostResponse;
          six[j] = static_cast<float>(row[j]);
        }
        std::memcpy(at, six, sizeof six);
        at += sizeof six;
      }
    }
  }
  return fits;
}

void TreeSweeps::findGroups() {
  unsorted_.clear();
  for (std::uint32_t k = 0; k < rows_.size(); ++k) {
    Group g{k, 1, {placeOf(rows_[k].side[0]), placeOf(rows_[k].side[1])}};
    const bool joins = !unsorted_.empty() && unsorted_.back().at[0] == g.at[0] &&
                       unsorted_.back().at[1] == g.at[1] &&
                       rows_[unsorted_.back().first].directions == rows_[k].directions;
    if (joins) {
      ++unsorted_.back().count;
    } else {
      unsorted_.push_back(g);
    }
  }
}

/// What an impulse on a body of a node makes of the velocity of another, as push() does: its six
/// numbers are in two vectors of four.
Vec6 TreeSweeps::answer(const Place& pushed, std::uint32_t body, const Vec6& impulse) const {
  const Node& n = nodes_[pushed.node];
  const std::uint32_t first = 6 * body / kFloat4Lanes;
  const Float4* r = &n.response[6 * pushed.body * n.width + first];
  Float4 low[6], high[6];
  for (int k = 0; k < 6; ++k, r += n.width) {
    const auto each = static_cast<float>(impulse[k]);
    const Float4 y{each, each, each, each};
    low[k] = r[0] * y;
    high[k] = r[1] * y;
  }
  const Float4 sum[2] = {((low[0] + low[1]) + (low[2] + low[3])) + (low[4] + low[5]),
                         ((high[0] + high[1]) + (high[2] + high[3])) + (high[4] + high[5])};
  return sixAt(sum, body % 2 == 0 ? 0 : 2);
}

/// The response of a row to itself.
void TreeSweeps::prepare(const Group& g, Work& work) {
  const IslandRow& row = rows_[work.row];
  work.source = &row;
  for (int i = 0; i < 3; ++i) work.axis[i] = row.axis[i];
  for (int i = 0; i < 2; ++i) work.arm[i] = row.arm[i];
  work.directions = static_cast<std::uint32_t>(row.directions);
  work.alpha = 0.0;
  const bool isCouple = row.limitedBy != IslandRow::kNoRow;
  work.limitedBy = isCouple ? work_of_[row.limitedBy] : IslandRow::kNoRow;
  double w[3][3] = {};
  for (int t = 0; t < 2; ++t) {
    if (g.at[t].node == kWorldBody) continue;
    for (int s = 0; s < 2; ++s) {
      if (g.at[s].node != g.at[t].node) continue;
      for (int e = 0; e < row.directions; ++e) {
        const Vec6 v = answer(g.at[t], g.at[s].body, row.side[t].rate[e]);
        for (int d = e; d < row.directions; ++d) w[d][e] += dot(row.side[s].rate[d], v);
      }
    }
  }
  ContactBlock& block = work.block;
  block = {};
  const double soft = softness_[work.row];
  block.a = soft > 0.0 ? w[0][0] + soft : 0.0;
  if (isCouple && soft > 0.0) block.a = 1.0;
  if (row.directions == 3) {
    block.b1 = w[1][0];
    block.b2 = w[2][0];
    block.t11 = w[1][1] + soft;
    block.t12 = w[2][1];
    block.t22 = w[2][2] + soft;
    finishBlock(block);
  }
}

Vec6 TreeSweeps::velocityAt(const Place& p) const {
  return sixAt(&now_[nodes_[p.node].velocity], 6 * p.body);
}

/// An impulse on a body of a node, for all its bodies.
void TreeSweeps::push(const Place& p, const Vec6& impulse) {
  const Node& n = nodes_[p.node];
  const std::size_t w = n.width;
  const Float4* r = &n.response[6 * p.body * w];
  float y[6];
  for (int k = 0; k < 6; ++k) y[k] = static_cast<float>(impulse[k]);
  Float4* v = &now_[n.velocity];
  addAnswers(r, w, y, v);
}

Vec3 TreeSweeps::velocityOf(const Work& work, const Vec6 (&v)[2], const bool (&has)[2]) {
  Vec3 u = work.constant;
  if (work.directions == 3 && work.limitedBy == IslandRow::kNoRow) {
    Vec3 at;
    if (has[0]) at = pointVelocity(v[0], work.arm[0]);
    if (has[1]) at -= pointVelocity(v[1], work.arm[1]);
    return u + Vec3{dot(work.axis[0], at), dot(work.axis[1], at), dot(work.axis[2], at)};
  }
  for (int s = 0; s < 2; ++s) {
    if (!has[s]) continue;
    const Vec6(&rate)[3] = work.source->side[s].rate;
    if (work.directions == 1) {
      u.x += dot(rate[0], v[s]);
    } else {
      u += Vec3{0.0, dot(rate[1], v[s]), dot(rate[2], v[s])};
    }
  }
  return u;
}

/// The couple that stops a turning, or opposes it at its limit: friction of a contact whose normal
/// impulse is 1, and whose coefficient is the limit.
Vec3 TreeSweeps::solveCouple(Work& work, const Vec3& u, const Vec3& start) const {
  const double limit = work.friction * works_[work.limitedBy].value.x;
  if (!(limit > 0.0) || !(work.block.a > 0.0)) return {};
  const Vec3 free = u - times(work.block, {0.0, start.y, start.z});
  const Vec3 r = solveOneContact(work.block, {-1.0, free.y, free.z}, limit, work.alpha);
  return {0.0, r.y, r.z};
}

/// One row, at the velocities of its bodies; what it pushes them by. False if that is nothing.
bool TreeSweeps::relaxRow(Work& work, double beta, const Vec6 (&v)[2], const bool (&has)[2],
                          Vec6 (&push)[2]) const {
  const Vec3 u = velocityOf(work, v, has);
  const bool isCouple = work.limitedBy != IslandRow::kNoRow;
  // What is open and stays so.
  if (u.x >= 0.0 && !isCouple && work.value == Vec3{} && work.direction == Vec3{}) {
    work.change = work.size = 0.0;
    return false;
  }
  const Vec3 shift = work.direction * beta, start = work.value + shift;
  Vec3 next = isCouple ? solveCouple(work, u, start)
                       : solveOneContact(work.block, u - times(work.block, start), work.friction,
                                         work.alpha);
  // Where friction nearly locks a contact, its impulse jumps to and fro: then it goes part of the
  // way. All between two impulses that friction allows is allowed.
  const Vec3 asked = next - work.value;
  if (dot(asked, work.last) < -kToAndFro * squaredNorm(work.last)) {
    work.part = maxOf(kLeastPart, 0.5 * work.part);
  } else {
    work.part = minOf(1.0, kGrowth * work.part);
  }
  work.last = asked;
  if (work.part < 1.0) next = work.value + asked * work.part;
  const Vec3 d = next - start;
  work.value = next;
  work.direction = shift + d;
  const double response = isCouple ? work.block.t11 : work.block.a;
  work.change = response * squaredNorm(d);
  work.size = response * squaredNorm(next);
  if (d == Vec3{}) return false;
  if (work.directions == 3 && !isCouple) {
    const Vec3 p = (work.axis[0] * d.x + work.axis[1] * d.y) + work.axis[2] * d.z;
    push[0] = toVec6(p, cross(work.arm[0], p));
    push[1] = toVec6(-p, cross(p, work.arm[1]));
    return true;
  }
  for (int s = 0; s < 2; ++s) {
    const Vec6(&rate)[3] = work.source->side[s].rate;
    push[s] = isCouple ? rate[1] * d.y + rate[2] * d.z : rate[0] * d.x;
  }
  return true;
}

void TreeSweeps::relax(const Group& g, double beta) {
  const bool has[2] = {g.at[0].node != kWorldBody, g.at[1].node != kWorldBody};
  Vec6 v[2] = {}, sum[2] = {}, w[2] = {};
  for (int s = 0; s < 2; ++s) {
    if (has[s]) v[s] = velocityAt(g.at[s]);
  }
  bool any = false;
  const std::uint32_t end = g.first + g.count;
  for (std::uint32_t k = g.first; k < end; ++k) {
    if (!relaxRow(works_[k], beta, v, has, w)) continue;
    any = true;
    for (int s = 0; s < 2; ++s) {
      if (!has[s]) continue;
      sum[s] = sum[s] + w[s];
      if (k + 1 == end) continue;
      v[s] = v[s] + answer(g.at[s], g.at[s].body, w[s]);
      if (has[1 - s] && g.at[0].node == g.at[1].node) {
        v[1 - s] = v[1 - s] + answer(g.at[s], g.at[1 - s].body, w[s]);
      }
    }
  }
  if (!any) return;
  for (int s = 0; s < 2; ++s) {
    if (has[s]) push(g.at[s], sum[s]);
  }
}

/// Velocities are carried on as impulses will be.
void TreeSweeps::carryOn(double beta, Crew& crew) {
  const auto b = static_cast<float>(beta);
  shareChunks(crew, now_.size(), kNumberGrain, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      const Float4 further = (way_[i] + (now_[i] - was_[i])) * b;
      now_[i] = now_[i] + further;
      was_[i] = now_[i];
      way_[i] = further;
    }
  });
}

/// Squares of the changes of the last sweep, and of the impulses.
void TreeSweeps::sumUp(Crew& crew, double& change, double& size) {
  const std::size_t parts = (works_.size() + kRowGrain - 1) / kRowGrain;
  changes_.assign(parts, 0.0);
  sizes_.assign(parts, 0.0);
  shareChunks(crew, works_.size(), kRowGrain, [this](std::size_t first, std::size_t end) {
    double some = 0.0, all = 0.0;
    for (std::size_t k = first; k < end; ++k) {
      some += works_[k].change;
      all += works_[k].size;
    }
    changes_[first / kRowGrain] = some;
    sizes_[first / kRowGrain] = all;
  });
  change = size = 0.0;
  for (std::size_t i = 0; i < parts; ++i) {
    change += changes_[i];
    size += sizes_[i];
  }
}

/// All groups once.
void TreeSweeps::sweep(double beta, Crew& crew) {
  std::size_t first = 0;
  for (std::uint32_t c = 0; c < colour_end_.size(); ++c) {
    const std::size_t count = colour_end_[c] - first;
    const std::size_t grain = c + 1 < colour_end_.size() ? 1 : count;
    if (count > 0) {
      shareChunks(crew, count, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t b = first + from; b < first + to; ++b) {
          for (std::size_t i = batches_[b].first; i < batches_[b].end; ++i) relax(groups_[i], beta);
        }
      });
    }
    first = colour_end_[c];
  }
}

SolverReport TreeSweeps::solve(std::span<const Vec3> present, std::span<const double> bounds,
                               std::span<const double> friction, const SolverOptions& options,
                               std::span<Vec3> impulses, Crew& crew) {
  SolverReport report;
  report.stage = SolverStage::Sweeps;
  now_.assign(now_.size(), Float4{});
  was_ = way_ = now_;
  for (Work& w : works_) {
    Vec3 u = present[w.row];
    u.x -= bounds[w.row];
    if (w.directions == 1) u.y = u.z = 0.0;
    w.constant = u;
    w.value = impulses[w.row];
    w.direction = w.last = {};
    w.part = 1.0;
    w.friction = friction[w.row];
    w.change = w.size = 0.0;
  }
  double last = 0.0, beta = 0.0;
  for (int i = 0; i < options.maxSweeps; ++i) {
    sweep(beta, crew);
    ++report.sweeps;
    double change = 0.0, size = 0.0;
    sumUp(crew, change, size);
    report.error = size > 0.0 ? std::sqrt(change / size) : 0.0;
    if (change <= options.tolerance * options.tolerance * size) break;
    if (i + 1 == options.maxSweeps) break;
    beta = last > 0.0 && change <= last ? kShare * std::sqrt(change / last) : 0.0;
    last = change;
    carryOn(beta, crew);
  }
  double most = -1.0;
  for (const Work& w : works_) {
    impulses[w.row] = w.value;
    if (!(w.change > most || (w.change == most && w.row < report.worstContact))) continue;
    most = w.change;
    report.worstContact = w.row;
  }
  report.converged = report.error <= options.tolerance;
  report.rigidError = report.error;
  return report;
}

}  // namespace abut::inline v0_1
