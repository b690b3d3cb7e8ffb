// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "joints/mechanism.hpp"

namespace abut::inline v0_1 {

/// What steps by the mean velocity leave of velocities that joints do not allow.
///
/// v1 = 2 v - v0 keeps the joints and the energy, and J v only on the average: J v1 + J v0 is of
/// second order in the step, so that what a step leaves of it goes on with alternating sign, with
/// energy that the motion itself lacks. Where a motion turns round within less than a step (a whip,
/// a universal joint whose rod passes the first axis) that may be most of it. Taken away as by a
/// blow between the bodies it changes no momentum; its energy then is given back to the motion that
/// joints do allow, apart from what momenta hold: rigid motions of all bodies together that joints
/// to what does not move allow and that no force drives.
class HiddenMotion {
public:
  /// Gives the velocities of a mechanism, which joints allow, as much energy more. False, and
  /// nothing is changed, if that is more than a part of what may be changed.
  bool giveBack(Mechanism& mechanism, double energy, double most);

private:
  using Motion = std::vector<Vec6>;  ///< Velocities of all bodies.

  void findRigid(const Mechanism& mechanism);
  void addAnchors(const Mechanism& mechanism);
  void addRow(Vec6 row);
  void addMotion(const Mechanism& mechanism, const Vec6& twist);
  [[nodiscard]] double product(const Mechanism& mechanism, const Motion& a, const Motion& b) const;

  Vec3 center_;
  double radius_ = 1.0;  ///< Of gyration [m].
  bool is_anchored_ = false;
  std::vector<Vec6> rows_;       ///< Orthonormal, of what no rigid motion may have.
  std::vector<Motion> motions_;  ///< Orthonormal by the masses; the first few are in use.
  std::size_t count_ = 0;
  Motion start_, rigid_;
};

/// Kinetic energy of bodies and armatures [J].
[[nodiscard]] double kineticEnergy(const Mechanism& mechanism);

}  // namespace abut::inline v0_1
