// SPDX-License-Identifier: MIT
#include "narrow_phase/convex/polytope.hpp"

namespace abut::inline v0_1 {
namespace {

using Kind = ConvexCore::Kind;

/// Numbered as BoxShape says.
Feature boxFeature(const Vec3& half, const Vec3& d, std::uint32_t vertex, double tolerance) {
  // A side across which the height changes by less than the tolerance lies in the feature.
  const Vec3 change = scaled(absOf(d), half) * 2.0;
  const bool along[3] = {change.x <= tolerance, change.y <= tolerance, change.z <= tolerance};
  const int count = (along[0] ? 1 : 0) + (along[1] ? 1 : 0) + (along[2] ? 1 : 0);
  if (count == 0) return {Feature::Kind::Vertex, vertex};
  const bool isEdge = count == 1;
  std::uint32_t axis = 0;
  while (axis < 2 && along[axis] != isEdge) ++axis;
  if (!isEdge) return {Feature::Kind::Face, 2 * axis + ((vertex >> axis) & 1u)};
  const std::uint32_t lower = axis == 0 ? 1 : 0, higher = axis == 2 ? 1 : 2;
  return {Feature::Kind::Edge, 4 * axis + ((vertex >> lower) & 1u) + 2 * ((vertex >> higher) & 1u)};
}

Feature triangleFeature(const ConvexCore& core, const Vec3& d, std::uint32_t top,
                        double tolerance) {
  const Vec3* c = core.corners;
  const std::uint32_t next = (top + 1) % 3, last = (top + 2) % 3;
  const bool hasNext = dot(c[top] - c[next], d) <= tolerance;
  const bool hasLast = dot(c[top] - c[last], d) <= tolerance;
  if (hasNext && hasLast) {
    const Vec3 front = cross(c[1] - c[0], c[2] - c[0]);
    return {Feature::Kind::Face, dot(front, d) < 0.0 ? 1u : 0u};
  }
  if (hasNext) return {Feature::Kind::Edge, top};
  if (hasLast) return {Feature::Kind::Edge, last};
  return {Feature::Kind::Vertex, top};
}

bool isFlat(const HullData& hull, const HullData::Face& face, const Vec3& d, double lowest) {
  for (std::uint32_t k = 0; k < face.numCorners; ++k) {
    if (dot(hull.vertex(hull.corners[face.firstCorner + k]), d) < lowest) return false;
  }
  return true;
}

Feature hullFeature(const HullData& hull, const Vec3& d, std::uint32_t top, double tolerance) {
  const Vec3 p = hull.vertex(top);
  std::uint32_t numFlat = 0, edge = 0;
  double least = tolerance;
  const std::uint32_t first = hull.vertexEdgeStart[top], end = hull.vertexEdgeStart[top + 1];
  for (std::uint32_t k = first; k < end; ++k) {
    const HullData::Edge& e = hull.edges[hull.vertexEdges[k]];
    const double drop = dot(p - hull.vertex(e.vertex1 == top ? e.vertex2 : e.vertex1), d);
    if (drop > tolerance) continue;
    if (numFlat == 0 || drop < least) {
      least = drop;
      edge = hull.vertexEdges[k];
    }
    ++numFlat;
  }
  if (numFlat == 0) return {Feature::Kind::Vertex, top};
  if (numFlat == 1) return {Feature::Kind::Edge, edge};
  const double lowest = dot(p, d) - tolerance;
  for (std::uint32_t k = first; k < end; ++k) {
    const HullData::Edge& e = hull.edges[hull.vertexEdges[k]];
    const std::uint32_t f = e.vertex1 == top ? e.face1 : e.face2;
    if (isFlat(hull, hull.faces[f], d, lowest)) return {Feature::Kind::Face, f};
  }
  return {Feature::Kind::Edge, edge};
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
    case Kind::Point:
    case Kind::Cylinder:
    case Kind::Cone:
      break;
  }
  return 1;
}

Vec3 centerOf(const ConvexCore& core) {
  switch (core.kind) {
    case Kind::Hull:
      return core.hull->center;
    case Kind::Triangle:
      return (core.corners[0] + core.corners[1] + core.corners[2]) * (1.0 / 3.0);
    case Kind::Segment:
    case Kind::Box:
    case Kind::Point:
    case Kind::Cylinder:
    case Kind::Cone:
      break;
  }
  return {};
}

Feature featureAlong(const ConvexCore& core, const Vec3& d, std::uint32_t farthest,
                     double tolerance) {
  switch (core.kind) {
    case Kind::Hull:
      return hullFeature(*core.hull, d, farthest, tolerance);
    case Kind::Box:
      return boxFeature(core.half, d, farthest, tolerance);
    case Kind::Triangle:
      return triangleFeature(core, d, farthest, tolerance);
    case Kind::Segment:
      if (2.0 * absOf(d.z) * core.half.z <= tolerance) return {Feature::Kind::Edge, 0};
      return {Feature::Kind::Vertex, farthest};
    case Kind::Point:
    case Kind::Cylinder:
    case Kind::Cone:
      break;
  }
  return {Feature::Kind::Vertex, 0};
}

Vec3 faceNormalOf(const ConvexCore& core, std::uint32_t face) {
  if (core.kind == Kind::Hull) return core.hull->faces[face].normal;
  if (core.kind == Kind::Box) {
    const std::uint32_t axis = face / 2;
    const double sign = face % 2 == 0 ? -1.0 : 1.0;
    return {axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0};
  }
  const Vec3 n = cross(core.corners[1] - core.corners[0], core.corners[2] - core.corners[0]);
  const double length = norm(n);
  return length > 0.0 ? n * ((face == 0 ? 1.0 : -1.0) / length) : Vec3{};
}

}  // namespace abut::inline v0_1
