// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/convex/polytope.hpp"

namespace abut::inline v0_1 {

/// The least overlap found so far, and its direction (from 2 to 1, frame of core 1).
struct BestAxis {
  double overlap = 0.0;  ///< h(normal) [m].
  Vec3 normal;
  bool isSet = false;

  void offer(double h, const Vec3& n) {
    if (isSet && !(h < overlap)) return;
    overlap = h;
    normal = n;
    isSet = true;
  }
};

/// Tries every direction in which two overlapping polyhedra can be nearest to parting: the normals
/// of the faces of both, and the directions across an edge of each. Every one is judged by its true
/// overlap, so the result is exact. Cost: (faces + edges^2) times vertices; returns false, having
/// done nothing, if that is out of all proportion (millions of directions).
bool satAll(const PolytopePair& pair, BestAxis& best);

}  // namespace abut::inline v0_1
