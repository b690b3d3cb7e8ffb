// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include <abut/core/owned.hpp>
#include <abut/core/tasks.hpp>
#include <abut/solver/contact_problem.hpp>

namespace abut::inline v0_1 {

/// How one contact is relaxed while the others stand still.
enum class ContactModel : std::uint8_t {
  /// Coulomb's law, exactly: sticking with the full response if it stays inside the cone, else
  /// sliding against the slip with the normal velocity held.
  ExactCoulomb,
  /// No friction.
  Frictionless,
  /// Sticking if it stays inside the cone, else the normal impulse with the last tangential one
  /// held, then the tangential impulse scaled back to the cone. It ends in wrong slip directions
  /// where contacts turn bodies, and exists for comparison.
  DecoupledCoulomb,
};

struct SolverOptions {
  /// Stop when the error (see SolverReport) is below this.
  double tolerance = 1e-13;
  /// Heaps of dozens of bodies have too many nearly equal answers to reach that in reasonable time.
  /// There an error below this will do: of the rigid problem, or else of contacts with a little
  /// compliance (see SolverReport::softness). 0 asks for the rigid problem and the tolerance above
  /// everywhere, whatever it costs.
  double acceptable = 1e-6;
  /// At most this many sweeps over all contacts before a heavier stage takes over.
  int maxSweeps = 400;
  /// Leave what sweeps cannot solve to the Newton stage.
  bool allowDirect = true;
  /// Other models than ExactCoulomb are relaxed by plain sweeps, until the largest change of an
  /// impulse in a sweep is below the tolerance times the largest impulse; that is then the error.
  ContactModel model = ContactModel::ExactCoulomb;
};

/// What a solve is told of the step that it is part of.
struct SolverSetting {
  /// Errors are measured against this impulse where it is larger than the problem's own [N s].
  double load = 0.0;
  /// An error that amounts to less than this in velocities will do [m/s]; in a problem of
  /// displacements it is a length [m].
  double enough = 0.0;
  /// Whether the impulses given are those of the last step: a compliant contact's spring is at rest
  /// under them, so that a heap at rest is not compressed. Else it is at rest without load.
  bool remembers = false;
  /// SolverReport::nextSoftness of the last step; 0 for none.
  double softness = 0.0;
  /// Who does the work of large factorisations; null: the caller. No bit depends on it.
  TaskRunner* tasks = nullptr;
};

/// The stage that gave the answer; Newton is a proximal point method with Newton's method inside.
enum class SolverStage : std::uint8_t { Empty, Sweeps, Newton, InteriorPoint };

struct SolverReport {
  /// |p - P_K(p - rho (u_n - bound + friction |u_t|, u_t))| over all contacts, with rho the inverse
  /// of each contact's own response, relative to the largest impulse: 0 at a solution. What the
  /// last bits of the bodies' velocities amount to does not count. Couples count likewise, divided
  /// by their arm.
  double error = 0.0;
  /// The same of the rigid problem; differs from the error where compliant contacts gave the
  /// answer.
  double rigidError = 0.0;
  /// Greatest velocity at which a contact still closes that may not [m/s].
  double approach = 0.0;
  int sweeps = 0;
  int newtonSteps = 0;  ///< Factorisations, of either method.
  /// Whether the error is below the tolerance, or where that is not to be had below what is
  /// acceptable, or too small to matter (SolverSetting::enough).
  bool converged = true;
  /// Compliance of the contacts that gave the answer, in units of each contact's own response: the
  /// law holds for u + softness response (p - p of the last step). 0 if they are rigid. In seconds:
  /// a contact of response a [1/kg] is a spring of stiffness 1 / (softness a dt^2) [N/m].
  double softness = 0.0;
  /// Work that compliant contacts took up, at the velocities of the answer: sums of softness
  /// response p (p - p of the last step), by normal impulses, and by friction and couples; < 0:
  /// what they gave back. 0 if they are rigid [J].
  double yieldNormal = 0.0, yieldFriction = 0.0;
  double nextSoftness = 0.0;  ///< For the next step's solve; 0 if there was no need of any.
  SolverStage stage = SolverStage::Empty;
  std::uint32_t worstContact = 0;  ///< Where the error is largest.
};

/// Solves contact problems. Keeps its buffers from call to call: no allocation in a steady step.
class ContactSolver {
public:
  ContactSolver();
  ~ContactSolver();
  ContactSolver(ContactSolver&&) noexcept;
  ContactSolver& operator=(ContactSolver&&) noexcept;

  /// `impulses` holds three numbers a contact (normal, tangent1, tangent2) [N s]: on entry the warm
  /// start, on return the answer, always inside the friction cones. `velocities` are on entry those
  /// without any of these impulses and on return those with them. Contacts are visited in the order
  /// given; equal input gives equal bits. Resistances are left out.
  SolverReport solve(const ContactProblem& problem, const SolverOptions& options,
                     std::span<Vec3> impulses, std::span<BodyVelocity> velocities);

  /// The same with resistances: `couples` holds three numbers a contact (about normal, tangent1,
  /// tangent2) [N m s], on entry and on return like the impulses. Models other than ExactCoulomb
  /// know no resistance.
  SolverReport solve(const ContactProblem& problem, const SolverOptions& options,
                     std::span<Vec3> impulses, std::span<Vec3> couples,
                     std::span<BodyVelocity> velocities);
  /// The same as part of a step.
  SolverReport solve(const ContactProblem& problem, const SolverOptions& options,
                     const SolverSetting& setting, std::span<Vec3> impulses,
                     std::span<Vec3> couples, std::span<BodyVelocity> velocities);

  /// A problem given by its Delassus matrix, by the same stages on rigid contacts. `velocities` are
  /// on return those at the contacts.
  SolverReport solve(const DelassusProblem& problem, const SolverOptions& options,
                     std::span<Vec3> impulses, std::span<Vec3> velocities);

private:
  struct Scratch;
  Owned<Scratch> scratch_;
};

}  // namespace abut::inline v0_1
