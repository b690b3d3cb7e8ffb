// SPDX-License-Identifier: MIT
#include "manifold/emit.hpp"

#include <algorithm>
#include <utility>

#include "manifold/merge.hpp"

namespace abut::inline v0_1 {
namespace {

/// Manifolds that a thread takes at once, about.
constexpr std::size_t kGrain = 128;

/// Order of the contacts of a pair that has several manifolds.
void sortPlaces(std::span<const PersistentManifold> manifolds, ContactPlace* begin,
                ContactPlace* end) {
  const auto pointAt = [&](const ContactPlace& place) -> const ContactPoint& {
    return manifolds[place.manifold].points[place.point].contact;
  };
  std::sort(begin, end, [&](const ContactPlace& a, const ContactPlace& b) {
    if (contactLess(pointAt(a), pointAt(b))) return true;
    if (contactLess(pointAt(b), pointAt(a))) return false;
    return std::pair(a.manifold, a.point) < std::pair(b.manifold, b.point);
  });
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

/// All of them, one after the other.
void emitAll(std::span<const PersistentManifold> manifolds, Slots<ContactPlace>& contacts,
             std::vector<ObjectPair>& touching) {
  const auto count = static_cast<std::uint32_t>(manifolds.size());
  std::size_t most = 0;
  for (const PersistentManifold& m : manifolds) most += m.count;
  contacts.resize(most);
  touching.resize(count);
  ContactPlace* place = contacts.begin();
  ObjectPair* pair = touching.data();
  for (std::uint32_t m = 0; m < count;) {
    const std::uint32_t first = m;
    ContactPlace* const pairBegin = place;
    const ObjectPair key = manifolds[m].key.pair;
    do {
      const PersistentManifold& manifold = manifolds[m];
      const PersistentPoint* const points = manifold.points.data();
      for (std::uint32_t p = 0; p < manifold.count; ++p) {
        if (points[p].emitted) *place++ = {m, p};
      }
    } while (++m < count && manifolds[m].key.pair.first == key.first &&
             manifolds[m].key.pair.second == key.second);
    if (place == pairBegin) continue;
    if (m - first > 1) sortPlaces(manifolds, pairBegin, place);
    *pair++ = key;
  }
  contacts.truncate(static_cast<std::size_t>(place - contacts.begin()));
  touching.resize(static_cast<std::size_t>(pair - touching.data()));
}

}  // namespace

void ContactEmitter::run(std::span<const PersistentManifold> manifolds, TaskRunner* tasks,
                         Slots<ContactPlace>& contacts, std::vector<ObjectPair>& touching) {
  if (tasks == nullptr || manifolds.size() <= kGrain) {
    return emitAll(manifolds, contacts, touching);
  }
  contacts.clear();
  touching.clear();
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
    ContactPlace* contact = contacts.begin() + part.firstContact;
    ContactPlace* pairBegin = contact;
    std::size_t pair = part.firstPair;
    forEmitted(
        manifolds, part.begin, part.end,
        [&](std::size_t m, std::uint32_t p) {
          *contact++ = {static_cast<std::uint32_t>(m), p};
        },
        [&](ObjectPair key, std::size_t count) {
          if (count > 1) sortPlaces(manifolds, pairBegin, contact);
          pairBegin = contact;
          touching[pair++] = key;
        });
  });
}

}  // namespace abut::inline v0_1
