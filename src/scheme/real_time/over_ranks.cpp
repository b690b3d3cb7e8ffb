// SPDX-License-Identifier: MIT
//
// The solve of a part of a world: its own islands, those it shares with other ranks, and those that
// were gathered here.
#include <algorithm>

#include "scheme/real_time/real_time_solver.hpp"

namespace abut::inline v0_1 {

void RealTimeSolver::solveOverRanks(const StepProblem& problem, const RowProblem& rows,
                                    StepMotion& motion, StepReport& report) {
  const StepInput& in = problem.in;
  Halo& halo = *in.halo();
  gathered_.collect(in, rows_, motion);
  blows_.run({gathered_.bodies, gathered_.rows, gathered_.order, gathered_.start, in.dt,
              slowestBounce(in)});
  gathered_presses_.begin();
  yieldToPresses(
      {gathered_.bodies, gathered_.rows, gathered_.order, gathered_.start, gathered_.end},
      gathered_presses_, report);
  solver_.solve(rows, in.tasks, in.room, outcome_);
  RowProblem gathered{gathered_.rows,     gathered_.order,   gathered_.bodies, gathered_.start,
                      gathered_.end,      problem.solver,    in.gravity,       in.dt,
                      in.correctionShare, in.correctionSlop, in.division};
  gathered_outcome_ = {};
  if (!gathered_.isEmpty()) gathered_solver_.solve(gathered, in.tasks, in.room, gathered_outcome_);
  gathered_.giveBack(in, gathered_outcome_, rows_, motion, outcome_);
  halo.share(motion.endVelocity);
  for (const RowOutcome* outcome : {&outcome_, &gathered_outcome_}) {
    report.converged = report.converged && outcome->converged;
    report.sweeps += outcome->sweeps;
    report.newtonSteps += outcome->newtonSteps;
    report.worstError = maxOf(report.worstError, outcome->worstError);
  }
  if (!rows_.all.empty()) report.tolerance = maxOf(report.tolerance, problem.solver.tolerance);
  report.worstError = halo.greatest(report.worstError);
  nameWorst(halo, rows, gathered, report);
}

/// The last island, in the order of all, that did not converge and is worse than those before it,
/// and its worst row: the same on all ranks.
void RealTimeSolver::nameWorst(Halo& halo, const RowProblem& rows, const RowProblem& gathered,
                               StepReport& report) const {
  std::vector<std::byte> mine;
  bool isAny = false;
  for (const RowOutcome* outcome : {&outcome_, &gathered_outcome_}) {
    for (const RowOutcome::Verdict& verdict : outcome->verdicts) {
      put(mine, verdict);
      isAny = isAny || !verdict.converged;
    }
  }
  if (!halo.any(isAny)) return;
  std::vector<std::vector<std::byte>> all;
  halo.comm.gatherAll(mine, all);
  std::vector<RowOutcome::Verdict> verdicts;
  for (const std::vector<std::byte>& bytes : all) {
    MessageReader message(bytes);
    for (RowOutcome::Verdict verdict{}; message.get(verdict);) verdicts.push_back(verdict);
  }
  std::sort(verdicts.begin(), verdicts.end(),
            [](const auto& a, const auto& b) { return a.label < b.label; });
  ObjectId label = kNoObject;
  double worst = 0.0;
  for (const RowOutcome::Verdict& verdict : verdicts) {
    if (!verdict.converged && verdict.error > worst) label = verdict.label;
    worst = maxOf(worst, verdict.error);
  }
  if (label == kNoObject) return;
  WorstRow most = solver_.findWorst(rows, rows_.links, label);
  if (!gathered_.isEmpty()) {
    const WorstRow other = gathered_solver_.findWorst(gathered, gathered_.links, label);
    if (other.precedes(most)) most = other;
  }
  mine.clear();
  put(mine, most);
  halo.comm.gatherAll(mine, all);
  for (const std::vector<std::byte>& bytes : all) {
    const auto row = MessageReader(bytes).take<WorstRow>();
    if (row.precedes(most)) most = row;
  }
  report.worst1 = most.pair.first;
  report.worst2 = most.pair.second;
}

}  // namespace abut::inline v0_1
