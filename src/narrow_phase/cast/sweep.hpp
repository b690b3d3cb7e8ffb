// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/cast/moving_pair.hpp"
#include "shapes/bvh.hpp"

namespace abut::inline v0_1 {

struct MeshData;
struct MeshHull;
struct PointCloudData;

/// A child of a compound, or a whole shape that is no compound: convex, a plane, triangles or
/// balls.
struct Leaf {
  const Shape* shape = nullptr;
  Pose local;                      ///< Its frame in the object's frame.
  std::uint64_t subShape = 0;      ///< Child of the compound in the high 32 bits.
  Bounds bounds;                   ///< In its own frame; unused for a plane.
  const Bvh* bvh = nullptr;        ///< Over triangles or balls; null for a single part.
  const MeshData* mesh = nullptr;  ///< One of these two goes with a tree.
  const PointCloudData* cloud = nullptr;
  const MeshHull* hull = nullptr;  ///< A convex mesh is a single part.
};

/// A shape that is no compound, at a place in its object.
Leaf leafOf(const Shape& shape, const Pose& local, std::uint64_t subShape);

/// A convex shape or a plane as a part, in the frame of its object.
MovingPart wholePart(const Shape& shape);

/// The leaf itself, or its triangle or ball number `item`.
MovingPart partOf(const Leaf& leaf, std::uint32_t item);

/// Box of that part, in the leaf's frame.
Bounds boundsOf(const Leaf& leaf, std::uint32_t item);

/// The motion of a frame of object 1 relative to a frame of object 2 in [begin, end]: every point
/// of object 1 moves along a straight line at constant speed, but for `deviation` [m].
struct FrameSweep {
  double begin = 0.0, end = 1.0;
  Pose start, finish;  ///< Frame 1 in frame 2 at the two ends.
  double deviation = 0.0;
};

/// `radius1` is the largest distance of a point of object 1 from its origin [m].
FrameSweep sweepOf(const MovingPair& pair, const Pose& local1, const Pose& local2, double radius1,
                   double begin, double end);

/// A box of frame 1 that moves through frame 2.
class BoxSweep {
public:
  BoxSweep(const FrameSweep& sweep, const Bounds& box);

  /// No part of the moving box touches the resting box before this fraction; infinite if it does
  /// not up to `limit`.
  [[nodiscard]] double earliest(const Bounds& box, double limit) const;
  /// The same for the half-space normal . x <= offset of frame 2.
  [[nodiscard]] double earliest(const Vec3& normal, double offset, double limit) const;

private:
  const FrameSweep& sweep_;
  Vec3 center_, path_, half_;
};

/// The same for a core of frame 1 and a plane without thickness, from whichever side it comes; the
/// begin if it is across the plane there.
double earliestAtSheet(const FrameSweep& sweep, const ConvexCore& core, const Vec3& normal,
                       double offset, double limit);

}  // namespace abut::inline v0_1
