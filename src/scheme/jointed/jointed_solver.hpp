// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "integration/limited_drivers.hpp"
#include "joints/joint_shown.hpp"
#include "joints/joint_table.hpp"
#include "scheme/step_solver.hpp"

namespace abut::inline v0_1 {

/// What joints hold in a step, in both schemes: islands with joints are set apart with their
/// contacts, moved when the scheme has moved all others, and booked row by row. A step calls all of
/// it in the order of the declarations, the first of it again where drives with limits stall;
/// without joints it does nothing.
class JointedSolver {
public:
  JointedSolver();
  ~JointedSolver();
  JointedSolver(JointedSolver&&) noexcept;
  JointedSolver& operator=(JointedSolver&&) noexcept;

  /// Which bodies joints move in this step, in StepMotion::jointed, and their contacts. Schemes
  /// leave both alone.
  void build(const StepProblem& problem, const JointTable& joints, StepMotion& motion);
  /// End velocities and new places of these bodies.
  void solve(const StepProblem& problem, bool isExact, const JointTable& joints, StepMotion& motion,
             StepReport& report);
  /// What they ask of bodies whose drives have limits.
  void react(const StepInput& in, const JointTable& joints, LimitedDrivers& drivers) const;
  /// What joints, and contacts of what they hold, did.
  void book(const StepProblem& problem, const JointTable& joints, const StepMotion& motion,
            StepBooks& books);
  /// Takes overlap out by displacements that joints allow.
  void correct(const StepProblem& problem, StepMotion& motion, StepBooks& books);
  /// What joints keep, what they carried, and those that break: they are removed.
  void commit(double dt, JointTable& joints, std::vector<JointShown>& shown,
              std::vector<JointEvent>& events);
  /// Contacts for the caller, after `numShown` others; impulses for the next step. In the exact
  /// scheme those others are not all that the cache has.
  void show(const StepMotion& motion, bool isExact, std::size_t numShown,
            ContactManifoldCache& cache, ContactPublisher& publisher);

private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace abut::inline v0_1
