// SPDX-License-Identifier: MIT
//
// Sweeps over an island of which other ranks have other rows.
#include "solver/manifold_solver.hpp"

namespace abut {

/// What the ranks of the island have to know together: its colours, how many terms its sums have
/// on one rank alone, and which of those here are counted elsewhere.
void ManifoldSolver::beginOverRanks(std::span<const ManifoldRow> rows,
                                    std::span<const std::uint32_t> order) {
  const std::uint32_t numColours = ranks_->numColours();
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
  foreign_.clear();
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    for (std::uint32_t lane = 0; lane < 4 && (slots_[slot].used >> (8 * lane) & 0x80u) != 0;
         ++lane) {
      const std::size_t at = firstOf_[slot] + lane;
      if (ranks_->counts(rows[order[at]])) {
        ++counts[kinds_[at].colour * kKinds + kinds_[at].points];
      } else {
        foreign_.push_back(4 * slot + lane);
      }
    }
  }
  std::uint64_t& couples = counts.back();
  for (std::uint32_t i = 0; i < couples_.size(); ++i) {
    if (ranks_->counts(rows[couples_[i].prepared.contact])) {
      ++couples;
    } else {
      foreign_.push_back(static_cast<std::uint32_t>(4 * slots_.size() + i));
    }
  }
  ranks_->getHalo().comm.add(counts);
  numTerms_ = static_cast<std::size_t>(couples);
  for (std::size_t i = 0; i + 1 < counts.size(); ++i) {
    numTerms_ += 4 * static_cast<std::size_t>((counts[i] + 3) / 4);
  }
  hasCouples_ = couples != 0;
}

/// Squares of the last sweep's changes and of the impulses, summed.
std::pair<double, double> ManifoldSolver::changeAndSize() {
  if (ranks_ == nullptr) return valuesOf(*crew_, change_, size_);
  for (const std::uint32_t term : foreign_) *change_.at(term) = *size_.at(term) = 0.0;
  return valuesOverRanks(ranks_->getHalo(), numTerms_, change_, size_);
}

}  // namespace abut
