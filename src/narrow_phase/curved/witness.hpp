// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/curved/round.hpp"

namespace abut::curved {

/// The points of a convex body that are farthest along a direction, within a tolerance: a point, a
/// segment, a polygon or a disc.
struct SupportSet {
  static constexpr int kMaxPoints = 64;

  int count = 0;  ///< 0: a disc.
  Vec3 points[kMaxPoints];
  Vec3 center;  ///< Of the disc.
  double radius = 0.0;
  Feature feature;
};

/// Support set of a round body along m, points within `tolerance` [m] of the maximum. Features are
/// numbered as in the shapes' headers.
void supportSet(const Round& body, const Vec3& m, double tolerance, SupportSet& set);

/// Points of two support sets that lie above each other along m, or as nearly so as can be.
void matchSets(const SupportSet& set1, const SupportSet& set2, const Vec3& m, Vec3& x1, Vec3& x2);

}  // namespace abut::curved
