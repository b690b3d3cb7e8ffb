// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/curved/flat.hpp"

namespace abut::inline v0_1::curved {

/// The answer in B's frame.
struct Minimum {
  Vec3 m;    ///< Unit, from B to A.
  double h;  ///< Overlap along m: minus the signed distance of the cores [m].
  Vec3 xA, xB;
  Feature featureA, featureB;
  double residual;  ///< Distance of xA from A; zero proves that m is at least a local minimum.
};

/// Residual up to which an answer counts as proved, as a part of the size.
inline constexpr double kCertificate = 2e-13;

/// Below this gap, as a part of the size, the vector between nearest points is too short for a good
/// direction, and every pair of features is tried.
inline constexpr double kTouchingZone = 1e-6;

/// A direction from a few steps of GJK within this of a cap's normal (cosine), or of a side's
/// normals (sine), makes the cap or side worth trying.
inline constexpr double kNearPole = 0.98;
inline constexpr double kNearSide = 0.2;

/// Once the cores are proven farther apart than the cutoff [m], only m, h (as much apart along m)
/// and a residual of zero are set. The answer to a like question may be known: `start`, or null. No
/// answer depends on it, but for rounding.
void solveFlat(const SmallFlat& b, const Round& a, double size, double cutoff, const Vec3* start,
               Minimum& result);
void solveFlat(const HullFlat& b, const Round& a, double size, double cutoff, const Vec3* start,
               Minimum& result);
void solveRound(const Round& b, const Round& a, double size, double cutoff, const Vec3* start,
                Minimum& result);

/// Whether p, the support point of the difference of the bodies along the unit vector m, shows that
/// they are farther apart than the cutoff [m]; the result then says so.
inline bool isBeyond(const Vec3& p, const Vec3& m, double cutoff, Minimum& result) {
  const double h = dot(p, m);
  if (!(-h > cutoff)) return false;
  result = {m, h, m * (-0.5 * h), m * (0.5 * h), {}, {}, 0.0};
  return true;
}

/// Negates the points of a support set: from the mirrored body to the body itself.
void mirror(SupportSet& set);

/// Witness points and residual for result.m and result.h; true if they prove the answer. `setOfB`
/// fills the support set of B for a tolerance. A point of B proves it if, moved by the gap along m,
/// it lies in A: the residual is its distance from A. Where the bodies are nearly flat to each
/// other a point that is off by d sideways is off by no more than d times the small angle there.
template <class SetOfB>
bool findWitnesses(const Round& mirroredA, const SetOfB& setOfB, double size, Minimum& result) {
  SupportSet setA, setB;
  const double strict = kSetTolerances[0] * size;
  const Vec3 across = result.m * result.h;
  result.residual = 1e300;
  for (double tolerance : kSetTolerances) {
    supportSet(mirroredA, result.m, tolerance * size, strict, setA);
    mirror(setA);
    setOfB(tolerance * size, strict, setB);
    Vec3 xA, xB;
    matchSets(setA, setB, result.m, xA, xB);
    const double residual = maxOf(signedDistanceTo(mirroredA, across - xB), 0.0);
    if (residual < result.residual) {
      result.residual = residual;
      result.xA = xB - across;
      result.xB = xB;
      result.featureA = setA.feature;
      result.featureB = setB.feature;
    }
    if (residual <= kCertificate * size) return true;
  }
  return false;
}

/// The same by trying every place where the bodies can touch first, for a direction whose witnesses
/// findWitnesses() does not find: discs and faces tilted against each other by a few roundings,
/// between whose normals lies that of a corner of what they share. Slow. Keeps what result has
/// unless it finds a smaller residual.
template <class SetOfB>
bool searchWitnesses(const Round& mirroredA, const SetOfB& setOfB, double size, const Vec3& m,
                     double h, Minimum& result) {
  SupportSet setA, setB;
  WitnessPlaces places;
  const double strict = kSetTolerances[0] * size;
  const Vec3 across = m * h;
  for (double tolerance : kSetTolerances) {
    supportSet(mirroredA, m, tolerance * size, strict, setA);
    mirror(setA);
    setOfB(m, tolerance * size, strict, setB);
    places.find(setA, setB, m);
    for (int i = 0; i < places.count; ++i) {
      const Vec3 xB = pointAbove(setB, m, places.at[i]);
      const double residual = maxOf(signedDistanceTo(mirroredA, across - xB), 0.0);
      if (!(residual < result.residual)) continue;
      result = {m, h, xB - across, xB, setA.feature, setB.feature, residual};
    }
    if (result.residual <= kCertificate * size) return true;
  }
  return false;
}

}  // namespace abut::inline v0_1::curved
