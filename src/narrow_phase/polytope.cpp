// SPDX-License-Identifier: MIT
#include "narrow_phase/polytope.hpp"

#include <bit>

namespace abut {
namespace {

using Kind = ConvexCore::Kind;

/// Numbered as BoxShape says.
Feature boxFeature(const std::uint32_t* vertices, int count, const Vec3& n) {
  std::uint32_t varying = 0;
  for (int i = 1; i < count; ++i) varying |= vertices[0] ^ vertices[i];
  const std::uint32_t v = vertices[0];
  switch (std::popcount(varying)) {
    case 0:
      return {Feature::Kind::Vertex, v};
    case 1: {
      const std::uint32_t axis = varying >> 1;  // 1, 2, 4 -> 0, 1, 2.
      const std::uint32_t lower = axis == 0 ? 1 : 0, higher = axis == 2 ? 1 : 2;
      return {Feature::Kind::Edge, 4 * axis + ((v >> lower) & 1u) + 2 * ((v >> higher) & 1u)};
    }
    default:
      break;
  }
  const double c[3] = {n.x, n.y, n.z};
  std::uint32_t axis = 3;
  for (std::uint32_t k = 0; k < 3; ++k) {
    if (std::popcount(varying) == 2 && ((varying >> k) & 1u) != 0) continue;
    if (axis == 3 || absOf(c[k]) > absOf(c[axis])) axis = k;
  }
  return {Feature::Kind::Face, 2 * axis + (c[axis] < 0.0 ? 0u : 1u)};
}

bool contains(const HullData& hull, const HullData::Face& face, std::uint32_t vertex) {
  for (std::uint32_t k = 0; k < face.numCorners; ++k) {
    if (hull.corners[face.firstCorner + k] == vertex) return true;
  }
  return false;
}

Feature hullFeature(const HullData& hull, const std::uint32_t* vertices, int count, const Vec3& n) {
  const std::uint32_t v = vertices[0];
  if (count == 1) return {Feature::Kind::Vertex, v};
  // The face at the first vertex that holds most of the others; of equals the one that faces along
  // n.
  std::uint32_t best = 0;
  int bestCount = -1;
  double bestDot = 0.0;
  for (std::uint32_t k = hull.vertexEdgeStart[v]; k < hull.vertexEdgeStart[v + 1]; ++k) {
    const HullData::Edge& edge = hull.edges[hull.vertexEdges[k]];
    const bool isFirst = edge.vertex1 == v;
    if (count == 2 && (isFirst ? edge.vertex2 : edge.vertex1) == vertices[1]) {
      return {Feature::Kind::Edge, hull.vertexEdges[k]};
    }
    const std::uint32_t f = isFirst ? edge.face1 : edge.face2;
    int held = 0;
    for (int i = 1; i < count; ++i) held += contains(hull, hull.faces[f], vertices[i]) ? 1 : 0;
    const double d = dot(hull.faces[f].normal, n);
    if (held > bestCount || (held == bestCount && d > bestDot)) {
      best = f;
      bestCount = held;
      bestDot = d;
    }
  }
  return {Feature::Kind::Face, best};
}

}  // namespace

std::uint32_t numVertices(const ConvexCore& core) {
  switch (core.kind) {
    case Kind::Hull:
      return core.hull->numVertices;
    case Kind::Box:
      return 8;
    case Kind::Triangle:
      return 3;
    case Kind::Segment:
      return 2;
    default:
      return 1;
  }
}

Vec3 centerOf(const ConvexCore& core) {
  switch (core.kind) {
    case Kind::Hull:
      return core.hull->center;
    case Kind::Triangle:
      return (core.corners[0] + core.corners[1] + core.corners[2]) * (1.0 / 3.0);
    default:
      return {};
  }
}

Feature featureOfVertices(const ConvexCore& core, const std::uint32_t* vertices, int count,
                          const Vec3& n) {
  std::uint32_t unique[4] = {0, 0, 0, 0};
  int numUnique = 0;
  for (int i = 0; i < count; ++i) {
    bool seen = false;
    for (int j = 0; j < numUnique; ++j) seen = seen || unique[j] == vertices[i];
    if (!seen) unique[numUnique++] = vertices[i];
  }
  switch (core.kind) {
    case Kind::Hull:
      return hullFeature(*core.hull, unique, numUnique, n);
    case Kind::Box:
      return boxFeature(unique, numUnique, n);
    case Kind::Triangle: {
      if (numUnique == 1) return {Feature::Kind::Vertex, unique[0]};
      if (numUnique == 2) {
        // Edge i runs from corner i to the next one; 0 and 2 are joined by edge 2.
        const std::uint32_t sum = unique[0] + unique[1];
        return {Feature::Kind::Edge, sum == 1 ? 0u : (sum == 3 ? 1u : 2u)};
      }
      const Vec3 front =
          cross(core.corners[1] - core.corners[0], core.corners[2] - core.corners[0]);
      return {Feature::Kind::Face, dot(front, n) < 0.0 ? 1u : 0u};
    }
    case Kind::Segment:
      if (numUnique == 2) return {Feature::Kind::Edge, 0};
      return {Feature::Kind::Vertex, unique[0]};
    default:
      return {Feature::Kind::Vertex, 0};
  }
}

}  // namespace abut
