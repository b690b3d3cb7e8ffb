// SPDX-License-Identifier: MIT
#pragma once

#include <abut/dynamics/mobility.hpp>

#include "dynamics/body_table.hpp"
#include "dynamics/point_velocity.hpp"

namespace abut::inline v0_1 {

/// A displacement that takes overlap out moves no point of a body by more than this share of its
/// least half width in a step: what lies in one another parts over some steps, not in a blast.
inline constexpr double kMostOfWidth = 0.5;

/// Overlap of more than this share of a body's least half width is not what a step leaves behind,
/// but how bodies were placed, or a press: displacements are then limited, not exact.
inline constexpr double kCrowdedOfWidth = 0.2;

/// Whether bodies lie in one another deeper than steps leave them.
inline bool isCrowded(const BodyFacts& body1, const BodyFacts& body2, double depth) {
  const auto deeper = [depth](const BodyFacts& f) {
    return f.type == BodyType::Dynamic && depth > kCrowdedOfWidth * f.halfWidth;
  };
  return deeper(body1) || deeper(body2);
}

/// The share of a displacement at which no point of a body goes farther than that. All bodies of an
/// island go by the least share among them: if each were held back by itself, bodies in one place
/// that all have far to go would stay in one place.
inline double shareOfDisplacement(const BodyFacts& body, const BodyVelocity& d) {
  const double longest = norm(d.linear) + norm(d.angular) * body.shape->boundingRadius();
  const double most = kMostOfWidth * body.halfWidth;
  return longest > most ? most / longest : 1.0;
}

/// Moves a body along the normal so that its point at the arm goes no farther than `gap` [m]
/// against it: into what does not move nothing is pushed. The normal points to the body.
inline void keepOut(const Vec3& normal, const Vec3& arm, double gap, BodyVelocity& d) {
  const double way = dot(normal, velocityAt(d, arm));
  const double least = gap > 0.0 ? -gap : 0.0;
  if (way < least) d.linear += normal * (least - way);
}

}  // namespace abut::inline v0_1
