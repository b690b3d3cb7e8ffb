// SPDX-License-Identifier: MIT
#pragma once

#include <abut/narrow_phase/cast.hpp>

#include "math/pose.hpp"
#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// Rigid motion about a centre over a step or a part of it.
struct Course {
  Vec3 center, way, turn;  ///< Centre of mass, its displacement, rotation vector.
  Pose start;              ///< Of the shape.

  /// What is left of it after a fraction.
  [[nodiscard]] Course after(double f) const;
  /// Pose of the shape after a fraction of it.
  [[nodiscard]] Pose at(double f) const;
};

/// First hit of two shapes on their courses; the fraction is that of both.
Status castCourses(const Shape& shape1, const Course& c1, const Shape& shape2, const Course& c2,
                   CastResult& hit);

}  // namespace abut::inline v0_1
