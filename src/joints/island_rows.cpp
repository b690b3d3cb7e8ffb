// SPDX-License-Identifier: MIT
#include "joints/island_rows.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace abut::inline v0_1 {
namespace {

/// What rounding leaves of a mechanism's response to its contacts: impulses are not to be had more
/// precisely.
constexpr double kRoundingOfResponse = 1e-11;

/// Where joints let a contact hardly move, as along a hinge, its impulse is not determined: in each
/// iteration contacts give way to changes of their impulses by this part of what they would without
/// joints. Nothing of it is left when impulses have settled.
constexpr double kProximal = 1e-5;

/// Rows that a thread takes at a time.
constexpr std::size_t kRowGrain = 256;

const Vec3& axisOf(const JointedContact& c, int direction) {
  return direction == 0 ? c.normal : (direction == 1 ? c.tangent1 : c.tangent2);
}

std::size_t placeOf(const LimitRow& l) {
  return (static_cast<std::size_t>(l.joint) * kJointRows + l.row) * 2 + (l.isUpper ? 1 : 0);
}

Vec3 times(const std::array<double, 9>& b, const Vec3& p) {
  return {(b[0] * p.x + b[1] * p.y) + b[2] * p.z, (b[3] * p.x + b[4] * p.y) + b[5] * p.z,
          (b[6] * p.x + b[7] * p.y) + b[8] * p.z};
}

}  // namespace

void IslandRows::begin(std::span<const JointedContact> contacts, std::span<MeanStep> steps,
                       Crew& crew) {
  contacts_ = contacts;
  crew_ = &crew;
  steps_ = steps;
  forgetLimits();
  has_new_.assign(steps.size(), 0);
  is_any_new_ = 0;
  is_known_ = false;
  isFrictionless = false;
  rows_.resize(contacts.size());
  impulses.assign(contacts.size(), Vec3{});
  bounds.assign(contacts.size(), 0.0);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const JointedContact& c = contacts[k];
    Row& row = rows_[k];
    row.directions = 3;
    for (int d = 0; d < 3; ++d) row.axis[d] = axisOf(c, d);
    row.arm[0] = c.side1.arm;
    row.arm[1] = c.side2.arm;
    const auto set = [&](Side& out, const JointedContact::Side& s, double sign) {
      out.mechanism = s.mechanism;
      out.body = s.body;
      for (int d = 0; d < 3; ++d) {
        out.rate[d] = toVec6(axisOf(c, d), cross(s.arm, axisOf(c, d))) * sign;
      }
    };
    set(row.side[0], c.side1, 1.0);
    set(row.side[1], c.side2, -1.0);
    const auto given = [](const JointedContact::Side& s) {
      return s.mechanism == kWorldBody ? s.given.linear + cross(s.given.angular, s.arm) : Vec3{};
    };
    row.given = inFrame(c, (given(c.side1) - given(c.side2)) + c.offset);
    row.limitedBy = Row::kNoRow;
  }
  couples.clear();
  for (std::uint32_t k = 0; k < contacts.size(); ++k) {
    if (contacts[k].spinning > 0.0) addCouple(k, true);
    if (contacts[k].rolling > 0.0) addCouple(k, false);
  }
}

void IslandRows::addCouple(std::uint32_t contact, bool isSpin) {
  const JointedContact& c = contacts_[contact];
  couples.push_back({contact, isSpin});
  impulses.emplace_back();
  bounds.push_back(0.0);
  Row row;
  row.limitedBy = contact;
  const auto set = [&](Side& out, const JointedContact::Side& s, double sign) {
    out.mechanism = s.mechanism;
    out.body = s.body;
    out.rate[0] = out.rate[2] = Vec6{};
    out.rate[1] = toVec6(Vec3{}, isSpin ? c.normal : c.tangent1) * sign;
    if (!isSpin) out.rate[2] = toVec6(Vec3{}, c.tangent2) * sign;
  };
  set(row.side[0], c.side1, 1.0);
  set(row.side[1], c.side2, -1.0);
  const auto given = [](const JointedContact::Side& s) {
    return s.mechanism == kWorldBody ? s.given.angular : Vec3{};
  };
  const Vec3 turning = inFrame(c, given(c.side1) - given(c.side2));
  row.given = isSpin ? Vec3{0.0, turning.x, 0.0} : Vec3{0.0, turning.y, turning.z};
  rows_.push_back(row);
}

Vec3 IslandRows::coupleOf(std::size_t couple, std::span<const Vec3> ofRows) const {
  const Vec3& m = ofRows[firstCouple() + couple];
  return couples[couple].isSpin ? Vec3{m.y, 0.0, 0.0} : Vec3{0.0, m.y, m.z};
}

/// Coulomb's coefficient, or the arm of a couple; none for limits.
double IslandRows::frictionOf(std::uint32_t k) const {
  if (isFrictionless || k >= firstLimit()) return 0.0;
  if (k < contacts_.size()) return contacts_[k].friction;
  const CoupleRow& couple = couples[k - contacts_.size()];
  const JointedContact& c = contacts_[couple.contact];
  return couple.isSpin ? c.spinning : c.rolling;
}

bool IslandRows::addLimit(const LimitRow& limit, double impulse) {
  if (is_there_.size() <= limit.mechanism) is_there_.resize(limit.mechanism + 1);
  std::vector<std::uint8_t>& known = is_there_[limit.mechanism];
  const std::size_t at = placeOf(limit);
  if (known.size() <= at) known.resize(at + 1, 0);
  if (known[at] != 0) return false;
  known[at] = 1;
  forgetResponse(limit.mechanism);
  limits.push_back(limit);
  impulses.push_back({impulse, 0.0, 0.0});
  bounds.push_back(limit.bound);
  rows_.emplace_back();
  is_known_ = false;
  return true;
}

void IslandRows::forgetLimits() {
  for (const LimitRow& l : limits) is_there_[l.mechanism][placeOf(l)] = 0;
  limits.clear();
}

void IslandRows::dropLimits() {
  if (limits.empty()) return;
  forgetLimits();
  rows_.resize(firstLimit());
  impulses.resize(firstLimit());
  bounds.resize(firstLimit());
  is_known_ = false;
}

/// Rates of a limit's axis, away from the end.
void IslandRows::setLimit(std::size_t k) {
  const LimitRow& limit = limits[k];
  Row& row = rows_[firstLimit() + k];
  const MeanStep& step = steps_[limit.mechanism];
  const JointRates& rates = step.ratesOf(limit.joint);
  const double sign = limit.isUpper ? -1.0 : 1.0;
  const auto [body1, body2] = step.bodiesOf(limit.joint);
  const auto set = [&](Side& side, std::uint32_t body, const Mat6& j) {
    side.mechanism = body == kWorldBody ? kWorldBody : limit.mechanism;
    side.body = body;
    side.rate[0] = j.row[limit.row] * sign;
    side.rate[1] = side.rate[2] = Vec6{};
  };
  set(row.side[0], body1, rates.j1);
  set(row.side[1], body2, rates.j2);
  row.given = {};
  row.directions = 1;
}

void IslandRows::refresh() {
  for (std::size_t k = 0; k < limits.size(); ++k) setLimit(k);
}

void IslandRows::findPatterns() {
  is_known_ = true;
  if (rows_of_.size() < steps_.size()) rows_of_.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) rows_of_[i].clear();
  for (std::uint32_t k = 0; k < rows_.size(); ++k) {
    const std::uint32_t a = rows_[k].side[0].mechanism, b = rows_[k].side[1].mechanism;
    if (a != kWorldBody) rows_of_[a].push_back(k);
    if (b != kWorldBody && b != a) rows_of_[b].push_back(k);
  }
  row_start_.assign(1, 0);
  column_.clear();
  for (const Row& row : rows_) {
    const std::uint32_t a = row.side[0].mechanism, b = row.side[1].mechanism;
    const std::size_t first = column_.size();
    if (a != kWorldBody) column_.insert(column_.end(), rows_of_[a].begin(), rows_of_[a].end());
    if (b != kWorldBody && b != a) {
      const std::size_t second = column_.size();
      column_.insert(column_.end(), rows_of_[b].begin(), rows_of_[b].end());
      const auto at = [&](std::size_t i) {
        return column_.begin() + static_cast<std::ptrdiff_t>(i);
      };
      std::inplace_merge(at(first), at(second), column_.end());
      column_.erase(std::unique(at(first), column_.end()), column_.end());
    }
    row_start_.push_back(static_cast<std::uint32_t>(column_.size()));
  }
  block_.resize(column_.size());
}

std::size_t IslandRows::blockOf(std::uint32_t row, std::uint32_t column) const {
  const auto begin = column_.begin() + row_start_[row], end = column_.begin() + row_start_[row + 1];
  const auto found = std::lower_bound(begin, end, column);
  ABUT_ASSERT(found != end && *found == column);
  return static_cast<std::size_t>(found - column_.begin());
}

/// How the rows of a mechanism answer each other's impulses through it.
void IslandRows::addMechanism(std::uint32_t m) {
  const MeanStep& step = steps_[m];
  const std::vector<std::uint32_t>& rows = rows_of_[m];
  if (reaches_.size() < rows.size()) reaches_.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows_[rows[i]];
    std::uint32_t bodies[2] = {};
    std::array<Vec6, 3> sides[2] = {};
    std::size_t count = 0;
    for (const Side& s : row.side) {
      if (s.mechanism != m) continue;
      bodies[count] = s.body;
      for (int d = 0; d < row.directions; ++d) {
        sides[count][static_cast<std::size_t>(d)] = step.free(s.body, s.rate[d]);
      }
      ++count;
    }
    step.reach({bodies, count}, {sides, count}, row.directions, reaches_[i]);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const BlockElimination::Reach& a = reaches_[i];
    for (std::size_t j = 0; j <= i; ++j) {
      const BlockElimination::Reach& b = reaches_[j];
      std::array<double, 9> sum{};
      const auto da = static_cast<std::size_t>(rows_[rows[i]].directions);
      const auto db = static_cast<std::size_t>(rows_[rows[j]].directions);
      for (std::size_t x = a.nodes.size(), y = b.nodes.size(); x > 0 && y > 0;) {
        if (a.nodes[x - 1] != b.nodes[y - 1]) {
          if (a.nodes[x - 1] > b.nodes[y - 1]) {
            --x;
          } else {
            --y;
          }
          continue;
        }
        --x;
        --y;
        for (std::size_t d = 0; d < da; ++d) {
          for (std::size_t e = 0; e < db; ++e) {
            sum[3 * d + e] += dot(a.half[x][d], b.scaled[y][e]);
          }
        }
      }
      std::array<double, 9>& block = block_[blockOf(rows[i], rows[j])];
      for (std::size_t k = 0; k < 9; ++k) block[k] += sum[k];
      if (i == j) continue;
      std::array<double, 9>& mirrored = block_[blockOf(rows[j], rows[i])];
      for (std::size_t d = 0; d < 3; ++d) {
        for (std::size_t e = 0; e < 3; ++e) mirrored[3 * e + d] += sum[3 * d + e];
      }
    }
  }
}

/// Greatest response of a row's velocity to its impulse if no joint held its bodies.
double IslandRows::freeResponse(const Row& row) const {
  double most = 0.0;
  for (int d = 0; d < row.directions; ++d) {
    double sum = 0.0;
    for (const Side& s : row.side) {
      if (s.mechanism != kWorldBody) sum += steps_[s.mechanism].responseOf(s.rate[d], s.body);
    }
    most = maxOf(most, sum);
  }
  return most;
}

bool IslandRows::isFewBodies() const {
  for (const MeanStep& s : steps_) {
    if (s.numBodies() > TreeSweeps::kMostBodies) return false;
  }
  return true;
}

void IslandRows::buildMatrix(double share, bool sweeps, bool isAgain) {
  const double factor = 1.0 / share;
  softness_.resize(rows_.size());
  shareChunks(*crew_, rows_.size(), kRowGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      softness_[k] = kProximal * freeResponse(rows_[k]) * factor;
    }
  });
  sweeps_ = sweeps && isFewBodies() &&
            trees_.begin(rows_, steps_, softness_,
                         isAgain && sweeps_ ? has_new_ : std::span<const std::uint8_t>{}, *crew_);
  has_new_.assign(steps_.size(), 0);
  is_any_new_ = 0;
  if (sweeps_) return;
  if (!is_known_) findPatterns();
  std::fill(block_.begin(), block_.end(), std::array<double, 9>{});
  for (std::uint32_t m = 0; m < steps_.size(); ++m) addMechanism(m);
  for (std::array<double, 9>& b : block_) {
    for (double& entry : b) entry *= factor;
  }
  for (std::uint32_t k = 0; k < rows_.size(); ++k) {
    std::array<double, 9>& own = block_[blockOf(k, k)];
    // A row that nothing can answer takes no part; a limit has no tangents.
    if (!(softness_[k] > 0.0)) own[0] = own[4] = own[8] = 1.0;
    if (rows_[k].directions == 1) own[4] = own[8] = own[0];
    // What a couple has no direction for answers to itself alone.
    for (const std::size_t d : {0, 4, 8}) {
      if (rows_[k].limitedBy != Row::kNoRow && !(own[d] > 0.0)) own[d] = softness_[k] / kProximal;
    }
    for (const std::size_t d : {0, 4, 8}) own[d] += softness_[k];
  }
}

void IslandRows::restrictToDisplacements() {
  dropLimits();
  isFrictionless = true;
  impulses.assign(rows_.size(), Vec3{});
  softness_.resize(rows_.size());
  trees_.restrictTo(rows_, *crew_);
}

void IslandRows::velocities(bool isPredicted, std::vector<Vec3>& out) const {
  out.resize(rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    double u[3] = {row.given.x, row.given.y, row.given.z};
    for (const Side& s : row.side) {
      if (s.mechanism == kWorldBody) continue;
      const MeanStep& step = steps_[s.mechanism];
      const Vec6 v = isPredicted ? step.predicted(s.body) : step.velocity(s.body);
      for (int d = 0; d < row.directions; ++d) u[d] += dot(s.rate[d], v);
    }
    out[k] = {u[0], u[1], u[2]};
  }
}

SolverReport IslandRows::solve(std::span<const Vec3> present, const SolverOptions& options,
                               ContactSolver& solver) {
  const std::size_t n = rows_.size();
  free_.resize(n);
  friction_.resize(n);
  solved_.resize(n);
  for (std::uint32_t k = 0; k < n; ++k) {
    friction_[k] = frictionOf(k);
  }
  if (sweeps_) return trees_.solve(present, bounds, friction_, options, impulses, *crew_);
  for (std::uint32_t k = 0; k < n; ++k) {
    Vec3 u = present[k];
    u.x -= bounds[k];
    for (std::uint32_t at = row_start_[k]; at < row_start_[k + 1]; ++at) {
      u -= times(block_[at], impulses[column_[at]]);
    }
    if (rows_[k].directions == 1) u.y = u.z = 0.0;
    if (rows_[k].limitedBy != Row::kNoRow) {
      u.x = -block_[blockOf(k, k)][0] * impulses[rows_[k].limitedBy].x;
    }
    free_[k] = softness_[k] > 0.0 ? u : Vec3{1.0, 0.0, 0.0};
  }
  SolverOptions wanted = options;
  wanted.tolerance = maxOf(wanted.tolerance, kRoundingOfResponse);
  const DelassusProblem problem{row_start_, column_, block_, free_, friction_};
  return solver.solve(problem, wanted, impulses, solved_);
}

void IslandRows::pushes(bool withLimits, std::vector<std::vector<Vec6>>& out) const {
  if (out.size() < steps_.size()) out.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) out[i].assign(steps_[i].numBodies(), Vec6{});
  const std::size_t count = withLimits ? rows_.size() : firstLimit();
  for (std::size_t k = 0; k < count; ++k) {
    const Row& row = rows_[k];
    const double p[3] = {impulses[k].x, impulses[k].y, impulses[k].z};
    for (const Side& s : row.side) {
      if (s.mechanism == kWorldBody) continue;
      Vec6& sum = out[s.mechanism][s.body];
      for (int d = 0; d < row.directions; ++d) sum = sum + s.rate[d] * p[d];
    }
  }
}

}  // namespace abut::inline v0_1
