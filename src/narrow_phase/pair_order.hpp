// SPDX-License-Identifier: MIT
#pragma once

#include <abut/narrow_phase/queries.hpp>

#include "narrow_phase/pair_query.hpp"

namespace abut {

/// True if the pair has to be exchanged to stand in the order in which it is computed: by type,
/// then id, then pose. A total order but for two shapes without ids at the very same place.
[[nodiscard]] bool mustSwap(const PlacedShape& a, const PlacedShape& b);

/// The pair in the frame of the pair functions.
[[nodiscard]] PairQuery makeQuery(const PlacedShape& first, const PlacedShape& second,
                                  double margin, bool enableContact);

/// Fails for a missing shape, and for two planes that cross.
Status checkPair(const PlacedShape& object1, const PlacedShape& object2);

}  // namespace abut
