// SPDX-License-Identifier: MIT
#pragma once

#include "dynamics/point_velocity.hpp"
#include "scheme/exact/moving_contacts.hpp"
#include "scheme/exact/stages.hpp"
#include "solver/solver_contact.hpp"

namespace abut::inline v0_1 {

// What all stages of a leg of contacts that move ask for.

/// Beyond so many contacts an island that has impacts in this step is in turmoil: its motion is not
/// smooth, and a higher order has nothing to hold on to. A large one must settle faster, and is not
/// halved.
inline constexpr std::uint32_t kTurmoil = 50;

/// Relative velocity of a contact's surfaces at a place.
inline Vec3 relativeAt(const MovedPlace& p, const Vec3& offset, const BodyVelocity& v1,
                       const BodyVelocity& v2) {
  return relativeVelocity(v1, p.arm1, v2, p.arm2, offset);
}

inline Vec3 tangential(const Vec3& normal, const Vec3& v) {
  return v - normal * dot(normal, v);
}

inline bool isFree(const ExactStep& s, std::uint32_t body) {
  return s.in.bodies.facts[body].type == BodyType::Dynamic && !s.in.bodies.rest[body].isAsleep();
}

inline double sizeOf(const BodyFacts& f) {
  const double radius = f.shape->boundingRadius();
  return isFinite(radius) ? radius : 0.0;
}

}  // namespace abut::inline v0_1
