// SPDX-License-Identifier: MIT
#pragma once

#include <abut/shapes/shape.hpp>

namespace abut::inline v0_1 {

/// Half-space { x : normal . x <= offset }: solid below, surface at the offset along the normal.
///
/// Features: the whole surface is face 0.
class PlaneShape final : public Shape {
public:
  /// The normal may have any length that is not zero; it is normalised. Offset along the unit
  /// normal [m]. Throws for a zero or non-finite normal, or an offset beyond kMaxShapeSize.
  explicit PlaneShape(const Eigen::Vector3d& normal, double offset = 0.0);

  /// Unit normal, pointing out of the solid.
  [[nodiscard]] const Eigen::Vector3d& getNormal() const { return normal_; }
  [[nodiscard]] double getOffset() const { return offset_; }
  /// True if the normal is exactly +z, as nearly always.
  [[nodiscard]] bool isUpright() const { return is_upright_; }

  [[nodiscard]] Aabb computeLocalAabb() const override;
  [[nodiscard]] Aabb computeAabb(const Pose& pose) const override;
  [[nodiscard]] double boundingRadius() const override;
  Status computeMass(double density, MassProperties& result) const override;
  [[nodiscard]] double signedDistance(const Eigen::Vector3d& point) const override;
  [[nodiscard]] bool raycast(const Ray& ray, RayHit& hit) const override;

private:
  Eigen::Vector3d normal_;
  double offset_;
  bool is_upright_;
};

}  // namespace abut::inline v0_1
