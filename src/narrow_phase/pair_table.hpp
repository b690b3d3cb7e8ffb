// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "narrow_phase/pair_query.hpp"

namespace abut {

struct PairFunctions {
  CollideFunction collide;
  DistanceFunction distance;
};

using PairTable = std::array<std::array<PairFunctions, kNumShapeTypes>, kNumShapeTypes>;
extern const PairTable kPairTable;

/// The functions for two shape types, first <= second. Never null.
inline const PairFunctions& pairFunctions(ShapeType first, ShapeType second) {
  return kPairTable[static_cast<std::size_t>(first)][static_cast<std::size_t>(second)];
}

}  // namespace abut
