// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <abut/solver/problem_observer.hpp>

#include "scheme/exact/exact_contacts.hpp"
#include "scheme/exact/local_problem.hpp"
#include "scheme/press_relief.hpp"
#include "scheme/step_solver.hpp"

namespace abut::inline v0_1 {

/// A step in two parts: blows and free flight until something has come to rest for the last time,
/// then contact forces.
struct SecondPart {
  double from = 0.0;    ///< Time at which it begins [s]; 0 if the step has one part.
  BodyVelocity way;     ///< Displacement until then [m, rad].
  BodyVelocity gained;  ///< What accelerations added to the velocity until then.
};

/// What blows later than the beginning of the step leave to be done; empty if there were none.
struct LateBlows {
  std::vector<BodyVelocity> shift;  ///< By body: what they lack in displacement [m, rad].
  std::vector<Vec3> flightGain;     ///< By body: its acceleration between blows [m/s^2].
  std::vector<SecondPart> parts;    ///< By body.
};

/// Work that compliant contacts took up in a step, at the velocities that their solves ended with
/// [J]; see SolverReport::yieldNormal.
struct YieldWork {
  Account normal, friction, taken;  ///< Halves of it; of both, less than 0.
  std::vector<double> given;  ///< By island: what its contacts gave back, less what they took.

  void begin(std::size_t numIslands) {
    normal = friction = taken = {};
    given.assign(numIslands, 0.0);
  }
};

/// Work of restitution: StepReport::restitutionAsked and restitutionDelivered [J].
struct BounceWork {
  Account asked, delivered;
};

/// Bounds of a press are lowered by this part more than what is missing: where faces lean by next
/// to nothing, impulses that almost balance would have to grow without end to make up for the last
/// bit of it. With that much to spare they are at most its inverse times the momentum at hand.
constexpr double kSpareInPress = 0.1;

/// A step of the exact scheme as its stages see it: what they read, and what they work on.
struct ExactStep {
  const StepInput& in;
  const SolverOptions& options;
  const Detection& found;
  const ContactManifoldCache& cache;
  StepMotion& motion;
  StepReport& report;
  ExactContacts& contacts;
  LateBlows& late;
  YieldWork& yielded;
  BounceWork& bounced;
  LocalProblem& local;  ///< The island at hand.
  ContactSolver& solver;
  PressRelief& presses;

  /// Takes an island's bodies and contacts into `local`.
  void gather(const Island& island) { local.gather(in.bodies, contacts, island); }
  /// Whether a gap closes in the step by the velocities before it and the forces of the step.
  [[nodiscard]] bool closesWithin(const StepContact& contact) const;
  /// What late blows add to a contact's gap at the end [m].
  [[nodiscard]] double shiftAlong(const StepContact& contact) const;

  /// Tells whoever wants to know of the problem in `local`.
  void tell(ProblemKind kind) const;
  /// How the problem in `local`, of that island, is solved.
  [[nodiscard]] SolverOptions optionsOf(const Island& island) const;
  /// What its solves are told: the load that it carried, and how soft it was. Few contacts are
  /// rigid and held to their own impulses.
  [[nodiscard]] SolverSetting settingOf(const Island& island) const;
  /// Where `local` is a press: lowers its bounds and makes `impulses` a start. True if so.
  bool yieldToPress(const Island& island, std::span<Vec3> impulses);
  /// Solves `local`, of that island. What friction jams between bodies that close in, so that
  /// impulses grow without end, goes on without friction; the report then says that it did not
  /// converge.
  SolverReport solve(const Island& island, const SolverSetting& setting, std::span<Vec3> impulses);
  /// Whether the answer of a solve that began with local.before is such a jam.
  [[nodiscard]] bool isJammed(const SolverReport& of, std::span<const Vec3> impulses) const;
  /// Whether impulses are beyond twice the momentum that the bodies have or could take in the step:
  /// by levers, or because they are pressed.
  [[nodiscard]] bool isSqueezed(std::span<const Vec3> impulses) const;
  /// Whether `local` is worth a look for presses, with its bounds as high as rounding may have
  /// them.
  [[nodiscard]] bool mayBePress() const;
  /// Solves `local` by rigid contacts.
  SolverReport solveRigidly();
  /// Tells of its answer.
  void noteRigid(const SolverReport& of);
  /// Adds a solve of `local`, of that island, to the step's report; `fastest` is the greatest speed
  /// before it.
  void noteSolve(const Island& island, const SolverReport& of, double fastest);

private:
  /// Whether an impulse exceeds so many times the momentum that the bodies of `local` had before
  /// its solve or could take in the step.
  [[nodiscard]] bool isBeyond(double times, std::span<const Vec3> impulses) const;
  /// What rounding may make of a bound where bodies just meet [m/s].
  [[nodiscard]] double spareOfPress() const;
  /// Solves `local` from local.before, without a start.
  SolverReport solveAnew(const SolverOptions& wanted, const SolverSetting& setting,
                         std::span<Vec3> impulses);
  void noteError(const SolverReport& of);
  /// The error that `local` may have, given the one it has.
  void noteTolerance(double error);
};

/// Islands of so many contacts may be heaps, which rigid contacts leave unsolved: for them what is
/// acceptable counts. Fewer are solved by rigid contacts to the tolerance. Between the jaws of a
/// press, say, nothing measured by the last step's load would be an error.
bool isHeap(const Island& island);

/// The error that will do for so many contacts where the tolerance is not to be had: in heaps what
/// is acceptable; where several bodies may hold each other in many ways, a thousandth of that; 0
/// where so few are that the tolerance can be had.
double acceptableOf(const SolverOptions& options, std::size_t numContacts);

}  // namespace abut::inline v0_1
