// SPDX-License-Identifier: MIT
#pragma once

#include <abut/shapes/shape.hpp>

namespace abut::inline v0_1 {

/// Ball around the origin.
///
/// Features: the whole surface is vertex 0.
class SphereShape final : public Shape {
public:
  /// Throws unless kMinShapeSize <= radius [m] <= kMaxShapeSize.
  explicit SphereShape(double radius);

  [[nodiscard]] double getRadius() const { return radius_; }

  [[nodiscard]] Aabb computeLocalAabb() const override;
  [[nodiscard]] Aabb computeAabb(const Pose& pose) const override;
  [[nodiscard]] double boundingRadius() const override;
  Status computeMass(double density, MassProperties& result) const override;
  [[nodiscard]] double signedDistance(const Eigen::Vector3d& point) const override;
  [[nodiscard]] bool raycast(const Ray& ray, RayHit& hit) const override;

private:
  double radius_;
};

}  // namespace abut::inline v0_1
