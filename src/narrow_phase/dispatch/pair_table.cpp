// SPDX-License-Identifier: MIT
#include "narrow_phase/dispatch/pair_table.hpp"

#include "narrow_phase/convex/convex_gap.hpp"
#include "narrow_phase/dispatch/apart.hpp"
#include "narrow_phase/pairs/pairs.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr PairFunctions genericFunctions(ShapeType first, ShapeType second) {
  if (second > ShapeType::Plane) return {collideComposite, distanceComposite};
  if (first == ShapeType::Plane) return {collidePlanePlane, distancePlanePlane};
  if (second == ShapeType::Plane) return {collideConvexPlane, distanceConvexPlane};
  return {collideConvexConvex, distanceConvexConvex};
}

constexpr PairTable makeTable() {
  PairTable table{};
  for (int i = 0; i < kNumShapeTypes; ++i) {
    for (int j = i; j < kNumShapeTypes; ++j) {
      table[i][j] = genericFunctions(static_cast<ShapeType>(i), static_cast<ShapeType>(j));
    }
  }
#define ABUT_ENTER_PAIR(First, Second)                                               \
  table[static_cast<int>(ShapeType::First)][static_cast<int>(ShapeType::Second)] = { \
      collide##First##Second, distance##First##Second};
  ABUT_SPECIAL_PAIRS(ABUT_ENTER_PAIR)
#undef ABUT_ENTER_PAIR
  return table;
}

/// Pairs that may yield several manifolds, or fail.
bool enterNone(const PlacedShape& /*object1*/, const PlacedShape& /*object2*/,
               const CollisionOption& /*option*/, CollisionResult& /*result*/) {
  return false;
}

/// Pairs of convex shapes and planes without entries of their own.
bool enterConvex(const PlacedShape& object1, const PlacedShape& object2,
                 const CollisionOption& option, CollisionResult& result) {
  if (!isPlain(option, result)) return false;
  const bool swap = mustSwap(object1, object2);
  const PlacedShape& first = swap ? object2 : object1;
  const PlacedShape& second = swap ? object1 : object2;
  const PairQuery query = makeQuery(first, second, option.margin, true);
  ManifoldSink sink(result, first, second, swap, option.margin);
  pairFunctions(first.shape->getType(), second.shape->getType()).collide(query, sink);
  return true;
}

constexpr EntryTable makeEntries() {
  EntryTable table{};
  for (EntryFunction& entry : table) entry = enterNone;
  constexpr auto kPlane = static_cast<std::size_t>(ShapeType::Plane);
  for (std::size_t i = 0; i <= kPlane; ++i) {
    for (std::size_t j = 0; j <= kPlane; ++j) {
      if (i != kPlane || j != kPlane) table[i * kEntryStride + j] = enterConvex;
    }
  }
#define ABUT_ENTER_PAIR(First, Second)                                    \
  {                                                                       \
    constexpr auto kFirst = static_cast<std::size_t>(ShapeType::First);   \
    constexpr auto kSecond = static_cast<std::size_t>(ShapeType::Second); \
    table[kSecond * kEntryStride + kFirst] = enterSwapped##First##Second; \
    table[kFirst * kEntryStride + kSecond] = enter##First##Second;        \
  }
  ABUT_SPECIAL_PAIRS(ABUT_ENTER_PAIR)
#undef ABUT_ENTER_PAIR
  return table;
}

constexpr SearchedTable makeSearched() {
  constexpr EntryTable kEntries = makeEntries();
  constexpr auto kPlane = static_cast<std::size_t>(ShapeType::Plane);
  SearchedTable table{};
  for (std::size_t i = 0; i < kPlane; ++i) {
    for (std::size_t j = 0; j < kPlane; ++j) {
      const std::size_t at = i * kEntryStride + j;
      table[at] = kEntries[at] == enterConvex;
    }
  }
  return table;
}

}  // namespace

constinit const PairTable kPairTable = makeTable();
constinit const EntryTable kEntryTable = makeEntries();
constinit const SearchedTable kSearchedTable = makeSearched();

}  // namespace abut::inline v0_1
