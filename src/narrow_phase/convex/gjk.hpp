// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/convex/polytope.hpp"

namespace abut::inline v0_1 {

/// Up to four points of a Minkowski difference.
struct Simplex {
  int count = 0;
  union {  // Left uninitialised.
    MinkowskiPoint points[4];
  };

  Simplex() {}  // NOLINT
};

/// How two cores lie to each other.
struct GjkResult {
  enum class End {
    Beyond,    ///< Proven farther apart than the cutoff; the lower bound is all there is.
    Apart,     ///< `nearest` is the point of 2 - 1 nearest to the origin.
    NearZero,  ///< The origin is within rounding of the simplex, or inside the tetrahedron.
  };
  End end = End::Apart;
  Vec3 nearest;             ///< [m]
  double upperBound = 0.0;  ///< |nearest|: the gap is at most this [m].
  double lowerBound = 0.0;  ///< Proven: the gap is at least this; <= 0 if not proven apart [m].
  Vec3 normal;              ///< Unit vector (from 2 to 1) that proves it: against `nearest`.
  Simplex simplex;          ///< Smallest part that holds the nearest point.
  int iterations = 0;
};

/// Distance of two cores by the algorithm of Gilbert, Johnson and Keerthi, run until it ends
/// exactly: at a gap between the bounds of 1e-14 of the size, at a support point that the simplex
/// already has, or when rounding stops the descent. Ends early once the gap is proven larger than
/// the cutoff. Begins along `start`, a unit vector from 2 to 1, if not null.
void gjk(const PolytopePair& pair, double cutoff, GjkResult& result, const Vec3* start = nullptr);

/// Weights of the points of a simplex of at most three for its point nearest to the origin.
void weightsOf(const Simplex& simplex, double (&weights)[4]);

}  // namespace abut::inline v0_1
