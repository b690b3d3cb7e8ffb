// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "narrow_phase/dispatch/pair_query.hpp"
#include "narrow_phase/dispatch/scratch.hpp"
#include "shapes/convex_core.hpp"
#include "shapes/mesh_data.hpp"

namespace abut::inline v0_1 {

/// A convex body over a mesh, in the working frame: oriented like the mesh, origin at the body's
/// origin. A mesh vertex v is at v - shift.
struct BodyOverMesh {
  const MeshData& mesh;
  ConvexCore core;
  Mat3 rotation;   ///< Of the body.
  Vec3 shift;      ///< The body's origin in the mesh's frame [m].
  Vec3 center;     ///< A point inside the body, working frame [m].
  double margin;   ///< Gaps up to this are reported [m].
  double size;     ///< Scale of coordinates: touching and rounding are relative to it [m].
  bool hasInside;  ///< Behind the surface is solid.

  [[nodiscard]] Vec3 corner(std::uint32_t triangle, int k) const {
    return mesh.corner(triangle, k) - shift;
  }
  [[nodiscard]] Vec3 vertex(std::uint32_t v) const { return mesh.vertices[v] - shift; }
  /// The farthest point of the body along a unit vector, radius included.
  [[nodiscard]] Vec3 farthest(const Vec3& d) const {
    return rotation * support(core, transposeTimes(rotation, d)) + d * core.radius;
  }
  /// Gaps up to this are contacts [m].
  [[nodiscard]] double reach() const { return maxOf(margin, kTouchTolerance * size); }
};

/// What of a body faces a patch, in the working frame. Scratch: reuse it.
struct FacingFeature {
  SupportFeature feature;
  Vec3 corners[SupportFeature::kMaxVertices];
  Vec3 feet[SupportFeature::kMaxVertices];  ///< The body's corners moved onto the patch's plane.
  Vec3 normal;                              ///< Of the feature if it is a face.
};

/// The face contact of a body with one planar patch: what of the body faces the patch's plane is
/// cut with the patch's outline. The corners of that region are the points: body corners over the
/// patch, patch corners under the body's face, and crossings of outlines. Edges inside the patch
/// leave no trace.
struct PatchContact {
  Vec3 facing;  ///< The patch's normal, towards the body's side.
  Vec3 normal;  ///< Of the contact; equal to facing, or an edge's normal close to it.
  Vec3 point;   ///< In the patch's plane.

  double supportDepth = 0.0;  ///< Depth of the body's farthest point along the normal.
  bool anchored = false;      ///< The body's farthest point, or part of it, is over the patch.
};

/// Fills the manifold (but not its normal's frame: working frame) from the triangles of a patch,
/// ascending. Points farther than the margin are left out.
void collectPatch(const BodyOverMesh& body, std::span<const std::uint32_t> triangles,
                  PatchContact& contact, FacingFeature& scratch, PairManifold& manifold);

/// Adds the corners of the part of a triangle that is within a box of the body's own frame, working
/// frame [m].
void pushWithin(const BodyOverMesh& body, std::uint32_t triangle, const Bounds& own,
                ScratchList<Vec3>& points);

}  // namespace abut::inline v0_1
