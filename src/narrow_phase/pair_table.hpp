// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/pair_query.hpp"

namespace abut {

struct PairFunctions {
  CollideFunction collide;
  DistanceFunction distance;
};

/// The functions for two shape types, first <= second. Never null.
const PairFunctions& pairFunctions(ShapeType first, ShapeType second);

}  // namespace abut
