// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <abut/shapes/compound_shape.hpp>

#include "shapes/bvh.hpp"

namespace abut::inline v0_1 {

/// Children of a compound, none of them a compound, and a tree over their boxes. Immutable.
struct CompoundData {
  explicit CompoundData(std::vector<CompoundShape::Child> flattened);

  std::vector<CompoundShape::Child> children;
  std::vector<Bounds> boxes;  ///< Of the children, compound's frame; of fields, their surfaces'.
  /// Children that are height fields: solid without end below those boxes.
  std::vector<std::uint32_t> fields;
  std::vector<Bounds> fieldBoxes;  ///< Of each, with what is below.
  double boundingRadius = 0.0;     ///< [m]
  /// Least half widths of the children's own boxes [m]; of a surface, which has no thickness, that
  /// of the compound's box.
  std::vector<double> halfWidths;
  double halfWidth = 0.0;  ///< The least of them [m].
  Bvh bvh;
};

}  // namespace abut::inline v0_1
