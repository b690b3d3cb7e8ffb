// SPDX-License-Identifier: MIT
#include "narrow_phase/curved/witness.hpp"

namespace abut::inline v0_1::curved {
namespace {

int numEdges(const SupportSet& set) {
  return set.count == 2 ? 1 : set.count < 3 ? 0 : set.count;
}

const Vec3& endOf(const SupportSet& set, int edge) {
  return set.points[edge + 1 == set.count ? 0 : edge + 1];
}

/// By how much the height of the set along m grows across m.
Vec3 slopeOf(const SupportSet& set, const Vec3& m) {
  if (set.count == 1) return {};
  if (set.count == 2) {
    const Vec3 d = set.points[1] - set.points[0], across = perpendicularPart(d, m);
    const double square = squaredNorm(across);
    return square > 0.0 ? across * (dot(d, m) / square) : Vec3{};
  }
  const Vec3 n = set.count == 0
                     ? set.axis
                     : cross(set.points[1] - set.points[0], set.points[2] - set.points[0]);
  const double along = dot(n, m);
  return along != 0.0 ? perpendicularPart(n, m) * (-1.0 / along) : Vec3{};
}

}  // namespace

/// Corners, and the farthest points of a disc where the other set is flat or tilted against it.
void WitnessPlaces::addOwn(const SupportSet& set, const Vec3& tilt, const Vec3& m) {
  for (int i = 0; i < set.count; ++i) add(set.points[i]);
  if (set.count > 0) return;
  add(set.center);
  add(set.target);
  for (const Vec3& way : {tilt, perpendicularPart(set.axis, m)}) {
    const double length = norm(way);
    if (!(length > 0.0)) continue;
    add(set.center + way * (set.radius / length));
    add(set.center - way * (set.radius / length));
  }
}

void WitnessPlaces::crossDiscs(const SupportSet& d1, const SupportSet& d2, const Vec3& m) {
  const Vec3 between = perpendicularPart(d2.center - d1.center, m);
  const double square = squaredNorm(between);
  if (!(square > 0.0)) return;
  const double along = 0.5 * (1.0 + (d1.radius - d2.radius) * (d1.radius + d2.radius) / square);
  const double h2 = d1.radius * d1.radius / square - along * along;
  const Vec3 side = cross(m, between) * std::sqrt(maxOf(h2, 0.0));
  add(d1.center + between * along + side);
  add(d1.center + between * along - side);
}

void WitnessPlaces::crossDisc(const SupportSet& disc, const Vec3& from, const Vec3& to,
                              const Vec3& m) {
  const Vec3 e = perpendicularPart(to - from, m), d = perpendicularPart(from - disc.center, m);
  const double a = squaredNorm(e);
  if (!(a > 0.0)) return;
  const double foot = -dot(e, d) / a;
  const double rest = disc.radius * disc.radius - squaredNorm(d + e * foot);
  const double half = std::sqrt(maxOf(rest, 0.0) / a);
  for (double t : {foot - half, foot + half}) add(from + (to - from) * clampTo(t, 0.0, 1.0));
}

void WitnessPlaces::addCrossings(const SupportSet& set1, const SupportSet& set2, const Vec3& m) {
  if (set1.count == 0 && set2.count == 0) return crossDiscs(set1, set2, m);
  if (set1.count == 0) {
    for (int i = 0; i < numEdges(set2); ++i) crossDisc(set1, set2.points[i], endOf(set2, i), m);
    return;
  }
  if (set2.count == 0) return addCrossings(set2, set1, m);
  for (int i = 0; i < numEdges(set1); ++i) {
    const Vec3 p = set1.points[i], d1 = endOf(set1, i) - p;
    for (int j = 0; j < numEdges(set2); ++j) {
      const Vec3 d2 = endOf(set2, j) - set2.points[j];
      const double twist = dot(cross(d1, d2), m);
      const double numerator = dot(cross(set2.points[j] - p, d2), m);
      // Crossings outside of the edges are of no use.
      if (!(numerator * twist >= 0.0 && absOf(numerator) <= absOf(twist)) || twist == 0.0) continue;
      add(p + d1 * (numerator / twist));
    }
  }
}

void WitnessPlaces::find(const SupportSet& set1, const SupportSet& set2, const Vec3& m) {
  count = 0;
  const Vec3 tilt = slopeOf(set1, m) - slopeOf(set2, m);
  addOwn(set1, tilt, m);
  addOwn(set2, tilt, m);
  addCrossings(set1, set2, m);
}

}  // namespace abut::inline v0_1::curved
