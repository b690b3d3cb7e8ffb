// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <abut/narrow_phase/contact.hpp>

namespace abut::inline v0_1 {

/// What collide() is asked for.
struct CollisionOption {
  /// Compute points, normals and depths. If false only the answer yes or no, without points.
  bool enableContact = true;

  /// At most this many contacts are kept for each pair of objects. What is dropped is chosen by
  /// geometry (the shallowest go first; ties by sub-shape and feature), never by order of arrival,
  /// and counted in CollisionResult::numDropped(). 0 asks for nothing: no query is made.
  std::size_t maxNumContacts = 1000;

  /// Gaps up to this length [m] are reported too, with negative depth. >= 0.
  double margin = 0.0;

  /// Yes or no, as fast as possible.
  [[nodiscard]] static CollisionOption binaryCheck() { return {false, 1, 0.0}; }
  /// Everything.
  [[nodiscard]] static CollisionOption fullContacts(std::size_t max = 1000) {
    return {true, max, 0.0};
  }
};

/// Contacts found by one or several queries. Reuse it: cleared, it keeps its memory.
///
/// Manifolds are in the order of the queries; within one query sorted by sub-shapes. A batch query
/// sorts pairs by id.
class CollisionResult {
public:
  /// Adds a point as a manifold of its own.
  void addContact(const ContactPoint& contact);
  void addManifold(const ContactManifold& manifold);
  /// Forgets all results, keeps the memory.
  void clear() {
    count_ = 0;
    dropped_ = 0;
    collision_ = false;
  }

  /// True if some pair touches or overlaps, or has contacts within the margin. With
  /// enableContact = false this is all there is.
  [[nodiscard]] bool isCollision() const { return collision_ || count_ != 0; }
  [[nodiscard]] explicit operator bool() const { return isCollision(); }

  [[nodiscard]] std::size_t numContacts() const;
  [[nodiscard]] std::size_t numManifolds() const { return count_; }
  /// Contacts dropped because of CollisionOption::maxNumContacts.
  [[nodiscard]] std::size_t numDropped() const { return dropped_; }
  /// Greatest depth of any contact [m]; 0 if there are none.
  [[nodiscard]] double penetrationDepth() const;

  /// Throws std::out_of_range.
  [[nodiscard]] const ContactManifold& getManifold(std::size_t i) const;
  [[nodiscard]] std::span<const ContactManifold> getManifolds() const {
    return {manifolds_.data(), count_};
  }
  /// Contact i of all manifolds in a row. Walks the manifolds: use getManifolds() to visit all.
  /// Throws std::out_of_range.
  [[nodiscard]] const ContactPoint& getContact(std::size_t i) const;

  // For the narrow phase.

  /// True if there is memory for another manifold.
  [[nodiscard]] bool hasRoom() const {
    return manifolds_.data() + count_ != manifolds_.data() + manifolds_.size();
  }
  /// A manifold at the end to be filled in place; it holds no points.
  [[gnu::always_inline]] ContactManifold& appendManifold() {
    if (!hasRoom()) [[unlikely]]
      grow();
    ContactManifold& manifold = manifolds_[count_++];
    manifold.clear();
    return manifold;
  }
  /// So many manifolds; those that are new hold whatever was there before.
  void resize(std::size_t count);
  /// Keeps the first `count` manifolds.
  void truncate(std::size_t count);
  /// Manifolds from `first` on, to be sorted or thinned.
  [[nodiscard]] std::span<ContactManifold> mutableManifolds(std::size_t first);
  void markCollision() { collision_ = true; }
  void addDropped(std::size_t count) { dropped_ += count; }

private:
  void grow();

  std::vector<ContactManifold> manifolds_;  // The first count_ are live.
  std::size_t count_ = 0;
  std::size_t dropped_ = 0;
  bool collision_ = false;
};

}  // namespace abut::inline v0_1
