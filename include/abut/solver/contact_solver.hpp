// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <abut/dynamics/mobility.hpp>
#include <abut/math/types.hpp>

namespace abut {

/// One contact as the solver sees it. The relative velocity at the contact is that of body 1 less
/// that of body 2: u = v1 + w1 x arm1 - v2 - w2 x arm2 + offset, split along normal, tangent1,
/// tangent2, an orthonormal right-handed frame. Impulses act on body 1 as given, on body 2 negated.
struct SolverContact {
  std::uint32_t body1 = 0;  ///< Index into the bodies.
  std::uint32_t body2 = 0;
  std::uint32_t manifold = 0;  ///< Contacts with equal numbers are adjacent and share a normal.
  Vec3 normal, tangent1, tangent2;  ///< World frame; the normal points from 2 to 1.
  Vec3 arm1, arm2;                  ///< From the centres of mass to the contact [m].
  Vec3 offset;            ///< Added to the relative velocity: minus what is aimed at [m/s].
  double friction = 0.0;  ///< Coulomb's coefficient, >= 0.
  double rollingResistance = 0.0;   ///< Arm of the couple against rolling [m], >= 0.
  double spinningResistance = 0.0;  ///< Arm of the couple against spinning about the normal [m].
  /// Least normal velocity: the contact demands u_n >= bound, and pushes only where u_n = bound.
  double bound = 0.0;
};

/// Frictional contact among bodies: find impulses p (normal, tangent1, tangent2 for each contact)
/// with
///   v = v0 + M^-1 J^T p,
///   0 <= p_n, u_n >= bound, p_n (u_n - bound) = 0,
///   |p_t| <= friction p_n, and p_t opposes u_t with |p_t| = friction p_n wherever u_t is not zero;
/// where a contact has resistances also a couple c about its normal and its tangents, likewise:
///   |c_n| <= spinning p_n against the relative turning w_n, |c_t| <= rolling p_n against w_t.
struct ContactProblem {
  std::span<const BodyMobility> bodies;
  std::span<const SolverContact> contacts;
};

/// The same given by the contacts alone: u = W p + q at each of them, with the laws above and
/// bounds of zero. Rows of 3 x 3 blocks: those of contact i are block[rowStart[i]] up to
/// block[rowStart[i + 1]], each stored by rows (normal, tangent 1, tangent 2), in ascending
/// columns. W need not be symmetric, nor of full rank; every contact has a block of its own with a
/// positive normal entry.
struct DelassusProblem {
  std::span<const std::uint32_t> rowStart, column;
  std::span<const std::array<double, 9>> block;
  std::span<const Vec3> free;  ///< q.
  std::span<const double> friction;
};

/// The same given by masses and Jacobian rows: M v = H p + f, u = H^T v + w, with q = H^T M^-1 f +
/// w. M has one square block for each body (or group of coordinates), of bodySize[b] rows; contact
/// i moves the bodies body[first[i]] up to body[first[i + 1]], each by three rows of bodySize
/// numbers.
struct JacobianProblem {
  std::span<const std::uint32_t> bodySize;
  std::span<const double> mass;  ///< Block after block, by rows.
  std::span<const std::uint32_t> first, body;
  std::span<const double> rows;  ///< Three rows for each entry of `body`, one after the other.
  std::span<const Vec3> free;    ///< q.
  std::span<const double> friction;
};

/// Storage of a DelassusProblem.
struct DelassusMatrix {
  std::vector<std::uint32_t> rowStart, column;
  std::vector<std::array<double, 9>> block;
};

/// W = H^T M^-1 H. False if a mass block has no inverse.
bool assembleDelassus(const JacobianProblem& problem, DelassusMatrix& matrix);

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
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace abut
