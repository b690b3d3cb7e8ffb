// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// Index into the cache's contacts of a contact that is not there.
inline constexpr std::uint32_t kNoCacheIndex = 0xffffffffu;

/// One contact as a step leaves it: what the contact list, the events and the cache are made of,
/// whichever way the step was made. Impulses are those on body 1, world frame.
struct ContactOutcome {
  std::uint32_t body1 = 0, body2 = 0;
  std::uint32_t cacheIndex = kNoCacheIndex;
  std::uint32_t island = 0;
  Vec3 position, normal;
  double depth = 0.0;          ///< [m]
  double friction = 0.0;       ///< Coulomb's coefficient.
  double normalImpulse = 0.0;  ///< By the step's forces [N s].
  Vec3 frictionImpulse;        ///< [N s]
  Vec3 couple;                 ///< Of the resistances [N m s].
  Vec3 impact;                 ///< Impulse before forces act [N s].
  double normalImpact = 0.0;   ///< Of it along the normal of then [N s].
  double speed = 0.0;          ///< Along the normal at the beginning; < 0 closes [m/s].
  double pull = 0.0;           ///< What the step's forces add to it [m/s^2].
  Vec3 slip;                   ///< Tangential velocity of 1 over 2 at the end [m/s].
  double late = 0.0;           ///< Time in the step at which it is there [s].
};

}  // namespace abut::inline v0_1
