// SPDX-License-Identifier: MIT
#pragma once

#include <abut/shapes/shape.hpp>

namespace abut::inline v0_1 {

/// Box around the origin, sides along the axes.
///
/// Features: vertices 0..7 by sign bits (+x = 1, +y = 2, +z = 4); faces 0..5 = -x, +x, -y, +y, -z,
/// +z; edges axis * 4 + the signs of the two other axes (lower axis 1, higher axis 2).
class BoxShape final : public Shape {
public:
  /// Half lengths of the sides [m]. Throws unless each is in [kMinShapeSize, kMaxShapeSize].
  explicit BoxShape(const Eigen::Vector3d& halfExtents);
  /// The same from whole lengths, as scene files, tool and Python give them.
  [[nodiscard]] static BoxShape fromSize(const Eigen::Vector3d& size);

  [[nodiscard]] const Eigen::Vector3d& getHalfExtents() const { return half_extents_; }
  [[nodiscard]] Eigen::Vector3d getSize() const;

  [[nodiscard]] Aabb computeLocalAabb() const override;
  [[nodiscard]] double boundingRadius() const override;
  Status computeMass(double density, MassProperties& result) const override;
  [[nodiscard]] double signedDistance(const Eigen::Vector3d& point) const override;
  [[nodiscard]] bool raycast(const Ray& ray, RayHit& hit) const override;

private:
  Eigen::Vector3d half_extents_;
};

}  // namespace abut::inline v0_1
