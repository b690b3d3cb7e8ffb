// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/core/tasks.hpp>
#include <abut/manifold/contact_manifold_cache.hpp>

#include "math/pose.hpp"

namespace abut {

/// A raw contact in the order of its pair: object 1 is pair.first.
struct RawPoint {
  ContactPoint contact;
  Vec3 local1, local2;  ///< Witness points in the objects' frames [m].
};

/// Raw manifolds of one key.
struct RawGroup {
  ManifoldKey key;
  std::uint32_t first = 0, count = 0;  ///< Into RawGroups::sources.
  ContactType type = ContactType::Unknown;
  const Pose* pose1 = nullptr;
  const Pose* pose2 = nullptr;
};

/// The raw manifolds of one update, checked, put in the order of their pairs, grouped by key and
/// sorted, so that nothing depends on their order of arrival.
class RawGroups {
public:
  /// Fails with UnknownObject or SelfPair; the groups are then meaningless. The manifolds and poses
  /// must outlive the groups.
  Status collect(std::span<const ContactManifold> raw, std::span<const ObjectPose> poses,
                 const ContactManifoldCacheOptions& options, TaskRunner* tasks = nullptr);

  /// Sorted by key.
  [[nodiscard]] std::span<const RawGroup> getGroups() const { return groups_; }

  /// The points of a group, sorted by features, then position. Points that break an invariant of
  /// the cache are left out and counted.
  void load(const RawGroup& group, const ContactManifoldCacheOptions& options,
            std::vector<RawPoint>& points, CacheReport& report) const;

  /// Keeps the `most` deepest groups (ties: smaller keys), still sorted by key. Returns how many
  /// were left out.
  std::size_t limit(std::size_t most);

private:
  struct Source {
    ManifoldKey key;
    Vec3 normal;
    const ContactManifold* manifold;
  };

  /// Raw manifolds that go together; later sources of whole pairs.
  struct Part {
    std::size_t begin = 0, end = 0;
    bool isSorted = true;
    std::size_t selfPair = 0;  ///< The first manifold of an object with itself, or the end.
    std::size_t firstGroup = 0, numGroups = 0;
    ObjectId missing = kNoObject;  ///< The first object without a pose.
  };

  static bool sourceLess(const Source& a, const Source& b);
  void fill(std::span<const ContactManifold> raw, Part& part);
  Status sortSources(std::span<const ContactManifold> raw);
  template <class Append>
  void group(const ContactManifoldCacheOptions& options, std::span<const ObjectPose> poses,
             Part& part, Append&& append) const;

  std::vector<Source> sources_;
  std::vector<Part> parts_;
  std::vector<RawGroup> groups_;
};

/// The pose of an object in a list sorted by id, or null. Constant time if the ids are contiguous.
const Pose* findPose(std::span<const ObjectPose> poses, ObjectId id);

}  // namespace abut
