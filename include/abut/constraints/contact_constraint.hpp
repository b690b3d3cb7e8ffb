// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <abut/core/object_id.hpp>
#include <abut/core/status.hpp>
#include <abut/dynamics/material.hpp>
#include <abut/dynamics/mobility.hpp>
#include <abut/math/types.hpp>
#include <abut/narrow_phase/collision_result.hpp>

namespace abut::inline v0_1 {

/// A body as its contacts see it. Mobility and velocity are zero for one that does not give way or
/// move.
struct ConstraintBody {
  ObjectId id = kNoObject;
  Vec3 centerOfMass;  ///< World [m].
  BodyMobility mobility;
  BodyVelocity velocity;
};

/// One contact point between two bodies: what a solver needs to know of it.
///
/// Frame: normal (from body 2 to body 1), tangent1, tangent2, orthonormal and right-handed, world.
/// An impulse (p_n, p_t1, p_t2) acts on body 1 at its arm as given and on body 2 negated, and
/// changes the relative velocity (of 1 less that of 2) by `response` times it.
struct ContactConstraint {
  ObjectId object1 = kNoObject, object2 = kNoObject;
  Vec3 normal, tangent1, tangent2;
  Vec3 arm1, arm2;     ///< From the centres of mass to each body's own surface point [m].
  double depth = 0.0;  ///< Of this point, not of the manifold [m]; negative: a gap.
  double friction = 0.0, restitution = 0.0;
  /// J M^-1 J^T over normal, tangent1, tangent2 [1/kg], symmetric; the inverse of the effective
  /// mass. Zero if neither body gives way.
  Mat3 response;
  double normalMass = 0.0;     ///< 1 / response_nn [kg]; 0 if neither gives way along the normal.
  bool canTranslate = false;   ///< Whether a displacement can part the bodies.
  Vec3 relativeVelocity;       ///< Along the frame, when the constraint was made [m/s].
  std::uint32_t manifold = 0;  ///< Number of its manifold in the collision result.

  /// Normal velocity after an impact that throws back: -restitution times an approach, else 0.
  [[nodiscard]] double restitutionVelocity() const;
  /// Baumgarte's separation velocity [m/s]: the share erp of this point's own overlap in a step;
  /// 0 for a gap and where no displacement can help. For comparison: see WorldOptions::baumgarte.
  [[nodiscard]] double baumgarteVelocity(double erp, double dt) const;
};

/// Makes constraints from what the narrow phase found.
class ContactConstraintFactory {
public:
  /// One constraint for each contact between the two bodies, in the order of the result, appended
  /// to `constraints`; each has its own point's depth. Contacts of other pairs are left alone;
  /// those found with the bodies exchanged are turned round. Fails with SelfPair for a body with
  /// itself and NonFinite for bodies or contacts that are not finite; nothing is appended then.
  static Status createFromCollision(const CollisionResult& result, const ConstraintBody& body1,
                                    const ConstraintBody& body2, const PairMaterial& material,
                                    std::vector<ContactConstraint>& constraints);
};

}  // namespace abut::inline v0_1
