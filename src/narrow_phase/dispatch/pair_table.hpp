// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "narrow_phase/dispatch/pair_entry.hpp"

namespace abut::inline v0_1 {

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

/// Entries by the types in the caller's order: of object 1 in steps of kEntryStride, of object 2
/// in ones.
inline constexpr std::size_t kEntryStride = 16;
using EntryTable = std::array<EntryFunction, kEntryStride * kNumShapeTypes>;
extern const EntryTable kEntryTable;

/// For each of them: whether it is the general method for convex shapes.
using SearchedTable = std::array<bool, kEntryStride * kNumShapeTypes>;
extern const SearchedTable kSearchedTable;

inline std::size_t entryIndex(ShapeType type1, ShapeType type2) {
  return static_cast<std::size_t>(type1) * kEntryStride + static_cast<std::size_t>(type2);
}
inline EntryFunction entryOf(ShapeType type1, ShapeType type2) {
  return kEntryTable[entryIndex(type1, type2)];
}

}  // namespace abut::inline v0_1
