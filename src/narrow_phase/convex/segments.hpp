// SPDX-License-Identifier: MIT
#pragma once

#include "core/inline.hpp"
#include "math/pack.hpp"

namespace abut::inline v0_1 {

/// Axes with a sine below this are parallel: their cross product is rounding error.
inline constexpr double kParallelSine = 1e-14;

/// Two segments: x1 = center1 + s axis1, |s| <= half1; x2 = center1 + offset + t axis2, |t| <=
/// half2.
struct SegmentPair {
  Vec3 axis1, axis2;  ///< Unit.
  double half1, half2;
  Vec3 offset;  ///< From centre 1 to centre 2.

  Vec3 cross12;  ///< axis1 x axis2; set by findNearest(), like what follows.
  double sine2;  ///< |cross12|^2
  double s, t;   ///< Of the nearest points.
  Vec3 across;   ///< x1 - x2 there.
};

/// Nearest points of the two segments. On the lines s = (offset x axis2) . X / |X|^2 with
/// X = axis1 x axis2; the sine comes from X itself, never from 1 - cos^2. The other point follows
/// by projection, so an error in s changes the distance in second order only. Parallel segments
/// side by side: the middle of the stretch that they share.
ABUT_ALWAYS_INLINE void findNearest(SegmentPair& p) {
  // axis1 x axis2 through the difference of the axes, which is exact where they are nearly
  // parallel: the direction of the product is then right to rounding whatever its length.
  const double sign = choose(dot(p.axis1, p.axis2) > 0.0, 1.0, -1.0);
  p.cross12 = cross(p.axis1, p.axis2 - p.axis1 * sign);
  p.sine2 = squaredNorm(p.cross12);
  double s = 0.0;
  if (p.sine2 > kParallelSine * kParallelSine) {
    s = dot(cross(p.offset, p.axis2), p.cross12) / p.sine2;
  } else {
    const double k = dot(p.offset, p.axis1);
    s = 0.5 * (maxOf(-p.half1, k - p.half2) + minOf(p.half1, k + p.half2));
  }
  p.s = clampTo(s, -p.half1, p.half1);
  const double t = dot(p.axis1 * p.s - p.offset, p.axis2);
  p.t = clampTo(t, -p.half2, p.half2);
  const double beside = clampTo(dot(p.offset + p.axis2 * p.t, p.axis1), -p.half1, p.half1);
  p.s = choose(p.t != t, beside, p.s);
  p.across = p.axis1 * p.s - (p.offset + p.axis2 * p.t);
}

}  // namespace abut::inline v0_1
