// SPDX-License-Identifier: MIT
#include "narrow_phase/convex/sat.hpp"

namespace abut::inline v0_1 {
namespace {

using Kind = ConvexCore::Kind;

/// Edges closer to parallel than this angle span no direction. Leaving them out costs at most the
/// edge's length times this, because the faces beside the edges are tried as well.
constexpr double kParallel = 1e-13;
/// Beyond this a query would take seconds.
constexpr std::uint64_t kMaxEdgePairs = 2'000'000;

std::uint32_t numNormals(const ConvexCore& core) {
  switch (core.kind) {
    case Kind::Hull:
      return static_cast<std::uint32_t>(core.hull->faces.size());
    case Kind::Box:
      return 3;
    case Kind::Triangle:
      return 1;
    case Kind::Segment:
    case Kind::Point:
    case Kind::Cylinder:
    case Kind::Cone:
      break;
  }
  return 0;
}

Vec3 axisOf(std::uint32_t i) {
  return {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
}

/// Of any length; zero for a degenerate triangle.
Vec3 normalOf(const ConvexCore& core, std::uint32_t i) {
  if (core.kind == Kind::Hull) return core.hull->faces[i].normal;
  if (core.kind == Kind::Box) return axisOf(i);
  return cross(core.corners[1] - core.corners[0], core.corners[2] - core.corners[0]);
}

std::uint32_t numEdges(const ConvexCore& core) {
  switch (core.kind) {
    case Kind::Hull:
      return static_cast<std::uint32_t>(core.hull->edges.size());
    case Kind::Box:
    case Kind::Triangle:
      return 3;
    case Kind::Segment:
      return 1;
    case Kind::Point:
    case Kind::Cylinder:
    case Kind::Cone:
      break;
  }
  return 0;
}

/// Of any length; zero for a degenerate triangle.
Vec3 edgeOf(const ConvexCore& core, std::uint32_t i) {
  switch (core.kind) {
    case Kind::Hull:
      return core.hull->vertex(core.hull->edges[i].vertex2) -
             core.hull->vertex(core.hull->edges[i].vertex1);
    case Kind::Box:
      return axisOf(i);
    case Kind::Triangle:
      return core.corners[i == 2 ? 0 : i + 1] - core.corners[i];
    case Kind::Segment:
    case Kind::Point:
    case Kind::Cylinder:
    case Kind::Cone:
      break;
  }
  return axisOf(2);
}

void offerBothSides(const PolytopePair& pair, const Vec3& n, BestAxis& best) {
  best.offer(dot(n, pair.support(n).u), n);
  best.offer(-dot(n, pair.support(-n).u), -n);
}

/// A direction of any length, unless it is zero.
void offerDirection(const PolytopePair& pair, const Vec3& d, BestAxis& best) {
  const double length = norm(d);
  if (!(length > 0.0)) return;
  offerBothSides(pair, d * (1.0 / length), best);
}

void offerEdges(const PolytopePair& pair, const Vec3& e1, const Vec3& e2, BestAxis& best) {
  const double length1 = norm(e1), length2 = norm(e2);
  if (!(length1 > 0.0) || !(length2 > 0.0)) return;
  const Vec3 d1 = e1 * (1.0 / length1), d2 = e2 * (1.0 / length2);
  const Vec3 across = cross(d1, d2);
  const double sine = norm(across);
  if (!(sine > kParallel)) return;
  // For nearly parallel edges rounding tilts the product along the edges, where the overlap is most
  // sensitive; taking out the part along one of them takes it out along both.
  Vec3 n = across * (1.0 / sine);
  n = normalized(n - d1 * dot(n, d1));
  offerBothSides(pair, n, best);
}

/// Directions for sets without volume: at right angles to an edge, or any at all.
void offerFlat(const PolytopePair& pair, BestAxis& best) {
  if (numEdges(pair.core1) > 0) {
    offerBothSides(pair, anyPerpendicular(normalized(edgeOf(pair.core1, 0))), best);
  } else if (numEdges(pair.core2) > 0) {
    offerBothSides(pair, anyPerpendicular(normalized(pair.rotation * edgeOf(pair.core2, 0))), best);
  } else {
    offerBothSides(pair, {0.0, 0.0, 1.0}, best);
  }
}

}  // namespace

bool satAll(const PolytopePair& pair, BestAxis& best) {
  const std::uint32_t normals1 = numNormals(pair.core1), normals2 = numNormals(pair.core2);
  const std::uint32_t edges1 = numEdges(pair.core1), edges2 = numEdges(pair.core2);
  if (std::uint64_t{edges1} * edges2 > kMaxEdgePairs) return false;
  for (std::uint32_t i = 0; i < normals1; ++i) offerDirection(pair, normalOf(pair.core1, i), best);
  for (std::uint32_t i = 0; i < normals2; ++i) {
    offerDirection(pair, pair.rotation * normalOf(pair.core2, i), best);
  }
  for (std::uint32_t i = 0; i < edges1; ++i) {
    const Vec3 e1 = edgeOf(pair.core1, i);
    for (std::uint32_t j = 0; j < edges2; ++j) {
      offerEdges(pair, e1, pair.rotation * edgeOf(pair.core2, j), best);
    }
  }
  if (normals1 == 0 && normals2 == 0) offerFlat(pair, best);
  return true;
}

}  // namespace abut::inline v0_1
