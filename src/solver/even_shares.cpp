// SPDX-License-Identifier: MIT
#include "solver/even_shares.hpp"

#include <algorithm>
#include <cmath>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr int kRows = 6;

/// Pivots below this part of the largest are rounding: contacts in a line, sliding in step.
constexpr double kNoPivot = 1e-10;
/// What impulses may change the exchanged force and torque by, and what is no change worth making,
/// in parts of the largest.
constexpr double kRounded = 1e-14, kNoChange = 1e-12;

double largestOf(const std::array<double, kRows>& w) {
  double most = 0.0;
  for (const double v : w) most = maxOf(most, std::abs(v));
  return most;
}

bool isInside(const Vec3& p, double friction) {
  return p.x >= 0.0 && p.y * p.y + p.z * p.z <= (friction * p.x) * (friction * p.x);
}

}  // namespace

/// G x = y for a symmetric positive semidefinite G, by elimination with the largest pivots; rows
/// without one stay zero.
class EvenShares::Elimination {
public:
  explicit Elimination(const std::array<Wrench, kRows>& matrix) : lower_(matrix) {
    for (int i = 0; i < kRows; ++i) order_[static_cast<std::size_t>(i)] = i;
    double first = 0.0;
    for (rank_ = 0; rank_ < kRows; ++rank_) {
      int best = rank_;
      for (int i = rank_ + 1; i < kRows; ++i)
        if (at(i, i) > at(best, best)) best = i;
      if (rank_ == 0) first = at(best, best);
      if (!(at(best, best) > kNoPivot * first)) return;
      std::swap(order_[static_cast<std::size_t>(best)], order_[static_cast<std::size_t>(rank_)]);
      for (int i = rank_ + 1; i < kRows; ++i) {
        const double factor = at(i, rank_) / at(rank_, rank_);
        for (int j = rank_ + 1; j <= i; ++j) at(i, j) -= factor * at(j, rank_);
        at(rank_, i) = factor;  // Above the diagonal: L transposed.
      }
      for (int i = rank_ + 1; i < kRows; ++i)
        for (int j = rank_ + 1; j < i; ++j) at(j, i) = at(i, j);
    }
  }

  [[nodiscard]] Wrench solve(const Wrench& y) const {
    Wrench x{};
    std::array<double, kRows> z{};
    for (int i = 0; i < rank_; ++i) {
      double sum = y[row(i)];
      for (int k = 0; k < i; ++k) sum -= at(k, i) * z[static_cast<std::size_t>(k)];
      z[static_cast<std::size_t>(i)] = sum;
    }
    for (int i = rank_ - 1; i >= 0; --i) {
      double sum = z[static_cast<std::size_t>(i)] / at(i, i);
      for (int k = i + 1; k < rank_; ++k) sum -= at(i, k) * x[row(k)];
      x[row(i)] = sum;
    }
    return x;
  }
  [[nodiscard]] int getRank() const { return rank_; }

private:
  [[nodiscard]] std::size_t row(int i) const {
    return static_cast<std::size_t>(order_[static_cast<std::size_t>(i)]);
  }
  [[nodiscard]] double& at(int i, int j) { return lower_[row(i)][row(j)]; }
  [[nodiscard]] double at(int i, int j) const { return lower_[row(i)][row(j)]; }

  std::array<Wrench, kRows> lower_;
  std::array<int, kRows> order_{};
  int rank_ = 0;
};

void EvenShares::list(std::span<const SolverContact> contacts,
                      std::span<const ShareFreedom> freedoms, std::span<const Vec3> impulses) {
  directions_.clear();
  Vec3 centre;
  for (const SolverContact& c : contacts) centre += c.arm1;
  centre = centre / static_cast<double>(contacts.size());
  double reach = 0.0;
  for (const SolverContact& c : contacts) reach = maxOf(reach, norm(c.arm1 - centre));
  const double unit = reach > 0.0 ? 1.0 / reach : 0.0;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const SolverContact& c = contacts[k];
    const Vec3 arm = (c.arm1 - centre) * unit;
    const auto add = [&](const Vec3& force, const Vec3& own, double size) {
      const Vec3 torque = cross(arm, force);
      directions_.push_back(
          {k, {force.x, force.y, force.z, torque.x, torque.y, torque.z}, own, size});
    };
    const Vec3& p = impulses[k];
    if (freedoms[k] == ShareFreedom::Inside) {
      add(c.normal, {1, 0, 0}, p.x);
      add(c.tangent1, {0, 1, 0}, p.y);
      add(c.tangent2, {0, 0, 1}, p.z);
    } else if (freedoms[k] == ShareFreedom::Size) {
      const double size = norm(p);
      const Vec3 own = size > 0.0 ? p / size : Vec3{1, 0, 0};
      add((c.normal * own.x + c.tangent1 * own.y) + c.tangent2 * own.z, own, size);
    }
  }
}

std::array<EvenShares::Wrench, 6> EvenShares::products() const {
  std::array<Wrench, kRows> g{};
  for (const Direction& d : directions_)
    for (std::size_t i = 0; i < kRows; ++i)
      for (std::size_t j = 0; j < kRows; ++j) g[i][j] += d.wrench[i] * d.wrench[j];
  return g;
}

EvenShares::Wrench EvenShares::together() const {
  Wrench sum{};
  for (const Direction& d : directions_)
    for (std::size_t i = 0; i < kRows; ++i) sum[i] += d.wrench[i] * d.size;
  return sum;
}

void EvenShares::raise(const Wrench& by) {
  for (Direction& d : directions_) {
    double more = 0.0;
    for (std::size_t i = 0; i < kRows; ++i) more += d.wrench[i] * by[i];
    d.size += more;
  }
}

bool EvenShares::share(std::span<const SolverContact> contacts,
                       std::span<const ShareFreedom> freedoms, std::span<Vec3> impulses) {
  list(contacts, freedoms, impulses);
  if (directions_.size() < 2) return false;
  const Elimination elimination(products());
  if (directions_.size() <= static_cast<std::size_t>(elimination.getRank())) return false;
  const Wrench wanted = together();
  Wrench missing = wanted;
  for (Direction& d : directions_) d.size = 0.0;
  for (int i = 0; i < 2; ++i) {  // The second takes off what rounding left.
    raise(elimination.solve(missing));
    const Wrench there = together();
    for (std::size_t k = 0; k < kRows; ++k) missing[k] = wanted[k] - there[k];
  }
  if (!(largestOf(missing) <= kRounded * largestOf(wanted))) return false;
  shared_.assign(impulses.begin(), impulses.end());
  for (const Direction& d : directions_) shared_[d.contact] = Vec3{};
  for (const Direction& d : directions_) shared_[d.contact] += d.own * d.size;
  double change = 0.0, most = 0.0;
  for (std::size_t k = 0; k < shared_.size(); ++k) {
    if (freedoms[k] == ShareFreedom::Inside && !isInside(shared_[k], contacts[k].friction))
      return false;
    if (!(shared_[k].x >= 0.0)) return false;
    change = maxOf(change, norm(shared_[k] - impulses[k]));
    most = maxOf(most, norm(impulses[k]));
  }
  if (!(change > kNoChange * most)) return false;
  std::copy(shared_.begin(), shared_.end(), impulses.begin());
  return true;
}

}  // namespace abut::inline v0_1
