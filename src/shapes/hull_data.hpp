// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "math/vec3.hpp"

namespace abut {

/// A convex polyhedron with polygonal faces, as the algorithms want it.
struct HullData {
  struct Face {
    Vec3 normal;                ///< Unit, outward.
    double offset;              ///< normal . x = offset on the face [m].
    std::uint32_t firstCorner;  ///< Into corners.
    std::uint32_t numCorners;
  };
  struct Edge {
    std::uint32_t vertex1, vertex2;  ///< vertex1 < vertex2.
    std::uint32_t face1, face2;      ///< face1 has the edge from vertex1 to vertex2.
  };

  std::uint32_t numVertices = 0;
  /// Coordinates in structure-of-arrays form, padded to a multiple of 4 by repeating vertex 0.
  std::vector<double> x, y, z;
  std::vector<Face> faces;
  std::vector<std::uint32_t> corners;  ///< Vertex of corner i; counter-clockwise seen from outside.
  std::vector<std::uint32_t> cornerEdges;  ///< Edge from corner i to the next corner of its face.
  std::vector<Edge> edges;                 ///< Sorted by (vertex1, vertex2).
  /// Edges at vertex i: vertexEdges[vertexEdgeStart[i]] up to vertexEdgeStart[i + 1], ascending.
  std::vector<std::uint32_t> vertexEdgeStart, vertexEdges;
  Vec3 center;          ///< Centre of volume [m].
  double radius = 0.0;  ///< Largest distance of a vertex from the frame's origin [m].

  [[nodiscard]] Vec3 vertex(std::uint32_t i) const { return {x[i], y[i], z[i]}; }
};

/// Index of the vertex farthest along d; the smallest index of equals. Any d gives the index of a
/// vertex: 0 for one that is NaN.
std::uint32_t supportVertex(const HullData& hull, const Vec3& d);

}  // namespace abut
