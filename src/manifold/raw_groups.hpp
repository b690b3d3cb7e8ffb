// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/manifold/contact_manifold_cache.hpp>

#include "math/pose.hpp"

namespace abut {

/// A raw contact in the order of its pair: object 1 is pair.first.
struct RawPoint {
  ContactPoint contact;
  Vec3 local1, local2;  ///< Witness points in the objects' frames [m].
};

/// Raw contacts of one key.
struct RawGroup {
  ManifoldKey key;
  std::uint32_t first = 0, count = 0;  ///< Into RawGroups::points.
  ContactType type = ContactType::Unknown;
  double depth = 0.0;  ///< Greatest [m].
  const Pose* pose1 = nullptr;
  const Pose* pose2 = nullptr;
};

/// The raw manifolds of one update, checked, put in the order of their pairs, grouped by key and
/// sorted, so that nothing depends on their order of arrival.
struct RawGroups {
  struct Source {
    ManifoldKey key;
    Vec3 normal;
    std::uint32_t index;
  };

  std::vector<Source> sources;
  std::vector<RawPoint> points;  ///< Within a group sorted by features, then position.
  std::vector<RawGroup> groups;  ///< Sorted by key.

  /// Fails with UnknownObject or SelfPair; the groups are then meaningless. Points that break an
  /// invariant are left out and counted.
  Status collect(std::span<const ContactManifold> raw, std::span<const ObjectPose> poses,
                 const ContactManifoldCacheOptions& options, CacheReport& report);

  /// Keeps the `most` deepest groups (ties: smaller keys), still sorted by key. Returns how many
  /// were left out.
  std::size_t limit(std::size_t most);
};

/// The pose of an object in a list sorted by id, or null. Constant time if the ids are contiguous.
const Pose* findPose(std::span<const ObjectPose> poses, ObjectId id);

}  // namespace abut
