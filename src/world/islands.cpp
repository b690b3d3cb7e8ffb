// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include "world/state.hpp"

namespace abut {
namespace {

std::uint32_t rootOf(std::vector<std::uint32_t>& parent, std::uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/// Colours are bits of a word; contacts beyond the last share it.
constexpr std::uint32_t kLastColour = 63;

}  // namespace

/// Contacts by island, and within it by colour. Pairs are coloured greedily in the order of their
/// hash: within a colour no dynamic body appears twice, and the order does not depend on bodies of
/// other islands.
void WorldState::findIslands() {
  const auto isDynamic = [this](std::uint32_t b) {
    return bodies.facts[b].type == BodyType::Dynamic;
  };
  std::vector<std::uint32_t>& parent = exact.parent;
  parent.resize(bodies.size());
  for (std::uint32_t i = 0; i < parent.size(); ++i) parent[i] = i;
  for (const StepContact& c : contacts) {
    if (!isDynamic(c.body1) || !isDynamic(c.body2)) continue;
    const std::uint32_t a = rootOf(parent, c.body1), b = rootOf(parent, c.body2);
    parent[std::max(a, b)] = std::min(a, b);
  }
  const auto islandOf = [&](const StepContact& c) {
    return rootOf(parent, isDynamic(c.body1) ? c.body1 : c.body2);
  };
  contactOrder.resize(contacts.size());
  for (std::uint32_t i = 0; i < contactOrder.size(); ++i) contactOrder[i] = i;
  std::sort(contactOrder.begin(), contactOrder.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(contacts[a].order, a) < std::tuple(contacts[b].order, b);
  });
  std::vector<std::uint64_t>& used = exact.used;
  used.assign(bodies.size(), 0);
  std::uint32_t previous = 0;
  bool first = true;
  for (const std::uint32_t i : contactOrder) {
    StepContact& c = contacts[i];
    const StepContact& neighbour = contacts[previous];
    if (!first && neighbour.body1 == c.body1 && neighbour.body2 == c.body2) {
      c.colour = neighbour.colour;
    } else {
      const std::uint64_t taken =
          (isDynamic(c.body1) ? used[c.body1] : 0) | (isDynamic(c.body2) ? used[c.body2] : 0);
      c.colour = 0;
      while (c.colour < kLastColour && ((taken >> c.colour) & 1) != 0) ++c.colour;
      used[c.body1] |= std::uint64_t{1} << c.colour;
      used[c.body2] |= std::uint64_t{1} << c.colour;
    }
    first = false;
    previous = i;
  }
  std::vector<std::uint32_t>& island = exact.islandOf;
  island.resize(contacts.size());
  for (std::uint32_t i = 0; i < island.size(); ++i) island[i] = islandOf(contacts[i]);
  std::sort(contactOrder.begin(), contactOrder.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(island[a], contacts[a].colour, contacts[a].order, a) <
           std::tuple(island[b], contacts[b].colour, contacts[b].order, b);
  });
  islands.clear();
  for (std::uint32_t i = 0; i < contactOrder.size(); ++i) {
    if (i == 0 || island[contactOrder[i]] != island[contactOrder[i - 1]]) islands.push_back({i, 0});
    ++islands.back().numContacts;
  }
}

}  // namespace abut
