// SPDX-License-Identifier: MIT
//
// Islands whose rows are on several ranks. All of these go through the same calls as for an island
// of one rank, on what they have of it; sums, greatest values and decisions are those of all.
#include <tuple>

#include "dynamics/point_velocity.hpp"
#include "solver/row_solver.hpp"

namespace abut::inline v0_1 {

bool WorstRow::precedes(const WorstRow& other) const {
  if (miss != other.miss) return miss > other.miss;
  return std::tie(colour, kind, order, pair) <
         std::tie(other.colour, other.kind, other.order, other.pair);
}

/// One after the other, by label; a rank without a row of one takes part in its decisions.
void RowSolver::solveSpread(const RowProblem& p, RowOutcome& outcome) {
  Halo& halo = p.division->halo;
  const auto spread = p.order.getSpread();
  spread_.assign(spread.size(), {});
  Crew alone;
  for (std::size_t i = 0; i < spread.size(); ++i) {
    const LinkOrder::Spread& s = spread[i];
    if (s.isGathered) continue;
    const bool isHere = s.island != LinkOrder::Spread::kNotHere;
    const LinkOrder::Island island = isHere ? p.order.getIslands()[s.island] : LinkOrder::Island{};
    const auto order = p.order.getLinks().subspan(island.firstLink, island.numLinks);
    ranks_.plan(halo, p.division->isDynamic, p.rows, order);
    main_.sweeps.setRanks(&ranks_);
    solvePart(p, {island, s.bodies, &halo}, spread_[i], main_, alone, outcome);
    main_.sweeps.setRanks(nullptr);
    if (isHere) solved_[s.island] = spread_[i];
  }
}

/// Of islands that are counted here: those of this rank alone, and those at home here. Which of all
/// is the worst, ranks find out together.
void RowSolver::sumUpPart(const RowProblem& p, RowOutcome& outcome) const {
  const auto islands = p.order.getIslands();
  outcome.converged = true;
  outcome.sweeps = outcome.newtonSteps = 0;
  outcome.worstError = 0.0;
  outcome.worst1 = outcome.worst2 = RowOutcome::kNone;
  std::size_t numShifts = 0;
  outcome.verdicts.clear();
  const auto count = [&outcome](ObjectId label, const Solved& solved) {
    outcome.converged = outcome.converged && solved.converged;
    outcome.sweeps += solved.report.sweeps;
    outcome.newtonSteps += solved.report.newtonSteps;
    outcome.worstError = maxOf(outcome.worstError, solved.report.error);
    outcome.verdicts.push_back({label, solved.report.error, solved.report.converged});
  };
  const auto spread = p.order.getSpread();
  std::vector<std::uint8_t> isElsewhere(islands.size(), 0);
  for (std::size_t i = 0; i < spread.size(); ++i) {
    const bool isHere = spread[i].island != LinkOrder::Spread::kNotHere;
    if (isHere && spread[i].isGathered) isElsewhere[spread[i].island] = 1;
    if (spread[i].isGathered || spread[i].home != p.division->halo.comm.getRank()) continue;
    count(spread[i].label, spread_[i]);
  }
  for (std::size_t i = 0; i < islands.size(); ++i) {
    const LinkOrder::Island& island = islands[i];
    if (isElsewhere[i] != 0) continue;
    if (!p.order.isSpread(i)) {
      count(p.bodies.ids[p.order.getBodies()[island.firstBody]], solved_[i]);
    }
    if (!solved_[i].isDeep) continue;
    for (std::size_t k = island.firstBody; k < island.firstBody + island.numBodies; ++k) {
      outcome.shifts[numShifts++] = outcome.shifts[k];
    }
  }
  outcome.shifts.resize(numShifts);
}

WorstRow RowSolver::findWorst(const RowProblem& p, std::span<const Link> links,
                              ObjectId label) const {
  WorstRow worst;
  const auto islands = p.order.getIslands();
  // Rows are in the order that precedes() has: the first of equals is that of all ranks.
  const auto look = [&](std::size_t island) {
    if (islands[island].numLinks == 0) return;
    const std::uint32_t k = solved_[island].worstRow;
    const WorstRow row{solved_[island].worstMiss, p.rows[k].colour, links[k].kind, links[k].order,
                       links[k].pair};
    if (row.precedes(worst)) worst = row;
  };
  for (const LinkOrder::Spread& s : p.order.getSpread()) {
    if (s.label == label && !s.isGathered && s.island != LinkOrder::Spread::kNotHere) {
      look(s.island);
    }
  }
  for (std::size_t i = 0; i < islands.size(); ++i) {
    if (p.order.isSpread(i)) continue;
    if (p.bodies.ids[p.order.getBodies()[islands[i].firstBody]] == label) look(i);
  }
  return worst;
}

}  // namespace abut::inline v0_1
