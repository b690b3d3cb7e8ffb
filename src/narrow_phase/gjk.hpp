// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/polytope.hpp"

namespace abut {

/// Up to four points of a Minkowski difference, and the weights of the point of their hull that is
/// nearest to the origin.
struct Simplex {
  int count = 0;
  MinkowskiPoint points[4];
  double weights[4];
};

/// Reduces the simplex to the smallest part whose hull holds the point nearest to the origin, sets
/// the weights, and returns that point. A tetrahedron that holds the origin stays whole and gives
/// exactly zero.
Vec3 closestOfSimplex(Simplex& simplex);

/// How two cores lie to each other.
struct GjkResult {
  enum class End {
    Separated,    ///< nearest is the point of 2 - 1 nearest to the origin.
    NearContact,  ///< The origin is within rounding of the simplex, or inside the tetrahedron.
  };
  End end = End::Separated;
  Vec3 nearest;             ///< [m]
  double upperBound = 0.0;  ///< |nearest|: the gap is at most this [m].
  double lowerBound = 0.0;  ///< Proven: the gap is at least this; <= 0 if not proven apart [m].
  Vec3 normal;              ///< Unit vector (from 2 to 1) that proves the lower bound.
  Simplex simplex;
  int iterations = 0;
};

/// Distance of two cores by the algorithm of Gilbert, Johnson and Keerthi, run until it ends
/// exactly: at a gap between the bounds of 1e-14 of the size, at a support point that the simplex
/// already has, or when rounding stops the descent.
void gjk(const PolytopePair& pair, GjkResult& result);

}  // namespace abut
