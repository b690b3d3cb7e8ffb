// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include <abut/narrow_phase/queries.hpp>

#include "core/inline.hpp"
#include "narrow_phase/dispatch/manifold_sink.hpp"
#include "narrow_phase/dispatch/pair_order.hpp"
#include "narrow_phase/dispatch/pair_query.hpp"

namespace abut::inline v0_1 {

// What a query costs beyond the pair itself counts for the simplest pairs. Those have entries of
// their own: collide() finds them by the types in the caller's order, and the query and the sink
// never leave the registers.

/// detail::collideShort() for two objects with shapes of certain types.
using EntryFunction = bool (*)(const PlacedShape& object1, const PlacedShape& object2,
                               const CollisionOption& option, CollisionResult& result);

[[nodiscard]] inline bool isMargin(double margin) {
  return margin >= 0.0 && margin <= std::numeric_limits<double>::max();
}

/// True if there is nothing to refuse, and nothing to do before or after a pair function that
/// yields one manifold at most.
[[nodiscard]] ABUT_ALWAYS_INLINE bool isPlain(const CollisionOption& option,
                                              const CollisionResult& result) {
  return isMargin(option.margin) && option.enableContact &&
         option.maxNumContacts >= ContactManifold::kMaxContacts && result.hasRoom();
}

/// How the objects come: in the order of the pair functions, the other way round, or as ids say.
enum class PairOrder { Given, Swapped, ById };

/// A pair's collide() as a kernel that is always inlined. The short one, for entries, may return
/// false instead of calling a function for what is rare, if it has done nothing yet: what is passed
/// on has an address, and lives in memory from the start. The long one returns true.
using Kernel = bool (*)(const PairQuery& query, ManifoldSink& sink);

template <PairOrder kOrder, Kernel kKernel>
ABUT_ALWAYS_INLINE bool enterPair(const PlacedShape& object1, const PlacedShape& object2,
                                  const CollisionOption& option, CollisionResult& result) {
  if (!isPlain(option, result)) [[unlikely]]
    return false;
  if (kOrder == PairOrder::ById && object1.id == object2.id) [[unlikely]]
    return false;
  const bool swapped = kOrder == PairOrder::ById ? object2.id < object1.id  // mustSwap()
                                                 : kOrder == PairOrder::Swapped;
  const PlacedShape& first = swapped ? object2 : object1;
  const PlacedShape& second = swapped ? object1 : object2;
  const PairQuery query = makeQuery(first, second, option.margin, true);
  ManifoldSink sink(result, first, second, swapped, option.margin);
  return kKernel(query, sink);
}

}  // namespace abut::inline v0_1

// The name of a template cannot be put in parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
/// Defines collide<First><Second>() and the two entries of a pair by kernel<short>().
#define ABUT_DEFINE_COLLIDE(First, Second, kernel)                                           \
  void collide##First##Second(const PairQuery& query, ManifoldSink& sink) {                  \
    kernel<false>(query, sink);                                                              \
  }                                                                                          \
  bool enter##First##Second(const PlacedShape& object1, const PlacedShape& object2,          \
                            const CollisionOption& option, CollisionResult& result) {        \
    constexpr bool kSame = ShapeType::First == ShapeType::Second;                            \
    constexpr PairOrder kOrder = kSame ? PairOrder::ById : PairOrder::Given;                 \
    return enterPair<kOrder, kernel<true>>(object1, object2, option, result);                \
  }                                                                                          \
  bool enterSwapped##First##Second(const PlacedShape& object1, const PlacedShape& object2,   \
                                   const CollisionOption& option, CollisionResult& result) { \
    if constexpr (ShapeType::First == ShapeType::Second) {                                   \
      return enter##First##Second(object1, object2, option, result);                         \
    } else {                                                                                 \
      return enterPair<PairOrder::Swapped, kernel<true>>(object1, object2, option, result);  \
    }                                                                                        \
  }
// NOLINTEND(bugprone-macro-parentheses)
