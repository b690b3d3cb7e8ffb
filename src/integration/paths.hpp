// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "dynamics/body_table.hpp"

namespace abut::inline v0_1 {

/// Where a path is at a time: before its first point and after its last one it stands still.
struct PlaceOnPath {
  Vec3 position;  ///< [m]
  Quat orientation;
};
/// Fails for points that are not finite, no poses, out of bounds or not in order of time; the
/// message begins with the point.
Status checkPath(std::span<const PathPoint> path);
PlaceOnPath placeAt(const std::vector<PathPoint>& path, double time);

/// The velocity that leads a body on a path to where it is to be after dt.
[[nodiscard]] BodyVelocity velocityOnPath(const BodyTable& bodies, std::size_t body, double time,
                                          double dt);
/// Velocities that lead bodies on paths to where they are to be after dt; others stay as they are.
void aimAlongPaths(const BodyTable& bodies, double time, double dt,
                   std::span<BodyVelocity> velocities);

/// Bodies on paths are at their points exactly, not up to the rounding of a velocity.
void arriveOnPaths(const BodyTable& bodies, double time, std::span<Vec3> positions,
                   std::span<Quat> orientations);

}  // namespace abut::inline v0_1
