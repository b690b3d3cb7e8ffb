// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "support/specimen.hpp"

namespace abut::test {

/// h(n) = max over x in 1 of (-n . x) + max over y in 2 of (n . y): by how much the bodies overlap
/// along the unit vector n, which points from 2 to 1. Signed distance = -min h.
[[nodiscard]] double overlapAlong(const Body& body1, const Body& body2, const Vector& n);

/// By how much a world point lies outside the body, as the largest violation of one of the body's
/// defining inequalities; negative inside. At most the distance to the body, and zero exactly on
/// the surface.
[[nodiscard]] double outsideBy(const Body& body, const Vector& point);

/// Length that errors of a pair are measured against: the extents of both bodies (of a box the sum
/// of its half lengths) and the distance of their origins.
[[nodiscard]] double pairSize(const Body& body1, const Body& body2);

/// Where body 2, moved along d from body 1's origin, just touches body 1.
struct Touch {
  double travel = 0.0;           ///< Distance of the origins [m].
  Vector normal{0.0, 0.0, 0.0};  ///< From 2 to 1.
};
/// Precondition: the origins are interior points. Portal refinement; exact for polytopes, within
/// 1e-9 of the size for curved bodies.
[[nodiscard]] Touch touchAlong(const Body& body1, const Body& body2, const Vector& d);

/// Moves body 2 along d so that the signed gap to body 1 is `gap` to first order (exactly for small
/// gaps between faces). Returns false if the surfaces meet at too shallow an angle for that.
bool placeAtGap(const Body& body1, Body& body2, const Vector& d, double gap);

/// Result of the search for a direction of less overlap.
struct LowestOverlap {
  double lower = 0.0;  ///< Proven: no unit vector has less overlap than this.
  double upper = 0.0;  ///< Found: the overlap along `normal`.
  Vector normal{0.0, 0.0, 0.0};
  bool complete = false;  ///< False if the limit on cells was reached; `lower` is void then.
  long cells = 0;
};
/// Least overlap over all directions by branch and bound over the sphere; closes the question which
/// local minimum is the lowest. h is convex and homogeneous of degree one, so the support point s
/// at a cell's centre bounds it from below in the whole cell: h(n) >= s . n. Stops once no cell can
/// be below min(known, upper) - tolerance. `known` is an overlap claimed by someone. Gives up, not
/// complete, once less than `enough` is found.
[[nodiscard]] LowestOverlap lowestOverlap(const Body& body1, const Body& body2, double known,
                                          double tolerance, long maxCells = 200000,
                                          double enough = -std::numeric_limits<double>::infinity());

/// What a query claimed about two bodies.
struct Claim {
  double distance = 0.0;
  Vector normal{0.0, 0.0, 0.0};
  Vector point1{0.0, 0.0, 0.0};
  Vector point2{0.0, 0.0, 0.0};
};
/// The largest error of a claim in the pair's size, by the certificate: |n| = 1,
/// h(n) = -distance, p1 - p2 = distance n, p1 in 1, p2 in 2. For a positive distance
/// this proves the claim: p1 and p2 bound the distance from above, n from below. For an overlap it
/// proves that the depth is not too small a value of h; lowestOverlap() proves the rest.
[[nodiscard]] double certificateError(const Body& body1, const Body& body2, const Claim& claim);
/// The same with the name of the part that is worst, for messages.
[[nodiscard]] double certificateError(const Body& body1, const Body& body2, const Claim& claim,
                                      std::string& worst);

[[nodiscard]] Claim claimOf(const DistanceResult& result);

/// True if Qhull is there.
[[nodiscard]] bool haveQhull();
/// Half-spaces whose intersection is the hull of the points; none without Qhull.
[[nodiscard]] std::vector<HalfSpace> hullFacets(const std::vector<Vector>& points);
/// Depth of two overlapping bodies whose cores are polytopes, points or segments, not both flat:
/// the least distance from the origin to a facet of the hull of the Minkowski difference, plus
/// radii. Negative infinity if the cores do not overlap (the answer is not a facet then).
[[nodiscard]] double polytopeDepth(const Body& body1, const Body& body2);

}  // namespace abut::test
