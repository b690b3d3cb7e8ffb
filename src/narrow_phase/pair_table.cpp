// SPDX-License-Identifier: MIT
#include "narrow_phase/pair_table.hpp"

#include "narrow_phase/convex_gap.hpp"
#include "narrow_phase/pairs/pairs.hpp"

namespace abut {
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

}  // namespace

constinit const PairTable kPairTable = makeTable();

}  // namespace abut
