// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "solver/prepared_contacts.hpp"

namespace abut::inline v0_1 {

/// Approach speeds that differ by less than this part tie: beyond what rounding makes of equal
/// ones, below any difference that a scene means.
inline constexpr double kTiedSpeeds = 1e-9;

/// What restitution was to do in some blows, and what it did [J]: the sums over contacts of
/// p e |u-| / 2 and of p u+ / 2, with p the normal impulse.
struct RestitutionWork {
  double asked = 0.0, delivered = 0.0;
};

/// Throws contacts back together.
class ImpactGroup {
public:
  /// Each contact of the group that pushes leaves with its restitution times its approach,
  ///   u+ >= -e u-,  p >= 0,  p (u+ + e u-) = 0,
  /// with Coulomb's law for u+. Without friction the work of the impulses, p (u- + u+) / 2 summed,
  /// is -sum p (1 - e) |u-| / 2: none adds energy, and the velocities do not depend on the order of
  /// contacts. Friction coupled to the normal can add energy; then all restitutions are lowered by
  /// what it takes.
  ///
  /// `group` are indices of contacts; `restitution` holds one number for each contact of the
  /// problem, whose bounds do not count. `velocities` follow. Returns the impulses along the axes,
  /// one for each of the group; the view ends with the next call.
  std::span<const Vec3> throwBack(const ContactProblem& problem,
                                  std::span<const PreparedContact> prepared,
                                  std::span<const double> restitution,
                                  std::span<const std::uint32_t> group,
                                  std::span<BodyVelocity> velocities, RestitutionWork& work);

private:
  ContactSolver solver_;
  std::vector<SolverContact> some_;
  std::vector<Vec3> impulses_, approach_;
  std::vector<BodyVelocity> velocities_;
};

struct SequenceReport {
  int impacts = 0;      ///< Of contacts.
  bool gaveUp = false;  ///< After a fixed number for each contact; some still approach.
  RestitutionWork work;
};

/// Impacts with restitution, one after the other: the contacts that close fastest are thrown back
/// first, those that tie together, until none with a restitution approaches faster than `slowest`
/// any more. A row of touching balls passes its momentum on; a ball that hits two at once parts
/// them evenly, whatever their order.
///
/// Ends: with w a velocity for which all normals part, n_k w >= d > 0, every blow adds at least
/// d (1 + e) slowest to v w, which |v0| |w| bounds. Where bodies are jammed there is no such w, and
/// it gives up.
class ImpactSequence {
public:
  /// `restitution` is 0 for contacts that take no part; `impulses` grow by what was exchanged;
  /// `velocities` follow.
  SequenceReport run(const ContactProblem& problem, std::span<const PreparedContact> prepared,
                     std::span<const double> restitution, double slowest, std::span<Vec3> impulses,
                     std::span<BodyVelocity> velocities);

private:
  ImpactGroup group_;
  std::vector<std::uint32_t> tied_;
  std::vector<double> speed_;
};

}  // namespace abut::inline v0_1
