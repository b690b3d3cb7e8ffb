// SPDX-License-Identifier: MIT
#pragma once

#include <abut/math/aabb.hpp>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// A box as the broad phase computes with it: lo <= hi; lo < +infinity, hi > -infinity.
struct Box {
  Vec3 lo;
  Vec3 hi;

  friend bool operator==(const Box&, const Box&) = default;
};

inline Box toBox(const Aabb& box) {
  return {{box.min_.x(), box.min_.y(), box.min_.z()}, {box.max_.x(), box.max_.y(), box.max_.z()}};
}

/// Touching counts.
inline bool overlaps(const Box& a, const Box& b) {
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
         a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}

/// A box moving by t * displacement, 0 <= t <= maxFraction; a ray is a moving point.
struct Sweep {
  Box box;
  Vec3 displacement;
  double maxFraction;
};

// The test below rounds four times (difference, quotient, two products): 4 units in the last place
// of 2^-53, doubled.
inline constexpr double kSweepWidening = 1e-15;

/// x made smaller, or larger, by a relative kSweepWidening. Monotone in x; infinities stay.
inline double widenedDown(double x) {
  return x * (x > 0.0 ? 1.0 - kSweepWidening : 1.0 + kSweepWidening);
}
inline double widenedUp(double x) {
  return x * (x > 0.0 ? 1.0 + kSweepWidening : 1.0 - kSweepWidening);
}

/// Narrows [entry, exit] to the times at which intervals overlap along one axis.
inline void clipSweep(double lo, double hi, double sweepLo, double sweepHi, double velocity,
                      double& entry, double& exit) {
  const double a = widenedDown(lo - sweepHi), b = widenedUp(hi - sweepLo);
  if (velocity == 0.0) {
    if (a > 0.0 || b < 0.0) exit = -1.0;
    return;
  }
  const double first = (velocity > 0.0 ? a : b) / velocity;
  const double last = (velocity > 0.0 ? b : a) / velocity;
  entry = maxOf(entry, widenedDown(first));
  exit = minOf(exit, widenedUp(last));
}

/// True if the moving box may touch `target`; `entry` is then a time not after the first touch.
///
/// Every operation is monotone in the target's bounds, also after rounding. So a larger target
/// never gives a later entry or an earlier exit, and a tree whose nodes contain their children in
/// plain comparison of doubles finds exactly what a test of all boxes finds.
inline bool sweepHits(const Sweep& sweep, const Box& target, double& entry) {
  double first = 0.0, last = sweep.maxFraction;
  const Vec3 &d = sweep.displacement, &lo = sweep.box.lo, &hi = sweep.box.hi;
  clipSweep(target.lo.x, target.hi.x, lo.x, hi.x, d.x, first, last);
  clipSweep(target.lo.y, target.hi.y, lo.y, hi.y, d.y, first, last);
  clipSweep(target.lo.z, target.hi.z, lo.z, hi.z, d.z, first, last);
  entry = first;
  return first <= last;
}

}  // namespace abut::inline v0_1
