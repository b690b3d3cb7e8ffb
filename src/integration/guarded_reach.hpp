// SPDX-License-Identifier: MIT
#pragma once

#include <abut/math/convert.hpp>

#include "collision/guard_geometry.hpp"
#include "integration/hold_back.hpp"

namespace abut::inline v0_1 {

// How far guarded bodies reach.

/// What ends elsewhere, the step refuses by its name.
inline bool isPossible(const Vec3& end) {
  return maxElement(absOf(end)) <= kMaxBodyCoordinate;
}

inline double widthOf(const BodyFacts& f) {
  return guardedWidth(*f.shape, f.halfWidth);
}

/// How far a body may go without being looked at [m].
inline double freeWayOf(const BodyFacts& f) {
  return kGuardShare * widthOf(f);
}

/// Radius of a shape on a course about the centre of mass.
inline double radiusOf(const Shape& shape, const Course& course) {
  return shape.boundingRadius() + norm(course.start.translation - course.center);
}

}  // namespace abut::inline v0_1
