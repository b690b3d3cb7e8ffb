// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/curved/arc_minimum.hpp"

namespace abut::inline v0_1::curved {

/// A place on b's rim: squared distance from a's rim, and its slope by the angle on b's rim.
struct RimEnd {
  Angle at;
  double square, slope;
};

/// One rim of each of two round bodies. With u = x e1 + y e2 the place on b's rim, q = w + r_b u
/// runs on a circle, and the squared distance between the rims is that of q from a's mirrored rim,
///   f = |q - a's nearest point|^2 = |q|^2 + r_a^2 - 2 r_a rho,  rho^2 = |q|^2 - t^2,
/// with t the part of q along a's axis. Nearest points of two rims are minima of f.
class RimPair {
public:
  RimPair(const Round& b, const Round& a, double signB, double signA);

  [[nodiscard]] Vec3 radial(Angle at) const { return e1_ * at.x + e2_ * at.y; }
  /// The part of q at right angles to a's axis: a's nearest point lies along it.
  [[nodiscard]] Vec3 across(Angle at) const;
  /// f and its slope, from the points themselves: f may be much smaller than the radii.
  [[nodiscard]] RimEnd endAt(Angle at) const;
  /// f within rounding of the radii's squares: cheaper.
  [[nodiscard]] double roughSquareAt(Angle at) const;
  /// Bounds on f'' over the angles within `half` [rad] of a place.
  void bendAround(Angle at, double half, double& least, double& most) const;

  const Round& b;
  const Round& a;
  double signB, signA;
  Vec3 w;  ///< Sum of the rims' centres.

private:
  Vec3 e1_, e2_;
  double square0_, w1_, w2_, swing_;  // |q|^2 = square0 + w1 x + w2 y, with the amplitude swing.
  double wa_, ta_, tb_, lift_;        // t = wa + ta x + tb y, with the amplitude lift.
};

}  // namespace abut::inline v0_1::curved
