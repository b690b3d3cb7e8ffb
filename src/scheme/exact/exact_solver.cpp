// SPDX-License-Identifier: MIT
#include "scheme/exact/exact_solver.hpp"

#include <string>

#include "scheme/pair_search.hpp"

namespace abut::inline v0_1 {

ExactStep ExactSolver::stepOf(const StepProblem& problem, StepMotion& motion, StepReport& report) {
  return {problem.in, problem.solver, problem.found, problem.cache, motion,  report,  contacts_,
          late_,      yielded_,       bounced_,      local_,        solver_, presses_};
}

Status ExactSolver::accepts(const SchemeDemands& demands) const {
  const auto refuse = [](const char* what) {
    return Status::failure(StatusCode::OutOfRange,
                           std::string("a material has a stiffness: contacts that give way ") +
                               what + ", or set the stiffness to 0");
  };
  if (demands.hasStiffness) {
    if (demands.solver.model != ContactModel::ExactCoulomb)
      return refuse("know no contact model but ContactModel::ExactCoulomb; choose it");
    if (demands.hasResistance) {
      return refuse("know no rolling or spinning resistance; set those of all materials to 0");
    }
    if (demands.sleeps) return refuse("do not fall asleep; set sleeping to false");
    if (demands.hasJoints) return refuse("cannot be in a world with joints yet; leave those out");
  }
  if (!demands.hasResistance || demands.solver.model == ContactModel::ExactCoulomb) return {};
  return Status::failure(StatusCode::OutOfRange,
                         "a material has rolling or spinning resistance, which only "
                         "ContactModel::ExactCoulomb knows; set it to 0 or choose that model");
}

void ExactSolver::build(const StepProblem& problem, StepMotion& motion) {
  contacts_.build(problem, motion);
  presses_.begin();
  yielded_.begin(contacts_.islands.size());
  bounced_ = {};
  findLateTimes(problem, motion.lateTime);
}

void ExactSolver::solveImpacts(const StepProblem& problem, StepMotion& motion, StepReport& report) {
  ExactStep step = stepOf(problem, motion, report);
  carry_.run(step);
  impacts_.run(step);
}

void ExactSolver::solveForces(const StepProblem& problem, StepMotion& motion, StepReport& report) {
  ExactStep step = stepOf(problem, motion, report);
  forces_.run(step, impacts_, moving_);
}

void ExactSolver::react(const StepMotion&, LimitedDrivers& drivers) const {
  presses_.tell(drivers);
  carry_.react(drivers);
  const auto toWorld = [](const SolverContact& c, const Vec3& p) {
    return (c.normal * p.x + c.tangent1 * p.y) + c.tangent2 * p.z;
  };
  for (std::size_t k = 0; k < contacts_.all.size(); ++k) {
    const StepContact& c = contacts_.all[k];
    const bool isMoving = moving_.isMoving(k);
    const SolverContact& start = isMoving ? moving_.at(k).startRow : c.row;
    Vec3 impulse = toWorld(start, c.impact);
    const Vec3 impactCouple = toWorld(start, c.impactCouple);
    Vec3 moment1 = cross(start.arm1, impulse) + impactCouple;
    Vec3 moment2 = cross(start.arm2, impulse) + impactCouple;
    if (isMoving) {
      const MovingContact& m = moving_.at(k);
      impulse += m.impulse;
      moment1 += m.moment1;
      moment2 += m.moment2;
    } else {
      const Vec3 force = toWorld(c.row, c.impulse), couple = toWorld(c.row, c.couple);
      impulse += force;
      moment1 += cross(c.row.arm1, force) + couple;
      moment2 += cross(c.row.arm2, force) + couple;
    }
    drivers.addReaction(c.body1, impulse, moment1);
    drivers.addReaction(c.body2, -impulse, -moment2);
  }
}

void ExactSolver::move(const StepProblem& problem, StepMotion& motion, HoldBack& guard) {
  StepReport none;
  ExactStep step = stepOf(problem, motion, none);
  moveBodies(step, moving_, guard, manifolds_);
}

void ExactSolver::book(const StepProblem& problem, const StepMotion& motion, StepBooks& books) {
  carry_.book(problem.in, motion, contacts_, books);
  bookContacts(problem.in, motion, moving_, contacts_, turning_, books);
  bookLateBlows(problem.in, contacts_, late_, books);
  bookYield(yielded_, books);
  books.restitutionAsked.merge(bounced_.asked);
  books.restitutionDelivered.merge(bounced_.delivered);
}

void ExactSolver::correct(const StepProblem& problem, const HoldBack& guard, StepMotion& motion,
                          StepBooks& books, StepReport& report) {
  ExactStep step = stepOf(problem, motion, report);
  limitGains(step, moving_, guard, frames_, books);
  correctPositions(step, books);
}

void ExactSolver::show(const StepProblem&, const StepMotion& motion, ContactManifoldCache& cache,
                       ContactPublisher& publisher) {
  showContacts(motion, contacts_, moving_, island_of_, cache, publisher);
}

bool ExactSolver::haveContact(std::size_t body1, std::size_t body2) const {
  return holdsPair<StepContact>(contacts_.all, body1, body2);
}

bool ExactSolver::awaits(std::size_t body1, std::size_t body2) const {
  for (const StepContact& c : contactsOf<StepContact>(contacts_.all, body1, body2)) {
    if (!c.meeting.isOver && !c.meeting.isSpent) return true;
  }
  return false;
}

void ExactSolver::findOver(std::vector<std::uint32_t>& hits) const {
  hits.clear();
  for (const StepContact& c : contacts_.all) {
    if (c.meeting.hit != kNoHit && c.meeting.isOver && !c.meeting.isSpent)
      hits.push_back(c.meeting.hit);
  }
}

}  // namespace abut::inline v0_1
