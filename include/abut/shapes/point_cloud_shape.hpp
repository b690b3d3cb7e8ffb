// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include <abut/shapes/shape.hpp>

namespace abut::inline v0_1 {

struct PointCloudData;

/// Many balls of one radius.
class PointCloudShape final : public Shape {
public:
  /// Throws for no points, a point that is not finite or beyond kMaxShapeSize (with its index), or
  /// a radius outside [kMinShapeSize, kMaxShapeSize] [m].
  PointCloudShape(std::span<const Eigen::Vector3d> points, double radius);
  ~PointCloudShape() override;
  /// A copy: both are the same shape from then on.
  PointCloudShape(PointCloudShape&&) noexcept;

  [[nodiscard]] std::size_t numPoints() const;
  [[nodiscard]] Eigen::Vector3d getPoint(std::size_t i) const;
  [[nodiscard]] double getRadius() const { return radius_; }

  [[nodiscard]] Aabb computeLocalAabb() const override;
  [[nodiscard]] double boundingRadius() const override;
  /// Overlapping balls count twice.
  Status computeMass(double density, MassProperties& result) const override;
  [[nodiscard]] double signedDistance(const Eigen::Vector3d& point) const override;
  [[nodiscard]] bool raycast(const Ray& ray, RayHit& hit) const override;

  /// The library's own view of the points.
  [[nodiscard]] const PointCloudData& getCloud() const { return *cloud_; }

private:
  double radius_;
  std::shared_ptr<const PointCloudData> cloud_;
};

}  // namespace abut::inline v0_1
