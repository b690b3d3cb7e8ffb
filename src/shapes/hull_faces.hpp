// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "math/vec3.hpp"
#include "shapes/quickhull.hpp"

namespace abut::inline v0_1 {

/// Groups of triangles that lie in one plane within the tolerance [m], numbered from 0; the largest
/// triangle of each sets the plane. Returns the group of each triangle.
std::vector<std::uint32_t> groupCoplanar(std::span<const Vec3> points,
                                         std::span<const HullTriangle> triangles, double tolerance);

/// Each triangle on its own.
std::vector<std::uint32_t> ungrouped(std::size_t count);

/// Vertices at which at least three groups meet, ascending.
std::vector<std::uint32_t> cornersOf(std::size_t numPoints, std::span<const HullTriangle> triangles,
                                     std::span<const std::uint32_t> group);

using Polygons = std::vector<std::vector<std::uint32_t>>;

/// The groups as vertex loops, counter-clockwise, each with its smallest vertex first, sorted.
/// Empty if a group's boundary is not a single loop.
Polygons facesOf(std::span<const HullTriangle> triangles, std::span<const std::uint32_t> group);

}  // namespace abut::inline v0_1
