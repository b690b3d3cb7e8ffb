// SPDX-License-Identifier: MIT
#pragma once

#include <abut/shapes/shape.hpp>

namespace abut::inline v0_1 {

/// All points within a radius of a segment along the z axis, centred at the origin.
///
/// Features: vertices 0 and 1 are the caps at -z and +z, edge 0 is the side.
class CapsuleShape final : public Shape {
public:
  /// Throws unless both lengths [m] are in [kMinShapeSize, kMaxShapeSize].
  CapsuleShape(double radius, double length);

  [[nodiscard]] double getRadius() const { return radius_; }
  /// Length of the segment, without the caps [m].
  [[nodiscard]] double getLength() const { return length_; }

  [[nodiscard]] Aabb computeLocalAabb() const override;
  [[nodiscard]] Aabb computeAabb(const Pose& pose) const override;
  [[nodiscard]] double boundingRadius() const override;
  Status computeMass(double density, MassProperties& result) const override;
  [[nodiscard]] double signedDistance(const Eigen::Vector3d& point) const override;
  [[nodiscard]] bool raycast(const Ray& ray, RayHit& hit) const override;

private:
  double radius_;
  double length_;
};

}  // namespace abut::inline v0_1
