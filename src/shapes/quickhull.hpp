// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/vec3.hpp"
#include "shapes/hull_data.hpp"

namespace abut::inline v0_1 {

/// Corners of a triangle on a hull, counter-clockwise seen from outside, and its neighbours across
/// the edges from corner i to i + 1.
struct HullTriangle {
  std::array<std::uint32_t, 3> corners;
  std::array<std::uint32_t, 3> neighbors;
};

/// The exact convex hull of points as triangles: every test of side is exact, so the surface is
/// closed and convex whatever the input. Points on the hull without being needed for it (inside a
/// face, inside an edge) may or may not be corners. `first` are four points that span a volume.
/// Deterministic in the order of the points.
std::vector<HullTriangle> triangulateHull(std::span<const Vec3> points,
                                          const std::array<std::uint32_t, 4>& first);

/// The convex hull of points with polygonal faces; see ConvexShape for what is merged and dropped
/// and which errors are thrown. Independent of the order of the points.
HullData buildHull(std::span<const Vec3> points);

}  // namespace abut::inline v0_1
