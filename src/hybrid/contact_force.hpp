// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <abut/hybrid/compliant_system.hpp>

#include "hybrid/moving_bodies.hpp"

namespace abut::inline v0_1 {

enum class SlipMode : std::uint8_t {
  Sliding,   ///< Regularised Coulomb friction against the slip.
  Sticking,  ///< Held by a tangential spring.
  Breaking,  ///< Just let go: full friction against the direction in which it was pulled.
};

/// What of a contact changes at events alone.
struct ContactMode {
  ObjectPair pair;
  SlipMode slip = SlipMode::Sliding;
  Vec3 pull;              ///< Unit, world: where a breaking contact was pulled to.
  bool pushing = true;    ///< The force law gives a push; else the force is clamped to zero.
  Vec3 anchor1, anchor2;  ///< Ends of the tangential spring, in the bodies' frames [m].
};

/// What a contact does to its bodies.
struct ContactEffect {
  double elastic = 0.0;  ///< Energy stored [J].
  /// Mean of 1 + k d'/v0 over the points, weighted by c d^1.5: the sign of the force. 1 where
  /// nothing overlaps.
  double pushFactor = 1.0;
  std::size_t points = 0;
  double normalForce = 0.0;  ///< Sum [N].
  Vec3 slipVelocity;         ///< Of body 1 over body 2 at the deepest point [m/s].
  Vec3 friction;             ///< On body 1 at the deepest point [N].
  Vec3 position, normal;     ///< At the deepest point.
};

/// Computes the forces of pairs on bodies that were placed.
class ContactForces {
public:
  ContactForces(const MovingBodies& bodies, const CompliantOptions& options)
      : bodies_(bodies), options_(options) {}

  /// Adds the forces of a pair to `force` and `torque` (of all bodies, about their centres of mass)
  /// and appends its points to `points`; each may be null.
  Status evaluate(const ObjectPair& pair, const ContactResponse& response, const ContactMode& mode,
                  std::vector<Vec3>* force, std::vector<Vec3>* torque,
                  std::vector<CompliantForce>* points, ContactEffect& effect);

  /// Constants of a contact that begins.
  Status respond(const TrackedPair& pair, ContactResponse& response) const;
  /// Rate of the distance of a pair [m/s].
  [[nodiscard]] double distanceRate(const TrackedPair& pair) const;

private:
  struct Point;
  Vec3 frictionAt(const Point& point, const ContactResponse& response,
                  const ContactMode& mode) const;

  const MovingBodies& bodies_;
  const CompliantOptions& options_;
  CollisionResult collisions_;
};

}  // namespace abut::inline v0_1
