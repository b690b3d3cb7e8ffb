// SPDX-License-Identifier: MIT
#include "solver/press.hpp"

#include <algorithm>

#include "dynamics/point_velocity.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;
/// Weight of staying near the last velocities. A motion that changes what is missing by a share s
/// of itself is found but for 1 / (1 + s / kStay) of it, each time; a chain of n bodies has s down
/// to about 1 / n^2.
constexpr double kStay = 1e-6;
constexpr int kMostRounds = 12, kMostSteps = 60, kMostHalvings = 40;
/// What is missing counts from this part of the driven bodies' speed: rounding of normals and arms
/// makes some 1e-15 of it.
constexpr double kOfSpeed = 1e-9;
/// Bodies give way at most this many times as fast as those that drive them: out of wedges of two
/// degrees. Narrower ones, such as rounding and corrections leave between flat faces, are presses.
constexpr double kMostEscape = 30.0;
/// The balance of the certificate is as good as is wanted if only bodies faster than this many
/// times the driven ones could obey.
constexpr double kBeyondSpeed = 1e6;
/// Velocities that answer a press are a few times those of the driven bodies, as they are with this
/// weight of staying where those of the certificate are faster.
constexpr double kCalm = 4.0, kCalmStay = 1e-2;
/// A line search ends where the slope is this part of what it was.
constexpr double kOfSlope = 0.1;

bool movesAlong(const BodyMobility& m, int axis) {
  return (&m.inverseMass.x)[axis] > 0.0;
}
bool turnsAbout(const BodyMobility& m, int axis) {
  return (&m.inverseInertia.x.x)[std::ptrdiff_t{4} * axis] > 0.0;
}
bool isFree(const BodyMobility& m) {
  bool any = false;
  for (int i = 0; i < 3; ++i) any = any || movesAlong(m, i) || turnsAbout(m, i);
  return any;
}
bool isWhollyFree(const BodyMobility& m) {
  bool all = true;
  for (int i = 0; i < 3; ++i) all = all && movesAlong(m, i) && turnsAbout(m, i);
  return all;
}

/// What of a velocity contacts cannot change.
BodyVelocity heldPart(const BodyMobility& m, const BodyVelocity& v) {
  BodyVelocity held = v;
  for (int i = 0; i < 3; ++i) {
    if (movesAlong(m, i)) (&held.linear.x)[i] = 0.0;
    if (turnsAbout(m, i)) (&held.angular.x)[i] = 0.0;
  }
  return held;
}

double responseOf(const BodyMobility& m, const Vec3& normal, const Vec3& arm) {
  const Vec3 turn = cross(arm, normal);
  return dot(normal, scaled(m.inverseMass, normal)) + dot(turn, m.inverseInertia * turn);
}

double dotOf(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

bool PressFinder::mayBePress(const ContactProblem& problem,
                             std::span<const BodyVelocity> velocities) {
  // If one body alone is driven and no other is held, all can go with it.
  bool closes = false, held = false;
  std::uint32_t only = kNone;
  for (const SolverContact& c : problem.contacts) {
    const BodyVelocity held1 = heldPart(problem.bodies[c.body1], velocities[c.body1]);
    const BodyVelocity held2 = heldPart(problem.bodies[c.body2], velocities[c.body2]);
    const double base = dot(c.normal, relativeVelocity(held1, c.arm1, held2, c.arm2, c.offset));
    closes = closes || base < c.bound;
    held = held || c.bound > 0.0 || dot(c.normal, c.offset) < 0.0;
    for (const std::uint32_t b : {c.body1, c.body2}) {
      if (isWhollyFree(problem.bodies[b])) continue;
      held = held || isFree(problem.bodies[b]) || (only != kNone && only != b);
      only = b;
    }
  }
  return closes && held;
}

void PressFinder::makeRows(const ContactProblem& problem,
                           std::span<const BodyVelocity> velocities) {
  const std::size_t n = problem.bodies.size();
  place_of_.assign(n, kNone);
  num_bodies_ = 0;
  for (std::size_t b = 0; b < n; ++b) {
    if (isFree(problem.bodies[b])) place_of_[b] = num_bodies_++;
  }
  radius_.assign(num_bodies_, 0.0);
  const auto widen = [this](std::uint32_t body, const Vec3& arm) {
    const std::uint32_t place = place_of_[body];
    if (place != kNone) radius_[place] = maxOf(radius_[place], norm(arm));
  };
  for (const SolverContact& c : problem.contacts) {
    widen(c.body1, c.arm1);
    widen(c.body2, c.arm2);
  }
  for (double& r : radius_) r = r > 0.0 ? r : 1.0;
  rows_.resize(problem.contacts.size());
  edges_.clear();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const SolverContact& c = problem.contacts[k];
    Row& row = rows_[k];
    row.body1 = place_of_[c.body1];
    row.body2 = place_of_[c.body2];
    row.bound = c.bound;
    const BodyVelocity held1 = heldPart(problem.bodies[c.body1], velocities[c.body1]);
    const BodyVelocity held2 = heldPart(problem.bodies[c.body2], velocities[c.body2]);
    row.base = dot(c.normal, relativeVelocity(held1, c.arm1, held2, c.arm2, c.offset));
    const auto fill = [&](std::uint32_t body, std::uint32_t place, const Vec3& arm, double* out) {
      const BodyMobility& m = problem.bodies[body];
      const Vec3 turn = place == kNone ? Vec3{} : cross(arm, c.normal) / radius_[place];
      for (int i = 0; i < 3; ++i) {
        out[i] = movesAlong(m, i) ? (&c.normal.x)[i] : 0.0;
        out[3 + i] = turnsAbout(m, i) ? (&turn.x)[i] : 0.0;
      }
    };
    fill(c.body1, row.body1, c.arm1, row.row1);
    fill(c.body2, row.body2, c.arm2, row.row2);
    // What neither body can change is not for them to give way to.
    double size = dotOf({row.row1, 6}, {row.row1, 6}) + dotOf({row.row2, 6}, {row.row2, 6});
    if (!(size > 0.0)) row.bound = minOf(row.bound, row.base);
    if (row.body1 != kNone && row.body2 != kNone && row.body1 != row.body2) {
      edges_.emplace_back(std::min(row.body1, row.body2), std::max(row.body1, row.body2));
    }
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
}

/// The profile of the matrix, neighbours close to each other.
void PressFinder::orderBodies() {
  band_.find(num_bodies_, edges_, order_);
  rank_.resize(num_bodies_);
  for (std::uint32_t i = 0; i < num_bodies_; ++i) rank_[order_[i]] = i;
  first_.resize(6 * std::size_t{num_bodies_});
  for (std::uint32_t i = 0; i < num_bodies_; ++i) {
    for (int k = 0; k < 6; ++k) first_[6 * i + k] = 6 * i;
  }
  for (const auto& [a, b] : edges_) {
    const std::uint32_t low = rank_[a] < rank_[b] ? rank_[a] : rank_[b];
    const std::uint32_t high = rank_[a] < rank_[b] ? rank_[b] : rank_[a];
    for (int k = 0; k < 6; ++k) {
      first_[6 * high + k] = std::min(first_[6 * high + k], 6 * low);
    }
  }
}

/// What each contact lacks, below zero where it has more than it asks for.
void PressFinder::residuals(std::span<const double> y, std::vector<double>& left) const {
  left.resize(rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    double u = row.base;
    if (row.body1 != kNone)
      u += dotOf({row.row1, 6}, y.subspan(6 * std::size_t{rank_[row.body1]}, 6));
    if (row.body2 != kNone)
      u -= dotOf({row.row2, 6}, y.subspan(6 * std::size_t{rank_[row.body2]}, 6));
    left[k] = row.bound - u;
  }
}

/// The matrix of those that lack something.
bool PressFinder::factorise() {
  matrix_.reset(first_);
  for (std::uint32_t i = 0; i < 6 * num_bodies_; ++i) matrix_.at(i, i) = stay_;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (!(left_[k] > 0.0)) continue;
    const Row& row = rows_[k];
    const auto add = [this](std::uint32_t a, const double* x, std::uint32_t b, const double* z,
                            double sign) {
      for (std::uint32_t i = 0; i < 6; ++i) {
        for (std::uint32_t j = 0; j < 6; ++j) {
          matrix_.at(6 * rank_[a] + i, 6 * rank_[b] + j) += sign * (x[i] * z[j]);
        }
      }
    };
    if (row.body1 != kNone) add(row.body1, row.row1, row.body1, row.row1, 1.0);
    if (row.body2 != kNone) add(row.body2, row.row2, row.body2, row.row2, 1.0);
    if (row.body1 != kNone && row.body2 != kNone) {
      add(row.body1, row.row1, row.body2, row.row2, -1.0);
      add(row.body2, row.row2, row.body1, row.row1, -1.0);
    }
  }
  return matrix_.factorise();
}

/// Slope of the sum along the step, at a share of it.
double PressFinder::slopeAt(double share) {
  double slope = 0.0;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    // left_ falls by step_left_ for the whole step.
    const double now = left_[k] - share * step_left_[k];
    if (now > 0.0) slope -= now * step_left_[k];
  }
  for (std::size_t i = 0; i < y_.size(); ++i) {
    slope += stay_ * ((y_[i] - start_[i]) + share * step_[i]) * step_[i];
  }
  return slope;
}

/// Goes along the step to where the sum of squares no longer falls. False if that is nowhere.
bool PressFinder::stepDown(double slope) {
  residuals(y_, left_);
  trial_.resize(y_.size());
  for (std::size_t i = 0; i < y_.size(); ++i) trial_[i] = y_[i] + step_[i];
  residuals(trial_, step_left_);
  for (std::size_t k = 0; k < rows_.size(); ++k) step_left_[k] = left_[k] - step_left_[k];
  double share = 1.0;
  if (slopeAt(1.0) > -kOfSlope * slope) {
    double low = 0.0, high = 1.0;
    for (int i = 0; i < kMostHalvings; ++i) {
      share = 0.5 * (low + high);
      const double at = slopeAt(share);
      if (absOf(at) <= -kOfSlope * slope) break;
      (at > 0.0 ? high : low) = share;
    }
  }
  for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += share * step_[i];
  return share == 1.0;
}

/// Newton's method on the sum of squares of what is missing, near start_.
bool PressFinder::minimise() {
  double least = 0.0;
  for (int i = 0; i < kMostSteps; ++i) {
    residuals(y_, left_);
    gradient_.assign(y_.size(), 0.0);
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      if (!(left_[k] > 0.0)) continue;
      const Row& row = rows_[k];
      for (int j = 0; j < 6; ++j) {
        if (row.body1 != kNone) gradient_[6 * rank_[row.body1] + j] -= left_[k] * row.row1[j];
        if (row.body2 != kNone) gradient_[6 * rank_[row.body2] + j] += left_[k] * row.row2[j];
      }
    }
    for (std::size_t j = 0; j < y_.size(); ++j) gradient_[j] += stay_ * (y_[j] - start_[j]);
    if (!factorise()) return false;
    step_.resize(y_.size());
    for (std::size_t j = 0; j < y_.size(); ++j) step_[j] = -gradient_[j];
    matrix_.solve(step_);
    const double slope = dotOf(gradient_, step_);
    if (i == 0) least = -slope;
    // The slope is that of squares: what is left is the square of rounding.
    constexpr double kRounding = 1e-30;
    if (!(-slope > kRounding * least)) return true;
    stepDown(slope);
  }
  return true;
}

/// How fast the driven bodies close in where they ask for something [m/s].
double PressFinder::speedScale() const {
  double speed = 0.0;
  for (const Row& row : rows_) {
    if (row.base < row.bound) speed = maxOf(speed, maxOf(-row.base, row.bound));
  }
  return speed;
}

/// Greatest speed of a body in y_, turns by that at its radius [m/s].
double PressFinder::fastest() const {
  double most = 0.0;
  for (std::size_t i = 0; i < y_.size(); i += 6) {
    const std::span<const double> y = std::span(y_).subspan(i, 6);
    most = maxOf(most, dotOf(y, y));
  }
  return std::sqrt(most);
}

/// One step of the proximal point method. Returns the speed, over that of the driven bodies, that
/// some body would have to exceed for all to obey: 0 if all do, or if there is no telling. No body
/// slower than v can, if the work l (b - w) is more than v times what is left of the balance of
/// each, summed over bodies.
double PressFinder::nextRound(double speed) {
  start_.assign(y_.begin(), y_.end());
  if (!minimise()) return 0.0;
  residuals(y_, closing_);
  double value = 0.0, balance = 0.0, most = 0.0;
  for (std::size_t k = 0; k < closing_.size(); ++k) {
    closing_[k] = maxOf(0.0, closing_[k]);
    value += closing_[k] * (rows_[k].bound - rows_[k].base);
    most = maxOf(most, closing_[k]);
  }
  if (!(most > kOfSpeed * speed)) return 0.0;
  // At the minimum J^T l = stay (y - start).
  for (std::size_t i = 0; i < y_.size(); i += 6) {
    double square = 0.0;
    for (std::size_t j = i; j < i + 6; ++j) square += (y_[j] - start_[j]) * (y_[j] - start_[j]);
    balance += stay_ * std::sqrt(square);
  }
  const double needed = speed * balance;
  return value >= kBeyondSpeed * needed ? kBeyondSpeed : value / needed;
}

/// Whether no velocities up to kMostEscape times those of the driven bodies obey. Then closing_ is
/// what is missing at velocities of a few times those.
bool PressFinder::search() {
  const double speed = speedScale();
  y_.assign(6 * std::size_t{num_bodies_}, 0.0);
  stay_ = kStay;
  bool found = false, calm = true;
  double needed = 0.0;
  for (int round = 0; round < kMostRounds && needed < kBeyondSpeed && calm; ++round) {
    needed = nextRound(speed);
    if (!(needed > 0.0)) return false;
    found = found || needed > kMostEscape;
    calm = !found || fastest() <= kCalm * speed;
  }
  if (!found || calm) return found;
  y_.assign(y_.size(), 0.0);
  stay_ = kCalmStay;
  needed = 0.0;
  for (int round = 0; round < kMostRounds && needed < kBeyondSpeed; ++round) {
    kept_ = closing_;
    needed = nextRound(speed);
    if (round > 0 && (!(needed > 0.0) || fastest() > kCalm * speed)) {
      closing_ = kept_;
      break;
    }
  }
  return true;
}

PressReport PressFinder::find(const ContactProblem& problem,
                              std::span<const BodyVelocity> velocities) {
  makeRows(problem, velocities);
  orderBodies();
  PressReport report;
  report.found = search();
  if (!report.found) return {};
  // Contacts that are to part do not close as fast as they lack what is asked for.
  for (std::uint32_t k = 0; k < rows_.size(); ++k) {
    const double speed = closing_[k] - maxOf(0.0, problem.contacts[k].bound);
    if (!(speed > report.speed)) continue;
    report.speed = speed;
    report.worst = k;
  }
  double greatest = 0.0;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (!(closing_[k] > 0.0)) continue;
    const SolverContact& c = problem.contacts[k];
    greatest = maxOf(greatest, responseOf(problem.bodies[c.body1], c.normal, c.arm1) +
                                   responseOf(problem.bodies[c.body2], c.normal, c.arm2));
  }
  squeeze_ = greatest > 0.0 ? 1.0 / greatest : 0.0;
  return report;
}

}  // namespace abut::inline v0_1
