// SPDX-License-Identifier: MIT
#include "solver/rest_newton.hpp"

#include <algorithm>

#include "math/pose.hpp"

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
Mat3 unlocked(const Mat3& inverse, double locked) {
  Mat3 filled = inverse;
  if (inverse.x == Vec3{}) filled.x.x = 1.0 / locked;
  if (inverse.y == Vec3{}) filled.y.y = 1.0 / locked;
  if (inverse.z == Vec3{}) filled.z.z = 1.0 / locked;
  return filled;
}

Vec6 momentumOf(const Vec3& mass, const Mat3& inertia, const Vec6& v) {
  return toVec6(scaled(mass, linearPart(v)), inertia * angularPart(v));
}

/// c x each column.
Mat3 crossColumns(const Vec3& c, const Mat3& m) {
  return {cross(c, m.x), cross(c, m.y), cross(c, m.z)};
}
/// m + a b'.
ABUT_ALWAYS_INLINE Mat3 plusOuter(const Mat3& m, const Vec3& a, const Vec3& b) {
  return {m.x + a * b.x, m.y + a * b.y, m.z + a * b.z};
}

/// [linear, right; left, angular], three by three each, columns in the matrices.
struct Quarters {
  Mat3 linear, right, left, angular;
};
/// Adds a matrix to a block; with `sign` -1 it is subtracted.
template <int kSign>
ABUT_ALWAYS_INLINE void addQuarters(Mat6& to, const Quarters& q) {
  const auto rowOf = [](const Mat3& a, const Mat3& b, double Vec3::*i) {
    return makeVec6(a.x.*i, a.y.*i, a.z.*i, b.x.*i, b.y.*i, b.z.*i);
  };
  const Vec6 rows[6] = {rowOf(q.linear, q.right, &Vec3::x), rowOf(q.linear, q.right, &Vec3::y),
                        rowOf(q.linear, q.right, &Vec3::z), rowOf(q.left, q.angular, &Vec3::x),
                        rowOf(q.left, q.angular, &Vec3::y), rowOf(q.left, q.angular, &Vec3::z)};
  for (int i = 0; i < 6; ++i) {
    to.row[i] = kSign > 0 ? to.row[i] + rows[i] : to.row[i] - rows[i];
  }
}

}  // namespace

/// Minus the derivative of impulse and couple at the points' centre by relative velocity and turn:
/// [linear, mixed; mixed', angular], where mixed = normal lever'.
struct RestNewton::Slope {
  Mat3 linear, angular;
  Vec3 lever;
};

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
    const Mat3 turning = unlocked(m.inverseInertia, kLocked * (inertia > 0.0 ? inertia : mass));
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
  updateLimits();
}

/// Limits of friction by the impulses of the last evaluation. True if some friction was at its
/// limit or will be: then the residual is another.
bool RestNewton::updateLimits() {
  bool other = false;
  for (Row& r : rows_) {
    double press = 0.0, grip = 0.0;
    for (int q = 0; q < r.count; ++q) {
      press += r.impulse[q];
      grip += r.radius[q] * r.impulse[q];
    }
    r.slideLimit = r.friction * press;
    r.twistLimit = r.friction * grip;
    other = other || r.clipped || squaredNorm(r.slide) > r.slideLimit * r.slideLimit ||
            absOf(r.twist) > r.twistLimit;
  }
  return other;
}

namespace {

/// The normal impulses of the law; what they press, and their couple.
template <class Row, class Slope>
ABUT_ALWAYS_INLINE double pushNormals(Row& r, double un, const Vec3& w, double k, Vec3& couple,
                                      Slope* slope) {
  double press = 0.0, pushing = 0.0;
  Vec3 levers;
  Mat3 squares{{}, {}, {}};
  for (int q = 0; q < r.count; ++q) {
    const double z = r.reference[q] - k * ((un + dot(r.lever[q], w)) - r.bound[q]);
    r.impulse[q] = z > 0.0 ? z : 0.0;
    if (!(z > 0.0)) continue;
    press += z;
    couple += r.lever[q] * z;
    if (slope == nullptr) continue;
    pushing += 1.0;
    levers += r.lever[q];
    squares = plusOuter(squares, r.lever[q], r.lever[q]);
  }
  if (slope != nullptr) {
    slope->linear = plusOuter({{}, {}, {}}, r.normal, r.normal * (pushing * k));
    slope->lever = levers * k;
    slope->angular = {squares.x * k, squares.y * k, squares.z * k};
  }
  return press;
}

/// Friction of the law: sets slide and twist.
template <class Row, class Slope>
ABUT_ALWAYS_INLINE void rub(Row& r, const Vec3& ut, double turn, double k, Slope* slope) {
  const Vec3 z = r.slideReference - ut * k;
  const double length = norm(z);
  const bool slides = length > r.slideLimit;
  r.clipped = slides;
  r.slide = slides ? z * (r.slideLimit / length) : z;
  if (slope != nullptr && (!slides || r.slideLimit > 0.0)) {
    // 1 - n n', less the direction of sliding.
    const double part = slides ? k * (r.slideLimit / length) : k;
    slope->linear = plusOuter(slope->linear, r.normal, r.normal * -part);
    slope->linear.x.x += part;
    slope->linear.y.y += part;
    slope->linear.z.z += part;
    if (slides) {
      const Vec3 along = z / length;
      slope->linear = plusOuter(slope->linear, along, along * -part);
    }
  }
  r.twist = 0.0;
  if (!r.twists) return;
  const double stiff = k * r.spread;
  const double hold = r.twistReference - stiff * turn;
  if (absOf(hold) <= r.twistLimit) {
    r.twist = hold;
    if (slope != nullptr) slope->angular = plusOuter(slope->angular, r.normal, r.normal * stiff);
  } else {
    r.twist = hold > 0.0 ? r.twistLimit : -r.twistLimit;
    r.clipped = true;
  }
}

}  // namespace

/// J' S J of a row, with J the motion at the points' centre by the motion of a body. With c the arm
/// of the body, A, n l' and C the parts of S, and c x A taken column by column:
///   [A, .; l n' + c x A, C + (c x n) l' + l (c x n)' + c x (c x A)'].
void RestNewton::addSlope(const Row& r, const Slope& s) {
  const Mat3 turned1 = crossColumns(r.arm1, s.linear), turned2 = crossColumns(r.arm2, s.linear);
  const Vec3 lever1 = cross(r.arm1, r.normal), lever2 = cross(r.arm2, r.normal);
  // Of the body with arm c and c x A to the one with arm d and d x A.
  const auto quarters = [&](const Vec3& c, const Mat3& turnedC, const Vec3& leverC,
                            const Mat3& turnedD, const Vec3& leverD) {
    const Mat3 back = transpose(turnedD), corner = crossColumns(c, back);
    const Mat3 angular{s.angular.x + corner.x, s.angular.y + corner.y, s.angular.z + corner.z};
    return Quarters{s.linear, plusOuter(back, r.normal, s.lever),
                    plusOuter(turnedC, s.lever, r.normal),
                    plusOuter(plusOuter(angular, leverC, s.lever), s.lever, leverD)};
  };
  if (r.place1 >= 0) {
    addQuarters<1>(diagonal_[static_cast<std::size_t>(r.place1)],
                   quarters(r.arm1, turned1, lever1, turned1, lever1));
  }
  if (r.place2 >= 0) {
    addQuarters<1>(diagonal_[static_cast<std::size_t>(r.place2)],
                   quarters(r.arm2, turned2, lever2, turned2, lever2));
  }
  if (r.place1 < 0 || r.place2 < 0) return;
  // Rows of the one that comes first, columns of the other.
  const auto blockAt = [this](int column, int row) -> Mat6& {
    const auto i = static_cast<std::size_t>(column);
    return upper_[start_[i] + static_cast<std::size_t>(row - first_[i])];
  };
  if (r.place1 < r.place2) {
    addQuarters<-1>(blockAt(r.place2, r.place1),
                    quarters(r.arm1, turned1, lever1, turned2, lever2));
  } else {
    addQuarters<-1>(blockAt(r.place1, r.place2),
                    quarters(r.arm2, turned2, lever2, turned1, lever1));
  }
}

/// M (v - free) - J' r(v), and its derivative.
void RestNewton::evaluate(const std::vector<Vec6>& velocities, double stiffness, bool withSlopes) {
  const std::size_t n = bodies_.size();
  residual_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    residual_[i] = momentumOf(bodies_[i].mass, bodies_[i].inertia, velocities[i] - free_[i]);
  }
  if (withSlopes) {
    diagonal_.assign(n, Mat6{});
    upper_.assign(start_[n], Mat6{});
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3& m = bodies_[i].mass;
      addQuarters<1>(diagonal_[i], {{{m.x, 0.0, 0.0}, {0.0, m.y, 0.0}, {0.0, 0.0, m.z}},
                                    {{}, {}, {}},
                                    {{}, {}, {}},
                                    bodies_[i].inertia});
    }
  }
  for (Row& r : rows_) {
    Vec3 u = r.givenLinear, w = r.givenAngular;
    if (r.place1 >= 0) {
      const Vec6& v = velocities[static_cast<std::size_t>(r.place1)];
      u += linearPart(v) + cross(angularPart(v), r.arm1);
      w += angularPart(v);
    }
    if (r.place2 >= 0) {
      const Vec6& v = velocities[static_cast<std::size_t>(r.place2)];
      u -= linearPart(v) + cross(angularPart(v), r.arm2);
      w -= angularPart(v);
    }
    Slope slope;
    Slope* const wanted = withSlopes ? &slope : nullptr;
    const double un = dot(r.normal, u);
    Vec3 couple;
    const double press = pushNormals(r, un, w, stiffness, couple, wanted);
    rub(r, u - r.normal * un, dot(r.normal, w), stiffness, wanted);
    const Vec3 impulse = r.normal * press + r.slide;
    couple += r.normal * r.twist;
    if (r.place1 >= 0) {
      Vec6& left = residual_[static_cast<std::size_t>(r.place1)];
      left = left - toVec6(impulse, couple + cross(r.arm1, impulse));
    }
    if (r.place2 >= 0) {
      Vec6& left = residual_[static_cast<std::size_t>(r.place2)];
      left = left + toVec6(impulse, couple + cross(r.arm2, impulse));
    }
    if (withSlopes) addSlope(r, slope);
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
                       int maxSteps) {
  const double stiffness = 1.0 / compliance;
  start(rows, order, free);
  bool solved = false;
  for (steps_ = 0; steps_ < maxSteps && !solved;) {
    evaluate(velocities_, stiffness, true);
    if (!factorise()) return false;
    step_ = residual_;
    solveFactors(step_);
    ++steps_;
    search(stiffness);
    if (updateLimits()) evaluate(velocities_, stiffness, false);
    error_ = computeError();
    solved = error_ <= tolerance;
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
