// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <abut/shapes/mesh_shape.hpp>

#include "math/vec3.hpp"
#include "shapes/bvh.hpp"
#include "shapes/mesh_hull.hpp"
#include "shapes/mesh_pieces.hpp"

namespace abut::inline v0_1 {

/// How a surface bends at an edge, seen from its front.
enum class EdgeKind : std::uint8_t {
  Flat,     ///< Both triangles lie in one plane and belong to one patch.
  Convex,   ///< A ridge.
  Concave,  ///< A valley.
  Open,     ///< One triangle, or more than two, or two that disagree about the front.
};

/// Role of a vertex in the outlines of the patches around it.
enum class VertexKind : std::uint8_t {
  Flat,    ///< Inside one patch.
  Crease,  ///< On a straight run of two outline edges.
  Corner,  ///< All others.
};

/// Triangles with what contact needs to know about their surroundings. Immutable.
///
/// A patch is a set of triangles connected through flat edges that lie in one plane within
/// rounding: a face of the surface as a person would draw it. Its normal is the same bits for all
/// of its triangles.
struct MeshData {
  static constexpr std::uint32_t kNone = 0xffffffffu;

  struct Triangle {
    std::uint32_t vertex[3];    ///< Counter-clockwise seen from the front.
    std::uint32_t neighbor[3];  ///< Across the edge from vertex k to k+1; kNone if Open.
    std::uint32_t edge[3];      ///< Number of that edge: 3 t + k of the first triangle that has it.
    EdgeKind kind[3];
    std::uint32_t patch;
    Vec3 normal;  ///< Unit.
  };
  struct Patch {
    Vec3 normal;          ///< Unit, mean of its triangles.
    Vec3 point;           ///< In its plane [m].
    std::uint32_t first;  ///< Into patchTriangles.
    std::uint32_t count;
    std::uint32_t firstCorner;  ///< Into patchCorners.
    std::uint32_t numCorners;
  };

  /// Takes merged vertices and triangles without degenerate ones. Fills in the edge counts of the
  /// report.
  MeshData(std::vector<Vec3> vertices, std::span<const MeshShape::Triangle> triangles,
           const MeshReport& report);

  [[nodiscard]] const Vec3& corner(std::uint32_t triangle, int k) const {
    return vertices[triangles[triangle].vertex[k]];
  }
  /// Triangles of a patch, ascending. The first one gives the patch its number as a face.
  [[nodiscard]] std::span<const std::uint32_t> trianglesOfPatch(std::uint32_t patch) const {
    return {patchTriangles.data() + patches[patch].first, patches[patch].count};
  }
  /// Corners of a patch's outline, ascending: no other vertex of it is farther along any direction.
  [[nodiscard]] std::span<const std::uint32_t> cornersOfPatch(std::uint32_t patch) const {
    return {patchCorners.data() + patches[patch].firstCorner, patches[patch].numCorners};
  }
  /// Vertices that share an edge with v.
  [[nodiscard]] std::span<const std::uint32_t> neighbors(std::uint32_t v) const {
    return {star.data() + starFirst[v], starFirst[v + 1] - starFirst[v]};
  }

  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
  std::vector<Patch> patches;
  std::vector<std::uint32_t> patchTriangles, patchCorners;
  std::vector<Vec3> vertexNormals;  ///< Sum of face normals weighted by angle; not unit.
  std::vector<VertexKind> vertexKinds;
  std::vector<std::uint32_t> starFirst, star;
  MeshReport report;
  bool solid = false;   ///< Closed and consistently oriented.
  double radius = 0.0;  ///< Largest distance of a vertex from the origin [m].
  /// Of a solid with valleys, its volume over its area [m]: half the thickness of a shell, half the
  /// radius of a rod; else 0.
  double thickness = 0.0;
  Bvh bvh;
  std::unique_ptr<const MeshHull> hull;  ///< The solid, if closed and convex; else null.
  std::vector<MeshPiece> pieces;         ///< The solid, if it has valleys and is made of few.

private:
  void connect();
  void classifyEdges();
  void growPatches();
  void growPatch(std::uint32_t seed, std::uint32_t patch, std::vector<std::uint32_t>& queue);
  void classifyVertices();
  void listPatchCorners();
  void buildStars();
  void computeVertexNormals();
};

/// Which part of a triangle a point belongs to: 0 the inside, 1 + k the edge from corner k to k+1,
/// 4 + k the corner k.
struct TrianglePoint {
  Vec3 point;
  int region = 0;
};

/// The point of the triangle (a, b, c) nearest to p.
TrianglePoint closestOnTriangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// The point of a mesh nearest to a point, and on which side of the surface that point is.
struct MeshNearest {
  std::uint32_t triangle = MeshData::kNone;
  int region = 0;
  Vec3 point;
  double distance = 0.0;  ///< Signed: negative behind the surface [m].
};
/// Ties go to the smaller triangle. The sign comes from the angle-weighted normal of the nearest
/// face, edge or vertex. (Baerentzen and Aanaes, 2005)
MeshNearest nearestOnMesh(const MeshData& mesh, const Vec3& p);

/// True if some triangle is nearer to p than `distance`. With a viewer, triangles that face away
/// from it do not count. A caller that asks for many places near each other may keep the triangle
/// that was found: it is looked at first, which changes no answer.
bool isMeshWithin(const MeshData& mesh, const Vec3& p, double distance, const Vec3* viewer,
                  std::uint32_t* last = nullptr);

/// Outward (not unit) direction at a region of a triangle: face normal, sum of the two face normals
/// of an edge, vertex normal.
Vec3 pseudonormal(const MeshData& mesh, std::uint32_t triangle, int region);

/// First hit of a ray from either side; ties go to the smaller triangle.
bool raycastMesh(const MeshData& mesh, const Ray& ray, RayHit& hit);

/// Mass of a closed mesh; NotSolid otherwise.
Status meshMass(const MeshData& mesh, double density, MassProperties& result);

/// Local box and signed distance as the shapes give them.
Aabb meshAabb(const MeshData& mesh);

}  // namespace abut::inline v0_1
