// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include <abut/shapes/shape.hpp>

namespace abut::inline v0_1 {

struct MeshData;

/// Surface z = h(x, y) over a regular grid, solid below. The grid is centred at the origin in x and
/// y; each cell is two triangles split along the diagonal from (i, j) to (i+1, j+1).
///
/// What is straight below the surface, however deep, is inside: bodies there are pushed up. The
/// world box therefore has no end downwards, nor has that of a compound with such a child.
class HeightFieldShape final : public Shape {
public:
  /// `heights` has numX * numY entries [m], x running fastest. Spacing [m] between samples.
  /// Throws for fewer than 2 x 2 samples, a wrong count, or values that are not finite or beyond
  /// kMaxShapeSize (with the index).
  HeightFieldShape(std::size_t numX, std::size_t numY, double spacingX, double spacingY,
                   std::span<const double> heights);
  ~HeightFieldShape() override;
  /// A copy: both are the same shape from then on.
  HeightFieldShape(HeightFieldShape&&) noexcept;

  [[nodiscard]] std::size_t getNumX() const { return num_x_; }
  [[nodiscard]] std::size_t getNumY() const { return num_y_; }
  [[nodiscard]] double getSpacingX() const { return spacing_x_; }
  [[nodiscard]] double getSpacingY() const { return spacing_y_; }
  [[nodiscard]] double getHeight(std::size_t i, std::size_t j) const;

  /// Of the surface.
  [[nodiscard]] Aabb computeLocalAabb() const override;
  /// Of all that is inside: infinite wherever "down" points.
  [[nodiscard]] Aabb computeAabb(const Pose& pose) const override;
  [[nodiscard]] double boundingRadius() const override;
  Status computeMass(double density, MassProperties& result) const override;
  [[nodiscard]] double signedDistance(const Eigen::Vector3d& point) const override;
  [[nodiscard]] bool raycast(const Ray& ray, RayHit& hit) const override;

  /// The triangles of all cells: 2 (j (numX-1) + i) is the lower-right one of cell (i, j).
  [[nodiscard]] const MeshData& getMesh() const { return *mesh_; }

private:
  std::size_t num_x_, num_y_;
  double spacing_x_, spacing_y_;
  std::shared_ptr<const MeshData> mesh_;
};

}  // namespace abut::inline v0_1
