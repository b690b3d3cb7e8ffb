// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/box/box_sat.hpp"
#include "narrow_phase/dispatch/pair_query.hpp"

namespace abut::inline v0_1 {

/// A face of one box (the reference) looked at along a direction d that leaves it, with the other
/// box (the incident one) beyond. Coordinates are those of the reference box's frame.
struct BoxFaceView {
  Vec3 half, otherHalf;
  Mat3 otherAxes;
  Vec3 otherCenter;
  std::uint32_t axis;  ///< Of the reference face.
  Vec3 direction;      ///< d: unit, within about a degree of the face's outward normal, or equal.
  bool firstIsReference;
  Mat3 toWorld;  ///< The reference box's placement in the frame of the query.
  Vec3 origin;
  Vec3 directionWorld;
};

/// Overlap region of the reference face and the incident box's facing face, both moved along d: the
/// incident face's corners and edges, cut to the reference rectangle, and the rectangle's corners
/// over the incident face. Every point has its own depth along d; those with a gap above `allowed`
/// are left out. Adds the points to the manifold and returns the greatest depth, -infinity if none.
///
/// With d the face's own normal these are plain perpendicular depths. With d a little off it (an
/// edge-edge normal of nearly flush boxes) the patch is sheared, and every depth is still the exact
/// overlap of the two faces on a line along d.
double addBoxPatch(const BoxFaceView& view, double allowed, double size, PairManifold& manifold);

}  // namespace abut::inline v0_1
