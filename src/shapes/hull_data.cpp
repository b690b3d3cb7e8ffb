// SPDX-License-Identifier: MIT
#include "shapes/hull_data.hpp"

#include "shapes/support_features.hpp"

namespace abut {

std::uint32_t supportVertex(const HullData& hull, const Vec3& d) {
  std::uint32_t best = 0;
  double bestDot = (hull.x[0] * d.x + hull.y[0] * d.y) + hull.z[0] * d.z;
  for (std::uint32_t i = 1; i < hull.numVertices; ++i) {
    const double s = (hull.x[i] * d.x + hull.y[i] * d.y) + hull.z[i] * d.z;
    if (s > bestDot) {
      best = i;
      bestDot = s;
    }
  }
  return best;
}

namespace {

void setFace(const HullData& hull, std::uint32_t index, SupportFeature& result) {
  const HullData::Face& face = hull.faces[index];
  // More corners than there is room for: an even choice among them, which keeps the polygon inside
  // the face.
  const std::uint32_t room = SupportFeature::kMaxVertices;
  const std::uint32_t count = face.numCorners < room ? face.numCorners : room;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t corner =
        face.firstCorner + static_cast<std::uint32_t>(std::uint64_t{i} * face.numCorners / count);
    result.vertexIds[i] = hull.corners[corner];
    result.vertices[i] = hull.vertex(hull.corners[corner]);
    result.edgeIds[i] = hull.cornerEdges[corner];
  }
  result.count = static_cast<int>(count);
  result.normal = face.normal;
  result.feature = {Feature::Kind::Face, index};
}

}  // namespace

void supportFeatureHull(const HullData& hull, const Vec3& d, double cosTolerance,
                        SupportFeature& result) {
  result.isDisc = false;
  std::uint32_t bestFace = 0;
  double bestFacing = -2.0;
  for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
    const double facing = dot(hull.faces[f].normal, d);
    if (facing > bestFacing) {
      bestFace = f;
      bestFacing = facing;
    }
  }
  if (bestFacing >= cosTolerance) {
    setFace(hull, bestFace, result);
    return;
  }
  const std::uint32_t top = supportVertex(hull, d);
  const Vec3 p = hull.vertex(top);
  double best = 1.0 - cosTolerance * cosTolerance;
  std::uint32_t bestEdge = static_cast<std::uint32_t>(hull.edges.size());
  for (std::uint32_t e = 0; e < hull.edges.size(); ++e) {
    const HullData::Edge& edge = hull.edges[e];
    if (edge.vertex1 != top && edge.vertex2 != top) continue;
    const Vec3 along = hull.vertex(edge.vertex1 == top ? edge.vertex2 : edge.vertex1) - p;
    const double drop = dot(along, d), length2 = squaredNorm(along);
    if (drop * drop > best * length2) continue;
    best = drop * drop / length2;
    bestEdge = e;
  }
  if (bestEdge == hull.edges.size()) {
    result.count = 1;
    result.vertices[0] = p;
    result.vertexIds[0] = top;
    result.feature = {Feature::Kind::Vertex, top};
    return;
  }
  const HullData::Edge& edge = hull.edges[bestEdge];
  result.count = 2;
  result.vertices[0] = hull.vertex(edge.vertex1);
  result.vertices[1] = hull.vertex(edge.vertex2);
  result.vertexIds[0] = edge.vertex1;
  result.vertexIds[1] = edge.vertex2;
  result.edgeIds[0] = result.edgeIds[1] = bestEdge;
  result.feature = {Feature::Kind::Edge, bestEdge};
}

}  // namespace abut
