// SPDX-License-Identifier: MIT
#pragma once

/// Rules that more than one room of the narrow phase keeps. A rule of one algorithm alone stands
/// beside it. Lengths are in parts of the size of the pair.
namespace abut::inline v0_1 {

/// Features within one degree of the normal are flush with it and take part as a whole. A body that
/// rocks on its face by less than this keeps all corners of the face as candidates; each has its
/// true depth along the normal, so corners that are clear of the other body still drop out.
inline constexpr double kFlushCosine = 0.99984769515639124;
inline constexpr double kFlushSine = 0.01745240643728351;

/// Sine by which a normal may lie outside a cone of normals: rounding of nearly parallel features.
inline constexpr double kConeTolerance = 1e-8;

/// By how much nearer, relatively, another patch must be for an overlap to belong to it, and the
/// slack of that comparison.
inline constexpr double kNearer = 1.0 - 1e-6;
inline constexpr double kNearerSlack = 1e-9;

/// A point this close to an edge is on it.
inline constexpr double kOnEdge = 1e-9;

/// A point this far outside an edge is on it: neighbours then both see it, and the second one is
/// recognised by its features.
inline constexpr double kEdgeTolerance = 1e-11;

/// Depths this close are equal: rounding of the heights.
inline constexpr double kSameDepth = 1e-12;

}  // namespace abut::inline v0_1
