// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "shapes/bvh.hpp"

namespace abut::inline v0_1 {

/// Centres of the balls of a point cloud and a tree over them. Immutable.
struct PointCloudData {
  PointCloudData(std::vector<Vec3> centers, double ballRadius);

  std::vector<Vec3> points;
  double radius;                ///< Of each ball [m].
  double boundingRadius = 0.0;  ///< Largest distance of a point of a ball from the origin [m].
  Bvh bvh;                      ///< Over the balls' boxes.
};

/// The ball whose centre is nearest to p; ties go to the smaller index.
std::uint32_t nearestBall(const PointCloudData& cloud, const Vec3& p);

}  // namespace abut::inline v0_1
