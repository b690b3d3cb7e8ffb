// SPDX-License-Identifier: MIT
#pragma once

#include "solver/manifold_solver.hpp"

namespace abut::inline v0_1 {

/// Points of a slot whose batch is lean: as many as no other has.
inline constexpr std::uint32_t kLean = 0;
/// Slots and bodies that a thread takes at once.
inline constexpr std::size_t kSlotGrain = 16, kMemberGrain = 256;
/// Where parts make no difference: the least.
inline constexpr std::uint32_t kLeastSlots = 3, kLeastMembers = 48;

template <class Action>
void ManifoldSolver::visit(const Slot& slot, Action&& action) {
  switch (slot.points) {
    case kLean:
      action(batches_.lean[slot.index]);
      break;
    case 1:
      action(batches_.of1[slot.index]);
      break;
    case 2:
      action(batches_.of2[slot.index]);
      break;
    case 3:
      action(batches_.of3[slot.index]);
      break;
    default:
      action(batches_.of4[slot.index]);
      break;
  }
}

/// action(batch, slot) for all, in any order.
template <class Action>
void ManifoldSolver::forAll(Action&& action) {
  shareChunks(*crew_, slots_.size(), kSlotGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      visit(slots_[i], [&](auto& batch) { action(batch, i); });
    }
  });
}

/// The same, colour after colour.
template <class Action>
void ManifoldSolver::forColours(std::vector<BatchBody>& bodies, Action&& action) {
  for (const Colour& colour : colours_) {
    const auto some = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = colour.first + begin; i < colour.first + end; ++i) {
        visit(slots_[i], [&](auto& batch) { action(batch, i); });
      }
    };
    const std::size_t count = colour.end - colour.first;
    const bool isLast = colour.colour == ManifoldRow::kLastColour;
    if (isLast) {
      some(0, count);
    } else {
      crew_->shareSome(count, kLeastSlots, some);
    }
    if (spread_.ranks != nullptr) spread_.ranks->after(colour.colour, bodies.data());
  }
}

template <class Action>
void ManifoldSolver::forMembers(std::span<const std::uint32_t> members, Action&& action) {
  crew_->shareSome(members.size(), kLeastMembers, [&](std::size_t begin, std::size_t end) {
    for (const std::uint32_t i : members.subspan(begin, end - begin)) action(i);
  });
}

}  // namespace abut::inline v0_1
