// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Geometry>

#include <abut/math/types.hpp>

namespace abut::inline v0_1 {

/// Axis-aligned box, min_ <= max_ in each coordinate [m]. Sides may be infinite (half-spaces).
class Aabb {
public:
  /// The single point at the origin.
  Aabb() : min_(0.0, 0.0, 0.0), max_(0.0, 0.0, 0.0) {}
  Aabb(const Eigen::Vector3d& min, const Eigen::Vector3d& max) : min_(min), max_(max) {}

  /// The box that contains nothing: merging it with anything gives the other.
  [[nodiscard]] static Aabb empty();
  /// The box that contains everything.
  [[nodiscard]] static Aabb infinite();

  /// True if the boxes share a point; touching counts.
  [[nodiscard]] bool overlaps(const Aabb& other) const;
  /// True if the point lies inside or on the boundary.
  [[nodiscard]] bool contains(const Eigen::Vector3d& point) const;
  /// True if the whole other box lies inside or on the boundary.
  [[nodiscard]] bool contains(const Aabb& other) const;
  [[nodiscard]] Eigen::Vector3d center() const;
  [[nodiscard]] Eigen::Vector3d halfExtents() const;
  /// [m^3]
  [[nodiscard]] double volume() const;
  /// [m^2]
  [[nodiscard]] double surfaceArea() const;

  /// Becomes the union with the other box, or with a point.
  void merge(const Aabb& other);
  void merge(const Eigen::Vector3d& point);
  /// Moves every side outwards by margin [m]; a negative margin shrinks, at most to the centre.
  void expand(double margin);

  /// Box of a sphere at the origin.
  [[nodiscard]] static Aabb forSphere(double radius);
  /// Box of a box at the origin.
  [[nodiscard]] static Aabb forBox(const Eigen::Vector3d& halfExtents);
  /// Smallest world box around a local box under a transform, widened by rounding error so that
  /// nothing inside can fall out.
  [[nodiscard]] static Aabb transformed(const Aabb& local, const Eigen::Isometry3d& transform);
  [[nodiscard]] static Aabb transformed(const Aabb& local, const Pose& pose);

  Eigen::Vector3d min_;
  Eigen::Vector3d max_;
};

}  // namespace abut::inline v0_1
