// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include <abut/core/object_id.hpp>
#include <abut/solver/contact_problem.hpp>

namespace abut::inline v0_1 {

/// What a problem of a step is about.
enum class ProblemKind : std::uint8_t {
  Impact,      ///< Velocities that still approach are stopped, before forces act [m/s].
  Force,       ///< Contact forces over the step: impulses [N s] and velocities at its end [m/s].
  Correction,  ///< Overlap is taken out: displacements [m], without friction.
};

/// A problem of an island as its solver is given it.
struct ObservedProblem {
  ProblemKind kind = ProblemKind::Force;
  ContactProblem problem;
  std::span<const BodyVelocity> free;  ///< Velocities of its bodies without contacts.
  std::span<const ObjectId> ids;       ///< Of its bodies.
};

/// Told of every contact problem of the exact scheme before it is solved, on the thread that called
/// World::step(). Views end with the call. A problem that is solved again under other assumptions
/// is told again: the last one of a kind with the same bodies counts. Islands that joints hold are
/// not told. What it throws leaves World::step(), which then has changed nothing.
class ProblemObserver {
public:
  virtual ~ProblemObserver() = default;
  virtual void onProblem(const ObservedProblem& problem) = 0;
};

}  // namespace abut::inline v0_1
