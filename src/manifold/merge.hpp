// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "manifold/raw_groups.hpp"
#include "manifold/selection.hpp"

namespace abut::inline v0_1 {

/// Buffers of what follows, reused.
struct MergeScratch {
  std::vector<RawPoint> points;  ///< Raw contacts, then earlier ones that still hold.
  RawPoint only;                 ///< Where there is but one.
  std::vector<std::uint32_t> kept;
  std::vector<Candidate> pool;
  ManifoldPoints::Spare spare;  ///< From manifolds that have one point now.
};

/// The manifold that follows from the raw contacts in scratch.points (at least one) and the earlier
/// manifold of the same key (or null).
void mergeSeen(const RawGroup& group, const PersistentManifold* old,
               const ContactManifoldCacheOptions& options, std::uint32_t frame,
               MergeScratch& scratch, PersistentManifold& out, CacheReport& report);

/// The same for one raw contact that was admitted, where earlier points are not kept.
void mergeOne(const RawGroup& group, const ContactPoint& contact, const PersistentManifold* old,
              const ContactManifoldCacheOptions& options, std::uint32_t frame,
              MergeScratch& scratch, PersistentManifold& out, CacheReport& report);

/// All of a manifold but the points that it has not.
void copyManifold(const PersistentManifold& from, MergeScratch& scratch, PersistentManifold& to);

/// An earlier manifold under the current poses, without new raw contacts: recycled, or unseen and
/// emitted only as far as its points still are contacts.
void carryOver(PersistentManifold& manifold, const Pose& pose1, const Pose& pose2, bool recycled,
               const ContactManifoldCacheOptions& options, std::uint32_t frame);

/// Order of points in a manifold and of contacts in a pair: deeper first, then x, y, z, then
/// normal.
bool contactLess(const ContactPoint& a, const ContactPoint& b);

}  // namespace abut::inline v0_1
