// SPDX-License-Identifier: MIT
#pragma once

#include <abut/dynamics/mobility.hpp>

#include "math/wide_vec3.hpp"
#include "solver/manifold_row.hpp"

namespace abut::inline v0_1 {

/// The velocities of two bodies, and what their surfaces add, as vectors V.
template <class V>
class Relative {
public:
  ABUT_ALWAYS_INLINE Relative(const BodyVelocity& v1, const BodyVelocity& v2, const Vec3& offset)
      : linear1_(loadInner<V>(v1.linear)),
        angular1_(loadAs<V>(v1.angular)),
        linear2_(loadInner<V>(v2.linear)),
        angular2_(loadAs<V>(v2.angular)),
        offset_(loadInner<V>(offset)) {}
  /// As relativeVelocity().
  [[nodiscard]] ABUT_ALWAYS_INLINE V at(const V& arm1, const V& arm2) const {
    return ((linear1_ + cross(angular1_, arm1)) - (linear2_ + cross(angular2_, arm2))) + offset_;
  }
  [[nodiscard]] ABUT_ALWAYS_INLINE V angular() const { return angular1_ - angular2_; }

private:
  V linear1_, angular1_, linear2_, angular2_, offset_;
};

/// Centre of a row's points, as seen from a body; see centre1Of().
template <class V>
ABUT_ALWAYS_INLINE V centreOf(const ManifoldRow& row, Vec3 RowPoint::*arm) {
  V sum = loadInner<V>(row.points[0].*arm);
  for (int i = 1; i < row.count; ++i) sum += loadInner<V>(row.points[i].*arm);
  return sum / static_cast<double>(row.count);
}

}  // namespace abut::inline v0_1
