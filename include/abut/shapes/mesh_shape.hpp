// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <initializer_list>
#include <memory>
#include <span>

#include <abut/shapes/shape.hpp>

namespace abut::inline v0_1 {

struct MeshData;

/// What the constructor found in a triangle mesh.
struct MeshReport {
  std::size_t degenerateTriangles = 0;  ///< Zero area; dropped.
  std::size_t duplicateTriangles = 0;   ///< Same three corners as an earlier one; dropped.
  std::size_t mergedVertices = 0;       ///< Bitwise equal positions; merged.
  std::size_t openEdges = 0;            ///< Edges with one triangle.
  std::size_t nonManifoldEdges = 0;     ///< Edges with more than two triangles.
  std::size_t flippedEdges = 0;         ///< Edges whose two triangles disagree about the outside.
};

/// Surface of triangles, counter-clockwise seen from outside. A closed, consistently oriented mesh
/// is a solid; any other is a surface whose front is where the normals point. A solid that bends
/// outwards everywhere collides as its convex hull, as one part (number 0), with the features of
/// the mesh.
///
/// Features: vertices and faces (triangles) by their numbers here; the edge from corner k to k + 1
/// of triangle t is 3 t + k, taken from the first triangle that has the edge.
class MeshShape final : public Shape {
public:
  using Triangle = std::array<std::uint32_t, 3>;

  /// Throws Error for an empty mesh, an index beyond the vertices, a NaN or a coordinate beyond
  /// kMaxShapeSize (with the index), and a mesh of which nothing but degenerate triangles is left.
  MeshShape(std::span<const Eigen::Vector3d> vertices, std::span<const Triangle> triangles);
  MeshShape(std::initializer_list<Eigen::Vector3d> vertices,
            std::initializer_list<Triangle> triangles);
  ~MeshShape() override;
  /// A copy: both are the same shape from then on.
  MeshShape(MeshShape&&) noexcept;

  [[nodiscard]] const MeshReport& getReport() const;
  /// True if every edge has exactly two triangles that agree about the outside.
  [[nodiscard]] bool isSolid() const;
  [[nodiscard]] std::size_t numVertices() const;
  [[nodiscard]] std::size_t numTriangles() const;
  [[nodiscard]] Eigen::Vector3d getVertex(std::size_t i) const;
  /// Triangles in the order given, without the dropped ones.
  [[nodiscard]] Triangle getTriangle(std::size_t i) const;

  [[nodiscard]] Aabb computeLocalAabb() const override;
  [[nodiscard]] double boundingRadius() const override;
  Status computeMass(double density, MassProperties& result) const override;
  [[nodiscard]] double signedDistance(const Eigen::Vector3d& point) const override;
  [[nodiscard]] bool raycast(const Ray& ray, RayHit& hit) const override;

  /// The library's own view of the mesh.
  [[nodiscard]] const MeshData& getMesh() const { return *mesh_; }

private:
  std::shared_ptr<const MeshData> mesh_;
};

}  // namespace abut::inline v0_1
