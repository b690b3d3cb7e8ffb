// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "io/recording/frame.hpp"

namespace abut::inline v0_1::io {

/// Triangles to look at, in the shape's frame, single precision.
struct DrawMesh {
  std::vector<std::array<float, 3>> positions;
  std::vector<std::array<float, 3>> normals;  ///< Unit, outward; one a position.
  std::vector<std::uint32_t> indices;         ///< Three a triangle, counter-clockwise from outside.
};

/// A shape as triangles: round ones in 32 segments, a plane as a square of 20 m, a cloud as coarse
/// balls. Flat faces have their own corners, so that edges stay sharp.
[[nodiscard]] DrawMesh tessellate(const ShapeRecord& shape);

}  // namespace abut::inline v0_1::io
