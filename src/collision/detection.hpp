// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <abut/core/object_id.hpp>
#include <abut/manifold/contact_manifold_cache.hpp>
#include <abut/narrow_phase/collision_result.hpp>
#include <abut/narrow_phase/queries.hpp>

#include "manifold/raw_contacts.hpp"
#include "math/pose.hpp"
#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// Bodies by index whose relative motion exceeds their size.
struct FastPair {
  std::uint32_t body1 = 0, body2 = 0;
};

/// Fast bodies that meet within the step: when, where their centres are then, and the contacts.
struct FastHit : FastPair {
  double time = 0.0;  ///< [s]
  Vec3 center1, center2;
  std::uint32_t firstManifold = 0, endManifold = 0;  ///< Of Detection::fastManifolds.
  bool isExpected = false;  ///< After blows of the step, if these happen as they did.
  bool isOver = false;      ///< It does not happen: blows before it lead elsewhere.
  double reach = 0.0;       ///< Of such a hit: how far apart the bodies may be before [m].
};

/// What the bodies of a step meet.
struct Detection {
  std::vector<double> margins;       ///< By body: how far it reaches in the step [m].
  std::vector<PlacedShape> placed;   ///< By body, at the beginning of the step.
  std::vector<ObjectPair> pairs;     ///< Whose boxes meet.
  std::vector<ObjectPair> recycled;  ///< Whose contacts are those of an earlier step.
  RawContacts manifolds;             ///< Of all other pairs; until contacts were matched.
  RoomList<ObjectPose> cachePoses;   ///< Of the bodies awake, for the cache; as long.
  std::vector<FastPair> fastPairs;   ///< Pairs that were cast.
  std::vector<FastHit> fastHits;     ///< First hits of fast bodies.
  CollisionResult fastManifolds;     ///< At those hits.
};

}  // namespace abut::inline v0_1
