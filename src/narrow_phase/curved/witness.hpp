// SPDX-License-Identifier: MIT
#pragma once

#include "core/assert.hpp"
#include "narrow_phase/curved/round.hpp"

namespace abut::inline v0_1::curved {

/// The points of a convex body that are farthest along a direction, within a tolerance: a point, a
/// segment, a polygon or a disc.
struct SupportSet {
  static constexpr int kMaxPoints = 64;

  int count = 0;  ///< 0: a disc.
  union {         // Keeps the points from being set to zero: they are written before they are read.
    Vec3 points[kMaxPoints];
  };
  Vec3 center;  ///< Of the disc.
  Vec3 axis;    ///< Of the disc, unit.
  Vec3 target;  ///< Where on the disc the other body's point is looked for.
  double radius = 0.0;
  Feature feature;

  SupportSet() {}  // NOLINT
};

/// Steps by which the support sets grow until points of both lie above each other. At the first
/// every point of a set is as good as another. Nearly flat contacts need more: there the direction
/// fixes the point on a rim only roughly, and the neighbours of that point are hardly lower.
inline constexpr double kSetTolerances[] = {1e-13, 1e-10, 1e-7};

/// Support set of a round body along m, points within `tolerance` [m] of the maximum; a disc's
/// target is its centre if the disc lies within `strict`, else the point farthest along m. Features
/// are numbered as in the shapes' headers.
void supportSet(const Round& body, const Vec3& m, double tolerance, double strict, SupportSet& set);

/// Points of two support sets that lie above each other along m, or as nearly so as can be.
void matchSets(const SupportSet& set1, const SupportSet& set2, const Vec3& m, Vec3& x1, Vec3& x2);

/// Places, seen along m, where a linear function over what two support sets share can be lowest:
/// corners of one set, crossings of the boundaries, and the farthest points of discs.
struct WitnessPlaces {
  /// A set has its corners or 6 places of a disc, and a disc or a segment crosses a polygon's edges
  /// twice at most (one of the sets is a round body's): 64 + 6 + 2 * 64.
  static constexpr int kMaxPlaces = 3 * SupportSet::kMaxPoints + 6;

  int count = 0;
  union {  // Not set to zero: written before read.
    Vec3 at[kMaxPlaces];
  };

  WitnessPlaces() {}  // NOLINT

  void find(const SupportSet& set1, const SupportSet& set2, const Vec3& m);

private:
  void add(const Vec3& place) {
    ABUT_CHECK(count < kMaxPlaces);
    at[count++] = place;
  }
  void addOwn(const SupportSet& set, const Vec3& tilt, const Vec3& m);
  void addCrossings(const SupportSet& set1, const SupportSet& set2, const Vec3& m);
  void crossDiscs(const SupportSet& d1, const SupportSet& d2, const Vec3& m);
  void crossDisc(const SupportSet& disc, const Vec3& from, const Vec3& to, const Vec3& m);
};

/// The point of the set above a place, or nearest to it.
Vec3 pointAbove(const SupportSet& set, const Vec3& m, const Vec3& place);

}  // namespace abut::inline v0_1::curved
