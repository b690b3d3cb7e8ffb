// SPDX-License-Identifier: MIT
#pragma once

#include <abut/shapes/feature.hpp>

#include "narrow_phase/box/box_sat.hpp"

namespace abut::inline v0_1 {

/// Nearest points of two boxes that are apart, in the frame of box 1.
struct BoxNearest {
  double distance;
  Vec3 p1, p2;
  Feature feature1, feature2;
};

/// The nearest points, given the normal (from box 2 to box 1, in the frame of box 1) to 1e-7 or so
/// and the distance along it: all vertices and edges that may hold them are tried against each
/// other.
///
/// Distances alone do not tell them apart: moving a point sideways by the root of the rounding
/// error changes none. What counts is the gap that the direction between two points proves, as no
/// direction proves more than the distance. Below a distance of kShortBoxDistance of the size that
/// direction is too coarse; the points closest to lying along the given normal count then. Ties go
/// to vertices of box 2, then of box 1, then edges, each in the order of their numbers.
BoxNearest findBoxNearest(const BoxPair& pair, const Vec3& normal, double gap);

inline constexpr double kShortBoxDistance = 1e-4;

/// Gap of two boxes along a unit vector from box 2 to box 1, in the frame of box 1 [m].
double boxGapAlong(const BoxPair& pair, const Vec3& n);

}  // namespace abut::inline v0_1
