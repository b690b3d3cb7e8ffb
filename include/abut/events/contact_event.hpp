// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include <abut/core/object_id.hpp>

namespace abut::inline v0_1 {

/// What a pair of bodies did in a step.
///
/// A pair touches in a step if it exchanged an impulse, or if its surfaces were within 1e-9 m of
/// each other or overlapped at the beginning.
struct ContactEvent {
  enum class Kind : std::uint8_t {
    Begin,    ///< Touches, and did not in the step before.
    Persist,  ///< Touches, as in the step before.
    End,      ///< Does not touch, but did in the step before.
  };

  Kind kind = Kind::Begin;
  ObjectId object1 = kNoObject, object2 = kNoObject;  ///< object1 < object2.
  /// Time of the world at which the pair first touched [s]: inside the step for Begin.
  double since = 0.0;
  /// All that object 1 received from object 2 in the step, normal and friction, impact included,
  /// world frame [N s]; zero for End.
  Eigen::Vector3d impulse{0., 0., 0.};
  double normalImpulse = 0.0;  ///< Sum of the magnitudes along the normals [N s].
};

}  // namespace abut::inline v0_1
