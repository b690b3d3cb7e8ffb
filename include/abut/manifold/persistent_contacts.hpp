// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/manifold/persistent_manifold.hpp>

namespace abut::inline v0_1 {

/// A contact as constraints are built from it: what its manifold and its point there say.
struct PersistentContact {
  const ObjectPair& pair;                 ///< Object 1 is pair.first.
  const ContactPoint& contact;            ///< World frame.
  const double& normalImpulse;            ///< Warm start [N s], >= 0.
  const Eigen::Vector3d& tangentImpulse;  ///< Warm start on object 1, in the contact plane.
  const Vec3& couple;                     ///< Warm start on object 1 [N m s].
  const std::uint64_t& id;                ///< As in PersistentPoint.
  std::uint32_t manifold;                 ///< Index into ContactManifoldCache::getManifolds().
  std::uint32_t point;                    ///< Index into that manifold's points.
  const std::uint32_t& age;
};

/// Where a contact of a cache lies.
struct ContactPlace {
  std::uint32_t manifold = 0, point = 0;
};

/// The contacts of a cache, in order: a view of its manifolds that holds nothing itself.
class PersistentContacts {
public:
  class Iterator {
  public:
    using value_type = PersistentContact;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const PersistentManifold* manifolds, const ContactPlace* place)
        : manifolds_(manifolds), place_(place) {}
    [[nodiscard]] PersistentContact operator*() const { return at(manifolds_, *place_); }
    Iterator& operator++() {
      ++place_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++place_;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.place_ == b.place_; }

  private:
    const PersistentManifold* manifolds_ = nullptr;
    const ContactPlace* place_ = nullptr;
  };

  PersistentContacts(const PersistentManifold* manifolds, std::span<const ContactPlace> places)
      : manifolds_(manifolds), places_(places) {}

  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] bool empty() const { return places_.empty(); }
  [[nodiscard]] PersistentContact operator[](std::size_t i) const {
    return at(manifolds_, places_[i]);
  }
  [[nodiscard]] const ContactPlace& placeOf(std::size_t i) const { return places_[i]; }
  [[nodiscard]] const ObjectPair& pairOf(std::size_t i) const {
    return manifolds_[places_[i].manifold].key.pair;
  }
  [[nodiscard]] Iterator begin() const { return {manifolds_, places_.data()}; }
  [[nodiscard]] Iterator end() const { return {manifolds_, places_.data() + places_.size()}; }

private:
  static PersistentContact at(const PersistentManifold* manifolds, const ContactPlace& place) {
    const PersistentManifold& m = manifolds[place.manifold];
    const PersistentPoint& p = m.points[place.point];
    return {m.key.pair,       p.contact,   p.normalImpulse,
            p.tangentImpulse, p.couple,    p.id,
            place.manifold,   place.point, p.age};
  }

  const PersistentManifold* manifolds_;
  std::span<const ContactPlace> places_;
};

}  // namespace abut::inline v0_1
