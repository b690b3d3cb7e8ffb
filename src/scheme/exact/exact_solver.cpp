// SPDX-License-Identifier: MIT
#include "scheme/exact/exact_solver.hpp"

#include "scheme/pair_search.hpp"

namespace abut {

ExactStep ExactSolver::stepOf(const StepProblem& problem, StepMotion& motion, StepReport& report) {
  return {problem.in, problem.solver, problem.found, problem.cache, motion,
          report,     contacts_,      late_,         local_,        solver_};
}

void ExactSolver::build(const StepProblem& problem, StepMotion& motion) {
  contacts_.build(problem, motion);
  findLateTimes(problem, motion.lateTime);
}

void ExactSolver::solveImpacts(const StepProblem& problem, StepMotion& motion, StepReport& report) {
  ExactStep step = stepOf(problem, motion, report);
  impacts_.run(step);
}

void ExactSolver::solveForces(const StepProblem& problem, StepMotion& motion, StepReport& report) {
  ExactStep step = stepOf(problem, motion, report);
  abut::solveForces(step, moving_);
}

void ExactSolver::move(const StepProblem& problem, StepMotion& motion, HoldBack& guard) {
  StepReport none;
  ExactStep step = stepOf(problem, motion, none);
  moveBodies(step, moving_, guard, manifolds_);
}

void ExactSolver::book(const StepProblem& problem, const StepMotion& motion, StepBooks& books) {
  bookContacts(problem.in, motion, moving_, contacts_, turning_, books);
  bookLateBlows(problem.in, contacts_, late_, books);
}

void ExactSolver::correct(const StepProblem& problem, std::span<const std::uint32_t> loose,
                          StepMotion& motion, StepBooks& books, StepReport& report) {
  ExactStep step = stepOf(problem, motion, report);
  limitGains(step, loose, books);
  correctPositions(step, books);
}

void ExactSolver::show(const StepProblem&, const StepMotion& motion, ContactManifoldCache& cache,
                       ContactPublisher& publisher) {
  showContacts(motion, contacts_, moving_, islandOf_, cache, publisher);
}

bool ExactSolver::haveContact(std::size_t body1, std::size_t body2) const {
  return holdsPair<StepContact>(contacts_.all, body1, body2);
}

}  // namespace abut
