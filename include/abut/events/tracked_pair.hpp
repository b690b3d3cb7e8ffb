// SPDX-License-Identifier: MIT
#pragma once

#include <abut/core/object_id.hpp>
#include <abut/core/status.hpp>
#include <abut/narrow_phase/queries.hpp>

namespace abut::inline v0_1 {

/// An object as the tracker sees it.
struct TrackedObject {
  PlacedShape placed;   ///< The id is needed.
  bool canMove = true;  ///< Pairs of two objects that cannot are left out.
};

/// A pair whose distance is known. Objects 1 and 2 are pair.first and pair.second.
struct TrackedPair {
  ObjectPair pair;
  double distanceOrg = 0.0;             ///< Signed distance [m].
  double distanceWithHysteresis = 0.0;  ///< z: the value given to the integrator [m].
  DistanceResult closest;               ///< Witness points and normal.
};

/// What a contact keeps from its beginning to its end: constants of the force law.
struct ContactResponse {
  double beginTime = 0.0;     ///< [s]
  double closingSpeed = 0.0;  ///< Minus the rate of distanceOrg at the beginning [m/s].
  double stiffness = 0.0;     ///< c in f = c d^1.5 (1 + damping d') [N/m^1.5].
  double damping = 0.0;       ///< [s/m]
  double friction = 0.0;
  double rollingResistance = 0.0;   ///< [m]
  double spinningResistance = 0.0;  ///< [m]
};

/// A pair in contact.
struct TrackedContact : TrackedPair {
  ContactResponse response;
};

/// A contact as it was at the last event.
struct LastContact {
  ObjectPair pair;
  ContactResponse response;
};

/// Order of the watched pairs: closest first, of equals the smaller pair.
struct PairKey {
  double distanceWithHysteresis = 0.0;  ///< [m]
  ObjectPair pair;

  friend bool operator<(const PairKey& a, const PairKey& b) {
    if (a.distanceWithHysteresis != b.distanceWithHysteresis) {
      return a.distanceWithHysteresis < b.distanceWithHysteresis;
    }
    return a.pair < b.pair;
  }
};

/// A contact that began or ended at an event.
struct ContactChange {
  bool begins = false;
  TrackedPair state;         ///< At the event.
  ContactResponse response;  ///< Of the contact that began or ended.
};

/// Gives new contacts the constants of their force law.
class ContactResponseSource {
public:
  virtual ~ContactResponseSource() = default;
  /// `response.beginTime` is set already. A failure stops the event that asked.
  virtual Status respond(const TrackedPair& pair, ContactResponse& response) = 0;
};

}  // namespace abut::inline v0_1
