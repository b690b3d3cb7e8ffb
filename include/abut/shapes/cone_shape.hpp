// SPDX-License-Identifier: MIT
#pragma once

#include <abut/shapes/shape.hpp>

namespace abut::inline v0_1 {

/// Circular cone along the z axis: apex at z = +height/2, base disc at z = -height/2.
///
/// Features: faces 0 side, 1 base; edge 0 base rim; vertex 0 apex.
class ConeShape final : public Shape {
public:
  /// Throws unless both lengths [m] are in [kMinShapeSize, kMaxShapeSize].
  ConeShape(double radius, double height);

  [[nodiscard]] double getRadius() const { return radius_; }
  /// Distance from base to apex [m].
  [[nodiscard]] double getHeight() const { return height_; }

  [[nodiscard]] Aabb computeLocalAabb() const override;
  [[nodiscard]] Aabb computeAabb(const Pose& pose) const override;
  [[nodiscard]] double boundingRadius() const override;
  Status computeMass(double density, MassProperties& result) const override;
  [[nodiscard]] double signedDistance(const Eigen::Vector3d& point) const override;
  [[nodiscard]] bool raycast(const Ray& ray, RayHit& hit) const override;

private:
  double radius_;
  double height_;
};

}  // namespace abut::inline v0_1
