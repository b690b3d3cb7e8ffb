// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include <abut/core/object_id.hpp>
#include <abut/narrow_phase/queries.hpp>

namespace abut::inline v0_1 {

/// Which bodies a query of a world sees.
struct QueryFilter {
  std::uint32_t mask = 0xffffffffu;      ///< Bodies with a category among these bits,
  std::uint32_t category = 0xffffffffu;  ///< and whose own mask has one of these.
  bool sensors = false;                  ///< Whether it sees sensors.
  ObjectId except = kNoObject;           ///< A body that it passes over.
};

/// A ray from one point to another, world frame [m].
struct WorldRay {
  Eigen::Vector3d from{0., 0., 0.};
  Eigen::Vector3d to{0., 0., -1.};
};

/// Where a ray enters a body. One that starts inside hits at once, with the normal against it.
struct WorldRayHit {
  ObjectId body = kNoObject;
  double fraction = 0.0;               ///< Of the way from `from` to `to`, 0 to 1.
  double distance = 0.0;               ///< From `from` [m].
  Eigen::Vector3d point{0., 0., 0.};   ///< World [m].
  Eigen::Vector3d normal{0., 0., 0.};  ///< Of the surface, unit, outward.
  std::uint64_t subShape = 0;          ///< As in RayHit.
};

/// The body nearest to a shape. The shape is object 1 of the distance, the body object 2.
struct WorldDistance {
  ObjectId body = kNoObject;
  DistanceResult result;
};

}  // namespace abut::inline v0_1
