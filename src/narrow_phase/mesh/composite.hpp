// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "narrow_phase/dispatch/manifold_sink.hpp"
#include "shapes/bvh.hpp"
#include "shapes/convex_core.hpp"
#include "shapes/mesh_data.hpp"

namespace abut::inline v0_1 {

// Pairs with a composite shape, by what their parts are. Frames and order as in PairQuery.

/// The triangles of a mesh or height field; null for other shapes.
const MeshData* meshOf(const Shape& shape);
/// True if points behind the surface are inside: closed meshes and height fields.
bool hasInside(const Shape& shape);
/// True if a point (shape's frame) is inside a closed mesh or below a height field; the nearest
/// point of the surface then.
bool isInside(const Shape& shape, const Vec3& point, MeshNearest& nearest);
/// True if an object that is apart from the surface, with its nearest point in direction n (shape's
/// frame) from the point q of a triangle, is on the inner side there.
bool isOnInnerSide(const Shape& shape, std::uint32_t triangle, const Vec3& q, const Vec3& n);
/// The solid of a closed convex mesh; null for other shapes.
const MeshHull* hullOf(const Shape& shape);
/// True if a shape is one convex body: convex, or a closed convex mesh.
[[nodiscard]] inline bool isOneBody(const Shape& shape) {
  return shape.isConvex() || hullOf(shape) != nullptr;
}
/// The convex pieces of a closed mesh with valleys; empty for other shapes.
std::span<const MeshPiece> piecesOf(const Shape& shape);
/// True if a shape is made of convex bodies: one, or pieces.
[[nodiscard]] inline bool hasBodies(const Shape& shape) {
  return isOneBody(shape) || !piecesOf(shape).empty();
}
/// Such a body of a shape. Its number as a part is 0 for the only one, else beyond the triangles.
/// The views end with the shape.
struct SolidBody {
  ConvexCore core;
  const MeshHull* names = nullptr;  ///< Of its features; null if they are the shape's own.
  std::uint32_t part = 0;

  [[nodiscard]] Feature toShape(Feature local) const {
    return names == nullptr ? local : names->toMesh(local);
  }
};
/// The only body, or the piece with a number.
SolidBody bodyOf(const Shape& shape, std::size_t piece = 0);
/// The body that a part names; false if it is a triangle.
bool findBody(const Shape& shape, std::uint32_t part, SolidBody& result);
/// A part as callers know it: a triangle of the piece.
std::uint64_t shownPart(const Shape& shape, std::uint64_t part);
/// Number of the face that a triangle's patch counts as: its first triangle.
[[nodiscard]] inline std::uint32_t faceOf(const MeshData& mesh, std::uint32_t triangle) {
  return mesh.patchTriangles[mesh.patches[mesh.triangles[triangle].patch].first];
}

/// Box around a rounded core under a rotation, about its origin; never too small.
Bounds boundsOf(const ConvexCore& core, const Mat3& rotation);
/// Box of a shape (its own box, infinite for a plane) seen from another frame.
Bounds boundsIn(const Shape& shape, const Pose& pose);

/// A point well inside a core, in its own frame.
Vec3 bodyCenter(const ConvexCore& core);

/// Two shapes made of convex bodies, at least one of them a mesh.
void collideSolids(const PairQuery& query, ManifoldSink& sink);
void gapSolids(const PairQuery& query, PairGap& result);

/// A convex body and the triangles of a mesh; either may be object 1 if both are meshes. See
/// convex_mesh.cpp for what depth and normal mean.
void collideConvexMesh(const PairQuery& query, ManifoldSink& sink);
/// Signed distance while apart, or wholly inside; else some value <= 0.
void gapConvexMesh(const PairQuery& query, PairGap& result);

/// Two meshes.
void collideMeshMesh(const PairQuery& query, ManifoldSink& sink);
void gapMeshMesh(const PairQuery& query, PairGap& result);

/// A half-space (1) and the corners of a mesh (2).
void collidePlaneMesh(const PairQuery& query, ManifoldSink& sink);
void gapPlaneMesh(const PairQuery& query, PairGap& result);

/// Anything (1) and a point cloud or compound (2), child by child through the table of pairs.
void collideChildren(const PairQuery& query, ManifoldSink& sink);
void gapChildren(const PairQuery& query, PairGap& result);

}  // namespace abut::inline v0_1
