// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <abut/core/owned.hpp>
#include <abut/core/slots.hpp>
#include <abut/core/status.hpp>
#include <abut/core/tasks.hpp>
#include <abut/manifold/cache_report.hpp>
#include <abut/manifold/contact_manifold_cache_options.hpp>
#include <abut/manifold/persistent_contacts.hpp>
#include <abut/narrow_phase/contact.hpp>

namespace abut::inline v0_1 {

class RawContacts;
class ManifoldFilter;

/// Contact manifolds that persist from step to step.
///
/// Points are kept in the frames of the bodies with the features that made them, matched by feature
/// first and by distance and normal second; depth and position are recomputed from the current
/// poses at every update. Impulses of the last solve are carried over: the tangential part is
/// re-projected on the new contact plane and clamped to the friction cone.
///
/// Order: manifolds are sorted by key; emitted contacts by pair, deeper first, then position x, y,
/// z, then normal: equal input gives the same bits, whatever the order of the raw manifolds.
/// Cost: linear in the manifolds if they come sorted by key, else O(n log n); a number that
/// stays allocates nothing, and where far fewer are left memory is given back.
/// Views end with the next call that changes the cache.
class ContactManifoldCache {
public:
  ContactManifoldCache();
  ~ContactManifoldCache();
  ContactManifoldCache(ContactManifoldCache&&) noexcept;
  ContactManifoldCache& operator=(ContactManifoldCache&&) noexcept;
  /// Copies all that is remembered; the last update of the copy cannot be taken back.
  ContactManifoldCache(const ContactManifoldCache& other);
  ContactManifoldCache& operator=(const ContactManifoldCache& other);
  /// Throws abut::Error if the options are not valid.
  explicit ContactManifoldCache(const ContactManifoldCacheOptions& options);

  [[nodiscard]] const ContactManifoldCacheOptions& getOptions() const { return options_; }
  /// Refuses invalid options and changes nothing then.
  Status setOptions(const ContactManifoldCacheOptions& options);
  /// Merges the manifolds that the narrow phase found in this step.
  ///
  /// `recycled` are pairs that were not detected anew because canRecycle() allowed it, sorted.
  /// `poses` holds the current pose of every object named, sorted by id. Fails, and changes
  /// nothing, with UnknownObject if a pose is missing, SelfPair for a manifold of an object with
  /// itself, OutOfRange if `poses` or `recycled` are not sorted. With maxPairs exceeded the update
  /// is made with the manifolds that fit and the status is LimitExceeded. `tasks` may do the work:
  /// no bit depends on it.
  CacheReport update(std::span<const ContactManifold> raw, std::span<const ObjectPose> poses,
                     std::span<const ObjectPair> recycled = {}, TaskRunner* tasks = nullptr);
  /// The same for manifolds as a world's detector packs them. `filter` may leave some of the points
  /// out of the contacts; it is not asked while the cache is not enabled.
  CacheReport update(const RawContacts& raw, std::span<const ObjectPose> poses,
                     std::span<const ObjectPair> recycled, TaskRunner* tasks,
                     ManifoldFilter* filter = nullptr);

  /// Takes back the last update(): manifolds, impulses and contacts are as before it; begun and
  /// ended pairs are empty. Only after an update that succeeded, with nothing but impulses stored
  /// since; else it does nothing.
  void undoUpdate() noexcept;
  void endUndo() noexcept { undoable_ = false; }  ///< It can no longer be taken back.
  /// Number of updates made, and all that a later cache needs to go on from here.
  [[nodiscard]] std::uint32_t getFrame() const { return frame_; }
  /// Holds these manifolds from now on, as after the update with that number. Fails with BadData,
  /// and changes nothing, if they are not sorted by key or hold what no update leaves behind.
  Status restore(std::span<const PersistentManifold> manifolds, std::uint32_t frame);

  /// True if every manifold of the pair is flat and the relative pose has hardly moved since it was
  /// detected (ContactManifoldCacheOptions::recycleDistance), so that detection may be left out.
  [[nodiscard]] bool canRecycle(ObjectPair pair, const Pose& pose1, const Pose& pose2) const;
  /// The same for pairs asked for in ascending order: `cursor` starts at 0 and goes along, so that
  /// all of them together take time in proportion to the manifolds. `flatOnly` false: contacts at
  /// edges, corners and round places too. Their normal turns with the body that touches by a face,
  /// else with both; depth is then wrong by d^2 / 2R more where surfaces have the radius R.
  [[nodiscard]] bool canRecycle(ObjectPair pair, const Pose& pose1, const Pose& pose2,
                                std::size_t& cursor, bool flatOnly = true) const;
  /// Where a cursor starts for pairs asked for from this one on.
  [[nodiscard]] std::size_t findFirst(ObjectPair pair) const;

  /// This update's contacts.
  [[nodiscard]] PersistentContacts getContacts() const {
    return {passed_.empty() ? manifolds_.begin() : passed_.begin(), contacts_.view()};
  }
  /// All manifolds remembered, sorted by key, seen or not.
  [[nodiscard]] std::span<const PersistentManifold> getManifolds() const {
    return manifolds_.view();
  }
  /// Pairs that have contacts since this update; pairs that have none any more. Sorted.
  [[nodiscard]] std::span<const ObjectPair> getBegunPairs() const { return begun_; }
  [[nodiscard]] std::span<const ObjectPair> getEndedPairs() const { return ended_; }

  /// Stores the impulses that the solver found for contact i of getContacts(), for the next update:
  /// normal >= 0, tangent and couple on object 1 [N s, N m s], the friction that bounds the former.
  /// Fails with OutOfRange for an index beyond the contacts and NonFinite for NaN or infinity.
  Status setImpulse(std::size_t i, double normal, const Eigen::Vector3d& tangent, double friction,
                    const Vec3& couple = {});
  /// The same, known to be in range; the couple stays. Different contacts: from different threads.
  void storeImpulse(std::size_t i, double normal, const Eigen::Vector3d& tangent, double friction) {
    const ContactPlace& place = contacts_[i];
    PersistentPoint& point = manifolds_[place.manifold].points[place.point];
    point.normalImpulse = normal;
    point.tangentImpulse = tangent;
    point.friction = friction;
  }

  /// Forgets all pairs of an object at once: when it is removed, replaced or moved by the caller.
  /// Returns how many manifolds were forgotten. Its contacts leave getContacts() too.
  std::size_t forgetObject(ObjectId object);
  std::size_t forgetObjects(std::span<const ObjectId> objects);  ///< Of several, sorted by id.
  /// Hands the manifolds of some objects (sorted by id) to another cache, with impulses and ages,
  /// except those that the last update did not see: these are forgotten. The contacts of both
  /// follow; what was begun or ended does not. Returns how many were handed over. If memory runs
  /// out it throws std::bad_alloc, and both are what they were.
  std::size_t moveObjects(std::span<const ObjectId> objects, ContactManifoldCache& to);
  /// Takes that back. Only if each of both had no call since but update() and undoUpdate().
  void undoMove(ContactManifoldCache& to) noexcept;
  std::size_t forgetPair(ObjectPair pair);  ///< Forgets one pair.
  void clear();                             ///< Forgets everything.
  /// Leaves nothing in the buffers that it works with; what it remembers stays. For after memory
  /// ran out in a call.
  void renewBuffers();

private:
  [[nodiscard]] bool hasHardlyMoved(std::size_t first, ObjectPair pair, const Pose& pose1,
                                    const Pose& pose2, bool flatOnly) const;
  void passThrough(const RawContacts& raw, CacheReport& report);
  void emitContacts();
  void swapWithNext() noexcept;
  void swapWithBefore() noexcept;
  struct Moved;
  struct Scratch;
  ContactManifoldCacheOptions options_;
  Slots<PersistentManifold> manifolds_;  // Sorted by key.
  Slots<PersistentManifold> passed_;     // Of contacts that pass through, one point each.
  Slots<ContactPlace> contacts_;         // Among the manifolds, or what passed through.
  std::vector<ObjectPair> touching_, begun_, ended_;  // Sorted.
  Owned<Scratch> scratch_;
  std::uint32_t frame_ = 0;
  bool undoable_ = false;
};

}  // namespace abut::inline v0_1
