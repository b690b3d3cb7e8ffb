// SPDX-License-Identifier: MIT
//
// What contacts that give way do at given velocities: what momentum misses, and its derivative.
#include <limits>

#include "solver/rest_newton.hpp"

namespace abut::inline v0_1 {
namespace {

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

/// Friction without limits: everything holds that presses.
void RestNewton::liftLimits() {
  for (Row& r : rows_) r.slideLimit = r.twistLimit = std::numeric_limits<double>::infinity();
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

}  // namespace abut::inline v0_1
