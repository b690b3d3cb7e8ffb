// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <span>

#include "narrow_phase/mesh/patch.hpp"

namespace abut::inline v0_1 {

/// A way out of one triangle.
struct RawGap {
  std::uint32_t triangle = MeshData::kNone;
  Vec3 normal;
  Feature feature1, feature2;
};

/// The shortest of the ways out of single triangles that leads out of all that overlap.
struct WayOut {
  RawGap gap;
  double depth = std::numeric_limits<double>::infinity();  // [m]
  bool isKnown = false;
};

/// Gap of the body from a triangle, working frame; features are the triangle's own.
void gapToTriangle(const BodyOverMesh& body, std::uint32_t t, PairGap& gap);

/// Of the ways out of single triangles and of the face normals the one along which what overlaps of
/// all triangles is cleared soonest.
WayOut findWayOut(const BodyOverMesh& body, std::span<const std::uint32_t> triangles);

}  // namespace abut::inline v0_1
