// SPDX-License-Identifier: MIT
#include <stdexcept>

#include <abut/narrow_phase/collision_result.hpp>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

void CollisionResult::addContact(const ContactPoint& contact) {
  ContactManifold& manifold = appendManifold();
  manifold.setType(ContactType::Point);
  manifold.addContact(contact);
}

void CollisionResult::addManifold(const ContactManifold& manifold) {
  appendManifold() = manifold;
}

void CollisionResult::grow() {
  manifolds_.emplace_back();
}

std::size_t CollisionResult::numContacts() const {
  std::size_t total = 0;
  for (const ContactManifold& manifold : getManifolds()) total += manifold.numContacts();
  return total;
}

double CollisionResult::penetrationDepth() const {
  double greatest = count_ == 0 ? 0.0 : manifolds_[0].penetrationDepth();
  for (const ContactManifold& manifold : getManifolds()) {
    greatest = maxOf(greatest, manifold.penetrationDepth());
  }
  return greatest;
}

const ContactManifold& CollisionResult::getManifold(std::size_t i) const {
  if (i >= count_) {
    throw std::out_of_range("CollisionResult::getManifold: index beyond numManifolds()");
  }
  return manifolds_[i];
}

const ContactPoint& CollisionResult::getContact(std::size_t i) const {
  for (const ContactManifold& manifold : getManifolds()) {
    if (i < manifold.numContacts()) return manifold.getContacts()[i];
    i -= manifold.numContacts();
  }
  throw std::out_of_range("CollisionResult::getContact: index beyond numContacts()");
}

void CollisionResult::resize(std::size_t count) {
  if (manifolds_.size() < count) manifolds_.resize(count);
  count_ = count;
}

void CollisionResult::truncate(std::size_t count) {
  if (count < count_) count_ = count;
}

std::span<ContactManifold> CollisionResult::mutableManifolds(std::size_t first) {
  return std::span<ContactManifold>(manifolds_.data(), count_).subspan(first);
}

}  // namespace abut::inline v0_1
