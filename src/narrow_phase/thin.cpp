// SPDX-License-Identifier: MIT
#include "narrow_phase/thin.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace abut {
namespace {

struct Place {
  std::size_t manifold;
  std::size_t point;
};

std::tuple<std::uint64_t, std::uint64_t> keyOf(const ContactManifold& m, bool swapped) {
  return swapped ? std::tuple(m.getSubShape2(), m.getSubShape1())
                 : std::tuple(m.getSubShape1(), m.getSubShape2());
}

}  // namespace

void thinManifolds(CollisionResult& result, std::size_t first, std::size_t maxContacts,
                   bool swapped) {
  const std::span<ContactManifold> manifolds = result.mutableManifolds(first);
  if (manifolds.size() > 1) {
    // Stable: manifolds with equal sub-shapes keep the order in which the pair function made them.
    std::stable_sort(manifolds.begin(), manifolds.end(),
                     [&](const ContactManifold& a, const ContactManifold& b) {
                       return keyOf(a, swapped) < keyOf(b, swapped);
                     });
  }
  std::size_t total = 0;
  for (const ContactManifold& m : manifolds) total += m.numContacts();
  if (total <= maxContacts) return;

  // (manifold, point) is already the order of sub-shapes and, within equal depths, of features.
  std::vector<Place> places;
  places.reserve(total);
  for (std::size_t i = 0; i < manifolds.size(); ++i) {
    for (std::size_t j = 0; j < manifolds[i].numContacts(); ++j) places.push_back({i, j});
  }
  std::stable_sort(places.begin(), places.end(), [&](const Place& a, const Place& b) {
    return manifolds[a.manifold].getContacts()[a.point].depth >
           manifolds[b.manifold].getContacts()[b.point].depth;
  });
  // Points of a manifold are sorted deepest first, so what is kept of each is a prefix.
  std::vector<std::size_t> kept(manifolds.size(), 0);
  for (std::size_t i = 0; i < maxContacts; ++i) ++kept[places[i].manifold];
  std::size_t live = 0;
  for (std::size_t i = 0; i < manifolds.size(); ++i) {
    if (kept[i] == 0) continue;
    ContactManifold shortened = manifolds[i];
    shortened.clear();
    for (std::size_t j = 0; j < kept[i]; ++j) shortened.addContact(manifolds[i].getContacts()[j]);
    manifolds[live++] = shortened;
  }
  result.truncate(first + live);
  result.addDropped(total - maxContacts);
}

}  // namespace abut
