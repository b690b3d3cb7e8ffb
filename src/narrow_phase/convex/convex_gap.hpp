// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "narrow_phase/dispatch/pair_query.hpp"
#include "shapes/convex_core.hpp"

namespace abut::inline v0_1 {

/// Signed distance of two rounded convex cores. With the overlap along a unit vector n,
///   h(n) = max over x in 1 of (-n . x) + max over y in 2 of (n . y),
/// the signed distance is -min h over all n, apart or overlapping, and the normal (from 2 to 1) is
/// a minimiser. Any n gives an upper bound on the depth. Poses are those of a PairQuery. Chooses
/// polytopeGap() or curvedGap() by the kinds. A gap beyond the cutoff [m] need not be found: see
/// polytopeGap(). `start`, if not null, is the normal of the same cores placed a little otherwise.
void convexGap(const ConvexCore& core1, const Pose& pose1, const ConvexCore& core2,
               const Pose& pose2, PairGap& result,
               double cutoff = std::numeric_limits<double>::infinity(),
               const Vec3* start = nullptr);

/// Both cores among Point, Segment, Triangle, Box, Hull: GJK apart, SAT or verified EPA inside.
/// Once the gap is proven larger than the cutoff [m], only gap (a lower bound then, above the
/// cutoff), normal and status are set. GJK begins at the `start`, if there is one.
void polytopeGap(const ConvexCore& core1, const Pose& pose1, const ConvexCore& core2,
                 const Pose& pose2, PairGap& result,
                 double cutoff = std::numeric_limits<double>::infinity(),
                 const Vec3* start = nullptr);

/// At least one core is a Cylinder or Cone: walk over feature hypotheses, branch and bound inside.
/// The cutoff is that of polytopeGap(). From a `start` near the answer it takes a part of the time;
/// what is found is proved as from none, and is the same but for rounding.
void curvedGap(const ConvexCore& core1, const Pose& pose1, const ConvexCore& core2,
               const Pose& pose2, PairGap& result,
               double cutoff = std::numeric_limits<double>::infinity(),
               const Vec3* start = nullptr);

/// Contact manifold along the normal of a signed distance: the facing features of both cores are
/// clipped against each other; every point has its own depth along the normal, and the witness of
/// the gap is kept, so that the greatest depth equals -gap. Points with a gap above margin are left
/// out. Sets type, status, normal and points; not the sub-shapes.
void convexManifold(const ConvexCore& core1, const Pose& pose1, const ConvexCore& core2,
                    const Pose& pose2, const PairGap& gap, double margin, PairManifold& result);

/// The pair functions of any two convex shapes.
void collideConvexConvex(const PairQuery& query, ManifoldSink& sink);
void distanceConvexConvex(const PairQuery& query, PairGap& result);

}  // namespace abut::inline v0_1
