// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// What passed between two bodies through one contact or manifold in a phase of the step: all that
/// the books, the drivers and the guard against gains need to know of it.
///
/// The work stands here because only who found the impulses knows it: friction that is one force
/// and a couple for a whole manifold does another work than its shares at the points would.
struct Exchange {
  std::uint32_t body1 = 0, body2 = 0;
  Vec3 impulse;  ///< On body 1; on body 2 negated [N s].
  /// Its moment about each body's centre of mass, couples included: on body 1 as given, on body 2
  /// negated [N m s].
  Vec3 moment1, moment2;
  /// Done on the motion of the surfaces over each other, by normal impulses and by friction with
  /// the resisting couples [J].
  double normalWork = 0.0, frictionWork = 0.0;
};

}  // namespace abut::inline v0_1
