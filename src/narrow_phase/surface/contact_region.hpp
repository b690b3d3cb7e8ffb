// SPDX-License-Identifier: MIT
#pragma once

#include <abut/narrow_phase/queries.hpp>

#include "narrow_phase/dispatch/pair_query.hpp"

namespace abut::inline v0_1 {

/// The raw manifold of a pair in canonical order, before reduction; no points if the shapes are
/// farther apart than the margin. Precondition: the first shape is convex, the second convex or a
/// plane.
void contactRegion(const PairQuery& query, PairGap& gap, PairManifold& manifold);

/// Fails unless margin is finite and >= 0.
Status checkMargin(double margin);

}  // namespace abut::inline v0_1
