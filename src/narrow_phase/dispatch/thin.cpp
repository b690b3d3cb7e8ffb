// SPDX-License-Identifier: MIT
#include "narrow_phase/dispatch/thin.hpp"

#include <algorithm>
#include <tuple>

#include "narrow_phase/dispatch/scratch.hpp"

namespace abut::inline v0_1 {
namespace {

/// A manifold's place in the order of sub-shapes; of equals the one that was made first.
struct Rank {
  std::uint64_t subShape1;
  std::uint64_t subShape2;
  std::size_t index;

  friend bool operator<(const Rank& a, const Rank& b) {
    return std::tie(a.subShape1, a.subShape2, a.index) <
           std::tie(b.subShape1, b.subShape2, b.index);
  }
};

Rank rankOf(const ContactManifold& m, bool swapped, std::size_t index) {
  return swapped ? Rank{m.getSubShape2(), m.getSubShape1(), index}
                 : Rank{m.getSubShape1(), m.getSubShape2(), index};
}

/// Moves every manifold once: place i takes the one with index order[i].index. Uses up the order.
void permute(std::span<ContactManifold> manifolds, std::span<Rank> order) {
  for (std::size_t start = 0; start < order.size(); ++start) {
    if (order[start].index == start) continue;
    const ContactManifold first = manifolds[start];
    std::size_t place = start;
    for (std::size_t from; (from = order[place].index) != start; place = from) {
      manifolds[place] = manifolds[from];
      order[place].index = place;
    }
    manifolds[place] = first;
    order[place].index = place;
  }
}

void sortBySubShape(std::span<ContactManifold> manifolds, bool swapped) {
  ScratchList<Rank> order;
  for (std::size_t i = 0; i < manifolds.size(); ++i) order.push(rankOf(manifolds[i], swapped, i));
  const std::span<Rank> ranks = order.items();
  if (std::is_sorted(ranks.begin(), ranks.end())) return;
  std::sort(ranks.begin(), ranks.end());
  permute(manifolds, ranks);
}

/// A point, ordered deepest first; of equals the first in order of sub-shapes and features.
struct Place {
  double depth;
  std::size_t manifold;
  std::size_t point;

  friend bool operator<(const Place& a, const Place& b) {
    return std::tie(b.depth, a.manifold, a.point) < std::tie(a.depth, b.manifold, b.point);
  }
};

}  // namespace

void thinManifolds(CollisionResult& result, std::size_t first, std::size_t maxContacts,
                   bool swapped) {
  const std::span<ContactManifold> manifolds = result.mutableManifolds(first);
  if (manifolds.size() > 1) sortBySubShape(manifolds, swapped);
  std::size_t total = 0;
  for (const ContactManifold& m : manifolds) total += m.numContacts();
  if (total <= maxContacts) return;

  ScratchList<Place> list;
  for (std::size_t i = 0; i < manifolds.size(); ++i) {
    const std::span<const ContactPoint> points = manifolds[i].getContacts();
    for (std::size_t j = 0; j < points.size(); ++j) list.push({points[j].depth, i, j});
  }
  const std::span<Place> places = list.items();
  std::sort(places.begin(), places.end());
  // Points of a manifold are sorted deepest first, so what is kept of each is a prefix.
  ScratchList<std::size_t> counts;
  counts.resize(manifolds.size());
  const std::span<std::size_t> kept = counts.items();
  std::fill(kept.begin(), kept.end(), 0);
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

}  // namespace abut::inline v0_1
