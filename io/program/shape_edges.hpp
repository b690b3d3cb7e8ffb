// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "io/recording/frame.hpp"

namespace abut::inline v0_1::io {

/// A stroke from one point to another, in the shape's frame [m].
struct Stroke {
  Vec3 from, to;
};

/// Strokes by which a shape is known: edges where faces meet at more than 10 degrees, circles of
/// round ones in so many segments, a half-space as a square of this side with its normal. Appended.
void addStrokes(const ShapeRecord& shape, int segments, double planeSize,
                std::vector<Stroke>& strokes);

}  // namespace abut::inline v0_1::io
