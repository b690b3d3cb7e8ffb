// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "narrow_phase/curved/witness.hpp"
#include "shapes/hull_data.hpp"

namespace abut::inline v0_1::curved {

/// An arc of directions that belong to one edge of a polytope, between two of its directions.
struct EdgeArc {
  std::uint32_t from, to;  ///< Directions at the ends.
  std::uint32_t vertex;    ///< One end of the edge.
  std::uint32_t other;     ///< The other end.
};

/// A segment, triangle or box: vertices, a set of directions that holds every face normal, and arcs
/// that cover the directions of every edge. Flat bodies have extra directions, so that no arc
/// exceeds a quarter turn.
struct SmallFlat {
  static constexpr int kKeptDirections = 8;
  static constexpr bool kKeepsAll = true;

  int numVertices = 0, numDirections = 0, numArcs = 0;
  Vec3 vertices[8];
  Vec3 directions[8];
  double offsets[8];  ///< Support along each direction [m].
  EdgeArc arcs[12];
  Vec3 half;  ///< Of a box, which has all eight vertices.

  explicit SmallFlat(const ConvexCore& core);

  [[nodiscard]] std::uint32_t support(const Vec3& m) const {
    std::uint32_t best = 0;
    double most = dot(vertices[0], m);
    for (int i = 1; i < numVertices; ++i) {
      const double value = dot(vertices[i], m);
      if (value > most) {
        most = value;
        best = static_cast<std::uint32_t>(i);
      }
    }
    return best;
  }
  /// How far vertices reach along m: the product with the one that support() gives. For a box,
  /// whose rounded sums are in the order of the exact ones, that of the corner on the side of m.
  [[nodiscard]] double height(const Vec3& m) const {
    if (numVertices == 8) return (half.x * absOf(m.x) + half.y * absOf(m.y)) + half.z * absOf(m.z);
    double most = dot(vertices[0], m);
    for (int i = 1; i < numVertices; ++i) {
      const double value = dot(vertices[i], m);
      if (value > most) most = value;
    }
    return most;
  }
  [[nodiscard]] Vec3 vertex(std::uint32_t i) const { return vertices[i]; }
  [[nodiscard]] Vec3 direction(std::uint32_t i) const { return directions[i]; }
  [[nodiscard]] double offset(std::uint32_t i) const { return offsets[i]; }
  [[nodiscard]] EdgeArc arc(int i) const { return arcs[i]; }
  [[nodiscard]] Vec3 center() const;
  void supportSet(const Vec3& m, double tolerance, SupportSet& set) const;
};

/// A convex hull, seen in the same way.
struct HullFlat {
  /// Faces whose supports a solver keeps; larger hulls compute those beyond anew.
  static constexpr int kKeptDirections = 128;
  static constexpr bool kKeepsAll = false;

  const HullData& hull;
  int numVertices, numDirections, numArcs;

  explicit HullFlat(const HullData& data)
      : hull(data),
        numVertices(static_cast<int>(data.numVertices)),
        numDirections(static_cast<int>(data.faces.size())),
        numArcs(static_cast<int>(data.edges.size())) {}

  [[nodiscard]] std::uint32_t support(const Vec3& m) const { return supportVertex(hull, m); }
  [[nodiscard]] double height(const Vec3& m) const { return dot(vertex(support(m)), m); }
  [[nodiscard]] Vec3 vertex(std::uint32_t i) const { return hull.vertex(i); }
  [[nodiscard]] Vec3 direction(std::uint32_t i) const { return hull.faces[i].normal; }
  [[nodiscard]] double offset(std::uint32_t i) const { return hull.faces[i].offset; }
  [[nodiscard]] EdgeArc arc(int i) const {
    const HullData::Edge& edge = hull.edges[i];
    return {edge.face1, edge.face2, edge.vertex1, edge.vertex2};
  }
  [[nodiscard]] Vec3 center() const { return hull.center; }
  void supportSet(const Vec3& m, double tolerance, SupportSet& set) const;
};

}  // namespace abut::inline v0_1::curved
