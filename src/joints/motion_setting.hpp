// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace abut::inline v0_1 {

/// What is looked for.
enum class MotionKind : std::uint8_t {
  Mean,    ///< The mean velocities of a step.
  Impact,  ///< Velocities that joints and limits allow, at once.
  Gaps,    ///< The displacements that close the joints.
};

struct MotionSetting {
  MotionKind kind = MotionKind::Mean;
  double dt = 0.0;  ///< [s]
  /// Mean velocities are v0 + share (v1 - v0). Half keeps the energy, one loses some: for bodies in
  /// contact in real time.
  double share = 0.5;
  double slowestImpact = 0.0;  ///< Limits that are met more slowly than this do not throw back.
  /// Limits are no part of the axes' laws: they push as contacts do, by setLimit().
  bool hasLimitsApart = false;
  /// The first guess are the velocities at the beginning, not those of a free fall: for bodies that
  /// something holds up.
  bool isHeldUp = false;
  /// In an impact: rates of rows do not come to what joints allow, but change by what bodies that
  /// move as prescribed differ from what the last step took them for (see areDriversOff()).
  bool followsDrivers = false;
  /// Axes with dry friction slide on all the while: friction is the same force, even backwards in
  /// time.
  bool slidesOn = false;
  /// In heaps, what only steers Newton's method is found more simply: the stiffness of joint forces
  /// is taken as it is where the inertia outweighs it, not what is positive of it alone, and the
  /// response of a row to itself is that of the first guess.
  bool isOfHeap = false;
  /// In an impact: motors that nothing limits have their speed, not the mean rate of a step that
  /// turns by it.
  bool hasEndSpeeds = false;
};

}  // namespace abut::inline v0_1
