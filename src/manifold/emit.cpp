// SPDX-License-Identifier: MIT
#include "manifold/emit.hpp"

#include <algorithm>
#include <utility>

#include "manifold/merge.hpp"

namespace abut::inline v0_1 {
namespace {

/// Manifolds that a thread takes at once, about.
constexpr std::size_t kGrain = 128;

bool comesBefore(const PersistentContact& a, const PersistentContact& b) {
  if (contactLess(a.contact, b.contact)) return true;
  if (contactLess(b.contact, a.contact)) return false;
  return std::pair(a.manifold, a.point) < std::pair(b.manifold, b.point);
}

void copyContact(const PersistentManifold& manifold, std::size_t m, std::uint32_t p,
                 PersistentContact& contact) {
  const PersistentPoint& point = manifold.points[p];
  contact.pair = manifold.key.pair;
  contact.contact = point.contact;
  contact.normalImpulse = point.normalImpulse;
  contact.tangentImpulse = point.tangentImpulse;
  contact.id = point.id;
  contact.manifold = static_cast<std::uint32_t>(m);
  contact.point = p;
  contact.age = point.age;
}

/// Calls contact(m, p) for each point of the manifolds that is emitted, and pair(pair, manifolds)
/// after those of a pair that has some.
template <class Contact, class Pair>
void forEmitted(std::span<const PersistentManifold> manifolds, std::size_t begin, std::size_t end,
                Contact&& contact, Pair&& pair) {
  for (std::size_t m = begin; m < end;) {
    const std::size_t first = m;
    const ObjectPair key = manifolds[m].key.pair;
    bool any = false;
    for (; m < end && manifolds[m].key.pair == key; ++m) {
      for (std::uint32_t p = 0; p < manifolds[m].count; ++p) {
        if (!manifolds[m].points[p].emitted) continue;
        contact(m, p);
        any = true;
      }
    }
    if (any) pair(key, m - first);
  }
}

}  // namespace

void ContactEmitter::run(std::span<const PersistentManifold> manifolds, TaskRunner* tasks,
                         Slots<PersistentContact>& contacts, std::vector<ObjectPair>& touching) {
  contacts.clear();
  touching.clear();
  if (tasks == nullptr || manifolds.size() <= kGrain) {
    std::size_t pairBegin = 0;
    forEmitted(
        manifolds, 0, manifolds.size(),
        [&](std::size_t m, std::uint32_t p) { copyContact(manifolds[m], m, p, contacts.append()); },
        [&](ObjectPair pair, std::size_t count) {
          if (count > 1) std::sort(contacts.begin() + pairBegin, contacts.end(), comesBefore);
          pairBegin = contacts.size();
          touching.push_back(pair);
        });
    return;
  }
  parts_.clear();
  for (std::size_t begin = 0; begin < manifolds.size();) {
    std::size_t end = std::min(begin + kGrain, manifolds.size());
    while (end < manifolds.size() && manifolds[end].key.pair == manifolds[end - 1].key.pair) ++end;
    parts_.push_back({begin, end, 0, 0, 0, 0});
    begin = end;
  }
  forChunks(tasks, parts_.size(), 1, [&](std::size_t i, std::size_t) {
    Part& part = parts_[i];
    forEmitted(
        manifolds, part.begin, part.end, [&](std::size_t, std::uint32_t) { ++part.numContacts; },
        [&](ObjectPair, std::size_t) { ++part.numPairs; });
  });
  std::size_t numContacts = 0, numPairs = 0;
  for (Part& part : parts_) {
    part.firstContact = numContacts;
    part.firstPair = numPairs;
    numContacts += part.numContacts;
    numPairs += part.numPairs;
  }
  contacts.resize(numContacts);
  touching.resize(numPairs);
  forChunks(tasks, parts_.size(), 1, [&](std::size_t i, std::size_t) {
    const Part& part = parts_[i];
    PersistentContact* contact = contacts.begin() + part.firstContact;
    PersistentContact* pairBegin = contact;
    std::size_t pair = part.firstPair;
    forEmitted(
        manifolds, part.begin, part.end,
        [&](std::size_t m, std::uint32_t p) { copyContact(manifolds[m], m, p, *contact++); },
        [&](ObjectPair key, std::size_t count) {
          if (count > 1) std::sort(pairBegin, contact, comesBefore);
          pairBegin = contact;
          touching[pair++] = key;
        });
  });
}

}  // namespace abut::inline v0_1
