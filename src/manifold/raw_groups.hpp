// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/core/tasks.hpp>
#include <abut/manifold/contact_manifold_cache.hpp>
#include <abut/math/convert.hpp>

#include "manifold/raw_contacts.hpp"
#include "math/pose.hpp"

namespace abut::inline v0_1 {

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
  Status collect(const RawContacts& raw, std::span<const ObjectPose> poses,
                 const ContactManifoldCacheOptions& options, TaskRunner* tasks = nullptr);

  /// Of groups, sorted by key.
  [[nodiscard]] std::size_t size() const { return is_plain_ ? raw_->size() : groups_.size(); }
  /// The pair of one of them.
  [[nodiscard]] ObjectPair pairOf(std::size_t i) const {
    if (!is_plain_) return groups_[i].key.pair;
    const RawManifold& m = (*raw_)[i];
    return {m.object1, m.object2};
  }
  [[nodiscard]] ManifoldKey keyOf(std::size_t i) const {
    if (!is_plain_) return groups_[i].key;
    const RawManifold& m = (*raw_)[i];
    return {{m.object1, m.object2}, m.subShape1, m.subShape2, 0};
  }
  void get(std::size_t i, RawGroup& group) const {
    if (is_plain_) {
      getPlain(i, group);
    } else {
      group = groups_[i];
    }
  }
  /// The contact of a group that is one manifold with one point, in the order of its pair; else
  /// null.
  [[nodiscard]] const ContactPoint* onlyPoint(std::size_t i) const {
    return is_plain_ && (*raw_)[i].count == 1 ? raw_->pointsOf((*raw_)[i]).data() : nullptr;
  }

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
    std::uint32_t manifold;  ///< Raw.
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
  [[nodiscard]] bool arePlain(std::size_t begin, std::size_t end) const;
  void getPlain(std::size_t i, RawGroup& group) const;
  void fill(Part& part);
  Status sortSources();
  template <class Append>
  void group(const ContactManifoldCacheOptions& options, std::span<const ObjectPose> poses,
             Part& part, Append&& append) const;

  const RawContacts* raw_ = nullptr;
  std::span<const ObjectPose> poses_;
  bool is_plain_ =
      false;  // Each raw manifold is a group, and they come in order: nothing is copied.
  std::vector<Source> sources_;
  std::vector<Part> parts_;
  std::vector<RawGroup> groups_;
};

/// The pose of an object in a list sorted by id, or null.
const Pose* searchPose(std::span<const ObjectPose> poses, ObjectId id);
/// The same, in constant time if the ids are contiguous.
inline const Pose* findPose(std::span<const ObjectPose> poses, ObjectId id) {
  if (poses.empty() || id < poses.front().id) return nullptr;
  const ObjectId guess = id - poses.front().id;
  if (guess < poses.size()) {
    const ObjectPose& candidate = poses[static_cast<std::size_t>(guess)];
    if (candidate.id == id) return &candidate.pose;
  }
  return searchPose(poses, id);
}

inline void RawGroups::getPlain(std::size_t i, RawGroup& group) const {
  const RawManifold& m = (*raw_)[i];
  group.key.pair = {m.object1, m.object2};
  group.key.subShape1 = m.subShape1;
  group.key.subShape2 = m.subShape2;
  group.key.ordinal = 0;
  group.first = static_cast<std::uint32_t>(i);
  group.count = 1;
  group.type = m.type;
  group.pose1 = findPose(poses_, m.object1);
  group.pose2 = findPose(poses_, m.object2);
}

/// True if the point obeys the cache's invariants; makes its normal a unit vector.
inline bool admit(ContactPoint& contact, const ContactManifoldCacheOptions& options) {
  const Vec3 normal = toVec3(contact.normal);
  if (!isFinite(toVec3(contact.position)) || !isFinite(normal) || !isFinite(contact.depth)) {
    return false;
  }
  const double length2 = squaredNorm(normal);
  constexpr double kShortest2 = ContactPoint::kNormalEpsilon * ContactPoint::kNormalEpsilon;
  if (length2 < kShortest2) return false;
  if (contact.depth < 0.0 && !options.allowNegativeDepth) return false;
  // Detectors deliver unit vectors but for rounding; those stay as they are. Adding zero turns -0
  // into +0, so that a normal negated twice has the same bits.
  constexpr double kUnitTolerance = 1e-12;
  const bool isUnit = absOf(length2 - 1.0) <= kUnitTolerance;
  contact.normal = toEigen((isUnit ? normal : normalized(normal)) + Vec3{});
  return true;
}

/// Witness points of a contact in the objects' frames.
inline void setWitnesses(const ContactPoint& contact, const Pose& pose1, const Pose& pose2,
                         Vec3& local1, Vec3& local2) {
  const Vec3 half = toVec3(contact.normal) * (0.5 * contact.depth);
  const Vec3 middle = toVec3(contact.position);
  local1 = applyInverse(pose1, middle - half);
  local2 = applyInverse(pose2, middle + half);
}

}  // namespace abut::inline v0_1
