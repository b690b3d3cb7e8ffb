// SPDX-License-Identifier: MIT
#pragma once

#include "math/pack_wide.hpp"
#include "solver/manifold_batch.hpp"
#include "solver/small_symmetric.hpp"

namespace abut::inline v0_1 {

/// Normal impulses of manifolds in which it is not known which points push: x
/// >= 0, B x + q >= 0, x (B x + q) = 0 with q = u - B p, lane by lane, in the
/// lanes of `wanted`; the other lanes keep their x. Sets of pushing points are
/// tried by turning over all that contradict at once, then one at a time, which
/// ends for every such B. Leaves the inverse of the sets found in those lanes
/// of the batch, and says there in which not all points push.
template <int K>
void solveNormalBlock(ManifoldBatch<K>& batch, const Pack4d (&u)[K], const Pack4d (&p)[K],
                      const Mask4& wanted, Pack4d (&x)[K]);
#if ABUT_HAS_WIDE
template <int K>
ABUT_WIDE void solveNormalBlock(ManifoldBatch<K>& batch, const Wide4d (&u)[K], const Wide4d (&p)[K],
                                const WideMask& wanted, Wide4d (&x)[K]);
#endif

}  // namespace abut::inline v0_1
