// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/dispatch/pair_query.hpp"
#include "shapes/convex_core.hpp"

namespace abut::inline v0_1 {

/// A convex part of a moving object, or a half-space. Plain data.
struct MovingPart {
  ConvexCore core;
  Pose local;                    ///< The core's frame in the object's frame.
  const Shape* shape = nullptr;  ///< Where the part is a whole shape: its own pair functions serve.
  bool isPlane = false;          ///< Then { x : planeNormal . x <= planeOffset }, object's frame.
  Vec3 planeNormal;
  double planeOffset = 0.0;
  std::uint64_t subShape = 0;
};

/// Two objects in relative motion over the unit interval. The frame has the world's orientation and
/// moves with object 1's origin, so it does not depend on where the scene is.
struct MovingPair {
  Mat3 rotation1;  ///< At the start.
  Mat3 rotation2;
  Vec3 angular1;  ///< Rotation vectors over the unit interval [rad].
  Vec3 angular2;
  Vec3 offset;    ///< Origin of 2 minus origin of 1, at the start [m].
  Vec3 approach;  ///< Displacement of 1 minus that of 2 [m].
};

/// Rotation after the fraction t of a rotation vector; exactly `start` if nothing turned.
Mat3 rotationAt(const Mat3& start, const Vec3& angular, double t);

/// The gap of the exchanged pair, in a frame whose origin is at `shift` in the new one.
PairGap exchanged(const PairGap& gap, const Vec3& shift);

/// Outcome of casting one part at another.
struct Impact {
  bool hit = false;
  bool undecided = false;  ///< The iteration limit was reached.
  double fraction = 1.0;   ///< Of the hit; else up to here the parts stay apart.
  PairGap gap;             ///< At the hit, in the frame of MovingPair.
  std::uint32_t iterations = 0;
};

/// First contact of two parts in [begin, end]. Part 1 is no half-space unless both are.
/// Conservative advancement by safeStep(), then Newton's step to the exact zero.
void castParts(const MovingPair& pair, const MovingPart& part1, const MovingPart& part2,
               double begin, double end, Impact& impact);

}  // namespace abut::inline v0_1
