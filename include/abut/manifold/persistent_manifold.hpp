// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <abut/core/object_id.hpp>
#include <abut/math/types.hpp>
#include <abut/narrow_phase/contact.hpp>

namespace abut::inline v0_1 {

/// An object's current pose.
struct ObjectPose {
  ObjectId id = kNoObject;
  Pose pose;
};

/// What a persistent manifold is remembered under: the pair of objects, the parts that touch, and
/// the place among manifolds that share all of these (sorted by normal).
struct ManifoldKey {
  ObjectPair pair;
  std::uint64_t subShape1 = 0;  ///< Part of pair.first.
  std::uint64_t subShape2 = 0;  ///< Part of pair.second.
  std::uint32_t ordinal = 0;

  friend auto operator<=>(const ManifoldKey&, const ManifoldKey&) = default;
};

/// A contact point with a history. Object 1 is pair.first.
struct PersistentPoint {
  ContactPoint contact;                        ///< Under the current poses, world frame.
  Vec3 local1;                                 ///< Witness on object 1, in its frame [m].
  Vec3 local2;                                 ///< Witness on object 2, in its frame [m].
  double normalImpulse = 0.0;                  ///< Of the last solve [N s], >= 0.
  Eigen::Vector3d tangentImpulse{0., 0., 0.};  ///< On object 1, in the contact plane [N s].
  Vec3 couple;                                 ///< On object 1, if heaps keep it [N m s].
  double friction = 0.0;                       ///< Coefficient under which they were found.
  std::uint64_t id = 0;   ///< Stays the same while the point lives; unique within its pair.
  std::uint32_t age = 0;  ///< Updates since the point appeared.
  bool emitted = false;   ///< Among this update's contacts.
};

/// The points of a manifold: one in place, several apart from it, side by side in both cases. Round
/// bodies touch in one point, and piles of them have more manifolds than anything else.
class ManifoldPoints {
public:
  static constexpr std::size_t kMost = ContactManifold::kMaxContacts;
  using Several = std::array<PersistentPoint, kMost>;
  /// Room for several points that no manifold needs now.
  using Spare = std::vector<std::unique_ptr<Several>>;

  ManifoldPoints() = default;
  ManifoldPoints(const ManifoldPoints& other) { *this = other; }
  ManifoldPoints(ManifoldPoints&& other) noexcept { swap(other); }
  ManifoldPoints& operator=(const ManifoldPoints& other) {
    makeRoom(other.are_apart_ ? kMost : 1);
    if (are_apart_) {
      *several_ = *other.several_;
    } else {
      one_ = other.one_;
    }
    return *this;
  }
  ManifoldPoints& operator=(ManifoldPoints&& other) noexcept {
    swap(other);
    return *this;
  }
  ~ManifoldPoints() = default;

  /// Room for so many points, at most kMost; they hold whatever was there before. Room for several
  /// stays for later. If memory runs out it throws std::bad_alloc, and nothing changes.
  void makeRoom(std::size_t count) {
    if (count > 1 && several_ == nullptr) several_ = std::make_unique<Several>();
    are_apart_ = count > 1;
  }
  /// The same, from what is spare if there is any; room for several that is not needed goes there.
  void makeRoom(std::size_t count, Spare& spare) {
    if (count > 1 && several_ == nullptr && !spare.empty()) {
      several_ = std::move(spare.back());
      spare.pop_back();
    } else if (count <= 1 && several_ != nullptr) {
      spare.push_back(std::move(several_));
    }
    makeRoom(count);
  }
  [[nodiscard]] PersistentPoint* data() { return are_apart_ ? several_->data() : &one_; }
  [[nodiscard]] const PersistentPoint* data() const {
    return are_apart_ ? several_->data() : &one_;
  }
  [[nodiscard]] PersistentPoint& operator[](std::size_t i) { return data()[i]; }
  [[nodiscard]] const PersistentPoint& operator[](std::size_t i) const { return data()[i]; }

private:
  void swap(ManifoldPoints& other) noexcept {
    std::swap(one_, other.one_);
    several_.swap(other.several_);
    std::swap(are_apart_, other.are_apart_);
  }

  PersistentPoint one_;
  std::unique_ptr<Several> several_;
  bool are_apart_ = false;
};

/// The contacts of one key, as the cache keeps them.
struct PersistentManifold {
  static constexpr std::size_t kMaxPoints = ManifoldPoints::kMost;

  ManifoldKey key;
  ManifoldPoints points;  ///< Has room for `count`.
  std::uint8_t count = 0;
  ContactType type = ContactType::Unknown;
  std::uint16_t framesSinceSeen = 0;  ///< 0: the narrow phase saw it in the last update.
  std::uint32_t lastUpdateFrame = 0;  ///< Update in which its points last changed.
  Pose detected;  ///< Pose of object 2 in the frame of object 1 when it was last detected.
  Vec3 normal1;   ///< The normal of its first point then, in the frame of object 1.

  /// Sorted deepest first, then by position x, y, z, then by normal.
  [[nodiscard]] std::span<const PersistentPoint> getPoints() const {
    return {points.data(), count};
  }
};

}  // namespace abut::inline v0_1
