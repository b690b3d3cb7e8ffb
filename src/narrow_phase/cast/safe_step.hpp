// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/cast/moving_pair.hpp"

namespace abut::inline v0_1 {

/// What a part's rotation does to it.
struct Turning {
  Vec3 angular;         ///< [rad]; zero where turning does not change the part.
  double radius = 0.0;  ///< Largest distance of a point of the core from the object's origin [m].
};

/// Two parts with what their rotations do to them.
struct PartCast {
  const MovingPair& pair;
  const MovingPart& part1;
  const MovingPart& part2;
  Turning turning1, turning2;
};

/// The two parts at a fraction of the motion. The origin of object 1 is 0.
struct Placement {
  Mat3 rotation1, rotation2;  ///< Of the objects.
  Vec3 origin2;
  Pose part1, part2;  ///< About their objects' origins.
};

/// A stretch of the motion without contact.
struct SafeStep {
  double length = 0.0;
  bool clear = false;  ///< The gap stays above the tolerance to the end.
};

/// How far the parts can go on from a placement with a positive gap before they can touch; at most
/// `remaining`. Nothing is stepped over.
///
/// With the separating unit normal n, let n itself turn by s w. A fraction s later the gap along it
/// is at least
///   L(s) = g + s (n.v + (w x n).y) + min over p of (n + s n x d1).p - min over p of n.p
///            - max over q of (n + s n x d2).q + max over q of n.q - K s^2 / 2,
/// with v the relative displacement, y the vector between the origins, p and q the points of the
/// parts about them, d1 = w1 - w, d2 = w2 - w, because p moves by s d1 x p relative to n to first
/// order, and
///   K = |w|^2 |y| + 2 |w| |v| + (|d1|^2 + |w1 x w|) |p| + (|d2|^2 + |w2 x w|) |q|
/// bounds the second order. L is concave and starts at g, so it has one zero. It is safe for every
/// w; one that follows the touching features (w1, w2, or what keeps n at right angles to two edges)
/// makes it exact to first order. Without rotation this is Newton's method on a convex function,
/// and with the right w the advancement converges quadratically too.
///
/// `hint` remembers which w was best; it is part of the state of one cast.
SafeStep safeStep(const PartCast& cast, const Placement& place, const PairGap& gap,
                  double remaining, double tolerance, int& hint);

}  // namespace abut::inline v0_1
