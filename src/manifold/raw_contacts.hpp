// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>

#include <abut/core/object_id.hpp>
#include <abut/narrow_phase/contact.hpp>

#include "core/stage_room.hpp"

namespace abut::inline v0_1 {

/// A manifold of the narrow phase without its points.
struct RawManifold {
  ObjectId object1 = kNoObject, object2 = kNoObject;
  std::uint64_t subShape1 = 0, subShape2 = 0;
  std::uint32_t first = 0, count = 0;  ///< Points among all.
  ContactType type = ContactType::Unknown;
};

/// Manifolds of the narrow phase, packed: a ContactManifold has room for four points, and most of a
/// heap touch in one.
class RawContacts {
public:
  [[nodiscard]] std::size_t size() const { return manifolds_.size(); }
  [[nodiscard]] std::size_t numPoints() const { return points_.size(); }
  [[nodiscard]] const RawManifold& operator[](std::size_t i) const { return manifolds_[i]; }
  [[nodiscard]] std::span<const ContactPoint> pointsOf(const RawManifold& m) const {
    return {points_.begin() + m.first, m.count};
  }

  void clear() {
    manifolds_.clear();
    points_.clear();
  }
  /// Empty; with a room its memory is there, and gone with the room's next stage. `manifolds` and
  /// `points`: about how many there will be.
  void start(StageRoom* room, std::size_t manifolds, std::size_t points) {
    manifolds_.start(room, manifolds);
    points_.start(room, points);
  }
  void add(std::span<const ContactManifold> found) {
    for (const ContactManifold& m : found) add(m);
  }
  void add(const ContactManifold& m) {
    const std::span<const ContactPoint> points = m.getContacts();
    manifolds_.append({m.getObject1(), m.getObject2(), m.getSubShape1(), m.getSubShape2(),
                       static_cast<std::uint32_t>(points_.size()),
                       static_cast<std::uint32_t>(points.size()), m.getType()});
    for (const ContactPoint& p : points) points_.append(p);
  }
  /// By objects, then parts; what is alike stays in order. Points stay where they are.
  void sort() {
    std::sort(manifolds_.begin(), manifolds_.end(), [](const RawManifold& a, const RawManifold& b) {
      return std::tie(a.object1, a.object2, a.subShape1, a.subShape2, a.first) <
             std::tie(b.object1, b.object2, b.subShape1, b.subShape2, b.first);
    });
  }
  /// Room for what is put there.
  void resize(std::size_t manifolds, std::size_t points) {
    manifolds_.resize(manifolds);
    points_.resize(points);
  }
  /// Copies all of another to where so many manifolds and points come before it.
  void put(const RawContacts& from, std::size_t manifold, std::size_t point) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      manifolds_[manifold + i] = from.manifolds_[i];
      manifolds_[manifold + i].first += static_cast<std::uint32_t>(point);
    }
    std::copy(from.points_.begin(), from.points_.end(), points_.begin() + point);
  }

private:
  RoomList<RawManifold> manifolds_;
  RoomList<ContactPoint> points_;
};

}  // namespace abut::inline v0_1
