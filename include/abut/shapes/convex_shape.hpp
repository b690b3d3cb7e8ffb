// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <memory>
#include <span>

#include <abut/shapes/shape.hpp>

namespace abut::inline v0_1 {

struct HullData;

/// Convex hull of points.
///
/// Features: vertices as in getVertex(), faces as in getFace(); edges are numbered in the order of
/// (lower vertex, higher vertex).
class ConvexShape final : public Shape {
public:
  /// Hull of at least four points that span a volume [m]. Coplanar triangles are merged into
  /// polygons, points inside and near-duplicates are dropped; every input point lies inside the
  /// hull or within rounding of it. Throws Error(DegenerateGeometry) with the reason (fewer than 4
  /// points, collinear, coplanar within rounding), NonFinite or OutOfRange with the point's index.
  explicit ConvexShape(std::span<const Eigen::Vector3d> points);
  ConvexShape(std::initializer_list<Eigen::Vector3d> points);
  ~ConvexShape() override;
  /// A copy: both are the same shape from then on.
  ConvexShape(ConvexShape&&) noexcept;

  [[nodiscard]] std::size_t numVertices() const;
  [[nodiscard]] std::size_t numFaces() const;
  [[nodiscard]] std::size_t numEdges() const;
  /// Vertex i of the hull [m]. Order: lexicographic by (x, y, z), whatever the order of input.
  [[nodiscard]] Eigen::Vector3d getVertex(std::size_t i) const;
  /// Vertex indices of a face, counter-clockwise seen from outside, smallest index first.
  [[nodiscard]] std::span<const std::uint32_t> getFace(std::size_t i) const;
  /// Unit outward normal of a face.
  [[nodiscard]] Eigen::Vector3d getFaceNormal(std::size_t i) const;

  [[nodiscard]] Aabb computeLocalAabb() const override;
  [[nodiscard]] Aabb computeAabb(const Pose& pose) const override;
  [[nodiscard]] double boundingRadius() const override;
  Status computeMass(double density, MassProperties& result) const override;
  [[nodiscard]] double signedDistance(const Eigen::Vector3d& point) const override;
  [[nodiscard]] bool raycast(const Ray& ray, RayHit& hit) const override;

  /// The library's own view of the hull.
  [[nodiscard]] const HullData& getHull() const { return *hull_; }

private:
  std::shared_ptr<const HullData> hull_;
};

}  // namespace abut::inline v0_1
