// SPDX-License-Identifier: MIT
#include "world/state.hpp"

namespace abut {

/// Contacts by island, and within it by colour; the contacts of a pair share theirs.
void WorldState::findIslands() {
  std::vector<std::uint32_t>& firstOf = exact.firstOfPair;
  firstOf.clear();
  exact.links.clear();
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    const StepContact& c = contacts[i];
    const bool samePair =
        i > 0 && contacts[i - 1].body1 == c.body1 && contacts[i - 1].body2 == c.body2;
    if (samePair) continue;
    firstOf.push_back(i);
    exact.links.push_back(
        {c.body1, c.body2, 0, c.order, {bodies.ids[c.body1], bodies.ids[c.body2]}, i});
  }
  firstOf.push_back(static_cast<std::uint32_t>(contacts.size()));
  markMovingBodies();
  linkOrder.build(exact.links, moves);
  contactOrder.clear();
  islands.clear();
  for (const LinkOrder::Island& island : linkOrder.getIslands()) {
    const auto first = static_cast<std::uint32_t>(contactOrder.size());
    for (const std::uint32_t link :
         linkOrder.getLinks().subspan(island.firstLink, island.numLinks)) {
      for (std::uint32_t i = firstOf[link]; i < firstOf[link + 1]; ++i) contactOrder.push_back(i);
    }
    islands.push_back({first, static_cast<std::uint32_t>(contactOrder.size()) - first});
  }
}

void WorldState::markMovingBodies() {
  moves.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    moves[i] = bodies.facts[i].type == BodyType::Dynamic ? 1 : 0;
  }
}

}  // namespace abut
