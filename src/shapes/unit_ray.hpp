// SPDX-License-Identifier: MIT
#pragma once

#include <abut/shapes/shape.hpp>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// A ray with a unit direction, so that intersections are as exact for a direction of length 1e-200
/// or 1e200 as for a unit vector.
struct UnitRay {
  Vec3 origin;         ///< [m]
  Vec3 direction;      ///< Unit.
  double maxDistance;  ///< Reach [m]; may be infinite.
  double maxFraction;  ///< The caller's.
  double scale;        ///< direction * scale has a largest component of 1 in magnitude ...
  double length;       ///< ... and this length.
};

/// Normalises a ray. False, without a result, for a direction that is zero or not finite, an origin
/// that is not finite, or a maxFraction that is negative or NaN: such a ray hits nothing.
bool toUnitRay(const Ray& ray, UnitRay& result);

/// Writes a hit at a distance along the ray [m]. Returns false, writing nothing, beyond its reach.
bool writeHit(const UnitRay& ray, double distance, const Vec3& point, const Vec3& normal,
              RayHit& hit);

/// Writes the hit of a ray that starts inside: fraction 0, normal against the direction.
bool writeInsideHit(const UnitRay& ray, RayHit& hit);

}  // namespace abut::inline v0_1
