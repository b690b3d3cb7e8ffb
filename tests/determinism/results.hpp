// SPDX-License-Identifier: MIT
#pragma once

#include <abut/core/status.hpp>
#include <abut/narrow_phase/collision_result.hpp>
#include <abut/narrow_phase/queries.hpp>

#include "digest.hpp"

namespace golden {

// Every field of a result, in the order of its declaration.

inline void add(Digest& digest, const abut::Status& status) {
  digest.add(status.getCode());
  digest.add(status.getMessage());
  digest.add(status.getObject());
}

inline void add(Digest& digest, const abut::Feature& feature) {
  digest.add(feature.kind);
  digest.add(feature.index);
}

inline void add(Digest& digest, const abut::ContactPoint& contact) {
  digest.add(contact.position), digest.add(contact.normal), digest.add(contact.depth);
  add(digest, contact.feature1), add(digest, contact.feature2);
  digest.add(contact.point1()), digest.add(contact.point2());
}

inline void add(Digest& digest, const abut::ContactManifold& manifold) {
  digest.add(manifold.getType()), digest.add(manifold.getStatus());
  digest.add(manifold.getObject1()), digest.add(manifold.getObject2());
  digest.add(manifold.getSubShape1()), digest.add(manifold.getSubShape2());
  digest.add(manifold.getSharedNormal()), digest.add(manifold.penetrationDepth());
  digest.add(manifold.numContacts());
  for (const abut::ContactPoint& contact : manifold.getContacts()) add(digest, contact);
}

inline void add(Digest& digest, const abut::CollisionResult& result) {
  digest.add(result.isCollision()), digest.add(result.numContacts());
  digest.add(result.numDropped()), digest.add(result.penetrationDepth());
  for (const abut::ContactManifold& manifold : result.getManifolds()) add(digest, manifold);
}

inline void add(Digest& digest, const abut::DistanceResult& result) {
  digest.add(result.distance), digest.add(result.normal);
  digest.add(result.point1), digest.add(result.point2);
  add(digest, result.feature1), add(digest, result.feature2);
  digest.add(result.subShape1), digest.add(result.subShape2), digest.add(result.status);
}

}  // namespace golden
