// SPDX-License-Identifier: MIT
//
// The method. The law of its contacts is in rest_newton_law.cpp.
#include "solver/rest_newton.hpp"

#include <algorithm>

namespace abut::inline v0_1 {
namespace {

/// The inverse of a symmetric matrix that has one.
Mat3 inverseOf(const Mat3& m) {
  const Vec3 yz = cross(m.y, m.z), zx = cross(m.z, m.x), xy = cross(m.x, m.y);
  const double over = 1.0 / dot(m.x, yz);
  return {yz * over, zx * over, xy * over};
}

/// A body counts as so many times heavier than the island's heaviest along axes that are locked.
constexpr double kLocked = 1e8;

double largestOf(const Vec3& v) {
  return maxOf(maxOf(v.x, v.y), v.z);
}

/// Masses along the axes; along those that are locked, `locked`.
Vec3 massesOf(const Vec3& inverse, double locked) {
  const auto one = [locked](double i) { return i > 0.0 ? 1.0 / i : locked; };
  return {one(inverse.x), one(inverse.y), one(inverse.z)};
}

/// The inverse inertia with something along axes that are locked, whose rows are zero.
Mat3 withLockedFilled(const Mat3& inverse, double locked) {
  Mat3 filled = inverse;
  if (inverse.x == Vec3{}) filled.x.x = 1.0 / locked;
  if (inverse.y == Vec3{}) filled.y.y = 1.0 / locked;
  if (inverse.z == Vec3{}) filled.z.z = 1.0 / locked;
  return filled;
}

}  // namespace

bool RestNewton::findOrder(std::span<const ManifoldRow> rows, std::span<const std::uint32_t> order,
                           std::span<const std::uint32_t> members, double mostWork) {
  edges_.clear();
  for (const std::uint32_t k : order) {
    const int a = place_[rows[k].body1], b = place_[rows[k].body2];
    if (a < 0 || b < 0) continue;
    edges_.emplace_back(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
  }
  const auto n = static_cast<std::uint32_t>(members.size());
  band_order_.find(n, edges_, nodes_);
  body_at_.resize(n);
  first_.resize(n);
  start_.resize(n + 1);
  for (std::uint32_t i = 0; i < n; ++i) {
    body_at_[i] = members[nodes_[i]];
    place_[body_at_[i]] = first_[i] = static_cast<int>(i);
  }
  for (const std::uint32_t k : order) {
    const int a = place_[rows[k].body1], b = place_[rows[k].body2];
    if (a < 0 || b < 0) continue;
    int& first = first_[static_cast<std::size_t>(std::max(a, b))];
    first = std::min(first, std::min(a, b));
  }
  std::size_t work = 0, size = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    start_[i] = size;
    const int own = static_cast<int>(i);
    size += static_cast<std::size_t>(own - first_[i]);
    for (int j = first_[i]; j < own; ++j) {
      const int common = std::max(first_[i], first_[static_cast<std::size_t>(j)]);
      work += static_cast<std::size_t>(2 + j - common);
    }
  }
  start_[n] = size;
  return static_cast<double>(work) <= mostWork * static_cast<double>(n);
}

bool RestNewton::prepare(std::span<const ManifoldRow> rows, std::span<const std::uint32_t> order,
                         std::span<const std::uint32_t> members,
                         std::span<const BodyMobility> mobility, double mostWork) {
  if (place_.size() < mobility.size()) place_.resize(mobility.size());
  for (const std::uint32_t k : order) {
    if (rows[k].rolling > 0.0 || rows[k].spinning > 0.0) return false;
    place_[rows[k].body1] = place_[rows[k].body2] = -1;
  }
  double mass = 0.0, inertia = 0.0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const BodyMobility& m = mobility[members[i]];
    mass = maxOf(mass, largestOf(massesOf(m.inverseMass, 0.0)));
    const Vec3 turning{m.inverseInertia.x.x, m.inverseInertia.y.y, m.inverseInertia.z.z};
    inertia = maxOf(inertia, largestOf(massesOf(turning, 0.0)));
    place_[members[i]] = static_cast<int>(i);
  }
  if (!(mass > 0.0) || !findOrder(rows, order, members, mostWork)) return false;
  bodies_.resize(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    const BodyMobility& m = mobility[body_at_[i]];
    const Mat3 turning =
        withLockedFilled(m.inverseInertia, kLocked * (inertia > 0.0 ? inertia : mass));
    if (!(dot(turning.x, cross(turning.y, turning.z)) > 0.0)) return false;
    bodies_[i].inverseMass = m.inverseMass;
    bodies_[i].mass = massesOf(m.inverseMass, kLocked * mass);
    bodies_[i].inverseInertia = m.inverseInertia;
    bodies_[i].inertia = inverseOf(turning);
  }
  rows_.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ManifoldRow& m = rows[order[i]];
    Row& r = rows_[i];
    r.place1 = place_[m.body1];
    r.place2 = place_[m.body2];
    r.count = m.count;
    r.normal = m.normal;
    r.arm1 = centre1Of(m);
    r.arm2 = centre2Of(m);
    r.friction = m.friction;
    double squares = 0.0;
    for (int q = 0; q < m.count; ++q) {
      r.lever[q] = cross(m.points[q].arm1 - r.arm1, m.normal);
      const double square = squaredNorm(r.lever[q]);
      r.radius[q] = std::sqrt(square);
      squares += square;
      r.bound[q] = m.points[q].bound;
    }
    r.spread = squares / static_cast<double>(m.count);
    r.twists = r.spread > 0.0;
  }
  return true;
}

/// References from the rows, and velocities as they make them.
void RestNewton::start(std::span<const ManifoldRow> rows, std::span<const std::uint32_t> order,
                       std::span<const BodyVelocity> free) {
  const std::size_t n = bodies_.size();
  free_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const BodyVelocity& v = free[body_at_[i]];
    free_[i] = toVec6(v.linear, v.angular);
  }
  velocities_ = free_;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ManifoldRow& m = rows[order[i]];
    Row& r = rows_[i];
    double press = 0.0;
    Vec3 couple;
    for (int q = 0; q < m.count; ++q) {
      r.reference[q] = r.impulse[q] = m.points[q].normalImpulse;
      press += r.reference[q];
      couple += r.lever[q] * r.reference[q];
    }
    r.slideReference = m.tangentImpulse - m.normal * dot(m.normal, m.tangentImpulse);
    r.twistReference = r.twists ? m.twistImpulse : 0.0;
    r.slide = r.slideReference;
    r.twist = r.twistReference;
    r.clipped = false;
    const Vec3 impulse = m.normal * press + r.slideReference;
    couple += m.normal * r.twistReference;
    r.givenLinear = m.offset;
    r.givenAngular = {};
    const auto act = [&](int place, std::uint32_t body, const Vec3& arm, double sign) {
      if (place < 0) {
        const BodyVelocity& v = free[body];
        r.givenLinear += (v.linear + cross(v.angular, arm)) * sign;
        r.givenAngular += v.angular * sign;
        return;
      }
      const Body& b = bodies_[static_cast<std::size_t>(place)];
      Vec6& v = velocities_[static_cast<std::size_t>(place)];
      const Vec3 linear = scaled(b.inverseMass, impulse) * sign;
      const Vec3 angular = (b.inverseInertia * (couple + cross(arm, impulse))) * sign;
      v = v + toVec6(linear, angular);
    };
    act(r.place1, m.body1, r.arm1, 1.0);
    act(r.place2, m.body2, r.arm2, -1.0);
  }
}

/// Block L D L', row by row within the profile.
bool RestNewton::factorise() {
  factors_.resize(diagonal_.size());
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    const int own = static_cast<int>(i);
    Mat6* const rowI = upper_.data() + start_[i];
    const auto width = static_cast<std::size_t>(own - first_[i]);
    if (work_.size() < width) work_.resize(2 * width);
    for (int j = first_[i]; j < own; ++j) {
      const auto other = static_cast<std::size_t>(j);
      const Mat6* const rowJ = upper_.data() + start_[other];
      Mat6& block = rowI[j - first_[i]];
      for (int k = std::max(first_[i], first_[other]); k < j; ++k) {
        subtractTransposedProduct(block, rowJ[k - first_[other]],
                                  work_[static_cast<std::size_t>(k - first_[i])]);
      }
      Mat6& was = work_[static_cast<std::size_t>(j - first_[i])];
      was = block;
      factors_[other].solve(block);
      subtractSymmetricProduct(diagonal_[i], block, was);
    }
    if (!factors_[i].set(diagonal_[i])) return false;
  }
  return true;
}

void RestNewton::solveFactors(std::vector<Vec6>& x) const {
  const std::size_t n = x.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = start_[i]; k < start_[i + 1]; ++k) {
      const std::size_t j = static_cast<std::size_t>(first_[i]) + (k - start_[i]);
      x[i] = minusTransposedProduct(x[i], upper_[k], x[j]);
    }
  }
  for (std::size_t i = 0; i < n; ++i) x[i] = factors_[i].solve(x[i]);
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = start_[i]; k < start_[i + 1]; ++k) {
      const std::size_t j = static_cast<std::size_t>(first_[i]) + (k - start_[i]);
      x[j] = minusProduct(x[j], upper_[k], x[i]);
    }
  }
}

/// Along the step the slope of the energy rises from below zero: goes to where it is nearly zero.
/// The whole step is taken if the slope is not positive there.
void RestNewton::search(double stiffness) {
  constexpr int kMostTrials = 10;
  constexpr double kNearly = 0.1;  // Of the slope at the start.
  constexpr double kWithin = 0.1;  // Least part of the bracket that a trial leaves out.
  const auto slopeAlong = [this] {
    double slope = 0.0;
    for (std::size_t i = 0; i < step_.size(); ++i) slope -= dot(residual_[i], step_[i]);
    return slope;
  };
  const double atStart = slopeAlong();
  double low = 0.0, high = 1.0, slopeLow = atStart, slopeHigh = 0.0, way = 1.0;
  for (int trial = 0; trial < kMostTrials; ++trial) {
    trial_.resize(step_.size());
    for (std::size_t i = 0; i < step_.size(); ++i) trial_[i] = velocities_[i] - step_[i] * way;
    evaluate(trial_, stiffness, false);
    const double slope = slopeAlong();
    if ((slope <= 0.0 && trial == 0) || absOf(slope) <= kNearly * absOf(atStart)) break;
    if (slope > 0.0) {
      high = way;
      slopeHigh = slope;
    } else {
      low = way;
      slopeLow = slope;
    }
    const double share = -slopeLow / (slopeHigh - slopeLow);
    way = low + (high - low) * clampTo(share, kWithin, 1.0 - kWithin);
  }
  velocities_.swap(trial_);
}

/// Momenta left open, relative to those that contacts give.
double RestNewton::computeError() const {
  double open = 0.0, given = 0.0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Body& b = bodies_[i];
    const Vec6 change = velocities_[i] - free_[i];
    open += dot(residual_[i], momentumOf(b.inverseMass, b.inverseInertia, residual_[i]));
    given += dot(change, momentumOf(b.mass, b.inertia, change));
  }
  return given > 0.0 ? std::sqrt(open / given) : 0.0;
}

double RestNewton::computeChange() const {
  double most = 0.0;
  for (const Row& r : rows_) {
    for (int q = 0; q < r.count; ++q) {
      if (r.impulse[q] > 0.0) most = maxOf(most, absOf(r.impulse[q] - r.reference[q]));
    }
    if (!r.clipped) most = maxOf(most, norm(r.slide - r.slideReference));
  }
  return most;
}

bool RestNewton::solve(std::span<ManifoldRow> rows, std::span<const std::uint32_t> order,
                       std::span<const BodyVelocity> free, double compliance, double tolerance,
                       int maxSteps, bool holds) {
  const double stiffness = 1.0 / compliance;
  start(rows, order, free);
  if (holds) {
    liftLimits();
  } else {
    updateLimits();
  }
  bool solved = false;
  for (steps_ = 0; steps_ < maxSteps && !solved;) {
    evaluate(velocities_, stiffness, true);
    if (!factorise()) return false;
    step_ = residual_;
    solveFactors(step_);
    ++steps_;
    search(stiffness);
    if (holds) {
      holds = computeError() > tolerance;
    }
    if (!holds && updateLimits()) evaluate(velocities_, stiffness, false);
    error_ = computeError();
    solved = !holds && error_ <= tolerance;
  }
  if (!solved) return false;
  for (std::size_t i = 0; i < order.size(); ++i) {
    ManifoldRow& m = rows[order[i]];
    const Row& r = rows_[i];
    for (int q = 0; q < m.count; ++q) m.points[q].normalImpulse = r.impulse[q];
    m.tangentImpulse = r.slide;
    m.twistImpulse = r.twist;
  }
  return true;
}

}  // namespace abut::inline v0_1
