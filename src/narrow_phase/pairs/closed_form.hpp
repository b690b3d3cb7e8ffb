// SPDX-License-Identifier: MIT
#pragma once

#include <abut/math/convert.hpp>
#include <abut/shapes/plane_shape.hpp>

#include "core/inline.hpp"
#include "narrow_phase/dispatch/manifold_sink.hpp"
#include "narrow_phase/dispatch/pair_query.hpp"

namespace abut::inline v0_1 {

// What the pairs with closed forms share.

inline constexpr Feature kRoundFeature{Feature::Kind::Vertex, 0};  ///< The whole of a sphere.
inline constexpr Feature kSideFeature{Feature::Kind::Edge, 0};     ///< A capsule's side.
inline constexpr Feature kPlaneFeature{Feature::Kind::Face, 0};    ///< A plane's surface.

/// A capsule's cap at -z (false) or +z (true).
inline Feature capFeature(bool positive) {
  return {Feature::Kind::Vertex, positive ? 1u : 0u};
}

/// What of a capsule is at a place along its axis, up to half its length: a cap at an end, else the
/// side.
inline Feature capsuleFeature(double along, double half) {
  static_assert(static_cast<int>(Feature::Kind::Vertex) == 1 &&
                static_cast<int>(Feature::Kind::Edge) == 2);
  const std::uint32_t atEnd = absOf(along) == half ? 1u : 0u, above = along > 0.0 ? 1u : 0u;
  return {static_cast<Feature::Kind>(2u - atEnd), atEnd & above};
}

/// A box's share in the size of a pair: cheap, and at least its bounding radius.
inline double boxSize(const Vec3& half) {
  return (half.x + half.y) + half.z;
}

/// A copy of a vector in memory, number by number: compilers would move it as a block, through
/// memory again.
ABUT_ALWAYS_INLINE Vec3 fetch(const Vec3& v) {
  return {v.x, v.y, v.z};
}

/// anyPerpendicular() of a copy: an argument that stays in registers.
ABUT_ALWAYS_INLINE Vec3 perpendicularTo(const Vec3& n) {
  const Vec3 copy = fetch(n);
  return anyPerpendicular(copy);
}

// Which side of a box a point lies on is hard to predict: what depends on it does without branches.

/// max(a, 0), exactly.
inline double positivePart(double a) {
  return 0.5 * (a + absOf(a));
}
inline Vec3 positivePart(const Vec3& a) {
  return {positivePart(a.x), positivePart(a.y), positivePart(a.z)};
}

/// Two points nearer than this, times the size of the pair, coincide: the direction from one to the
/// other is made of rounding errors, and a fixed rule replaces it.
inline constexpr double kCoincident = 1e-14;

/// Squared slope of a capsule's axis against a normal above which (60 degrees from the surface) it
/// stands rather than lies: its side then runs away from the surface and is not listed.
inline constexpr double kSteepest = 0.75;

/// The largest gap that is reported as a contact: the margin, or what counts as touching.
inline double reportedGap(const PairQuery& query, double size) {
  return maxOf(query.margin, kTouchTolerance * size);
}

/// A contact of one point.
ABUT_ALWAYS_INLINE void addSinglePoint(const PairQuery& query, const PairGap& gap,
                                       ManifoldSink& sink) {
  if (!query.enableContact) {
    sink.markCollision();
    return;
  }
  sink.addPoint(gap.normal, (gap.p1 + gap.p2) * 0.5, -gap.gap, gap.feature1, gap.feature2,
                gap.status);
}

/// The outward normal of a plane, world orientation. Nearly all planes are z <= offset in their own
/// frame: what the product would give is then the rotated z axis itself.
ABUT_ALWAYS_INLINE Vec3 planeNormal(const PlaneShape& plane, const Mat3& rotation) {
  if (plane.isUpright()) return rotation.z + Vec3{};  // No -0, as in the sum.
  return rotation * toVec3(plane.getNormal());
}

/// Point, edge or face, by the number of points that a flat contact has.
inline ContactType typeOfCount(int count) {
  return count == 1 ? ContactType::Point : (count == 2 ? ContactType::Edge : ContactType::Face);
}

}  // namespace abut::inline v0_1
