// SPDX-License-Identifier: MIT
#include "shapes/support_features.hpp"

namespace abut::inline v0_1 {
namespace {

void setVertex(const Vec3& corner, std::uint32_t id, SupportFeature& result) {
  result.count = 1;
  result.vertices[0] = corner;
  result.vertexIds[0] = id;
  result.feature = {Feature::Kind::Vertex, id};
}

}  // namespace

// Corners and edges are numbered as given, edge i running from corner i to the next; the front is
// face 0, the back face 1.
void supportFeatureTriangle(const Vec3 (&corners)[3], const Vec3& d, double cosTolerance,
                            SupportFeature& result) {
  result.isDisc = false;
  const Vec3 n = cross(corners[1] - corners[0], corners[2] - corners[0]);
  const double length = norm(n), facing = dot(n, d);
  if (length > 0.0 && absOf(facing) >= cosTolerance * length) {
    const bool front = facing > 0.0;
    result.count = 3;
    result.normal = n * ((front ? 1.0 : -1.0) / length);
    result.feature = {Feature::Kind::Face, front ? 0u : 1u};
    for (std::uint32_t i = 0; i < 3; ++i) {
      const std::uint32_t id = front ? i : (3 - i) % 3;
      result.vertices[i] = corners[id];
      result.vertexIds[i] = id;
      result.edgeIds[i] = front ? i : 2 - i;  // Backwards: 0-2, 2-1, 1-0.
    }
    return;
  }
  const double h[3] = {dot(corners[0], d), dot(corners[1], d), dot(corners[2], d)};
  const std::uint32_t top = h[0] >= h[1] && h[0] >= h[2] ? 0 : (h[1] >= h[2] ? 1 : 2);
  // Of the two edges at the farthest corner the one closest to right angles with d.
  const double sinTolerance2 = 1.0 - cosTolerance * cosTolerance;
  std::uint32_t other = top;
  double best = sinTolerance2;
  for (std::uint32_t k = 1; k < 3; ++k) {
    const std::uint32_t i = (top + k) % 3;
    const double length2 = squaredNorm(corners[i] - corners[top]);
    const double drop = h[top] - h[i];
    if (!(length2 > 0.0) || drop * drop > best * length2) continue;
    best = drop * drop / length2;
    other = i;
  }
  if (other == top) {
    setVertex(corners[top], top, result);
    return;
  }
  const std::uint32_t edge = (top + 1) % 3 == other ? top : other;
  result.count = 2;
  result.vertices[0] = corners[edge];
  result.vertices[1] = corners[(edge + 1) % 3];
  result.vertexIds[0] = edge;
  result.vertexIds[1] = (edge + 1) % 3;
  result.edgeIds[0] = result.edgeIds[1] = edge;
  result.feature = {Feature::Kind::Edge, edge};
}

}  // namespace abut::inline v0_1
