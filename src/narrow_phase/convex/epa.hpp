// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/convex/gjk.hpp"

namespace abut::inline v0_1 {

/// Depth of two overlapping cores.
struct EpaResult {
  double overlap = 0.0;  ///< h(normal), the least over all directions [m].
  Vec3 normal;           ///< Unit, from 2 to 1, frame of core 1.
  Simplex face;          ///< Triangle of the difference that the normal belongs to.
  bool hasFace = false;  ///< False: only overlap and normal are known.
  int expansions = 0;
};

/// Grows the simplex that GJK ended with (it holds the origin) into a polytope inside the Minkowski
/// difference until the face nearest to the origin lies on the difference's surface.
///
/// Two bounds close the question. The overlap along any n is h(n) >= depth. And the surface, a
/// closed one around the origin, keeps clear of it by the least distance of its triangles; that of
/// a triangle with corners v_i is at least min n . v_i for any unit n, so the depth is at least the
/// least of these. Removing a triangle that has a new point w beyond it (n . w >= n . v_i >= 0)
/// cannot let the origin out, so the bound holds even where rounding makes the surface dented.
/// Ends when the bounds agree within 1e-14 of the size. Returns false if they do not before the
/// storage is full (8192 points) or the surface tears; normal and overlap are then the best found,
/// an upper bound on the depth.
bool epa(const PolytopePair& pair, const Simplex& start, EpaResult& result);

}  // namespace abut::inline v0_1
