// SPDX-License-Identifier: MIT
//
// Sweeps over an island of which other ranks have other rows.
#include "solver/manifold_solver.hpp"

namespace abut::inline v0_1 {

/// What the ranks of the island have to know together: its colours, how many terms its sums have
/// on one rank alone, and which of those here are counted elsewhere.
void ManifoldSolver::beginOverRanks(std::span<const ManifoldRow> rows,
                                    std::span<const std::uint32_t> order) {
  const std::uint32_t numColours = spread_.ranks->numColours();
  std::vector<Colour> all;
  auto here = colours_.begin();
  for (std::uint32_t c = 0; c < numColours; ++c) {
    const std::size_t at = all.empty() ? 0 : all.back().end;
    const bool isHere = here != colours_.end() && here->colour == c;
    all.push_back(isHere ? *here++ : Colour{c, at, at});
  }
  colours_ = all;
  constexpr std::size_t kKinds = 5;
  std::vector<std::uint64_t> counts(numColours * kKinds + 1, 0);
  spread_.foreign.clear();
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    for (std::uint32_t lane = 0; lane < 4 && (slots_[slot].used >> (8 * lane) & 0x80u) != 0;
         ++lane) {
      const std::size_t at = first_of_[slot] + lane;
      if (spread_.ranks->counts(rows[order[at]])) {
        ++counts[kinds_[at].colour * kKinds + kinds_[at].points];
      } else {
        spread_.foreign.push_back(4 * slot + lane);
      }
    }
  }
  std::uint64_t& couples = counts.back();
  for (std::uint32_t i = 0; i < couples_.size(); ++i) {
    if (spread_.ranks->counts(rows[couples_[i].prepared.contact])) {
      ++couples;
    } else {
      spread_.foreign.push_back(static_cast<std::uint32_t>(4 * slots_.size() + i));
    }
  }
  spread_.ranks->getHalo().comm.add(counts);
  spread_.numTerms = static_cast<std::size_t>(couples);
  for (std::size_t i = 0; i + 1 < counts.size(); ++i) {
    spread_.numTerms += 4 * static_cast<std::size_t>((counts[i] + 3) / 4);
  }
  spread_.hasCouples = couples != 0;
}

/// Squares of the last sweep's changes and of the impulses, summed.
std::pair<double, double> ManifoldSolver::changeAndSize() {
  if (spread_.ranks == nullptr) return valuesOf(*crew_, change_, size_);
  for (const std::uint32_t term : spread_.foreign) *change_.at(term) = *size_.at(term) = 0.0;
  return valuesOverRanks(spread_.ranks->getHalo(), spread_.numTerms, change_, size_);
}

}  // namespace abut::inline v0_1
