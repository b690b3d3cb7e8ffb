// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "dynamics/body_table.hpp"
#include "dynamics/step_motion.hpp"
#include "scheme/step_contact.hpp"
#include "solver/link_order.hpp"

namespace abut::inline v0_1 {

/// Bodies joined by contacts.
struct Island {
  std::uint32_t firstContact = 0, numContacts = 0;  ///< Into ExactContacts::order.
};

/// All contacts of a step, and the islands that they make of bodies.
struct ExactContacts {
  std::vector<StepContact> all;      ///< Sorted by pair.
  std::vector<std::uint32_t> order;  ///< By island, within it by colour.
  std::vector<Island> islands;
  std::vector<Link> links;                 ///< One for each pair.
  std::vector<std::uint32_t> firstOfPair;  ///< First contact of each link, and the end.
  LinkOrder linkOrder;

  /// From the contacts of the cache and the first hits of fast bodies, without those of bodies that
  /// the stage of joints moves.
  void build(const StepProblem& problem, const StepMotion& motion);
  /// Of an island, among `islands`.
  [[nodiscard]] std::size_t numberOf(const Island& island) const {
    return static_cast<std::size_t>(&island - islands.data());
  }
  [[nodiscard]] std::uint32_t indexOf(const Island& island, std::uint32_t k) const {
    return order[island.firstContact + k];
  }
  [[nodiscard]] StepContact& at(const Island& island, std::uint32_t k) {
    return all[indexOf(island, k)];
  }
  [[nodiscard]] const StepContact& at(const Island& island, std::uint32_t k) const {
    return all[indexOf(island, k)];
  }

private:
  void findIslands(const BodyTable& bodies);

  StableOrder<StepContact> sorter_;
  std::vector<std::uint8_t> moves_;
};

}  // namespace abut::inline v0_1
