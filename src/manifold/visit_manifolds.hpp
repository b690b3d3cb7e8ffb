// SPDX-License-Identifier: MIT
#pragma once

#include <abut/manifold/contact_manifold_cache.hpp>

namespace abut::inline v0_1 {

// The part of a world's state that contacts are: see visitState().
#if defined(__x86_64__) && defined(__linux__)
static_assert(sizeof(PersistentPoint) == 200, "a new field belongs into visitPoint()");
#endif

/// What of contacts some worlds alone have.
struct ContactParts {
  bool recycles = false;  ///< The scheme takes contacts over from the last step as they are.
  bool turns = false;     ///< Couples are kept.
};

template <typename A, typename Point>
void visitPoint(A& archive, Point& p, bool turns) {
  auto& c = p.contact;
  archive(c.position, c.normal, c.depth, c.feature1.kind, c.feature1.index, c.feature2.kind,
          c.feature2.index);
  archive(p.local1, p.local2, p.normalImpulse, p.tangentImpulse, p.friction, p.id, p.age,
          p.emitted);
  if (turns) archive(p.couple);
}

template <typename A, typename Manifold>
void visitManifold(A& archive, Manifold& m, const ContactParts& parts) {
  archive(m.key.pair.first, m.key.pair.second, m.key.subShape1, m.key.subShape2, m.key.ordinal);
  archive(m.count, m.type, m.framesSinceSeen, m.lastUpdateFrame, m.detected);
  if (parts.recycles) archive(m.normal1);
  if constexpr (A::kReads) m.points.makeRoom(m.count);
  for (std::size_t i = 0; i < m.count && i < PersistentManifold::kMaxPoints; ++i) {
    visitPoint(archive, m.points[i], parts.turns);
  }
}

template <typename A, typename Cache>
void visitManifolds(A& archive, const ContactParts& parts, std::uint32_t frame, Cache& cache) {
  if constexpr (A::kReads) {
    std::vector<PersistentManifold> manifolds;
    std::uint64_t count = 0;
    archive(count);
    for (std::uint64_t i = 0; i < count && archive.ok(); ++i) {
      PersistentManifold manifold;
      visitManifold(archive, manifold, parts);
      if (archive.ok() && archive.takesPair(manifold.key.pair)) {
        manifolds.push_back(std::move(manifold));
      }
    }
    archive.takeContacts(manifolds, frame, cache);
  } else {
    const std::uint64_t count = cache.getManifolds().size();
    archive(count);
    for (const PersistentManifold& m : cache.getManifolds()) visitManifold(archive, m, parts);
  }
}

}  // namespace abut::inline v0_1
