// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shapes/convex_core.hpp"
#include "shapes/hull_data.hpp"

namespace abut::inline v0_1 {

/// Number of the vertex of a polyhedral core farthest along d (core frame). A box numbers its
/// corners by the signs of the coordinates: bit 0 is set for x > 0, bit 1 for y > 0, bit 2 for z >
/// 0; a segment's ends are 0 (z < 0) and 1.
inline std::uint32_t supportIndex(const ConvexCore& core, const Vec3& d) {
  using Kind = ConvexCore::Kind;
  switch (core.kind) {
    case Kind::Hull:
      return supportVertex(*core.hull, d);
    case Kind::Box:
      return (d.x < 0.0 ? 0u : 1u) | (d.y < 0.0 ? 0u : 2u) | (d.z < 0.0 ? 0u : 4u);
    case Kind::Segment:
      return d.z < 0.0 ? 0u : 1u;
    case Kind::Triangle: {
      const double a = dot(core.corners[0], d), b = dot(core.corners[1], d);
      const double c = dot(core.corners[2], d);
      if (a >= b && a >= c) return 0;
      return b >= c ? 1 : 2;
    }
    case Kind::Point:
    case Kind::Cylinder:
    case Kind::Cone:
      break;
  }
  return 0;
}

/// Vertex of a polyhedral core (core frame) [m].
inline Vec3 vertexOf(const ConvexCore& core, std::uint32_t i) {
  using Kind = ConvexCore::Kind;
  const Vec3& h = core.half;
  switch (core.kind) {
    case Kind::Hull:
      return core.hull->vertex(i);
    case Kind::Box:
      return {(i & 1u) != 0 ? h.x : -h.x, (i & 2u) != 0 ? h.y : -h.y, (i & 4u) != 0 ? h.z : -h.z};
    case Kind::Segment:
      return {0.0, 0.0, i == 0 ? -h.z : h.z};
    case Kind::Triangle:
      return core.corners[i];
    case Kind::Point:
    case Kind::Cylinder:
    case Kind::Cone:
      break;
  }
  return {};
}

std::uint32_t numVertices(const ConvexCore& core);

/// A point inside the core.
Vec3 centerOf(const ConvexCore& core);

/// The vertex, edge or face of the core that lies farthest along the unit vector d (core frame):
/// all that is within `tolerance` [m] of the farthest vertex, which is given. Numbering as in
/// supportFeature().
Feature featureAlong(const ConvexCore& core, const Vec3& d, std::uint32_t farthest,
                     double tolerance);

/// Unit outward normal of a face of the core (core frame); zero for a triangle without area.
Vec3 faceNormalOf(const ConvexCore& core, std::uint32_t face);

/// A point u = b - a of the Minkowski difference 2 - 1, with the vertices that make it.
struct MinkowskiPoint {
  Vec3 u;
  std::uint32_t i1;
  std::uint32_t i2;
};

/// Two polyhedral cores in the frame of core 1. With u = b - a, a in 1 and b in 2, the overlap
/// along n is h(n) = max n . u, and the cores overlap if the origin is among the u.
struct PolytopePair {
  const ConvexCore& core1;
  const ConvexCore& core2;
  Mat3 rotation;     ///< Of core 2 seen from core 1.
  Vec3 translation;  ///< Likewise [m].
  double size;       ///< Sum of the bounding radii [m]: the scale of rounding errors.

  PolytopePair(const ConvexCore& c1, const Pose& pose1, const ConvexCore& c2, const Pose& pose2)
      : core1(c1),
        core2(c2),
        rotation(transposeTimes(pose1.rotation, pose2.rotation)),
        translation(transposeTimes(pose1.rotation, pose2.translation - pose1.translation)),
        size(boundingRadius(c1) + boundingRadius(c2)) {}

  [[nodiscard]] Vec3 vertex1(std::uint32_t i) const { return vertexOf(core1, i); }
  [[nodiscard]] Vec3 vertex2(std::uint32_t i) const {
    return rotation * vertexOf(core2, i) + translation;
  }

  /// A farthest point along n (frame of core 1, any length but zero).
  [[nodiscard]] MinkowskiPoint support(const Vec3& n) const {
    const std::uint32_t i1 = supportIndex(core1, -n);
    const std::uint32_t i2 = supportIndex(core2, transposeTimes(rotation, n));
    return {vertex2(i2) - vertex1(i1), i1, i2};
  }
};

}  // namespace abut::inline v0_1
