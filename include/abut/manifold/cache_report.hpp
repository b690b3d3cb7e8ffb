// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <abut/core/status.hpp>

namespace abut::inline v0_1 {

/// What one update of a ContactManifoldCache did.
struct CacheReport {
  Status status;                    ///< Not Ok: see update().
  std::size_t pairsAdded = 0;       ///< Manifolds that are new.
  std::size_t pairsMatched = 0;     ///< Manifolds seen before.
  std::size_t pairsRecycled = 0;    ///< Manifolds re-evaluated without detection.
  std::size_t pairsUnseen = 0;      ///< Manifolds remembered though not seen.
  std::size_t pairsDropped = 0;     ///< Manifolds forgotten.
  std::size_t pairsOverLimit = 0;   ///< Manifolds left out because of maxPairs.
  std::size_t pointsAdded = 0;      ///< Points without an earlier one to match.
  std::size_t pointsMatched = 0;    ///< Points that continue an earlier one ...
  std::size_t pointsByFeature = 0;  ///< ... of which matched by their features.
  std::size_t pointsReplaced = 0;   ///< Earlier points that gave way to new ones.
  std::size_t pointsRejected = 0;   ///< Raw points with a zero normal, NaN or forbidden depth.
  std::size_t impulsesDropped = 0;  ///< Points whose normal turned too far to keep impulses.
  std::size_t contactsEmitted = 0;
};

}  // namespace abut::inline v0_1
