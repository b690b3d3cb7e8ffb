// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

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
  /// Of hulls with many vertices; see supportVertex().
  struct Grouping {
    struct Node {
      Vec3 min, max;            ///< Box of the vertices below [m].
      std::uint32_t right = 0;  ///< Second child; the first one is the next node.
      std::uint32_t first = 0;  ///< Leaf: into x, y, z and ids.
      std::uint32_t count = 0;  ///< Leaf: a multiple of 4; 0 for an inner node.
    };
    std::vector<Node> nodes;
    std::vector<double> x, y, z;     ///< Leaf by leaf, padded by repeating its first vertex.
    std::vector<std::uint32_t> ids;  ///< Ascending in a leaf.
  };
  Grouping grouping;

  Vec3 center;          ///< Centre of volume [m].
  double radius = 0.0;  ///< Largest distance of a vertex from the frame's origin [m].

  [[nodiscard]] Vec3 vertex(std::uint32_t i) const { return {x[i], y[i], z[i]}; }
};

/// Index of the vertex farthest along d; the smallest index of equals. Any d gives the index of a
/// vertex: 0 for one that is NaN. Few vertices are scanned; many lie in a tree of boxes, with the
/// same answer bit for bit.
std::uint32_t supportVertex(const HullData& hull, const Vec3& d);

/// How far the vertices go along three axes, both ways.
void reachOf(const HullData& hull, const Mat3& axes, Vec3& low, Vec3& high);

/// Makes that tree for a hull that is worth it.
void groupVertices(HullData& hull);

}  // namespace abut::inline v0_1
