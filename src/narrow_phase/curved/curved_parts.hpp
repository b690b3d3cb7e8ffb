// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/curved/flat.hpp"

namespace abut::curved {

/// The answer in B's frame.
struct Minimum {
  Vec3 m;    ///< Unit, from B to A.
  double h;  ///< Overlap along m: minus the signed distance of the cores [m].
  Vec3 xA, xB;
  Feature featureA, featureB;
  double residual;  ///< |xA - xB + h m|: zero proves that m is at least a local minimum.
};

/// Residual up to which an answer counts as proved, as a part of the size.
inline constexpr double kCertificate = 2e-13;

/// Below this gap, as a part of the size, the vector between nearest points is too short for a good
/// direction, and every pair of features is tried.
inline constexpr double kTouchingZone = 1e-6;

void solveFlat(const SmallFlat& b, const Round& a, double size, Minimum& result);
void solveFlat(const HullFlat& b, const Round& a, double size, Minimum& result);
void solveRound(const Round& b, const Round& a, double size, Minimum& result);

/// Negates the points of a support set: from the mirrored body to the body itself.
void mirror(SupportSet& set);

}  // namespace abut::curved
