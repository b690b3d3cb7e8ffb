// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "collision/course.hpp"

namespace abut::inline v0_1 {

/// A body's way through a step as the last guard sees it; times are fractions of the step. It goes
/// as it was until its last impact, then as the step made it; the guard may end its turning, its
/// going, and have a body that drives others take it along from some time on.
struct GuardedPath {
  Course first, last;     ///< Until the last impact, and from then on.
  Quat startOrientation;  ///< At the beginning of `last`.
  Vec3 turn;              ///< In `last`, also where it does not matter to the shape.
  double from = 0.0;      ///< When `last` begins.
  double turns = 1.0;     ///< When it ceases to turn.
  double goes = 1.0;      ///< When it ceases to go.
  Course carry;           ///< From `carried` on.
  Quat carryOrientation;  ///< At the beginning of `carry`.
  double carried = 1.0;   ///< When it is taken along.
  double dropped = 1.0;   ///< When that ends.

  /// The motion between two times without any of addTimes() between them.
  [[nodiscard]] Course between(double begin, double end) const;
  /// When its motion changes.
  void addTimes(std::vector<double>& times) const;
  [[nodiscard]] bool isCarriedAt(double time) const { return carried <= time && time < dropped; }
  [[nodiscard]] bool turnsAfter(double time) const;
  [[nodiscard]] bool goesAfter(double time) const;
  /// Ends its turning, and all its motion.
  void stopTurning(double time);
  void stop(double time);
  /// Has it go along with a rigid motion from a time to the end of the step.
  void goAlong(double time, const Course& with);
  /// Where it is at a time.
  [[nodiscard]] Vec3 positionAt(double time) const;
  [[nodiscard]] Quat orientationAt(double time) const;
};

}  // namespace abut::inline v0_1
