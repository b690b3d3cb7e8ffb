// SPDX-License-Identifier: MIT
#pragma once

#include <abut/shapes/shape.hpp>

namespace abut::inline v0_1 {

/// Circular cylinder along the z axis, centred at the origin.
///
/// Features: faces 0 side, 1 bottom cap (z-), 2 top cap (z+); edges 0 bottom rim, 1 top rim.
class CylinderShape final : public Shape {
public:
  /// Throws unless both lengths [m] are in [kMinShapeSize, kMaxShapeSize].
  CylinderShape(double radius, double height);

  [[nodiscard]] double getRadius() const { return radius_; }
  /// Distance between the caps [m].
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
